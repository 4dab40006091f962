/// substeps.c: contacts whose stiffness follows the motion, under integrator substeps: what rigid bodies do.
#include "models.h"

static const char *const formulations[] = { "dai", "modular", "kelvin-voigt", "hunt-crossley", "tanh" };
enum { COUNT = 5 };

// the model under one formulation, run to its end; `step` NaN: as the model says
static slip_sim *ended(slip_model **model, const char *text, const char *sets, const char *formulation,
                       double step)
{
    *model = read_model("", text, sets, " ");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    def.integrator = "substeps";
    def.step = step;
    slip_sim *sim = make_sim(*model, &def);
    run_to_end(sim);
    return sim;
}

static void stop(slip_sim *sim, slip_model *model)
{
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// a ball dropped from h is at e^2 h after sqrt(2 h/g) (1 + e), low drops and long steps included
static void bounces_reach_their_heights(void **state)
{
    (void)state;
    static const char *const ball = "slipstick: 1\n"
                                    "name: ball\n"
                                    "parameters: {e: 0.5, h: 1}\n"
                                    "coordinates: {y: {start: h}}\n"
                                    "energy: {kinetic: 0.5*y'^2, potential: 9.81*y}\n"
                                    "contacts: {floor: {gap: y, restitution: e}}\n"
                                    "run: {until: 'sqrt(2*h/9.81)*(1 + e)'}\n";
    const double e[] = { 0.3, 0.5, 0.8, 1.0 }, h[] = { 1.0, 0.0046 }, step[] = { 1e-3, 0.1 };
    for (int f = 0; f < COUNT; f++)
        for (int k = 0; k < 16; k++) {
            char sets[80];
            double e_k = e[k % 4], h_k = h[k / 4 % 2];
            snprintf(sets, sizeof sets, "e=%g h=%g", e_k, h_k);
            slip_model *model;
            slip_sim *sim = ended(&model, ball, sets, formulations[f], step[k / 8]);
            assert_near(slip_sim_get(sim, "y") / (e_k * e_k * h_k), 1.0, 2e-3);
            stop(sim, model);
        }
}

static const char *const puck = "slipstick: 1\n"
                                "name: puck and peg\n"
                                "bodies:\n"
                                "  ground: {shape: {circle: 5 cm, at: [10, 0]}}\n"
                                "  puck: {mass: 0.1 kg, inertia: 1e-4, x: {rate: 20}, y: {start: 8 cm},"
                                " shape: {circle: 5 cm}}\n"
                                "contacts: {hit: {between: [puck, ground], restitution: 1}}\n"
                                "run: {step: 1 ms, until: 1}\n";

// a puck that meets a peg 8 cm off centre, radii 5 cm, is turned by pi - 2 asin(0.8)
static void a_puck_is_turned_by_a_peg(void **state)
{
    (void)state;
    for (int f = 0; f < COUNT; f++) {
        slip_model *model;
        slip_sim *sim = ended(&model, puck, "", formulations[f], NAN);
        double turn = atan2(slip_sim_get(sim, "puck.y'"), slip_sim_get(sim, "puck.x'"));
        assert_near(turn, 3.14159265358979 - 2.0 * asin(0.8), 5e-3);
        stop(sim, model);
    }
}

// The same in steps of 1 ms: the contact lasts until the puck is past. That is said, with what helps.
static void a_contact_too_soft_for_its_impact_says_so(void **state)
{
    (void)state;
    static const char *const integrators[] = { "rk4", "cash-karp" };
    for (int k = 0; k < 2 * COUNT; k++) {
        slip_model *model = read_model("", puck, "", " ");
        slip_sim_def def = slip_default_sim_def();
        def.formulation = formulations[k / 2];
        def.integrator = integrators[k % 2];
        slip_sim *sim = make_sim(model, &def);
        run_to_end(sim);
        const slip_warning *w = NULL;
        for (int i = 0; (w = slip_sim_warning_at(sim, i)) && w->kind != SLIP_WARNING_TOO_SOFT;) i++;
        assert_non_null(w);
        assert_string_equal(w->advice[0].key, "run.step");
        assert_string_equal(w->advice[1].word, "substeps");
        stop(sim, model);
    }
}

// implicit steps with error control do not pass the peg either
static void no_step_passes_the_peg(void **state)
{
    (void)state;
    static const char *const integrators[] = { "sdirk4", "esdirk4" };
    static const char *const linear[] = { "dai", "modular", "kelvin-voigt" };
    for (int k = 0; k < 6; k++) {
        slip_model *model = read_model("", puck, "", " ");
        slip_sim_def def = slip_default_sim_def();
        def.formulation = linear[k / 2];
        def.integrator = integrators[k % 2];
        slip_sim *sim = make_sim(model, &def);
        run_to_end(sim);
        double turn = atan2(slip_sim_get(sim, "puck.y'"), slip_sim_get(sim, "puck.x'"));
        assert_near(turn, 3.14159265358979 - 2.0 * asin(0.8), 5e-3);
        stop(sim, model);
    }
}

// three boxes of 100 mm stand: nobody sinks by a micrometre, whatever the step
static void a_stack_does_not_sink(void **state)
{
    (void)state;
    static const char *const stack =
        "slipstick: 1\n"
        "name: stack\n"
        "gravity: 9.81\n"
        "bodies:\n"
        "  ground: {shape: {line: [0, 0]}}\n"
        "  a: {mass: 1, inertia: 2e-3, y: {start: 0.05}, shape: {box: [0.1, 0.1]}}\n"
        "  b: {mass: 1, inertia: 2e-3, y: {start: 0.15}, shape: {box: [0.1, 0.1]}}\n"
        "  c: {mass: 1, inertia: 2e-3, y: {start: 0.25}, shape: {box: [0.1, 0.1]}}\n"
        "contacts:\n"
        "  f: {between: [a, ground], friction: 0.5}\n"
        "  ab: {between: [a, b], friction: 0.5}\n"
        "  bc: {between: [b, c], friction: 0.5}\n"
        "run: {until: 0.2}\n";
    const double step[] = { 1e-3, 1e-2 };
    for (int f = 0; f < COUNT; f++)
        for (int k = 0; k < 2; k++) {
            slip_model *model;
            slip_sim *sim = ended(&model, stack, "", formulations[f], step[k]);
            assert_near(slip_sim_get(sim, "c.y"), 0.25, 1e-6);
            stop(sim, model);
        }
}

// shaken at 60 Hz up to 0.99 of its limit a block stays: no stick spring swells the force
static void what_sticks_does_not_creep(void **state)
{
    (void)state;
    static const char *const block = "slipstick: 1\n"
                                     "name: shaken\n"
                                     "coordinates: {x: 0}\n"
                                     "mass: {x: 2}\n"
                                     "forces: {x: 0.99*5*min(1, t)*(0.6 + 0.4*cos(120*pi*t))}\n"
                                     "frictions: {f: {slip: x, limit: 5}}\n"
                                     "run: {step: 1 ms, until: 2}\n";
    for (int f = 0; f < COUNT - 1; f++) { // tanh creeps by construction
        slip_model *model;
        slip_sim *sim = ended(&model, block, "", formulations[f], NAN);
        assert_near(slip_sim_get(sim, "x"), 0.0, 1e-8);
        stop(sim, model);
    }
}

// a gap that ends ends the run, and does not hold it up
static void a_gap_that_is_not_a_number_ends_the_run(void **state)
{
    (void)state;
    static const char *const text = "slipstick: 1\n"
                                    "name: gap that ends\n"
                                    "coordinates: {y: 1}\n"
                                    "energy: {kinetic: 0.5*y'^2, potential: 9.81*y}\n"
                                    "contacts: {f: {gap: 1 + sqrt(y - 0.5)}}\n"
                                    "run: {step: 1 ms, until: 1}\n";
    for (int f = 0; f < COUNT; f++) {
        slip_model *model = read_model("", text, "", " ");
        slip_sim_def def = slip_default_sim_def();
        def.formulation = formulations[f];
        def.integrator = "substeps";
        slip_sim *sim = make_sim(model, &def);
        slip_run_outcome outcome = SLIP_RUNNING;
        while (outcome == SLIP_RUNNING) outcome = slip_sim_step(sim);
        assert_true(outcome == SLIP_UNSOLVED);
        stop(sim, model);
    }
}

// when the wall lets a ladder go, and how often it did
typedef struct release {
    double first;
    int count;
} release;

static void note_release(void *context, const slip_event *event)
{
    release *r = context;
    if (event->kind != SLIP_EVENT_RELEASE || strcmp(event->element, "wall") != 0) return;
    if (!r->count++) r->first = event->t;
}

// A smooth ladder leaves the wall when its top has fallen to 2/3 of its height, after 0.845032 s from 70 deg
// (quadrature of th' = sqrt(3 g (sin b0 - sin b)/L)). Until then it never does: not by rounding either.
static void a_ladder_leaves_the_wall_once(void **state)
{
    (void)state;
    static const char *const ladder =
        "slipstick: 1\n"
        "name: ladder\n"
        "parameters: {m: 10 kg, L: 4 m, b0: 70 deg}\n"
        "gravity: 9.81\n"
        "bodies:\n"
        "  ground: {shapes: {floor: {line: [0, 0]}, wall: {line: [0, 0], angle: -90 deg}}}\n"
        "  ladder: {mass: m, inertia: m*L^2/12, x: {start: L/2*cos(b0)}, y: {start: L/2*sin(b0)},"
        " th: {start: -b0}, shapes: {top: {point: [-L/2, 0]}, foot: {point: [L/2, 0]}}}\n"
        "contacts: {floor: {between: [ladder.foot, ground.floor]}, wall: {between: [ladder.top, "
        "ground.wall]}}\n"
        "run: {step: 1 ms, until: 0.856}\n";
    for (int f = 0; f < COUNT; f++) {
        slip_model *model = read_model("", ladder, "", " ");
        slip_sim_def def = slip_default_sim_def();
        def.formulation = formulations[f];
        slip_sim *sim = make_sim(model, &def);
        release r = { NAN, 0 };
        slip_sim_on_event(sim, note_release, &r);
        run_to_end(sim);
        assert_int_equal(r.count, 1);
        assert_near(r.first, 0.845032, 8e-3);
        stop(sim, model);
    }
}

// in steps of 10 ms what carries a block of 50 kg sinks by a multiple of its gap: that is said at once
static void a_contact_too_soft_for_its_load_says_so(void **state)
{
    (void)state;
    slip_model *model = read_model("",
                                   "slipstick: 1\n"
                                   "name: plate and block\n"
                                   "coordinates: {y: 0.1, z: 0.2}\n"
                                   "mass: {y: 1, z: 50}\n"
                                   "energy: {potential: 9.81*(y + 50*z)}\n"
                                   "contacts: {floor: {gap: y - 0.1}, on: {gap: z - y - 0.1}}\n"
                                   "run: {step: 10 ms, until: 2}\n",
                                   "", " ");
    for (int f = 0; f < COUNT; f++) {
        slip_sim_def def = slip_default_sim_def();
        def.formulation = formulations[f];
        for (int k = 0; k < 2; k++) {
            def.integrator = k ? NULL : "rk4";
            slip_sim *sim = make_sim(model, &def);
            run_to_end(sim);
            const slip_warning *w = NULL;
            for (int i = 0; (w = slip_sim_warning_at(sim, i)) && w->kind != SLIP_WARNING_TOO_SOFT;) i++;
            assert_true((w != NULL) == (k == 0));
            if (k) assert_near(slip_sim_get(sim, "z"), 0.2, 1e-6);
            slip_sim_destroy(sim);
        }
    }
    slip_model_destroy(model);
}

// what contacts that last do not keep is not ignored
static void restitution_along_the_slip_is_refused(void **state)
{
    (void)state;
    slip_model *model = read_model("",
                                   "slipstick: 1\n"
                                   "name: superball\n"
                                   "coordinates: {x: {rate: 1}, y: 1}\n"
                                   "energy: {kinetic: 0.5*(x'^2 + y'^2), potential: 9.81*y}\n"
                                   "contacts: {c: {gap: y, slip: x, friction: 1, restitution_t: 0.5}}\n",
                                   "", " ");
    for (int f = 0; f < COUNT; f++) {
        slip_sim_def def = slip_default_sim_def();
        def.formulation = formulations[f];
        slip_error error;
        slip_sim *sim = NULL;
        assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_UNSUPPORTED);
        assert_non_null(strstr(error.text, "restitution_t of 0.5"));
        assert_non_null(strstr(error.text, "choose moreau, lcp, gauss or auto"));
    }
    slip_model_destroy(model);
}

// a force of 1 N for 1 ms, between two steps of 0.1 s: v = 1 mm/s
static void a_pulse_within_a_step_is_felt(void **state)
{
    (void)state;
    static const char *const integrators[] = { "substeps", "cash-karp", "sdirk4", "esdirk4" };
    for (int k = 0; k < 4; k++) {
        slip_model *model = read_model("",
                                       "slipstick: 1\n"
                                       "name: pulse\n"
                                       "coordinates: {x: 0}\n"
                                       "mass: {x: 1}\n"
                                       "forces: {x: 'if(t > 0.333, if(t < 0.334, 1, 0), 0)'}\n"
                                       "run: {step: 0.1, until: 1}\n",
                                       "", " ");
        slip_sim_def def = slip_default_sim_def();
        def.formulation = "dai";
        def.integrator = integrators[k];
        slip_sim *sim = make_sim(model, &def);
        run_to_end(sim);
        assert_near(slip_sim_get(sim, "x'"), 1e-3, 1e-6);
        stop(sim, model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounces_reach_their_heights),
        cmocka_unit_test(a_puck_is_turned_by_a_peg),
        cmocka_unit_test(a_contact_too_soft_for_its_impact_says_so),
        cmocka_unit_test(no_step_passes_the_peg),
        cmocka_unit_test(a_stack_does_not_sink),
        cmocka_unit_test(what_sticks_does_not_creep),
        cmocka_unit_test(a_gap_that_is_not_a_number_ends_the_run),
        cmocka_unit_test(a_ladder_leaves_the_wall_once),
        cmocka_unit_test(a_contact_too_soft_for_its_load_says_so),
        cmocka_unit_test(restitution_along_the_slip_is_refused),
        cmocka_unit_test(a_pulse_within_a_step_is_felt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
