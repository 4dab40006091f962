/// outputs.c: derivatives of energies, coefficients at grazing, and what a run writes of derivatives.
#include <jansson.h>
#include "ride.h"

static ride run_tight(const char *text, const char *sets, const char *formulation, const char *names)
{
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    def.sensitivity = names;
    def.relative = 1e-11;
    def.absolute = 1e-13;
    return run_with(text, sets, &def);
}

// an oscillator: x = x0 cos(w t), T = m x'^2/2, V = k x^2/2 with w^2 = k/m
static void of_energies(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: one\nparameters: {k: 4, m: 2, x0: 0.7}\n"
        "coordinates: {x: {start: x0}}\nenergy: {kinetic: m*x'^2/2, potential: k*x^2/2}\n"
        "run: {until: 0.9, step: 1e-3}\n";
    static const char *const list[] = { "lcp", "gauss", "dai" };
    const double k = 4, m = 2, x0 = 0.7, w = sqrt(k / m), a = 0.9 * w, t = 0.9;
    for (int f = 0; f < 3; f++) {
        ride r = run_tight(text, "", list[f], "k, x0");
        double kinetic, potential, both = slip_sim_energy_derivative(r.sim, 0, &kinetic, &potential);
        const double dw = w / (2 * k);
        assert_near(kinetic, x0 * x0 / 2 * sin(a) * sin(a) + k * x0 * x0 * sin(a) * cos(a) * t * dw, 1e-8);
        assert_near(potential, x0 * x0 / 2 * cos(a) * cos(a) - k * x0 * x0 * sin(a) * cos(a) * t * dw, 1e-8);
        assert_near(both, x0 * x0 / 2, 1e-8);
        assert_near(slip_sim_energy_derivative(r.sim, 1, NULL, NULL), k * x0, 1e-8);
        assert_true(isnan(slip_sim_energy_derivative(r.sim, 2, NULL, NULL)));
        end(&r);
    }
}

// A ball that is thrown up against a ceiling, just so: dy' = -(1 + e) sqrt(2 v* dv0), from either side of
// grazing; and a ceiling that comes down, dy' = -(1 + e) sqrt(-2 g dH)
static void at_grazing(void **state)
{
    (void)state;
    static const char text[] = "slipstick: 1\nname: toss\nparameters: {v0: 4, H: 1, e: 0.7}\n"
                               "coordinates: {x: {start: 0, rate: 0.2}, y: {start: 0, rate: v0}}\n"
                               "mass: {x: 3, y: 2}\nforces: {y: -2*9.81}\n"
                               "contacts: {ceiling: {gap: H - y, restitution: e}}\nrun: {until: 0.8}\n";
    const double v = sqrt(2 * 9.81);
    static const double beside[] = { -1e-12, 0.0, 1e-15 };
    for (int k = 0; k < 3; k++) {
        char sets[60];
        int side = 0;
        snprintf(sets, sizeof sets, "v0=%.17g", v * (1 + beside[k]));
        ride r = run_tight(text, sets, "lcp", "v0, H");
        assert_non_null(slip_sim_derivatives_end(r.sim, NULL));
        double rate = slip_sim_grazing(r.sim, 1, 0, &side);
        assert_near(rate, -1.7 * sqrt(2 * v), 1e-5);
        assert_int_equal(side, 1);
        assert_near(slip_sim_grazing(r.sim, 0, 0, NULL), 0.0, 1e-12);
        rate = slip_sim_grazing(r.sim, 1, 1, &side);
        assert_near(rate, -1.7 * sqrt(2 * 9.81), 1e-5);
        assert_int_equal(side, -1);
        assert_true(isnan(slip_sim_grazing(r.sim, 2, 0, NULL)));
        end(&r);
    }
    int side = 9;
    ride r = run_tight(text, "v0=3", "lcp", "v0");
    assert_true(isnan(slip_sim_grazing(r.sim, 1, 0, &side)));
    assert_int_equal(side, 0);
    end(&r);
}

// summary.json says what there is
static void in_the_summary(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: ball\nparameters: {e: 0.8}\ncoordinates: {y: {start: 1}}\n"
        "energy: {kinetic: y'^2/2, potential: 9.81*y}\n"
        "contacts: {floor: {gap: y, restitution: e}}\nrun: {until: 0.6}\n";
    for (int k = 0; k < 2; k++) {
        ride r = run_tight(text, "", "lcp", k ? "e" : NULL);
        slip_run_info info = { 0 };
        char *summary = slip_run_summary(r.sim, &info);
        json_t *root = json_loads(summary, 0, NULL), *found = json_object_get(root, "sensitivity");
        assert_non_null(root);
        assert_true(k ? json_is_object(found) : json_is_null(found));
        if (k) {
            assert_string_equal(json_string_value(json_array_get(json_object_get(found, "to"), 0)), "e");
            assert_true(json_is_null(json_object_get(found, "end")));
            assert_true(json_is_null(json_object_get(found, "grazing")));
            json_t *energy = json_object_get(json_object_get(found, "energy"), "e");
            double both = json_number_value(json_object_get(energy, "kinetic")) +
                          json_number_value(json_object_get(energy, "potential"));
            assert_near(both, 0.8 * 2 * 9.81, 1e-8); // e^2 g h behind the first bounce
        }
        json_decref(root);
        free(summary);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(of_energies), cmocka_unit_test(at_grazing),
                                        cmocka_unit_test(in_the_summary) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
