/// runs.c: whole motions of scenes made of bodies, against truth, closed forms and formulas.
#include "helper.h"
#include "slipstick/sim.h"
#include "truth/flores/facts.h"

static slip_sim *simulate(const slip_model *model, const char *formulation, const char *solver, double step,
                          double until)
{
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    def.solver = solver;
    if (step > 0.0) def.step = step;
    if (until > 0.0) def.until = until;
    slip_error error;
    slip_sim *sim = NULL;
    if (slip_sim_create(model, &def, &error, &sim) != SLIP_OK) fail_msg("%s: %s", error.where, error.text);
    return sim;
}

static void run_to_step(slip_sim *sim, long step)
{
    while (slip_sim_steps(sim) < step) {
        slip_run_outcome outcome = slip_sim_step(sim);
        assert_true(outcome == SLIP_RUNNING || outcome == SLIP_DONE);
    }
}

static void run_to_end(slip_sim *sim)
{
    slip_run_outcome outcome = SLIP_RUNNING;
    while (outcome == SLIP_RUNNING) outcome = slip_sim_step(sim);
    assert_int_equal(outcome, SLIP_DONE);
}

// ------------------------------------------------------------------------------------ slider-crank

static void slider_crank_follows_truth(void **state)
{
    (void)state;
    enum { FACTS = sizeof flores_scheme / sizeof *flores_scheme };
    for (const char *which = "AB"; *which; which++) {
        const char *sets[] = { "bodies.slider.th.rate=-0.01" };
        slip_model *model =
            read_with(NULL, "models/flores/slider-crank-bodies.yaml", sets, *which == 'B' ? 1 : 0);
        slip_sim *sim = simulate(model, "moreau", "lemke", 1e-5, 0.2);
        int seen = 0;
        for (int k = 0; k < FACTS; k++) {
            const flores_fact *f = &flores_scheme[k];
            if (f->which != *which || f->dt != 1e-5) continue;
            run_to_step(sim, f->step);
            assert_near(slip_sim_get(sim, f->column), f->value, f->tolerance);
            seen++;
        }
        assert_true(seen > 30);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

// the same machine from bodies and from formulas, through the first strike, under every formulation
static void slider_crank_under_all(void **state)
{
    (void)state;
    static const char *const names[] = { "dai",  "modular", "kelvin-voigt", "hunt-crossley",
                                         "tanh", "lcp",     "gauss" };
    slip_model *bodies = read_with(NULL, "models/flores/slider-crank-bodies.yaml", NULL, 0),
               *formulas = read_with(NULL, "models/flores/slider-crank.yaml", NULL, 0);
    for (int f = 0; f < 7; f++) {
        slip_sim *a = simulate(bodies, names[f], NULL, 1e-6, 3.5e-3),
                 *b = simulate(formulas, names[f], NULL, 1e-6, 3.5e-3);
        run_to_end(a);
        run_to_end(b);
        static const char *const columns[] = { "th1", "th2", "th3", "th1'", "th2'" };
        for (int k = 0; k < 5; k++) { // within the tolerance of those that control their errors
            double wanted = slip_sim_get(b, columns[k]);
            assert_near(slip_sim_get(a, columns[k]), wanted, 1e-6 * (1 + fabs(wanted)));
        }
        slip_energy energy = slip_sim_energy(a);
        assert_true(energy.contact + energy.impact > 5e-3); // it did strike
        slip_sim_destroy(a);
        slip_sim_destroy(b);
    }
    slip_model_destroy(bodies);
    slip_model_destroy(formulas);
}

// an ideal guide as a joint that closes the loop, against the same constraints as formulas
static void ideal_guide(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: ideal\nparameters: {l1: 0.153, l2: 0.306, m1: 0.038, m3: 0.076}\ngravity: "
        "9.81\nbodies:\n"
        "  crank: {mass: m1, inertia: 7.4e-5, centre: [l1/2, 0], points: {tip: [l1, 0]}, joint: {revolute: "
        "ground}, th: {name: th1, rate: 150}}\n"
        "  rod: {mass: m1, inertia: 5.9e-4, centre: [l2/2, 0], points: {tip: [l2, 0]}, joint: {revolute: "
        "crank.tip}, th: {name: th2, guess: 0}}\n"
        "  slider: {mass: m3, inertia: 2.7e-6, joint: {revolute: rod.tip}, th: {name: th3}}\n"
        "joints: {guide: {prismatic: [slider, ground]}}\nrun: {substeps: 1}\n";
    slip_model *bodies = read_with(text, NULL, NULL, 0),
               *formulas = read_with(NULL, "models/flores/slider-crank-ideal.yaml", NULL, 0);
    assert_near(bodies->coordinates[1].rate, -75.0, 1e-9); // found from the loop
    slip_sim *a = simulate(bodies, "moreau", NULL, 1e-5, 0.1),
             *b = simulate(formulas, "moreau", NULL, 1e-5, 0.1);
    run_to_end(a);
    run_to_end(b);
    static const char *const columns[] = { "th1", "th2", "th1'", "th2'" };
    for (int k = 0; k < 4; k++) assert_near(slip_sim_get(a, columns[k]), slip_sim_get(b, columns[k]), 1e-6);
    assert_near(0.153 * sin(slip_sim_get(a, "th1")) + 0.306 * sin(slip_sim_get(a, "th2")), 0.0, 1e-12);
    assert_near(slip_sim_get(a, "th3"), 0.0, 1e-12);
    slip_sim_destroy(a);
    slip_sim_destroy(b);
    slip_model_destroy(bodies);
    slip_model_destroy(formulas);
}

// ---------------------------------------------------------------------------------------- classics

static void box_on_incline(void **state)
{
    (void)state;
    slip_model *model = read_with(NULL, "models/classics/block-on-incline-bodies.yaml", NULL, 0);
    slip_sim *sim = simulate(model, NULL, NULL, 0.0, 0.0);
    double c = cos(20 * 3.14159265358979323846 / 180),
           slow = 9.81 * (sin(20 * 3.14159265358979323846 / 180) + 0.5 * c);
    run_to_step(sim, 100);
    assert_near(slip_sim_get(sim, "up"), 0.1 - 0.5 * slow * 0.01, 1e-4); // first order
    assert_near(slip_sim_get(sim, "rear"), 9.81 * c * 0.75, 1e-9);
    assert_near(slip_sim_get(sim, "front"), 9.81 * c * 1.25, 1e-9);
    run_to_step(sim, 200);
    double x = slip_sim_get(sim, "box.x"), y = slip_sim_get(sim, "box.y");
    assert_near(slip_sim_get(sim, "up"), 0.5 / slow, 1e-6);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "box.x"), x, 1e-15); // true stiction
    assert_near(slip_sim_get(sim, "box.y"), y, 1e-15);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void stack_stands(void **state)
{
    (void)state;
    for (int push = 0; push <= 4; push += 2) {
        char set[20];
        const char *sets[] = { set };
        snprintf(set, sizeof set, "push=%d", push);
        slip_model *model = read_with(NULL, "models/classics/stack-of-blocks.yaml", sets, 1);
        assert_int_equal(model->contact_count, 45 * 8 + 4);
        slip_sim *sim = simulate(model, NULL, NULL, 0.0, 0.1);
        run_to_end(sim);
        assert_near(slip_sim_get(sim, "weight"), 98.1, 1e-8);
        assert_near(slip_sim_get(sim, "b9.x"), 0.0, 1e-10);
        assert_near(slip_sim_get(sim, "top"), 0.95, 1e-10);
        double expected = push == 4 ? 0.5 * (4.0 - 2.943) * 0.01 : 0.0; // (push - mu m g) t^2/2m
        assert_near(slip_sim_get(sim, "side"), expected, push == 4 ? 1e-4 * expected : 1e-10);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

static void loose_pin_stays_in_its_bearing(void **state)
{
    (void)state;
    slip_model *model = read_with(NULL, "models/classics/four-bar-clearance.yaml", NULL, 0);
    assert_int_equal(model->coordinate_count, 2); // the crank's angle is given
    slip_sim *sim = simulate(model, NULL, NULL, 0.0, 0.35);
    double play = 0.0, slack = 0.0;
    while (slip_sim_step(sim) == SLIP_RUNNING) {
        play = fmax(play, slip_sim_get(sim, "play"));
        slack = fmax(slack, fabs(slip_sim_get(sim, "slack")));
    }
    assert_near(slip_sim_time(sim), 0.35, 1e-12);
    assert_true(play > 1.0 && play < 1.02);
    assert_true(slack > 0.9 && slack < 1.02);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// the first strike, by an independent program
static void double_pendulum_strikes(void **state)
{
    (void)state;
    slip_model *model = read_with(NULL, "models/classics/double-pendulum-wall.yaml", NULL, 0);
    slip_sim *sim = simulate(model, "moreau", NULL, 1e-5, 1.0);
    while (slip_sim_get(sim, "vx") >= 0.0 && slip_sim_step(sim) == SLIP_RUNNING) continue;
    assert_near(slip_sim_time(sim), 0.388481292296, 3e-5); // first order
    assert_near(slip_sim_get(sim, "th1'"), 6.785356022617606, 3e-3);
    assert_near(slip_sim_get(sim, "th2'"), -15.44037207869576, 3e-3);
    slip_sim_destroy(sim);
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "lcp";
    def.relative = def.absolute = 1e-11;
    def.until = 0.38848129;
    slip_error error;
    assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_OK);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "vx"), 4.322394913 + 1e-8, 1e-7);
    assert_near(slip_sim_get(sim, "x"), -4.322394913 * 2.296e-9, 1e-10);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// Gomez, brass, two washers: the first turn
static void journal_pendulum_turns(void **state)
{
    (void)state;
    slip_model *model = read_with(NULL, "models/gomez/journal-pendulum-bodies.yaml", NULL, 0);
    assert_int_equal(model->contact_count, 16);
    slip_sim_def def = slip_default_sim_def();
    def.relative = def.absolute = 1e-9;
    def.until = 0.410237;
    slip_error error;
    slip_sim *sim = NULL;
    assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_OK);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "th"), -2.986459, 1e-6);
    assert_near(slip_sim_get(sim, "th'"), 0.0, 1e-4);
    assert_near(hypot(slip_sim_get(sim, "pendulum.x"), slip_sim_get(sim, "pendulum.y")), 0.0, 1e-12);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slider_crank_follows_truth),
        cmocka_unit_test(slider_crank_under_all),
        cmocka_unit_test(ideal_guide),
        cmocka_unit_test(box_on_incline),
        cmocka_unit_test(stack_stands),
        cmocka_unit_test(loose_pin_stays_in_its_bearing),
        cmocka_unit_test(double_pendulum_strikes),
        cmocka_unit_test(journal_pendulum_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
