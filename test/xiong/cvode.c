/// cvode.c: the multistep integrator: what tolerance gives, stiffness, its history, how it fails.
#include "simulation/sim/sim.h"
#include "xiong/helper.h"

static slip_sim *start(slip_model **model, const char *name, const char *sets, double tolerance, double until)
{
    *model = load_model(name, sets);
    slip_sim_def def = slip_default_sim_def();
    def.integrator = "cvode";
    def.relative = tolerance;
    def.absolute = 1e-2 * tolerance;
    def.until = until;
    return make_sim(*model, &def);
}

static void stop(slip_sim *sim, slip_model *model)
{
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static const char *const pendulum = "slipstick: 1\n"
                                    "name: pendulum on a swinging support\n"
                                    "coordinates: {th: {start: 1}}\n"
                                    "energy: {kinetic: 0.5*th'^2, potential: -cos(th)}\n"
                                    "forces: {th: -0.3*sin(th)*cos(2*t)}\n";

// a hundredth of the tolerance, less than a tenth of the error; the steps grow as orders up to 5 let them
static void a_tighter_tolerance_gives_a_nearer_answer(void **state)
{
    (void)state;
    double last = 0, truth = 0;
    long steps = 0;
    for (int k = 0; k < 4; k++) {
        static const double tolerance[] = { 1e-13, 1e-10, 1e-8, 1e-6 };
        slip_model *model;
        slip_sim *sim = start(&model, pendulum, "", tolerance[k], 2);
        run_to_end(sim);
        double th = slip_sim_get(sim, "th"), error = fabs(th - truth);
        if (k == 0) truth = th;
        if (k == 1) assert_near(error, 0, 1e-8);
        if (k > 1) {
            assert_true(error > 10 * last && error < 1e3 * tolerance[k]);
            assert_true((double)steps <
                        4 * (double)slip_sim_steps(sim)); // order 1 would take ten times as many
        }
        last = error;
        steps = slip_sim_steps(sim);
        stop(sim, model);
    }
    // by rk4 at a step of 1e-4 s, where its error is below 1e-15
    slip_model *model = load_model(pendulum, "");
    slip_sim_def def = slip_default_sim_def();
    def.step = 1e-4;
    def.until = 2;
    slip_sim *sim = make_sim(model, &def);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "th"), truth, 1e-10);
    stop(sim, model);
}

// friction 10^5 times as stiff as printed: the rigid law's answer, at no more steps
static void stiff_friction_is_rigid_friction(void **state)
{
    (void)state;
    long steps[2];
    for (int k = 0; k < 2; k++) {
        slip_model *model;
        slip_sim *sim = start(&model, "friction-mass", k ? "K=5e8" : "K=5e6", 1e-7, 5);
        run_to_end(sim);
        assert_near(slip_sim_get(sim, "p") - slip_sim_get(sim, "friction.a"), 0.02106225009041996, 2e-6);
        steps[k] = slip_sim_steps(sim);
        stop(sim, model);
    }
    assert_true(steps[1] < 3 * steps[0] && steps[1] < 10000);
}

// the slider of a sticking mass stands still, however long it is shaken
static void nothing_creeps(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = start(&model, "friction-mass", "", 1e-7, 20);
    while (slip_sim_time(sim) < 5) assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
    double at = slip_sim_get(sim, "p") - slip_sim_get(sim, "friction.a");
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "p") - slip_sim_get(sim, "friction.a"), at, 1e-7);
    stop(sim, model);
}

// a state set from outside starts a new history: the same as a simulation that starts there
static void a_state_from_outside_starts_anew(void **state)
{
    (void)state;
    slip_model *model, *other;
    slip_error error;
    slip_sim *sim = start(&model, pendulum, "", 1e-9, 3);
    while (slip_sim_time(sim) < 1) assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
    long steps = slip_sim_steps(sim);
    double before = slip_sim_time(sim);
    assert_int_equal(slip_sim_set(sim, "th", 0.5, &error), SLIP_OK);
    assert_int_equal(slip_sim_set(sim, "th'", 0.0, &error), SLIP_OK);
    assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
    assert_true(slip_sim_time(sim) - before < 1e-3); // order 1 again: a short step
    assert_near(slip_sim_get(sim, "th"), 0.5, 1e-6);
    run_to_end(sim);

    char text[512];
    snprintf(
        text, sizeof text,
        "slipstick: 1\nname: the same from there on\ncoordinates: {th: {start: 0.5}}\n"
        "energy: {kinetic: 0.5*th'^2, potential: -cos(th)}\nforces: {th: -0.3*sin(th)*cos(2*(t + %.17g))}\n",
        before);
    slip_sim *fresh = start(&other, text, "", 1e-9, 3 - before);
    run_to_end(fresh);
    assert_near(slip_sim_get(sim, "th"), slip_sim_get(fresh, "th"), 1e-7);
    assert_near(slip_sim_get(sim, "th'"), slip_sim_get(fresh, "th'"), 1e-7);
    assert_true(slip_sim_steps(fresh) > steps / 4);
    stop(fresh, other);
    stop(sim, model);
}

// setting a state to what it is changes no bit
static void a_state_set_to_itself_changes_nothing(void **state)
{
    (void)state;
    slip_model *model, *other;
    slip_error error;
    slip_sim *one = start(&model, "bouncing-mass", "", 1e-7, 1),
             *two = start(&other, "bouncing-mass", "", 1e-7, 1);
    run_to_end(one);
    slip_run_outcome outcome;
    do {
        assert_int_equal(slip_sim_set(two, "p", slip_sim_get(two, "p"), &error), SLIP_OK);
        outcome = slip_sim_step(two);
    } while (outcome == SLIP_RUNNING);
    assert_int_equal(outcome, SLIP_DONE);
    assert_int_equal(slip_sim_steps(one), slip_sim_steps(two));
    assert_near(slip_sim_get(one, "p"), slip_sim_get(two, "p"), 0);
    assert_near(slip_sim_energy(one).contact, slip_sim_energy(two).contact, 0);
    stop(one, model);
    stop(two, other);
}

// rows between steps lie on the motion
static void rows_between_steps_are_exact(void **state)
{
    (void)state;
    const char *const text = "slipstick: 1\nname: oscillator\ncoordinates: {x: {start: 1}}\n"
                             "energy: {kinetic: 0.5*x'^2, potential: 0.5*x^2}\n";
    slip_model *model;
    slip_sim *sim = start(&model, text, "", 1e-9, 10);
    double row[3], worst = 0;
    for (double t = 0.0; t < 9.9;) {
        slip_sim_step(sim);
        t = slip_sim_time(sim);
        slip_sim_columns(sim, row);
        worst = fmax(worst, fabs(row[1] - cos(t)));
    }
    assert_near(worst, 0, 3e-7);
    stop(sim, model);
    sim = start(&model, text, "", 1e-9, 10);
    for (int k = 1; k < 50; k++) { // by the polynomial of the step that is ahead
        assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
        assert_int_equal(slip_sim_observe(sim), SLIP_RUNNING);
        double from = slip_sim_time(sim), to = slip_sim_next_step_end(sim);
        for (double part = 0.0; part < 1.0; part += 0.13) {
            double t = from + part * (to - from);
            assert_int_equal(slip_sim_peek(sim, t, row), SLIP_RUNNING);
            assert_near(row[1], cos(t), 3e-7);
            assert_near(row[2], -sin(t), 3e-7);
        }
    }
    stop(sim, model);
}

static slip_run_outcome run_until_it_fails(const char *text, double until, double *t)
{
    slip_model *model;
    slip_sim *sim = start(&model, text, "", 1e-8, until);
    slip_run_outcome outcome;
    do outcome = slip_sim_step(sim);
    while (outcome == SLIP_RUNNING);
    *t = slip_sim_time(sim);
    assert_true(isfinite(slip_sim_get(sim, "x")));
    stop(sim, model);
    return outcome;
}

static void failures_have_their_names(void **state)
{
    (void)state;
    double t;
    const char *const singular =
        "slipstick: 1\nname: blows up at t = 1\ncoordinates: {x: {start: 0, rate: 1}}\n"
        "mass: {x: 1}\nforces: {x: 2*x'^3}\n"; // x'' = 2 x'^3: x' = 1/sqrt(1 - 4 t)
    assert_int_equal(run_until_it_fails(singular, 1, &t), SLIP_STEP_TOO_SMALL);
    assert_near(t, 0.25, 1e-6);
    const char *const nowhere =
        "slipstick: 1\nname: has no force beyond t = 1\ncoordinates: {x: {start: 0}}\n"
        "mass: {x: 1}\nforces: {x: sqrt(1 - t)}\n";
    assert_int_equal(run_until_it_fails(nowhere, 0.9, &t), SLIP_DONE);
    slip_run_outcome outcome = run_until_it_fails(nowhere, 1.1, &t);
    assert_true(outcome == SLIP_BLOWN_UP || outcome == SLIP_STEP_TOO_SMALL);
    assert_near(t, 1, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tighter_tolerance_gives_a_nearer_answer),
        cmocka_unit_test(stiff_friction_is_rigid_friction),
        cmocka_unit_test(nothing_creeps),
        cmocka_unit_test(a_state_from_outside_starts_anew),
        cmocka_unit_test(a_state_set_to_itself_changes_nothing),
        cmocka_unit_test(rows_between_steps_are_exact),
        cmocka_unit_test(failures_have_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
