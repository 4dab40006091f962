/// design.c: ask a compliant contact for a restitution, get it.
#include "song/helper.h"

static const char ball[] =
    "slipstick: 1\nname: ball\nparameters: {m: 2, e: 0.5, v: 1, phase: 0, h: 1e-4}\n"
    "coordinates: {y: {start: v*h*(3 + phase), rate: -v}}\nenergy: {kinetic: 0.5*m*y'^2}\n"
    "contacts: {floor: {gap: y, restitution: e, compliance: {speed: v}}}\n"
    "run: {step: h, until: 1}\nrecord: {N: floor.normal}\n";

static double bounce(const char *formulation, double e, double v, double phase, double h)
{
    char sets[160];
    snprintf(sets, sizeof sets, "e=%.17g;v=%.17g;phase=%.17g;h=%.17g", e, v, phase, h);
    slip_model *model = load(ball, sets);
    slip_sim *sim = simulate(model, formulation, "rk4", 0.0, 1.0);
    assert_null(slip_sim_warning(sim, 0));
    do assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
    while (slip_sim_get(sim, "y") > 0.0 || slip_sim_get(sim, "y'") < 0.0);
    while (slip_sim_get(sim, "y") < 0.0) assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
    double made = slip_sim_get(sim, "y'") / v;
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return made;
}

// whatever the speed, the phase of touch-down within a step and the step: within 0.5 %
static void restitution_as_asked(void **state)
{
    (void)state;
    static const char *const formulations[] = { "kelvin-voigt", "hunt-crossley" };
    double worst[2] = { 0.0 };
    for (int f = 0; f < 2; f++)
        for (double e = 0.1; e <= 1.001; e += 0.1)
            for (int p = 0; p < 5; p++)
                for (int k = 0; k < 2; k++)
                    worst[f] = fmax(worst[f], fabs(bounce(formulations[f], fmin(e, 1.0), k ? 3.0 : 0.2,
                                                          0.2 * p, k ? 1e-3 : 1e-4) -
                                                   fmin(e, 1.0)));
    print_message("worst error of restitution: kelvin-voigt %.4f, hunt-crossley %.4f\n", worst[0], worst[1]);
    assert_true(worst[0] <= 0.005);
    assert_true(worst[1] <= 0.005);
}

static void maps_and_inverses(void **state)
{
    (void)state;
    assert_near(slip_kelvin_voigt_restitution(0.0), 1.0, 0.0);
    assert_near(slip_kelvin_voigt_restitution(1.0), exp(-2.0), 1e-12);
    assert_near(slip_kelvin_voigt_restitution(1.0 - 1e-9), exp(-2.0), 1e-8);
    assert_near(slip_hunt_crossley_restitution(0.0), 1.0, 0.0);
    assert_near(slip_hunt_crossley_restitution(1e-4), 1.0 - 2.0 / 3.0 * 1e-4, 1e-8); // the classical estimate
    for (double e = 0.01; e <= 1.0; e += 0.03) {
        assert_near(slip_kelvin_voigt_restitution(slip_kelvin_voigt_zeta(e)), e, 1e-12);
        assert_near(slip_hunt_crossley_restitution(slip_hunt_crossley_x(e)), e, 1e-12);
        double x = slip_hunt_crossley_x(e);
        if (e > 0.15) assert_near(x - log1p(x), -e * x - log1p(-e * x), 1e-11); // below, 1 - e x is rounding
    }
    assert_true(isnan(slip_kelvin_voigt_zeta(0.0)) && isnan(slip_hunt_crossley_x(1.1)));
    assert_true(isnan(slip_kelvin_voigt_restitution(-1.0)) && isnan(slip_hunt_crossley_restitution(NAN)));
}

// what cannot be had is said
static void warnings_and_mistakes(void **state)
{
    (void)state;
    slip_model *model = load(ball, "e=0");
    slip_sim *sim = simulate(model, "kelvin-voigt", "rk4", 0.0, 1.0);
    assert_non_null(strstr(slip_sim_warning(sim, 0), "below what a compliant contact reaches"));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    model = load(ball, "contacts.floor.compliance.damping=10");
    sim = simulate(model, "kelvin-voigt", "rk4", 0.0, 1.0);
    assert_non_null(strstr(slip_sim_warning(sim, 0), "the given compliance makes a restitution of"));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    static const char *const wrong[][2] = { { "contacts.floor.compliance.eps=1e-3", "needs compliance.mass" },
                                            { "contacts.floor.compliance.exponent=0.5",
                                              "must be 1 or greater" } };
    for (int k = 0; k < 2; k++) {
        model = load(ball, wrong[k][0]);
        slip_sim_def def = slip_default_sim_def();
        def.formulation = "hunt-crossley";
        slip_error error = { 0 };
        assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_BAD_MODEL);
        assert_non_null(strstr(error.text, wrong[k][1]));
        slip_model_destroy(model);
    }
}

// a block on a slope below its friction angle stays; friction deforms by T/K and holds without creep
static void sticks_without_creep(void **state)
{
    (void)state;
    slip_model *model =
        load("slipstick: 1\nname: slope\nparameters: {m: 1, g: 9.81, a: 0.2, mu: 0.3}\n"
             "coordinates: {x: {start: 0}, y: {start: 0}}\nenergy: {kinetic: 0.5*m*(x'^2 + y'^2)}\n"
             "forces: {x: m*g*sin(a), y: -m*g*cos(a)}\n"
             "contacts: {floor: {gap: y, slip: x, friction: mu}}\nrun: {step: 1e-3, until: 4}\n",
             "");
    slip_sim *sim = simulate(model, "kelvin-voigt", "rk4", 0.0, 4.0);
    while (slip_sim_time(sim) < 2.0) slip_sim_step(sim);
    double x = slip_sim_get(sim, "x");
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    assert_near(slip_sim_get(sim, "x"), x, 1e-9);
    assert_true(fabs(slip_sim_get(sim, "x")) < 1e-3);
    slip_sim_destroy(sim);
    sim = simulate(model, "tanh", "rk4", 0.0,
                   4.0); // smooth friction creeps at gamma atanh(tan a/mu), as the paper says
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    assert_near(slip_sim_get(sim, "x'"), 1e-3 * atanh(tan(0.2) / 0.3), 1e-6);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(restitution_as_asked),
        cmocka_unit_test(maps_and_inverses),
        cmocka_unit_test(warnings_and_mistakes),
        cmocka_unit_test(sticks_without_creep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
