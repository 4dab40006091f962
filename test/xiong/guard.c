/// guard.c: the step guard knows the limits of Xiong 2013's printed constants, is silent where all is well,
/// and what it says comes true.
#include "formulation/ode/stability_limit.h"
#include "simulation/sim/sim.h"
#include "xiong/helper.h"

static slip_sim *start(slip_model **model, const char *name, const char *sets, const slip_sim_def *def)
{
    *model = load_model(name, sets);
    return make_dai_sim(*model, def);
}

static void stop(slip_sim *sim, slip_model *model)
{
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void limits_of_rk4(void **state)
{
    (void)state;
    const slip_integrator *rk4 = &slip_integrator_rk4;
    assert_near(slip_largest_stable_step(rk4, -1, 0), 2.785293563405282, 1e-6);
    assert_near(slip_largest_stable_step(rk4, 0, 1), 2.8284271247461903, 1e-3);
    assert_near(slip_largest_stable_step(rk4, 0, -1000), 2.8284271247461903e-3, 1e-6);
    assert_true(isinf(slip_largest_stable_step(rk4, 1, 0)) && isinf(slip_largest_stable_step(rk4, 0, 0)));
    for (double angle = 1.6; angle < 3.14; angle += 0.1) { // at the limit |R| = 1
        double r = slip_largest_stable_step(rk4, cos(angle), sin(angle));
        assert_near(rk4->growth(r * cos(angle), r * sin(angle)), 1, 1e-6);
    }
    double least = INFINITY; // the half disc that the region of stability holds
    for (int k = 0; k <= 2000; k++) {
        const double angle = 1.5707963267948966 * (1.0 + k / 2000.0);
        least = fmin(least, slip_largest_stable_step(rk4, cos(angle), sin(angle)));
        for (double r = 0.005; r <= rk4->radius; r += 0.005)
            assert_true(rk4->growth(r * fmin(cos(angle), 0.0), r * sin(angle)) <= 1.0 + 1e-7);
    }
    assert_true(rk4->radius <= least && least < 1.01 * rk4->radius);
}

static void printed_constants_are_known(void **state)
{
    (void)state;
    const struct {
        const char *name, *sets;
        double limit, tolerance;
        bool warns;
    } cases[] = {
        { "two-masses-conveyor", "", 7.0e-4, 0.1e-4, true },            // erratum X17
        { "two-masses-conveyor-mechanics", "", 7.0e-4, 0.1e-4, false }, // its own step is 0.5 ms
        { "stick-slip", "", 5.57e-5, 0.05e-5, true },                   // erratum X19
        { "stick-slip", "beta=0.027", 1.03e-3, 0.03e-3, false },
        { "stick-slip-smoothed", "", 1.4e-4, 0.05e-4, true },
        { "friction-mass", "", 5.57e-3, 0.01e-3, false },
        { "bouncing-mass", "alpha=0.01", 0.0090, 0.002, false },
        { "bouncing-mass", "alpha=0.007", 0.0075, 0.002, false },
        { "bouncing-mass", "alpha=0.005", 0.0065, 0.002, false },
        { "bouncing-mass", "alpha=0.001", 0.0025, 0.0006, false },
        { "rolling-sphere", "", 2.0e-3, 0.6e-3, false },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        slip_model *model;
        slip_sim_def def = slip_default_sim_def();
        def.until = 2;
        slip_sim *sim = start(&model, cases[k].name, cases[k].sets, &def);
        run_to_end(sim);
        bool warned = slip_sim_warning(sim, 0) != NULL;
        double limit = sim->method->largest_stable_step;
        if (warned != cases[k].warns)
            print_error("%s %s: %s\n", cases[k].name, cases[k].sets,
                        warned ? slip_sim_warning(sim, 0) : "silent");
        assert_int_equal(warned, cases[k].warns);
        if (warned) assert_true(strstr(slip_sim_warning(sim, 0), "sdirk4"));
        assert_near(limit, cases[k].limit, cases[k].tolerance);
        stop(sim, model);
    }
}

static void strict_ends_the_run(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim_def def = slip_default_sim_def();
    def.strict = true;
    slip_sim *sim = start(&model, "two-masses-conveyor", "", &def);
    slip_run_info info;
    slip_error error;
    assert_int_equal(slip_run(sim, NULL, &info, &error), SLIP_OK);
    assert_int_equal(info.outcome, SLIP_UNTRUSTED);
    assert_int_equal(slip_sim_steps(sim), 0);
    char *json = slip_run_summary(sim, &info);
    const char *limit = strstr(json, "\"largest_stable_step\": ");
    assert_non_null(limit);
    assert_near(strtod(limit + strlen("\"largest_stable_step\": "), NULL), 7.0e-4, 0.1e-4); // erratum X17
    free(json);
    stop(sim, model);
}

static void implicit_steps_have_no_limit(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim_def def = slip_default_sim_def();
    def.integrator = "sdirk4";
    def.strict = true;
    def.until = 0.5;
    slip_sim *sim = start(&model, "two-masses-conveyor", "", &def);
    run_to_end(sim);
    assert_true(isinf(sim->method->largest_stable_step));
    stop(sim, model);
}

// a mass in stick: what the guard allows dies away, what it does not allow chatters
static const char *const stuck = "slipstick: 1\n"
                                 "name: stuck\n"
                                 "coordinates: {x: {rate: 1e-6}}\n"
                                 "mass: {x: 2}\n"
                                 "frictions: {f: {slip: x, limit: 10, dai: {K: 3e5, beta: 0.02}}}\n";

static double residue(double step, bool *warned)
{
    slip_model *model = load_model(stuck, "");
    slip_sim_def def = slip_default_sim_def();
    def.step = step;
    def.until = 2000 * step;
    slip_sim *sim = make_dai_sim(model, &def);
    double most = 0;
    for (int k = 0; k < 2000; k++) {
        slip_sim_step(sim);
        if (k > 1900) most = fmax(most, fabs(slip_sim_get(sim, "x'")));
    }
    *warned = slip_sim_warning(sim, 0) != NULL;
    stop(sim, model);
    return most;
}

static void what_it_says_comes_true(void **state)
{
    (void)state;
    slip_model *model = load_model(stuck, "");
    slip_sim *sim = make_dai_sim(model, NULL);
    double limit = sim->method->largest_stable_step;
    stop(sim, model);
    bool warned;
    assert_true(residue(0.98 * limit, &warned) < 1e-12 && !warned);
    assert_true(residue(1.02 * limit, &warned) > 1e-9 && warned);
}

// at the start the mass is 1, where it stops it is 0.01: only the run can tell
static void a_regime_is_seen_when_it_is_entered(void **state)
{
    (void)state;
    slip_model *model =
        load_model("slipstick: 1\n"
                   "name: lighter\n"
                   "coordinates: {x: {start: 1, rate: -1}}\n"
                   "mass: {x: 0.01 + x^2}\n"
                   "frictions: {f: {slip: x, limit: if(x < 0.05, 5, 0), dai: {K: 1e5, beta: 1 ms}}}\n",
                   "");
    slip_sim_def def = slip_default_sim_def();
    def.until = 3;
    slip_sim *sim = make_dai_sim(model, &def);
    assert_null(slip_sim_warning(sim, 0));
    run_to_end(sim);
    assert_non_null(slip_sim_warning(sim, 0));
    assert_true(strstr(slip_sim_warning(sim, 0), "has entered"));
    assert_true(slip_sim_warning_at(sim, 0)->t > 0.1);
    stop(sim, model);
}

// a chain of 120 masses, all stuck: 360 states in one group, as stiff as one of them
static void large_groups_are_estimated(void **state)
{
    (void)state;
    size_t size = 1 << 16;
    char *text = malloc(size);
    double limit[2];
    for (int large = 0; large < 2; large++) {
        int n = large ? 120 : 40, at = snprintf(text, size, "slipstick: 1\nname: chain\ncoordinates: {x0: 0");
        for (int k = 1; k < n; k++) at += snprintf(text + at, size - (size_t)at, ", x%d: 0", k);
        at += snprintf(text + at, size - (size_t)at, "}\nmass: {x0: 1");
        for (int k = 1; k < n; k++) at += snprintf(text + at, size - (size_t)at, ", x%d: 1", k);
        at += snprintf(text + at, size - (size_t)at, "}\nenergy: {potential: 0.5*(x0^2");
        for (int k = 1; k < n; k++)
            at += snprintf(text + at, size - (size_t)at, " + (x%d - x%d)^2", k, k - 1);
        at += snprintf(text + at, size - (size_t)at, ")}\nfrictions:\n");
        for (int k = 0; k < n; k++)
            at += snprintf(text + at, size - (size_t)at,
                           "  f%d: {slip: x%d, limit: 1, dai: {K: 1e6, beta: 4 ms}}\n", k, k);
        slip_model *model = load_model(text, "");
        slip_sim *sim = make_dai_sim(model, NULL);
        limit[large] = sim->method->largest_stable_step;
        assert_non_null(slip_sim_warning(sim, 0)); // K beta T = 4
        stop(sim, model);
    }
    assert_near(limit[0], 2.7853 / 3732, 1e-5); // -2000 (1 + sqrt(3)/2)
    assert_near(limit[1], limit[0], 0.02 * limit[0]);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_of_rk4),
        cmocka_unit_test(printed_constants_are_known),
        cmocka_unit_test(strict_ends_the_run),
        cmocka_unit_test(implicit_steps_have_no_limit),
        cmocka_unit_test(what_it_says_comes_true),
        cmocka_unit_test(a_regime_is_seen_when_it_is_entered),
        cmocka_unit_test(large_groups_are_estimated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
