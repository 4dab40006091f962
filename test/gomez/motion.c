/// motion.c: trajectories of the event-driven formulations: events, orders, energies.
#include "gomez/helper.h"

static const char ball[] =
    "slipstick: 1\nname: ball\nparameters: {e: 0.5}\ncoordinates: {y: {start: 1}, x: {start: 0, rate: 1}}\n"
    "energy: {kinetic: 0.5*(x'^2 + y'^2), potential: 10*y}\n"
    "contacts: {floor: {gap: y, slip: x, friction: 0.02, restitution: e}}\n";

typedef struct impacts {
    int count;
    double t[400];
    bool rest;
} impacts;

static void on_impact(void *context, const slip_event *event)
{
    impacts *seen = context;
    if (event->kind != SLIP_EVENT_IMPACT || seen->count >= 400) return;
    seen->t[seen->count++] = event->t;
    if (strstr(event->text, "at rest")) seen->rest = true;
}

static void a_bouncing_ball(void **state)
{
    (void)state;
    const double e[] = { 0.2, 0.5, 0.9 };
    for (int k = 0; k < 3; k++) {
        char sets[32];
        snprintf(sets, sizeof sets, "e=%g", e[k]);
        slip_model *model = load(ball, sets);
        slip_sim *sim = simulate(model, "lcp", 1e-9, 12);
        impacts seen = { 0 };
        slip_sim_on_event(sim, on_impact, &seen);
        run_to_end(sim);
        double first = sqrt(0.2), t = first, flight = 2 * first * e[k];
        assert_true(seen.count >= 10);
        for (int j = 0; j < 10; j++, t += flight, flight *= e[k]) assert_near(seen.t[j], t, 1e-12 * (j + 1));
        assert_true(seen.rest); // accumulation is said
        double end = first * (1 + e[k]) / (1 - e[k]);
        assert_near(seen.t[seen.count - 1], end, 2e-6);
        assert_near(slip_sim_get(sim, "y"), 0, 1e-13);
        // each impulse takes mu times its normal part along the floor: together mu (1 + e)/(1 - e) v
        double v = 1 - 0.02 * 10 * first * (1 + e[k]) / (1 - e[k]);
        double stop = end + fmax(v, 0) / 0.2;
        if (v > 0 && stop > 12) assert_near(slip_sim_get(sim, "x'"), v - 0.2 * (12 - end), 1e-6);
        if (v > 0 && stop < 12) assert_near(slip_sim_get(sim, "x'"), 0, 1e-13);
        slip_energy energy = slip_sim_energy(sim);
        assert_near(energy.numerical, 0, 1e-9);
        assert_true(energy.impact > 0 && energy.friction >= 0);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

// the mass of Xiong 2013 (eq 20) under the rigid law: breaks loose at 0.625 s, stops, stays
static void sticking_and_restarting(void **state)
{
    (void)state;
    const char *text = "slipstick: 1\nname: mass\ncoordinates: {p: 0}\nenergy: {kinetic: 0.5*p'^2}\n"
                       "forces: {p: if(t < 2, min(0.52, 0.8*t), 0.336 + 0.144*cos(100*t))}\n"
                       "frictions: {friction: {slip: p, limit: 0.5}}\n";
    const char *formulations[] = { "lcp", "gauss" };
    slip_model *model = load(text, "");
    for (int f = 0; f < 2; f++) {
        slip_sim *sim = simulate(model, formulations[f], 1e-10, 10);
        run_to_end(sim);
        assert_near(slip_sim_get(sim, "p"), 0.02106, 1e-5);
        assert_near(slip_sim_get(sim, "p'"), 0, 0);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

typedef struct first_event {
    slip_event_kind kind;
    double t;
} first_event;

static void on_first(void *context, const slip_event *event)
{
    first_event *seen = context;
    if (event->kind == seen->kind && isnan(seen->t)) seen->t = event->t;
}

static double time_of(const char *text, const char *sets, const char *formulation, slip_event_kind kind,
                      double until)
{
    slip_model *model = load(text, sets);
    slip_sim *sim = simulate(model, formulation, 1e-12, until);
    first_event seen = { kind, NAN };
    slip_sim_on_event(sim, on_first, &seen);
    run_to_end(sim);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return seen.t;
}

static void events_to_the_picosecond(void **state)
{
    (void)state;
    const char *formulations[] = { "lcp", "gauss" };
    // a ramp of 3 t N lifts a weight of 1 N at t = 1/3; pushes against mu N = 0.3 N at t = 0.1
    const char *lift = "slipstick: 1\nname: lift\ncoordinates: {x: 0, y: 0}\nenergy: {kinetic: 0.5*(x'^2 + "
                       "y'^2), potential: y}\n"
                       "forces: {y: 3*t}\ncontacts: {floor: {gap: y, slip: x, friction: 0.3}}\n";
    const char *push = "slipstick: 1\nname: push\ncoordinates: {x: 0, y: 0}\nenergy: {kinetic: 0.5*(x'^2 + "
                       "y'^2), potential: y}\n"
                       "forces: {x: 3*t}\ncontacts: {floor: {gap: y, slip: x, friction: 0.3}}\n";
    const char *stop = "slipstick: 1\nname: stop\ncoordinates: {x: {start: 0, rate: 1}, y: 0}\n"
                       "energy: {kinetic: 0.5*(x'^2 + y'^2), potential: y}\n"
                       "contacts: {floor: {gap: y, slip: x, friction: 0.3}}\n";
    for (int f = 0; f < 2; f++) {
        assert_near(time_of(lift, "", formulations[f], SLIP_EVENT_RELEASE, 1), 1 / 3.0, 1e-12);
        assert_near(time_of(push, "", formulations[f], SLIP_EVENT_SLIDE, 1), 0.1, 1e-12);
        assert_near(time_of(stop, "", formulations[f], SLIP_EVENT_STICK, 5), 1 / 0.3, 1e-12);
    }
}

// a ball that falls from 1 m strikes after sqrt(2/g); the gap of a lamp that swings in front of a wall is
// closed at the angle pi/6 of a harmonic motion
static void impacts_to_rounding(void **state)
{
    (void)state;
    const char *formulations[] = { "lcp", "gauss" };
    const char *drop = "slipstick: 1\nname: ball\ncoordinates: {y: 1}\nmass: {y: 1}\nforces: {y: -9.81}\n"
                       "contacts: {floor: {gap: y, restitution: 0.8}}\n";
    const char *lamp = "slipstick: 1\nname: lamp\ncoordinates: {x: {start: 0, rate: 1}}\nmass: {x: 1}\n"
                       "forces: {x: -x}\ncontacts: {wall: {gap: 0.5 - x, restitution: 1}}\n";
    for (int f = 0; f < 2; f++) {
        assert_near(time_of(drop, "", formulations[f], SLIP_EVENT_IMPACT, 1), sqrt(2.0 / 9.81), 4e-15);
        assert_near(time_of(lamp, "", formulations[f], SLIP_EVENT_IMPACT, 1), asin(0.5), 1e-12);
    }
}

// sliding on a plane with speed-dependent friction: v' = -(mu + b v) g in closed form
static void friction_that_grows_with_speed(void **state)
{
    (void)state;
    const char *text = "slipstick: 1\nname: viscous\ncoordinates: {x: {start: 0, rate: 2}, y: 0}\n"
                       "energy: {kinetic: 0.5*(x'^2 + y'^2), potential: y}\n"
                       "contacts: {floor: {gap: y, slip: x, friction: 0.2 + 0.5*abs(x')}}\n";
    // v = (2 + 0.4) exp(-t/2) - 0.4 stops at 2 log 6
    assert_near(time_of(text, "", "gauss", SLIP_EVENT_STICK, 10), 2 * log(6.0), 1e-11);
}

// fifth order between events: the frictionless bearing against elliptic functions, fixed steps
static void the_order_between_events(void **state)
{
    (void)state;
    json_t *facts = read_facts(), *order = json_object_get(facts, "order");
    char *text = journal_text(4);
    slip_model *model = load(text, "mu=0");
    double last = 0.0;
    for (int k = 0; k < 3; k++) {
        double h = 0.15 / (1 << k), error;
        slip_sim_def def = slip_default_sim_def();
        slip_sim *sim = NULL;
        def.formulation = "gauss";
        def.relative = def.absolute = 1e6; // every step is accepted: the limit of the run makes them
        def.until = def.step = def.max_step = h;
        double x[6] = { 1, 0, 0, 0, 0, 0 };
        const char *names[6] = { "x", "y", "th", "x'", "y'", "th'" };
        for (int n = 0; n < (int)(3.0 / h + 0.5); n++) {
            assert_int_equal(slip_sim_create(model, &def, NULL, &sim), SLIP_OK);
            for (int i = 0; i < 6; i++) slip_sim_set(sim, names[i], x[i], NULL);
            run_to_end(sim);
            assert_in_range(slip_sim_steps(sim), 1, 2); // a kink at the start is left in one of no length
            for (int i = 0; i < 6; i++) x[i] = slip_sim_get(sim, names[i]);
            slip_sim_destroy(sim);
        }
        error = fabs(x[2] - number(order, "theta_ref"));
        assert_near(error, item(json_object_get(order, "err"), (size_t)k + 1),
                    0.1 * item(json_object_get(order, "err"), (size_t)k + 1) + 1e-11);
        if (k > 0) assert_true(log2(last / error) > 4.85);
        last = error;
    }
    slip_model_destroy(model);
    free(text);
    json_decref(facts);
}

// rows between steps are those of a run that steps there, events on the way included
static void looking_ahead_changes_nothing(void **state)
{
    (void)state;
    slip_model *model = load(ball, "e=0.5");
    double end[2];
    for (int k = 0; k < 2; k++) {
        slip_sim *sim = simulate(model, "lcp", 1e-9, 2);
        slip_run_def def = slip_default_run_def();
        slip_run_info info;
        if (k) def.every = 0.01;
        assert_int_equal(slip_run(sim, &def, &info, NULL), SLIP_OK);
        assert_int_equal(info.outcome, SLIP_DONE);
        if (k) assert_int_equal((int)info.rows, 201);
        end[k] = slip_sim_get(sim, "x");
        slip_sim_destroy(sim);
    }
    assert_near(end[1], end[0], 1e-9);
    slip_model_destroy(model);
}

// a double pendulum held by bilateral constraints, one of them twice: same motion as with angles alone
static void bilateral_constraints_also_redundant(void **state)
{
    (void)state;
    const char *points = "slipstick: 1\nname: points\ncoordinates: {x1: 1, y1: 0, x2: 2, y2: 0}\n"
                         "energy: {kinetic: 0.5*(x1'^2 + y1'^2 + x2'^2 + y2'^2), potential: 9.81*(y1 + y2)}\n"
                         "constraints: {a: x1^2 + y1^2 - 1, again: 3*(x1^2 + y1^2 - 1), "
                         "b: (x2 - x1)^2 + (y2 - y1)^2 - 1}\n";
    const char *angles = "slipstick: 1\nname: angles\ncoordinates: {a: 0, b: 0}\n"
                         "energy: {kinetic: 0.5*(a'^2 + (a'^2 + b'^2 + 2*a'*b'*cos(a - b))), "
                         "potential: 9.81*(2*sin(a) + sin(b))}\n";
    slip_model *first = load(points, ""), *second = load(angles, "");
    slip_sim *p = simulate(first, "lcp", 1e-11, 1.5), *a = simulate(second, "lcp", 1e-11, 1.5);
    run_to_end(p);
    run_to_end(a);
    assert_near(slip_sim_get(p, "x1"), cos(slip_sim_get(a, "a")), 1e-7);
    assert_near(slip_sim_get(p, "y2"), sin(slip_sim_get(a, "a")) + sin(slip_sim_get(a, "b")), 1e-7);
    double x = slip_sim_get(p, "x1"), y = slip_sim_get(p, "y1");
    assert_near(x * x + y * y, 1, 1e-13);
    assert_near(slip_sim_energy(p).numerical, 0, 1e-8);
    slip_sim_destroy(p);
    slip_sim_destroy(a);
    slip_model_destroy(first);
    slip_model_destroy(second);
}

// a tumbling block: energy is only lost, gaps stay closed or open, and both formulations agree
static void a_block_falls_and_comes_to_rest(void **state)
{
    (void)state;
    slip_model *model =
        load("sliding-block", "v0=2;mu=0.4;coordinates.y.start=1.6;coordinates.th={start: 0.2, rate: -1};"
                              "contacts.left.restitution=0.3;contacts.right.restitution=0.3");
    double end[2];
    for (int f = 0; f < 2; f++) {
        slip_sim *sim = simulate(model, f ? "lcp" : "gauss", 1e-9, 5);
        double before = INFINITY;
        slip_run_outcome outcome;
        do {
            outcome = slip_sim_step(sim);
            slip_energy energy = slip_sim_energy(sim);
            double now = energy.kinetic + energy.potential;
            assert_true(now <= before + 1e-8);
            assert_near(energy.numerical, 0, 1e-8);
            before = now;
            double y = slip_sim_get(sim, "y"), th = slip_sim_get(sim, "th");
            assert_true(y - fabs(sin(th)) - cos(th) > -1e-11);
        } while (outcome == SLIP_RUNNING);
        assert_int_equal(outcome, SLIP_DONE);
        assert_near(slip_sim_get(sim, "x'"), 0, 1e-12);
        assert_near(slip_sim_get(sim, "y"), 1, 1e-12);
        end[f] = slip_sim_get(sim, "x");
        slip_sim_destroy(sim);
    }
    assert_near(end[0], end[1], 1e-7);
    slip_model_destroy(model);
}

// accumulating impacts of two contacts, rocking, redundant sticking contacts, chains of frictions
static void hard_machines_finish(void **state)
{
    (void)state;
    const char *paths[] = { "models/classics/rocking-block.yaml", "models/flores/slider-crank.yaml",
                            "models/xiong/two-masses-conveyor-mechanics.yaml",
                            "models/kikuuwe/two-link.yaml" };
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++)
        for (int f = 0; f < 2; f++) {
            slip_diagnostics *notes = slip_diagnostics_create();
            slip_model *model = NULL;
            assert_int_equal(slip_model_read_file(paths[k], NULL, 0, notes, &model), SLIP_OK);
            slip_diagnostics_destroy(notes);
            slip_sim *sim = simulate(model, f ? "lcp" : "gauss", 1e-8, 0);
            run_to_end(sim);
            slip_energy energy = slip_sim_energy(sim);
            assert_true(energy.friction >= -1e-12 && energy.impact >= -1e-12); // rounding of what is zero
            assert_true(fabs(energy.numerical) < 1e-4 * (1 + fabs(energy.start)));
            slip_sim_destroy(sim);
            slip_model_destroy(model);
        }
}

static void refusals(void **state)
{
    (void)state;
    slip_error error;
    slip_sim *sim = NULL;
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "gauss";
    slip_model *model = load(ball, "coordinates.y.start=-0.1");
    assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_OK);
    slip_run_info info;
    assert_int_equal(slip_run(sim, NULL, &info, &error), SLIP_OK);
    assert_int_equal(info.outcome, SLIP_UNSOLVED);
    assert_non_null(strstr(info.text, "inside"));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bouncing_ball),
        cmocka_unit_test(sticking_and_restarting),
        cmocka_unit_test(events_to_the_picosecond),
        cmocka_unit_test(impacts_to_rounding),
        cmocka_unit_test(friction_that_grows_with_speed),
        cmocka_unit_test(the_order_between_events),
        cmocka_unit_test(looking_ahead_changes_nothing),
        cmocka_unit_test(bilateral_constraints_also_redundant),
        cmocka_unit_test(a_block_falls_and_comes_to_rest),
        cmocka_unit_test(hard_machines_finish),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
