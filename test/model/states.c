/// states.c: first-order states of mechanical models, under every formulation.
#include <math.h>

#include "formulations.h"

static slip_sim *start(const char *text, const char *formulation, slip_model **model)
{
    *model = read_model("", text, "", " ");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    return make_sim(*model, &def);
}

static void stop(slip_sim *sim, slip_model *model)
{
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// z' = (1 - z)/tau drives x'' = z: z = 1 - exp(-t/tau), x = t^2/2 - tau t + tau^2 (1 - exp(-t/tau))
static void a_lag_drives_a_mass(void **state)
{
    (void)state;
    const char *text = "slipstick: 1\nname: lag\nparameters: {tau: 0.5}\ncoordinates: {x: 0}\nmass: {x: 1}\n"
                       "states: {z: {rate: (1 - z)/tau}}\nforces: {x: z}\n"
                       "run: {step: 1 ms, until: 2}\n";
    double e = exp(-4.0), z = 1.0 - e, x = 2.0 - 1.0 + 0.25 * (1.0 - e);
    for (int f = 0; f < FORMULATIONS; f++) {
        slip_model *model;
        slip_sim *sim = start(text, formulations[f], &model);
        run_to_end(sim);
        double off =
            strcmp(formulations[f], "moreau") == 0 ? 1e-3 : 1e-6; // first order in forces of the rates
        assert_near(slip_sim_get(sim, "z"), z, off);
        assert_near(slip_sim_get(sim, "x"), x, off);
        assert_near(slip_sim_get(sim, "x'"), slip_sim_get(sim, "z.integral"), off);
        slip_energy energy = slip_sim_energy(sim);
        double v = slip_sim_get(sim, "x'");
        assert_near(energy.kinetic, 0.5 * v * v, 1e-12); // a state has no energy
        assert_near(energy.work, energy.kinetic, 2e-3);
        stop(sim, model);
    }
}

// z' = y' has z = y - y(0) through every impact; the ball strikes at 1.5 m/s and more
static void an_impact_leaves_states_alone(void **state)
{
    (void)state;
    const char *text = "slipstick: 1\nname: ball\ncoordinates: {y: 0.2}\nmass: {y: 2}\nforces: {y: -2*9.81}\n"
                       "states: {z: {start: 0.2, rate: y'}}\ncontacts: {floor: {gap: y, restitution: 0.7}}\n"
                       "run: {until: 0.6}\n";
    for (int f = 0; f < FORMULATIONS; f++) {
        slip_model *model;
        slip_sim *sim = start(text, formulations[f], &model);
        double off = 0.0;
        while (slip_sim_step(sim) == SLIP_RUNNING)
            off = fmax(off, fabs(slip_sim_get(sim, "z") - slip_sim_get(sim, "y")));
        if (!(off < 2e-3)) print_error("%s: %g\n", formulations[f], off);
        assert_true(off < 2e-3);
        stop(sim, model);
    }
}

static void keep_first_slip(void *context, const slip_event *event)
{
    double *t = context;
    if (event->kind == SLIP_EVENT_SLIDE && isnan(*t)) *t = event->t;
}

// at rest z = r t; the force kp r + ki r t reaches the limit at (0.5 - 0.4)/0.2 s
static void an_integrator_winds_up(void **state)
{
    (void)state;
    slip_model *model = read_model("classics", "servo-windup", "", " ");
    for (int f = 0; f < FORMULATIONS; f++) {
        if (strcmp(formulations[f], "tanh") == 0) continue; // creeps instead
        slip_sim_def def = slip_default_sim_def();
        def.formulation = formulations[f];
        slip_sim *sim = make_sim(model, &def);
        double slips = NAN;
        slip_sim_on_event(sim, keep_first_slip, &slips);
        while (isnan(slips)) assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
        if (fabs(slips - 0.5) > 2e-3) print_error("%s\n", formulations[f]);
        assert_near(slips, 0.5, 2e-3);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

static void starts_can_be_varied(void **state)
{
    (void)state;
    slip_model *model = read_model("classics", "servo-windup", "states.z.start=0.01 r=0.02", " ");
    slip_sim_def def = slip_default_sim_def();
    slip_sim *sim = make_sim(model, &def);
    assert_near(slip_sim_get(sim, "z"), 0.01, 0.0);
    assert_int_equal(slip_sim_set(sim, "z", 0.005, NULL), SLIP_OK);
    assert_near(slip_sim_get(sim, "z"), 0.005, 0.0);
    stop(sim, model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lag_drives_a_mass),
        cmocka_unit_test(an_impact_leaves_states_alone),
        cmocka_unit_test(an_integrator_winds_up),
        cmocka_unit_test(starts_can_be_varied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
