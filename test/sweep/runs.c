/// runs.c: sweeps against closed forms; what they outputs; that threads change nothing.
#include "sweeps.h"

static const char ball[] =
    "slipstick: 1\nname: Ball\nparameters: {h: 1, e: 0.5, m: 1}\ncoordinates: {y: h}\nmass: {y: m}\n"
    "forces: {y: -9.81*m}\ncontacts: {floor: {gap: y, restitution: e}}\nrun: {until: 1, companion: off}\n";

// a block on an incline of slope tan a = 1/2
static const char incline[] =
    "slipstick: 1\nname: Incline\nparameters: {mu: 0.3}\ncoordinates: {x: 0, y: 0}\nmass: {x: 1, y: 1}\n"
    "forces: {x: 9.81*sin(atan(0.5)), y: -9.81*cos(atan(0.5))}\n"
    "contacts: {floor: {gap: y, slip: x, friction: mu}}\nrun: {until: 1}\n";

// two wells and a force: one equilibrium beyond F = 2/(3 sqrt 3) = 0.385, two stable ones between -F and F
static const char wells[] =
    "slipstick: 1\nname: Wells\nparameters: {F: 0}\ncoordinates: {x: -1}\nmass: {x: 1}\n"
    "forces: {x: \"x - x^3 + F - x'\"}\nrun: {until: 40}\n";

static const char swing[] =
    "slipstick: 1\nname: Swing\nparameters: {a: 1}\ncoordinates: {x: a}\nmass: {x: 1}\n"
    "forces: {x: -x}\nrun: {until: 20, step: 0.01}\n";

// a brake that is 0.2 N, and 1 N behind the second of two lines that it has passed
static const char lines[] =
    "slipstick: 1\nname: Lines\nparameters: {v: 1}\ncoordinates: {x: {rate: v}}\nmass: {x: 1}\n"
    "frictions: {brake: {slip: x, limit: \"if(if(x > 0.2, 1, 0) + if(x > 0.5, 1, 0) > 1.5, 1, 0.2)\"}}\n"
    "run: {until: 8, companion: off}\n";

static slip_sweep_def over(const slip_model *model, const slip_sweep_axis *axes, int count)
{
    slip_sweep_def def = slip_default_sweep_def();
    def.model = model, def.axes = axes, def.axis_count = count;
    return def;
}

// falls to the floor in sqrt(2 h/g)
static void a_grid_of_balls(void **state)
{
    (void)state;
    slip_model *model = read_model("", ball, "", " ");
    double h[3] = { 0.5, 1.0, 2.0 }, e[2] = { 0.25, 0.75 };
    slip_sweep_axis axes[2] = { { "h", h, 3 }, { "e", e, 2 } };
    slip_sweep_def def = over(model, axes, 2);
    def.sim.formulation = "lcp";
    slip_sweep *s = run_sweep(&def);
    assert_int_equal(slip_sweep_run_count(s), 6);
    for (long k = 0; k < 6; k++) {
        assert_near(slip_sweep_point(s, k, 0), h[k / 2], 0.0);
        assert_near(slip_sweep_point(s, k, 1), e[k % 2], 0.0);
        assert_near(value_of(s, k, "first(impact)"), sqrt(2.0 * h[k / 2] / 9.81), 1e-9);
        assert_int_equal(slip_sweep_result_of(s, k).trust, SLIP_TRUST_UNCHECKED);
    }
    slip_sweep_destroy(s);
    slip_model_destroy(model);
}

// by work: v^2/0.4 up to the second line, (v^2 - 0.2)/2 behind it
static void a_row_of_brakes(void **state)
{
    (void)state;
    static const char *const formulations[] = { "lcp", "gauss", "auto", "moreau" };
    slip_model *model = read_model("", lines, "", " ");
    double v[4] = { 0.3, 0.6, 1.0, 1.5 };
    slip_sweep_axis axis = { "v", v, 4 };
    for (int f = 0; f < 4; f++) {
        slip_sweep_def def = over(model, &axis, 1);
        def.sim.formulation = formulations[f];
        slip_sweep *s = run_sweep(&def);
        for (long k = 0; k < 4; k++) {
            const double way = v[k] * v[k] / 0.4;
            assert_near(value_of(s, k, "x"), way < 0.5 ? way : 0.5 + (v[k] * v[k] - 0.2) / 2.0, 1e-5);
            assert_int_equal(slip_sweep_result_of(s, k).trust, SLIP_TRUST_UNCHECKED);
        }
        slip_sweep_destroy(s);
    }
    slip_model_destroy(model);
}

// It slides when mu < 1/2, by g (sin a - mu cos a) t^2/2. Strata of a Latin hypercube: of 400 values between
// 0 and 1, 200 are below 1/2
static void monte_carlo_on_an_incline(void **state)
{
    (void)state;
    slip_model *model = read_model("", incline, "", " ");
    slip_distribution draw = { "mu", SLIP_DISTRIBUTION_UNIFORM, 0.0, 1.0 };
    slip_sweep_def def = slip_default_sweep_def();
    def.model = model, def.draws = &draw, def.draw_count = 1, def.samples = 400, def.seed = 3;
    def.sampling = SLIP_SAMPLING_LATIN, def.sim.formulation = "lcp", def.companion = false;
    slip_sweep *s = run_sweep(&def);
    int slid = 0;
    for (long k = 0; k < 400; k++) {
        double mu = slip_sweep_point(s, k, 0), cosine = cos(atan(0.5));
        double way = mu < 0.5 ? 0.5 * 9.81 * cosine * (0.5 - mu) : 0.0;
        assert_near(value_of(s, k, "x"), way, 1e-7);
        slid += value_of(s, k, "x") > 1e-6;
    }
    assert_int_equal(slid, 200);
    slip_sweep_destroy(s);
    slip_model_destroy(model);
}

// each run from where the one before it ended: on the way up the left well holds until it vanishes
static void following_finds_hysteresis(void **state)
{
    (void)state;
    slip_model *model = read_model("", wells, "", " ");
    double force[13];
    for (int k = 0; k < 13; k++) force[k] = -0.6 + 0.1 * k;
    slip_sweep_axis axis = { "F", force, 13 };
    slip_sweep_def def = over(model, &axis, 1);
    def.follow = true;
    slip_sweep *s = run_sweep(&def);
    assert_int_equal(slip_sweep_run_count(s), 26);
    for (long k = 0; k < 13; k++) {
        double up = value_of(s, k, "x"), down = value_of(s, 25 - k, "x");
        assert_near(slip_sweep_point(s, 25 - k, 0), force[k], 0.0);
        assert_near(up - up * up * up + force[k], 0.0, 1e-4);
        assert_true(force[k] < 0.385 ? up < 0.0 : up > 0.0);
        assert_true(force[k] < -0.385 ? down < 0.0 : down > 0.0);
    }
    slip_sweep_destroy(s);
    slip_model_destroy(model);
}

// x = a cos t: the same state after every period, and greatest there, where x' passes 0 downwards
static void assert_periods(const slip_sweep *s, const double *a, double tolerance)
{
    assert_int_equal(slip_sweep_point_width(s), 3);
    for (long k = 0; k < 2; k++) {
        slip_sweep_result r = slip_sweep_result_of(s, k);
        assert_int_equal(r.point_count, 3);
        for (long p = 0; p < r.point_count; p++) {
            assert_near(r.points[3 * p], 2.0 * acos(-1.0) * (double)(p + 1), tolerance);
            assert_near(r.points[3 * p + 1], a[k], 1e-6);
        }
    }
}

static void points_of_a_swing(void **state)
{
    (void)state;
    slip_model *model = read_model("", swing, "", " ");
    double a[2] = { 1.0, 2.0 };
    slip_sweep_axis axis = { "a", a, 2 };
    slip_sweep_def def = over(model, &axis, 1);
    def.strobe = 2.0 * acos(-1.0), def.after = 1.0;
    slip_sweep *s = run_sweep(&def);
    assert_periods(s, a, 1e-12);
    slip_sweep_destroy(s);
    def.strobe = 0.0, def.section = "x'", def.section_direction = -1;
    s = run_sweep(&def);
    assert_periods(s, a, 1e-6);
    slip_sweep_destroy(s);
    slip_model_destroy(model);
}

static void extremes_and_means(void **state)
{
    (void)state;
    slip_model *model = read_model("", swing, "", " ");
    double a[2] = { 1.0, 3.0 };
    slip_sweep_axis axis = { "a", a, 2 };
    slip_sweep_def def = over(model, &axis, 1);
    def.outputs = SLIP_OUTPUT_EXTREMES | SLIP_OUTPUT_MEANS;
    def.sim.until = 4.0 * acos(-1.0);
    slip_sweep *s = run_sweep(&def);
    for (long k = 0; k < 2; k++) {
        assert_near(value_of(s, k, "min(x)"), -a[k], 1e-4 * a[k]);
        assert_near(value_of(s, k, "max(x)"), a[k], 1e-4 * a[k]);
        assert_near(value_of(s, k, "mean(x)"), 0.0, 1e-4 * a[k]);
    }
    slip_sweep_destroy(s);
    slip_model_destroy(model);
}

// a mass that is none has its own line, with the reason; the others go on
static void a_run_that_cannot_begin(void **state)
{
    (void)state;
    slip_model *model = read_model("", ball, "", " ");
    double m[3] = { 1.0, -1.0, 2.0 };
    slip_sweep_axis axis = { "m", m, 3 };
    slip_sweep_def def = over(model, &axis, 1);
    slip_sweep *s = run_sweep(&def);
    slip_sweep_summary n = slip_sweep_summarize(s);
    assert_int_equal(n.trusted, 0);
    assert_int_equal(n.unchecked, 2);
    assert_int_equal(n.refused + n.ended_early, 1);
    slip_sweep_result bad = slip_sweep_result_of(s, 1);
    assert_true(bad.done && bad.trust == SLIP_TRUST_DOUBTFUL);
    assert_true(bad.text[0] != '\0');
    slip_sweep_destroy(s);
    slip_model_destroy(model);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    slip_model *model = read_model("", ball, "", " ");
    slip_distribution draws[2] = { { "e", SLIP_DISTRIBUTION_NORMAL, 0.5, 0.1 },
                                   { "h", SLIP_DISTRIBUTION_LOG_UNIFORM, 0.1, 10.0 } };
    slip_sweep_def def = slip_default_sweep_def();
    def.model = model, def.draws = draws, def.draw_count = 2, def.samples = 60, def.seed = 42;
    def.threads = 1;
    slip_sweep *one = run_sweep(&def);
    for (int threads = 2; threads < 6; threads++) {
        def.threads = threads;
        slip_sweep *many = run_sweep(&def);
        for (long k = 0; k < 60; k++)
            assert_memory_equal(slip_sweep_result_of(one, k).values, slip_sweep_result_of(many, k).values,
                                (size_t)slip_sweep_value_count(one) * sizeof(double));
        slip_sweep_destroy(many);
    }
    // more samples leave those that were there
    def.samples = 90;
    slip_sweep *more = run_sweep(&def);
    for (long k = 0; k < 60; k++)
        for (int d = 0; d < 2; d++)
            assert_near(slip_sweep_point(one, k, d), slip_sweep_point(more, k, d), 0.0);
    slip_sweep_destroy(more);
    slip_sweep_destroy(one);
    slip_model_destroy(model);
}

static void expect_error(slip_sweep_def def, const char *part)
{
    slip_error error = { 0 };
    slip_sweep *sweep = NULL;
    assert_int_not_equal(slip_sweep_run(&def, &error, &sweep), SLIP_OK);
    assert_null(sweep);
    if (!strstr(error.text, part) && !strstr(error.where, part)) fail_msg("%s: %s", error.where, error.text);
}

static void mistakes(void **state)
{
    (void)state;
    slip_model *model = read_model("", ball, "", " ");
    double one[2] = { 0.5, 0.6 }, bad[1] = { NAN };
    slip_sweep_axis axes[2] = { { "e", one, 2 }, { "e", one, 2 } };
    slip_distribution draw = { "h", SLIP_DISTRIBUTION_UNIFORM, 2.0, 1.0 };
    slip_sweep_def def = over(model, axes, 2);
    expect_error(def, "varied twice");
    def.axis_count = 1;
    axes[0].key = "nothing";
    expect_error(def, "nothing");
    axes[0].key = "e", axes[0].values = bad, axes[0].count = 1;
    expect_error(def, "not finite");
    axes[0].count = 0;
    expect_error(def, "no values");
    axes[0] = axes[1];
    def.draws = &draw, def.draw_count = 1;
    expect_error(def, "wrong order");
    draw = (slip_distribution){ "h", SLIP_DISTRIBUTION_LOG_UNIFORM, 0.0, 1.0 };
    expect_error(def, "> 0");
    draw = (slip_distribution){ "h", SLIP_DISTRIBUTION_NORMAL, 0.0, -1.0 };
    expect_error(def, "deviation");
    def.draw_count = 0, def.samples = 5;
    expect_error(def, "the same");
    def.samples = 0;
    expect_error(def, "1 at least");
    def.samples = 1, def.section = "z";
    expect_error(def, "not a column");
    def.section = NULL, def.strobe = 0.1, def.outputs = SLIP_OUTPUT_TRAJECTORY;
    expect_error(def, "exclude");
    def.strobe = 0.0, def.axis_count = 0, def.follow = true;
    expect_error(def, "axis to follow");
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_of_balls),
        cmocka_unit_test(a_row_of_brakes),
        cmocka_unit_test(monte_carlo_on_an_incline),
        cmocka_unit_test(following_finds_hysteresis),
        cmocka_unit_test(points_of_a_swing),
        cmocka_unit_test(extremes_and_means),
        cmocka_unit_test(a_run_that_cannot_begin),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
