/// lanes.c: runs that are led through the lanes of a processor together are those that are made alone, to the
/// last bit.
#include "simulation/sim/ensemble.h"
#include "sweeps.h"

// a mass that is shaken on a rough floor; stick and slip
static const char shaken[] =
    "slipstick: 1\nname: Shaken\nparameters: {F: 1.5, k: 40}\ncoordinates: {x: 1}\nmass: {x: 1}\n"
    "forces: {x: \"-k*x + 2*sin(5*t)\"}\nfrictions: {pad: {slip: x, limit: F}}\n"
    "run: {until: 3, step: 1e-3, formulation: dai, integrator: rk4}\n";

// runs that are asked for where a column passes a value, which it never does, are made one by one
static void make_alone(slip_sweep_def *def)
{
    def->section = "x", def->section_at = 1e300;
}

static slip_sweep *run_over(const slip_model *model, const slip_sweep_axis *axis, bool alone, int threads)
{
    slip_sweep_def def = slip_default_sweep_def();
    def.model = model, def.axes = axis, def.axis_count = 1, def.companion = false, def.threads = threads;
    if (alone) make_alone(&def);
    return run_sweep(&def);
}

static void assert_same_value(double a, double b)
{
    if (memcmp(&a, &b, sizeof a) != 0) fail_msg("%.17g is not %.17g", a, b);
}

static void assert_same_run(const slip_sweep *a, const slip_sweep *b, long run)
{
    const slip_sweep_result one = slip_sweep_result_of(a, run), other = slip_sweep_result_of(b, run);
    assert_int_equal(one.outcome, other.outcome);
    assert_int_equal(one.trust, other.trust);
    assert_int_equal(one.refused, other.refused);
    assert_int_equal(one.warnings, other.warnings);
    assert_same_value(one.t, other.t);
    assert_string_equal(one.text, other.text);
    for (int k = 0; slip_sweep_value_name(a, k); k++)
        assert_same_value(one.values[k], value_of(b, run, slip_sweep_value_name(a, k)));
}

// some cannot begin, some blow up on the way
static void together_as_alone(void **state)
{
    (void)state;
    enum { COUNT = 90 };
    double k[COUNT];
    for (int i = 0; i < COUNT; i++) k[i] = 20.0 + i;
    k[7] = 1e8, k[40] = 9e7, k[41] = 0.0;
    slip_model *model = read_model("", shaken, "", " ");
    const slip_sweep_axis axis = { "k", k, COUNT };
    const slip_sim_def plain = slip_default_sim_def();
    slip_sim *sim = make_sim(model, &plain);
    assert_true(slip_ensemble_can_pack(sim));
    slip_sim_destroy(sim);
    slip_sweep *alone = run_over(model, &axis, true, 1);
    assert_int_not_equal(slip_sweep_result_of(alone, 7).outcome, SLIP_DONE);
    assert_true(value_of(alone, 0, "count(stick)") + value_of(alone, 0, "count(slip)") > 0.0);
    for (int threads = 1; threads <= 3; threads++) {
        slip_sweep *together = run_over(model, &axis, false, threads);
        for (long run = 0; run < COUNT; run++) assert_same_run(together, alone, run);
        slip_sweep_destroy(together);
    }
    slip_sweep_destroy(alone);
    slip_model_destroy(model);
}

// one run in the middle of a block has a step of its own, another ends before the others, and one does not
// begin
static void runs_that_differ(void **state)
{
    (void)state;
    const char *const keys[] = { "run.until", "run.step", "F" };
    enum { COUNT = 40 };
    double points[3 * COUNT];
    for (int i = 0; i < COUNT; i++) {
        points[3 * i] = i % 5 ? 1.0 : 0.3;
        points[3 * i + 1] = i % 7 ? 1e-3 : 5e-4;
        points[3 * i + 2] = i == 11 ? -1.0 : 1.0 + 0.02 * i;
    }
    slip_model *model = read_model("", shaken, "", " ");
    slip_sweep_def def = slip_default_sweep_def();
    def.model = model, def.companion = false, def.threads = 2;
    def.table_keys = keys, def.table = points, def.table_columns = 3, def.table_rows = COUNT;
    slip_sweep *together = run_sweep(&def);
    make_alone(&def);
    slip_sweep *alone = run_sweep(&def);
    assert_true(slip_sweep_result_of(alone, 11).refused);
    for (long run = 0; run < COUNT; run++) assert_same_run(together, alone, run);
    slip_sweep_destroy(together);
    slip_sweep_destroy(alone);
    slip_model_destroy(model);
}

// With companions and records: each run by itself, and all of them together. Some stick all the way, some
// blow up, some motions depend on the step, and some records are no numbers after a while
static void compare_with_companions(const char *text)
{
    enum { COUNT = 70 };
    const char *const keys[] = { "k", "F", "run.step", "run.until" };
    static const char *const formulations[] = { "dai", "modular", "kelvin-voigt", "tanh" };
    for (int f = 0; f < 4; f++) {
        double points[4 * COUNT];
        for (int i = 0; i < COUNT; i++) {
            double *p = points + 4 * i;
            p[0] = 20.0 + 7.0 * i, p[1] = 0.5 + 0.05 * (i % 9), p[2] = i % 11 ? 2e-3 : 7e-4,
            p[3] = 0.7 + 0.1 * (i % 2);
            if (i == 33) p[0] = 1e9;
        }
        slip_model *model = read_model("", text, "", " ");
        slip_sweep_def def = slip_default_sweep_def();
        def.model = model, def.threads = 2, def.after = 0.1 * f;
        def.outputs |= f % 2 ? SLIP_OUTPUT_MEANS | SLIP_OUTPUT_DRIFT : SLIP_OUTPUT_EXTREMES;
        def.sim.formulation = formulations[f];
        def.sim.integrator = f == 1 ? "rk4-generalised" : "rk4";
        def.table_keys = keys, def.table = points, def.table_columns = 4, def.table_rows = COUNT;
        slip_sweep *together = run_sweep(&def);
        int doubted = 0;
        for (long run = 0; run < COUNT; run++) {
            def.table = points + 4 * run, def.table_rows = 1;
            slip_sweep *alone = run_sweep(&def);
            const slip_sweep_result a = slip_sweep_result_of(alone, 0),
                                    b = slip_sweep_result_of(together, run);
            assert_int_equal(a.outcome, b.outcome);
            assert_int_equal(a.trust, b.trust);
            assert_int_equal(a.warnings, b.warnings);
            assert_same_value(a.t, b.t);
            assert_same_value(a.horizon, b.horizon);
            assert_string_equal(a.text, b.text);
            for (int k = 0; slip_sweep_value_name(alone, k); k++) assert_same_value(a.values[k], b.values[k]);
            doubted += a.trust != SLIP_TRUST_TRUSTED;
            slip_sweep_destroy(alone);
        }
        assert_true(doubted > 0 && doubted < COUNT);
        slip_sweep_destroy(together);
        slip_model_destroy(model);
    }
}

static void companions_too(void **state)
{
    (void)state;
    compare_with_companions(shaken);
}

static void records_too(void **state)
{
    (void)state;
    char text[1000];
    snprintf(text, sizeof text, "%srecord: {force: pad.friction, root: sqrt(F - t), twice: 2*x}\n", shaken);
    compare_with_companions(text);
}

// a block that slides, stops, and creeps under a friction that is a steep slope
static void creep_too(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    double mu[COUNT];
    for (int i = 0; i < COUNT; i++) mu[i] = 0.6 + 0.02 * i;
    slip_model *model = read_model("",
                                   "slipstick: 1\nname: Creeps\nparameters: {mu: 0.5}\n"
                                   "coordinates: {x: {start: 0, rate: 0.01}}\nmass: {x: 1}\nforces: {x: 4}\n"
                                   "frictions: {pad: {slip: x, limit: 9.81*mu}}\n"
                                   "run: {until: 10, step: 1e-3, formulation: tanh, integrator: rk4}\n",
                                   "", " ");
    slip_sweep_axis axis = { "mu", mu, COUNT };
    slip_sweep_def def = slip_default_sweep_def();
    def.model = model, def.axes = &axis, def.axis_count = 1, def.threads = 1;
    slip_sweep *together = run_sweep(&def);
    int creeping = 0;
    for (long run = 0; run < COUNT; run++) {
        axis = (slip_sweep_axis){ "mu", mu + run, 1 };
        slip_sweep *alone = run_sweep(&def);
        const slip_sweep_result a = slip_sweep_result_of(alone, 0), b = slip_sweep_result_of(together, run);
        assert_string_equal(a.text, b.text);
        assert_int_equal(a.warnings, b.warnings);
        creeping += strstr(a.text, "creeps") != NULL;
        slip_sweep_destroy(alone);
    }
    if (creeping < COUNT / 4) fail_msg("%d creep", creeping);
    slip_sweep_destroy(together);
    slip_model_destroy(model);
}

static void assert_same_points(const slip_sweep *a, long one, const slip_sweep *b, long other)
{
    const slip_sweep_result x = slip_sweep_result_of(a, one), y = slip_sweep_result_of(b, other);
    assert_int_equal(x.outcome, y.outcome);
    assert_int_equal(x.point_count, y.point_count);
    const size_t bytes = (size_t)x.point_count * (size_t)slip_sweep_point_width(a) * sizeof *x.points;
    if (bytes) assert_memory_equal(x.points, y.points, bytes);
}

// Rows at the times of a stroboscope, of `every`, and of each step, with and without records; at steps or
// not, and of runs that blow up
static void rows_too(void **state)
{
    (void)state;
    enum { COUNT = 45 };
    const char *const keys[] = { "k", "run.step", "run.until" };
    static const char *const also[] = {
        "", "run: {until: 3, step: 1e-3, formulation: dai, integrator: rk4, every: 0.02}\n",
        "record: {twice: 2*x, force: pad.friction}\n"
    };
    for (int c = 0; c < 6; c++) {
        char text[1200];
        const char *run = strstr(shaken, "run:");
        snprintf(text, sizeof text, "%.*s%s%s", (int)(run - shaken), shaken, c % 3 == 1 ? "" : run,
                 also[c % 3]);
        double points[3 * COUNT];
        for (int i = 0; i < COUNT; i++) {
            double *p = points + 3 * i;
            p[0] = i == 13 || i == 44 ? 1e9 : 20.0 + 7.0 * i, p[1] = i % 11 ? 1e-3 : 7e-4,
            p[2] = 0.5 + 0.1 * (i % 3);
        }
        slip_model *model = read_model("", text, "", " ");
        slip_sweep_def def = slip_default_sweep_def();
        def.model = model, def.threads = 2, def.after = 0.05 * (c % 2), def.companion = c == 2;
        def.table_keys = keys, def.table = points, def.table_columns = 3, def.table_rows = COUNT;
        if (c < 3) def.outputs |= SLIP_OUTPUT_TRAJECTORY | SLIP_OUTPUT_EXTREMES;
        if (c >= 3) def.strobe = c == 4 ? 0.0137 : 0.05;
        slip_sweep *together = run_sweep(&def);
        for (long k = 0; k < COUNT; k++) {
            def.table = points + 3 * k, def.table_rows = 1;
            slip_sweep *alone = run_sweep(&def);
            assert_same_points(alone, 0, together, k);
            if (k != 13 && k != 44) assert_true(slip_sweep_result_of(alone, 0).point_count > 5);
            slip_sweep_destroy(alone);
        }
        slip_sweep_destroy(together);
        slip_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(together_as_alone), cmocka_unit_test(runs_that_differ),
        cmocka_unit_test(companions_too),    cmocka_unit_test(records_too),
        cmocka_unit_test(creep_too),         cmocka_unit_test(rows_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
