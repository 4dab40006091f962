/// monte_carlo.c: distributions of results against closed forms; spreads of the model file; more samples.
#include "sweeps.h"

static const char ball[] =
    "slipstick: 1\nname: Ball\nparameters: {h: 1, e: 0.5}\nspread:\n  h: {uniform: [0.5, 2]}\n"
    "  e: {uniform: [0.2, 0.8]}\ncoordinates: {y: h}\nmass: {y: 1}\nforces: {y: -9.81}\n"
    "contacts: {floor: {gap: y, restitution: e}}\nrun: {until: 8}\n";

// slope 1/2
static const char incline[] =
    "slipstick: 1\nname: Incline\nparameters: {mu: 0.3}\nspread: {mu: {normal: [0.5, 0.1]}}\n"
    "coordinates: {x: 0, y: 0}\nmass: {x: 1, y: 1}\n"
    "forces: {x: 9.81*sin(atan(0.5)), y: -9.81*cos(atan(0.5))}\n"
    "contacts: {floor: {gap: y, slip: x, friction: mu}}\nrun: {until: 1}\n";

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The largest distance between the shares of a sample and a distribution, times the root of its size. Of true
// samples 1 in 100 has more than 1.63, and 1 in 100 less than 0.44 (Kolmogorov)
static double kolmogorov(double *sample, int count, double (*distribution)(double))
{
    double most = 0.0;
    qsort(sample, (size_t)count, sizeof *sample, compare);
    for (int k = 0; k < count; k++) {
        const double p = distribution(sample[k]);
        most = fmax(most, fmax(p - (double)k / count, (k + 1.0) / count - p));
    }
    return most * sqrt(count);
}

static void assert_distributed(double *sample, int count, double (*distribution)(double))
{
    const double distance = kolmogorov(sample, count, distribution);
    if (!(distance < 1.63 && distance > 0.44)) fail_msg("%d samples: %g", count, distance);
}

enum { MOST = 4000 };

static void assert_values_distributed(const slip_sweep *s, const char *value, double (*distribution)(double))
{
    static double sample[MOST];
    const long count = slip_sweep_run_count(s);
    assert_true(count <= MOST);
    for (long k = 0; k < count; k++) sample[k] = value_of(s, k, value);
    assert_distributed(sample, (int)count, distribution);
}

static slip_sweep *spread(const slip_model *model, long samples)
{
    slip_sweep_def def = slip_default_sweep_def();
    def.model = model, def.spreads = true, def.samples = samples;
    def.sim.formulation = "lcp", def.companion = false;
    return run_sweep(&def);
}

// h = g t^2/2 is uniform
static double first_impact(double t)
{
    return fmin(fmax((0.5 * 9.81 * t * t - 0.5) / 1.5, 0.0), 1.0);
}

// The impacts end after t_1 (1 + e)/(1 - e), t_1 = sqrt(2 h/g), so e = (r - 1)/(r + 1) with r = t/t_1. Over h
// by Simpson's rule, exact to 1e-6 and better where the integrand is smooth; its kinks take that to 1e-4
static double end_of_impacts(double t)
{
    enum { PARTS = 2000 };
    double sum = 0.0;
    for (int k = 0; k <= PARTS; k++) {
        const double h = 0.5 + 1.5 * k / PARTS, r = t / sqrt(2.0 * h / 9.81), e = (r - 1.0) / (r + 1.0);
        sum += (k == 0 || k == PARTS ? 1.0 : k % 2 ? 4.0 : 2.0) * fmin(fmax((e - 0.2) / 0.6, 0.0), 1.0);
    }
    return sum / (3.0 * PARTS);
}

static void a_ball_that_comes_to_rest(void **state)
{
    (void)state;
    slip_model *model = read_model("", ball, "", " ");
    slip_sweep *s = spread(model, 800);
    assert_int_equal(slip_sweep_key_count(s), 2);
    assert_string_equal(slip_sweep_key(s, 0), "h");
    assert_values_distributed(s, "first(impact)", first_impact);
    assert_values_distributed(s, "last(impact)", end_of_impacts);
    slip_sweep_destroy(s);
    slip_model_destroy(model);
}

// It slides by g cos a (1/2 - mu) t^2/2 where mu < 1/2, half a normal distribution; else it stays
static double way(double x)
{
    const double deviation = 0.05 * 9.81 * cos(atan(0.5));
    return erf(x / deviation / sqrt(2.0));
}

static void a_block_on_an_incline(void **state)
{
    (void)state;
    static double slid[MOST];
    slip_model *model = read_model("", incline, "", " ");
    slip_sweep *s = spread(model, MOST);
    int count = 0;
    for (long k = 0; k < MOST; k++)
        if (value_of(s, k, "x") > 1e-9) slid[count++] = value_of(s, k, "x");
    assert_true(fabs(count - 0.5 * MOST) < 2.576 * 0.5 * sqrt(MOST)); // as 99 % of all samples
    assert_distributed(slid, count, way);
    slip_sweep_destroy(s);
    slip_model_destroy(model);
}

// what is varied otherwise is not drawn; what is not asked for is not drawn either
static void spreads_give_way(void **state)
{
    (void)state;
    slip_model *model = read_model("", ball, "", " ");
    const double e[2] = { 0.3, 0.5 };
    const slip_sweep_axis axis = { "parameters.e", e, 2 };
    slip_sweep_def def = slip_default_sweep_def();
    def.model = model, def.axes = &axis, def.axis_count = 1, def.spreads = true, def.samples = 3;
    def.sim.formulation = "lcp", def.companion = false, def.sim.until = 0.1;
    slip_sweep *s = run_sweep(&def);
    assert_int_equal(slip_sweep_run_count(s), 6);
    assert_int_equal(slip_sweep_key_count(s), 2);
    assert_string_equal(slip_sweep_key(s, 1), "h");
    assert_near(slip_sweep_point(s, 1, 1), slip_sweep_point(s, 4, 1), 0.0);
    slip_sweep_destroy(s);
    def.spreads = false, def.samples = 1;
    s = run_sweep(&def);
    assert_int_equal(slip_sweep_key_count(s), 1);
    slip_sweep_destroy(s);
    assert_int_equal(slip_model_distribution_count(model), 2);
    assert_string_equal(slip_model_distribution(model, 1).key, "e");
    assert_near(slip_model_distribution(model, 1).b, 0.8, 0.0);
    assert_null(slip_model_distribution(model, 2).key);
    slip_model_destroy(model);
}

// more samples leave the old runs as they were, to the last bit
static void more_runs_change_none(void **state)
{
    (void)state;
    slip_model *model = read_model("", ball, "", " ");
    const slip_sampling samplings[] = { SLIP_SAMPLING_RANDOM, SLIP_SAMPLING_SOBOL };
    for (int k = 0; k < 2; k++) {
        slip_sweep_def def = slip_default_sweep_def();
        def.model = model, def.spreads = true, def.sampling = samplings[k];
        def.sim.formulation = "lcp", def.companion = false, def.sim.until = 1.0;
        def.samples = 30;
        slip_sweep *few = run_sweep(&def);
        def.samples = 101;
        slip_sweep *many = run_sweep(&def);
        for (long run = 0; run < 30; run++) {
            const size_t bytes = (size_t)slip_sweep_value_count(few) * sizeof(double);
            assert_memory_equal(slip_sweep_result_of(few, run).values, slip_sweep_result_of(many, run).values,
                                bytes);
        }
        slip_sweep_destroy(few);
        slip_sweep_destroy(many);
    }
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_that_comes_to_rest),
        cmocka_unit_test(a_block_on_an_incline),
        cmocka_unit_test(spreads_give_way),
        cmocka_unit_test(more_runs_change_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
