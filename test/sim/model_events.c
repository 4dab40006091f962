/// whens.c: modes, events of a model and what stops a run, under every formulation.
#include <math.h>

#include "formulations.h"

/// When events of a name came.
typedef struct times {
    const char *name;
    int count;
    double t[40];
} times;

static void keep_time(void *context, const slip_event *event)
{
    times *x = context;
    if (event->kind == SLIP_EVENT_WHEN && strcmp(event->element, x->name) == 0 && x->count < 40)
        x->t[x->count++] = event->t;
}

static bool is_moreau(int f)
{
    return strcmp(formulations[f], "moreau") == 0;
}

// ------------------------------------------------------------------------------------------- the walker

/// Garcia and others 1998, computed independently by Taylor series: gamma, theta, theta', period.
static const struct gait {
    double slope, theta, rate, period;
    bool stable;
} gaits[] = {
    { 0.009, 0.20031090054424716, -0.19983247300495244, 3.8824637528513737, true },
    { 0.004, 0.15338956487623645, -0.15608014667568157, 3.8526134617509813, true },
    { 0.012, 0.22009121577176524, -0.21733854877117578, 3.897794341628769, true },
    { 0.009, 0.19393736981018184, -0.20386692744200696, 3.096105868078164, false },
};

static slip_model *walker(const struct gait *g, double until)
{
    char sets[400];
    double c = cos(2.0 * g->theta), before = g->rate / c; // rates before the strike that led here
    snprintf(
        sets, sizeof sets,
        "gamma=%.17g coordinates.theta.start=%.17g coordinates.theta.rate=%.17g coordinates.phi.start=%.17g "
        "coordinates.phi.rate=%.17g run.until=%.17g run.relative=1e-11 run.absolute=1e-13",
        g->slope, g->theta, g->rate, 2.0 * g->theta, c * (1.0 - c) * before, until);
    return read_model("classics", "walker", sets, " ");
}

static void gaits_are_periodic(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof gaits / sizeof *gaits; k++) {
        const struct gait *g = &gaits[k];
        slip_model *model = walker(g, 1.5 * g->period);
        slip_sim *sim = start_sim(model, "lcp");
        times strikes = { "strike", 0, { 0 } };
        slip_sim_on_event(sim, keep_time, &strikes);
        while (slip_sim_get(sim, "steps") < 1.0) assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
        assert_near(slip_sim_get(sim, "theta"), g->theta, 1e-8);
        assert_near(slip_sim_get(sim, "theta'"), g->rate, 1e-8);
        assert_near(slip_sim_get(sim, "steps.since"), g->period, 1e-8);
        slip_sim_step(sim);
        assert_int_equal(strikes.count, 1);
        assert_near(strikes.t[0], g->period, 1e-8);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

static void it_walks_a_thousand_steps(void **state)
{
    (void)state;
    slip_model *model = walker(&gaits[0], 1000.5 * gaits[0].period);
    slip_sim *sim = start_sim(model, "lcp");
    while (slip_sim_get(sim, "steps") < 1000.0) assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
    assert_near(slip_sim_get(sim, "theta"), gaits[0].theta, 1e-8);
    assert_near(slip_sim_get(sim, "theta'"), gaits[0].rate, 1e-8);
    assert_near(slip_sim_time(sim), 1000.0 * gaits[0].period, 1e-5);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void it_walks_under_every_formulation(void **state)
{
    (void)state;
    slip_model *model = walker(&gaits[0], 10.5 * gaits[0].period);
    for (int f = 0; f < FORMULATIONS; f++) {
        slip_sim *sim = start_sim(model, formulations[f]);
        run_to_end(sim);
        assert_near(slip_sim_get(sim, "steps"), 10.0, 0.0);
        assert_near(slip_sim_get(sim, "steps.since"), 10.0 * gaits[0].period, is_moreau(f) ? 1e-4 : 1e-5);
        slip_energy energy = slip_sim_energy(sim);
        assert_near(energy.numerical, 0.0, 1e-5); // what a strike takes is booked
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

// ------------------------------------------------------------------------------------------- hysteresis

/// x'' = p/m, p = -1 from x > d on, 1 from x < -d on: parabolas, and times in closed form.
static const char RELAY[] = "slipstick: 1\nname: relay\nparameters: {d: 0.1 m}\n"
                            "coordinates: {x: {start: 0 m, rate: 0.5 m/s}}\nmass: {x: 1 kg}\n"
                            "modes: {push: -1 N}\nforces: {x: push}\n"
                            "when:\n  over: {condition: x > d, set: {push: -1 N}}\n"
                            "  under: {condition: x < -d, set: {push: 1 N}}\n"
                            "run: {step: 1 ms, until: 5}\n";

static void a_relay_has_hysteresis(void **state)
{
    (void)state;
    slip_model *model = read_model("", RELAY, "", " ");
    double first = 0.5 - sqrt(0.05), under = 0.5 + sqrt(0.45), second = under + sqrt(0.45) + sqrt(0.85);
    for (int f = 0; f < FORMULATIONS; f++) {
        slip_sim *sim = start_sim(model, formulations[f]);
        times over = { "over", 0, { 0 } };
        slip_sim_on_event(sim, keep_time, &over);
        run_to_end(sim);
        assert_int_equal(over.count, 2);
        assert_near(over.t[0], first, 1e-9);
        assert_near(over.t[1], second, 1e-9);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

// a stiffness that follows a mode: halves of two oscillations, 1 rad/s and 2 rad/s
// A clutch slips until (w1 - w2)(t) = 0, which heats it by half its torque times the whole slip; what the
// brake takes decides when the drum stands, whatever the clutch does: 0.5 s + J1 (40 - 5)/brake, less 0.01
// rad/s J2/brake.
static void a_clutch_slips_holds_and_opens(void **state)
{
    (void)state;
    slip_model *model = read_model("classics", "clutch", "", " ");
    for (int f = 0; f < FORMULATIONS; f++) {
        slip_sim *sim = start_sim(model, formulations[f]);
        times open = { .name = "open" };
        slip_sim_on_event(sim, keep_time, &open);
        run_to_end(sim);
        double t = 0.0;
        assert_non_null(slip_sim_stopped_by(sim, &t));
        assert_near(t, 9.246, f < 4 ? 1e-9 : 2e-6);
        assert_near(slip_sim_get(sim, "heat"), 4800.0 / 17.0, f < 3 ? 1e-6 : 2e-3);
        assert_near(slip_sim_get(sim, "a'"), 5.0, 1e-6);
        assert_int_equal(open.count, 1);
        assert_near(open.t[0], 7.25, f < 4 ? 1e-9 : 2e-6);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

static void energies_may_depend_on_modes(void **state)
{
    (void)state;
    const char *text =
        "slipstick: 1\nname: stiff\ncoordinates: {x: {start: 0, rate: 1}}\nmass: {x: 1}\n"
        "modes: {stiff: 0}\nenergy: {potential: 0.5*(1 + 3*stiff)*x^2}\n"
        "when:\n  in: {condition: x < 0, set: {stiff: 1}}\n  out: {condition: x > 0, set: {stiff: 0}}\n"
        "run: {step: 1 ms, until: 20}\n";
    slip_model *model = read_model("", text, "", " ");
    double pi = acos(-1.0);
    for (int f = 0; f < FORMULATIONS; f++) {
        slip_sim *sim = start_sim(model, formulations[f]);
        times in = { "in", 0, { 0 } };
        slip_sim_on_event(sim, keep_time, &in);
        run_to_end(sim);
        assert_int_equal(in.count, 4);
        for (int k = 0; k < 4; k++) assert_near(in.t[k], pi + 1.5 * pi * k, is_moreau(f) ? 2e-5 : 1e-4);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

// a stop that a mode takes away: the gap depends on it, and no force acts on the mode
static void gaps_may_depend_on_modes(void **state)
{
    (void)state;
    const char *text =
        "slipstick: 1\nname: latch\ncoordinates: {y: 0}\nmass: {y: 1}\nforces: {y: -10}\n"
        "modes: {latched: 1}\ncontacts: {latch: {gap: y + 100*(1 - latched)}}\n"
        "when: {opens: {condition: t > 0.5, set: {latched: 0}}}\nrun: {step: 1 ms, until: 1}\n";
    slip_model *model = read_model("", text, "", " ");
    for (int f = 0; f < FORMULATIONS; f++) {
        slip_sim *sim = start_sim(model, formulations[f]);
        run_to_end(sim);
        assert_near(slip_sim_get(sim, "y"), -1.25, 1e-2);
        assert_near(slip_sim_get(sim, "latched"), 0.0, 0.0);
        assert_near(slip_sim_get(sim, "latched.since"), 0.5, 1e-9);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

// ------------------------------------------------------------------------------------------ assignments

static void assignments_are_simultaneous(void **state)
{
    (void)state;
    const char *text =
        "slipstick: 1\nname: swap\ncoordinates: {x: {start: 1, rate: 2}, y: {start: 5, rate: -3}}\n"
        "mass: {x: 1, y: 1}\nstates: {z: {start: 7, rate: 0}}\nmodes: {m: 11}\n"
        "when: {swap: {condition: t > 1, set: {x: y, y: x, x': y', y': x', z: m, m: z}}}\n"
        "run: {step: 1 ms, until: 2}\n";
    slip_model *model = read_model("", text, "", " ");
    for (int f = 0; f < FORMULATIONS; f++) {
        slip_sim *sim = start_sim(model, formulations[f]);
        run_to_end(sim);
        assert_near(slip_sim_get(sim, "x"), 5.0 - 3.0 * 2.0, 1e-9);
        assert_near(slip_sim_get(sim, "y"), 1.0 + 2.0 * 2.0, 1e-9);
        assert_near(slip_sim_get(sim, "z"), 11.0, 0.0);
        assert_near(slip_sim_get(sim, "m"), 7.0, 0.0);
        assert_near(slip_sim_energy(sim).numerical, 0.0, 1e-9);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

// a ball that falls through the ground comes back above it, a metre higher: bodies have states, modes and
// events too
static void bodies_have_events(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "slipstick: 1\nname: portal\ngravity: 8\nbodies: {ball: {mass: 1, y: {start: 1}}}\n"
        "modes: {n: 0}\nstates: {z: {rate: ball.y'}}\n"
        "when: {portal: {condition: ball.y < 0, set: {ball.y: ball.y + 1, ball.y': 0, n: n + 1}}}\nrun: "
        "{step: 1 ms, until: 1.75}\n",
        "slipstick: 1\nname: portal\nspace: 3\ngravity: 8\nbodies: {ball: {mass: 1, inertia: 1, spin: [0, 0, "
        "3], z: {start: 1}}}\n"
        "modes: {n: 0}\nstates: {z: {rate: ball.z'}}\n"
        "when: {portal: {condition: ball.z < 0, set: {ball.z: ball.z + 1, ball.z': 0, n: n + 1}}}\nrun: "
        "{step: 1 ms, until: 1.75}\n",
    };
    for (int k = 0; k < 2; k++) {
        slip_model *model = read_model("", texts[k], "", " ");
        for (int f = 0; f < FORMULATIONS; f++) {
            slip_sim *sim = start_sim(model, formulations[f]);
            run_to_end(sim);
            assert_near(slip_sim_get(sim, "n"), 3.0, 0.0); // every half second
            assert_near(slip_sim_get(sim, k ? "ball.z" : "ball.y"), 0.75, 1e-6);
            assert_near(slip_sim_get(sim, "z"), -3.25, 1e-2);
            slip_sim_destroy(sim);
        }
        slip_model_destroy(model);
    }
}

// the values of one event make another one due, in the same instant and in the order of the file
static void events_follow_one_another(void **state)
{
    (void)state;
    const char *text =
        "slipstick: 1\nname: chain\ncoordinates: {x: {start: 0, rate: 1}}\nmass: {x: 1}\n"
        "modes: {a: 0, b: 0, c: 0}\n"
        "when:\n  third: {condition: b > 0, set: {c: a + b}}\n  first: {condition: x > 0.25, set: {a: 1}}\n"
        "  second: {condition: a > 0, set: {b: 2}}\nrun: {step: 1 ms, until: 1}\n";
    slip_model *model = read_model("", text, "", " ");
    for (int f = 0; f < FORMULATIONS; f++) {
        slip_sim *sim = start_sim(model, formulations[f]);
        run_to_end(sim);
        assert_near(slip_sim_get(sim, "c"), 3.0, 0.0);
        assert_near(slip_sim_get(sim, "c.since"), 0.25, 1e-9);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

// a pulse that ends within a step of an adaptive method is seen
static void a_short_visit_is_seen(void **state)
{
    (void)state;
    const char *text =
        "slipstick: 1\nname: toss\ncoordinates: {y: {start: 0, rate: 10}}\nmass: {y: 1}\nforces: {y: -10}\n"
        "modes: {seen: 0}\nwhen: {top: {condition: y > 4.99, set: {seen: 1}}}\nrun: {max_step: 1, until: "
        "2}\n";
    slip_model *model = read_model("", text, "", " ");
    slip_sim *sim = start_sim(model, "lcp");
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "seen"), 1.0, 0.0);
    assert_near(slip_sim_get(sim, "seen.since"), 1.0 - sqrt(0.002), 1e-9);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void a_change_from_outside_is_an_event(void **state)
{
    (void)state;
    slip_model *model = read_model("", RELAY, "coordinates.x.rate=0 modes.push=0", " ");
    slip_sim *sim = start_sim(model, "lcp");
    slip_sim_step(sim);
    assert_near(slip_sim_get(sim, "push"), 0.0, 0.0);
    assert_int_equal(slip_sim_set(sim, "x", -0.2, NULL), SLIP_OK);
    slip_sim_step(sim);
    assert_near(slip_sim_get(sim, "push"), 1.0, 0.0);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------- ends

static void a_condition_stops_the_run(void **state)
{
    (void)state;
    const char *text = "slipstick: 1\nname: fall\ncoordinates: {y: 5}\nmass: {y: 1}\nforces: {y: -10}\n"
                       "run: {step: 7 ms, until: 3, stop: y < 0}\n";
    slip_model *model = read_model("", text, "", " ");
    for (int f = 0; f < FORMULATIONS; f++) {
        slip_sim *sim = start_sim(model, formulations[f]);
        assert_null(slip_sim_stopped_by(sim, NULL));
        run_to_end(sim);
        double t = 0.0;
        assert_string_equal(slip_sim_stopped_by(sim, &t), "y < 0");
        assert_near(t, 1.0, 1e-9);
        assert_near(slip_sim_time(sim), 1.0, 1e-9);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

// what runs a model at several resolutions, or several models, goes on to its own end
static void a_comparison_runs_on(void **state)
{
    (void)state;
    const char *text = "slipstick: 1\nname: fall\ncoordinates: {y: 5}\nmass: {y: 1}\nforces: {y: -10}\n"
                       "run: {step: 7 ms, until: 1.4, stop: y < 0}\n";
    slip_model *model = read_model("", text, "", " ");
    slip_compare_def def = slip_default_compare_def();
    slip_comparison *c = NULL;
    assert_int_equal(slip_compare(model, &def, NULL, &c), SLIP_OK);
    for (int k = 0; k < slip_comparison_count(c); k++) {
        const slip_compare_row *row = slip_comparison_row(c, k);
        assert_int_equal(row->outcome, SLIP_DONE);
        assert_near(row->end[0], 5.0 - 5.0 * 1.4 * 1.4, 1e-6);
    }
    slip_comparison_destroy(c);
    slip_model_destroy(model);
}

// an inclusion can be stopped too: x' = 1 from 0
static void inclusions_can_be_stopped(void **state)
{
    (void)state;
    const char *text = "slipstick: 1\nname: ramp\ninclusion: {x': 1 - 0.5*sgn(x)}\nstart: {x: 1}\ndai: {K: "
                       "1e3, beta: 1e-3}\nrun: "
                       "{step: 1 ms, until: 3, stop: x > 1.75}\n";
    slip_model *model = read_model("", text, "", " ");
    slip_sim *sim = start_sim(model, "dai");
    run_to_end(sim);
    assert_near(slip_sim_time(sim), 1.5, 1e-6);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// conditions that bring each other about: a message, under every formulation, and no endless run
// new values inside a contact are warned of, whatever a formulation makes of them
static void values_inside_a_contact(void **state)
{
    (void)state;
    slip_model *model =
        read_model("",
                   "slipstick: 1\nname: n\ncoordinates: {y: 0.1}\nmass: {y: 1}\nforces: {y: -1}\n"
                   "contacts: {floor: {gap: y}}\nparameters: {to: -0.02}\n"
                   "when: {jump: {condition: t > 0.05, set: {y: to}}}\nrun: {step: 1e-3, until: 0.06}\n",
                   "", " ");
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *above = NULL;
    assert_int_equal(slip_model_vary(model, (const char *[]){ "to=0" }, 1, notes, &above), SLIP_OK);
    for (int f = 0; f < FORMULATIONS; f++) {
        slip_sim *sim = start_sim(model, formulations[f]);
        while (slip_sim_step(sim) == SLIP_RUNNING) continue;
        const slip_warning *w = slip_sim_warning_at(sim, 0);
        assert_non_null(w);
        assert_int_equal(w->kind, SLIP_WARNING_BAD_START);
        assert_near(w->values[0].value, 0.02, 1e-12);
        assert_non_null(strstr(w->text, "event 'jump' at t = 0.05 s puts contact 'floor' 0.02 m inside"));
        slip_sim_destroy(sim);
        sim = start_sim(above, formulations[f]);
        run_to_end(sim);
        assert_null(slip_sim_warning_at(sim, 0));
        slip_sim_destroy(sim);
    }
    slip_diagnostics_destroy(notes);
    slip_model_destroy(above);
    slip_model_destroy(model);
}

static void events_without_end_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        // a relay without hysteresis: infinitely many events in no time
        "slipstick: 1\nname: slide\ncoordinates: {x: {start: -0.1, rate: 0}}\nmass: {x: 1}\nmodes: {p: "
        "1}\nforces: {x: p - 9*x'}\n"
        "when:\n  up: {condition: x' > 0.05, set: {p: -1}}\n  down: {condition: x' < 0.05, set: {p: "
        "1}}\nrun: {step: 1 ms, until: 1}\n",
        // two that undo each other
        "slipstick: 1\nname: flip\ncoordinates: {x: {start: 0, rate: 1}}\nmass: {x: 1}\nmodes: {p: 0}\n"
        "when:\n  a: {condition: p < 1 and x > 0.1, set: {p: 2}}\n  b: {condition: p > 1, set: {p: 0}}\nrun: "
        "{step: 1 ms, until: 1}\n",
        // bounces that accumulate
        "slipstick: 1\nname: bounce\ncoordinates: {y: 0.1}\nmass: {y: 1}\nforces: {y: -10}\n"
        "when: {hit: {condition: y < 0, set: {y': -0.5*y'}}}\nrun: {step: 1 ms, until: 1}\n",
    };
    for (int k = 0; k < 3; k++) {
        slip_model *model = read_model("", texts[k], "", " ");
        for (int f = 0; f < FORMULATIONS; f++) {
            slip_sim *sim = start_sim(model, formulations[f]);
            slip_run_outcome outcome = SLIP_RUNNING;
            long steps = 0;
            while (outcome == SLIP_RUNNING && steps++ < 20000) outcome = slip_sim_step(sim);
            if (outcome != SLIP_UNSOLVED)
                print_error("%d %s: %s\n", k, formulations[f], slip_run_outcome_name(outcome));
            assert_int_equal(outcome, SLIP_UNSOLVED);
            slip_sim_destroy(sim);
        }
        slip_model_destroy(model);
    }
}

static void values_must_be_finite(void **state)
{
    (void)state;
    const char *text =
        "slipstick: 1\nname: root\ncoordinates: {x: {start: 1, rate: -1}}\nmass: {x: 1}\n"
        "when: {bad: {condition: x < 0, set: {x': sqrt(x - 1)}}}\nrun: {step: 1 ms, until: 3}\n";
    slip_model *model = read_model("", text, "", " ");
    slip_sim *sim = start_sim(model, "lcp");
    assert_int_equal(run_to_failure(sim), SLIP_UNSOLVED);
    assert_near(slip_sim_time(sim), 1.0, 1e-9);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaits_are_periodic),
        cmocka_unit_test(it_walks_a_thousand_steps),
        cmocka_unit_test(it_walks_under_every_formulation),
        cmocka_unit_test(a_relay_has_hysteresis),
        cmocka_unit_test(a_clutch_slips_holds_and_opens),
        cmocka_unit_test(energies_may_depend_on_modes),
        cmocka_unit_test(gaps_may_depend_on_modes),
        cmocka_unit_test(assignments_are_simultaneous),
        cmocka_unit_test(bodies_have_events),
        cmocka_unit_test(events_follow_one_another),
        cmocka_unit_test(a_short_visit_is_seen),
        cmocka_unit_test(a_change_from_outside_is_an_event),
        cmocka_unit_test(a_condition_stops_the_run),
        cmocka_unit_test(a_comparison_runs_on),
        cmocka_unit_test(inclusions_can_be_stopped),
        cmocka_unit_test(values_inside_a_contact),
        cmocka_unit_test(events_without_end_are_refused),
        cmocka_unit_test(values_must_be_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
