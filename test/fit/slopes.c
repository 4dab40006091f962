/// slopes.c: derivatives that ride along with the runs of a fit are those of the closed form, and save runs.
#include <math.h>

#include "models.h"

static const char pushed[] = "slipstick: 1\n"
                             "name: Push\n"
                             "parameters: {v0: 2, mu: 0.3, g: 9.81}\n"
                             "coordinates: {x: {rate: v0}, y: 0}\n"
                             "mass: {x: 1, y: 1}\n"
                             "forces: {y: -g}\n"
                             "contacts: {ground: {gap: y, slip: x, friction: mu}}\n"
                             "run: {formulation: lcp, until: 2 s, relative: 1e-10, absolute: 1e-12}\n";

enum { ROWS = 40 };

// x of a block that slows down with mu g until it rests; mu = 0.25, v0 = 2.2
static slip_fit_data make_data(double *t, double *x)
{
    const double v0 = 2.2, slows = 0.25 * 9.81, stop = v0 / slows;
    slip_fit_data data = { .rows = ROWS, .columns = 1, .name = { "x" }, .t = t, .value = x };
    for (int k = 0; k < ROWS; k++) {
        t[k] = 0.04 * (k + 1);
        const double s = fmin(t[k], stop);
        x[k] = v0 * s - 0.5 * slows * s * s;
    }
    return data;
}

static slip_fit *fit_under(const char *formulation, const char *const *names, int count)
{
    double t[ROWS], x[ROWS];
    const slip_fit_data data = make_data(t, x);
    slip_model *model = read_model("", pushed, "", ";");
    slip_fit_def def = slip_default_fit_def();
    slip_error error = { 0 };
    slip_fit *fit = NULL;
    def.model = model;
    def.free = names, def.free_count = count;
    def.formulation = formulation;
    assert_int_equal(slip_fit_run(&def, &data, &error, &fit), SLIP_OK);
    slip_model_destroy(model);
    return fit;
}

static void derivatives_ride_along(void **state)
{
    (void)state;
    static const char *const names[] = { "mu", "v0" };
    static const char *const formulations[] = { "lcp", "gauss" };
    for (int k = 0; k < 2; k++) {
        slip_fit *fit = fit_under(formulations[k], names, 2);
        assert_true(fit->exact && fit->converged);
        assert_near(fit->value[0], 0.25, 1e-8);
        assert_near(fit->value[1], 2.2, 1e-8);
        // the run at the start, two for each iteration, one for the errors
        assert_true(fit->runs <= 2 * fit->iterations + 3);
        slip_fit_destroy(fit);
    }
}

// the data's clock is found by differences beside them
static void a_clock_beside_them(void **state)
{
    (void)state;
    static const char *const names[] = { "mu", "t0" };
    slip_fit *fit = fit_under("lcp", names, 2);
    assert_true(fit->exact);
    assert_true(isfinite(fit->error[0]) && isfinite(fit->error[1]));
    slip_fit_destroy(fit);
}

static void where_there_are_none_differences_serve(void **state)
{
    (void)state;
    static const char *const names[] = { "mu", "v0" };
    slip_fit *fit = fit_under("auto", names, 2);
    assert_false(fit->exact);
    assert_near(fit->value[0], 0.25, 2e-3);
    assert_near(fit->value[1], 2.2, 2e-3);
    slip_fit_destroy(fit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_ride_along),
        cmocka_unit_test(a_clock_beside_them),
        cmocka_unit_test(where_there_are_none_differences_serve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
