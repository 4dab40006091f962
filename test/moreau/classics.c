/// classics.c: every model of models/classics against its known answer.
#include "helper.h"

static const double g = 9.81;

static slip_model *classic(const char *name, const char *one, const char *two)
{
    char path[200];
    snprintf(path, sizeof path, "models/classics/%s.yaml", name);
    return model_file(path, (const char *const[4]){ one, two });
}

static void finish(slip_sim *sim, slip_model *model)
{
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

typedef struct impacts {
    int count;
    double t[64];
} impacts;

static void note_impact(void *context, const slip_event *event)
{
    impacts *seen = context;
    if (event->kind == SLIP_EVENT_IMPACT && seen->count < 64) seen->t[seen->count++] = event->t;
}

static void test_bouncing_ball(void **state)
{
    (void)state;
    slip_model *model = classic("bouncing-ball", NULL, NULL);
    slip_sim *sim = simulate(model, NULL, NAN, NAN);
    impacts seen = { 0 };
    slip_sim_on_event(sim, note_impact, &seen);
    double top = 0.0;
    while (slip_sim_time(sim) < 1.1) { // over the first rebound
        slip_sim_step(sim);
        if (slip_sim_time(sim) > 0.46) top = fmax(top, slip_sim_get(sim, "y"));
    }
    assert_near(top, 0.64, 1e-3);
    run_whole(sim);
    const double t_0 = sqrt(2.0 / g);
    double t = t_0, flight = 2.0 * t_0 * 0.8;
    for (int k = 0; k < 20; k++, t += flight, flight *= 0.8) assert_near(seen.t[k], t, 3e-4 * (k + 1));
    assert_true(seen.count > 20 &&
                seen.t[seen.count - 1] < t_0 * 9.0 + 2e-3); // at rest after the accumulation point
    assert_near(slip_sim_get(sim, "y'"), 0.0, 1e-12);
    assert_near(slip_sim_get(sim, "y"), 0.0, 1e-6);
    assert_null(slip_sim_warning(sim, 0));
    finish(sim, model);
}

static void test_block_on_incline(void **state)
{
    (void)state;
    const double slope = 20.0 * acos(-1.0) / 180.0, slow = g * (sin(slope) + 0.5 * cos(slope));
    slip_model *model = classic("block-on-incline", NULL, NULL);
    slip_sim *sim = simulate(model, NULL, NAN, NAN);
    run_to(sim, 200);
    const double rest = slip_sim_get(sim, "x");
    assert_near(rest, 0.5 / slow, 1e-6);
    assert_true(slip_sim_get(sim, "stuck") == 1.0);
    run_whole(sim);
    assert_true(slip_sim_get(sim, "x") == rest); // to the last bit
    assert_near(slip_sim_get(sim, "load"), 2.0 * g * cos(slope), 1e-10);
    assert_near(slip_sim_get(sim, "hold"), 2.0 * g * sin(slope), 1e-10);
    slip_energy e = slip_sim_energy(sim);
    assert_near(e.friction, 1.0 - 2.0 * g * sin(slope) * rest, 1e-9);
    assert_near(e.numerical, 0.0, 1e-12);
    finish(sim, model);

    model = classic("block-on-incline", "mu=0.2", "v=0");
    sim = simulate(model, NULL, NAN, NAN);
    run_whole(sim);
    assert_near(slip_sim_get(sim, "x'"), -g * (sin(slope) - 0.2 * cos(slope)), 1e-10);
    finish(sim, model);
}

static void test_rocking_block(void **state)
{
    (void)state;
    const double alpha = atan(0.25), R = 0.5 * hypot(0.1, 0.4), p = sqrt(0.75 * g / R);
    slip_model *model = classic("rocking-block", NULL, NULL);
    slip_sim *sim = simulate(model, NULL, 2e-5, NAN);
    impacts seen = { 0 };
    slip_sim_on_event(sim, note_impact, &seen);
    double before = 0.0;
    while (seen.count == 0) {
        before = slip_sim_get(sim, "th'");
        slip_sim_step(sim);
        slip_sim_observe(sim);
    }
    assert_near(slip_sim_get(sim, "th'") / before, 1.0 - 1.5 * sin(alpha) * sin(alpha), 2e-4);
    assert_near(seen.t[0], acosh(1.0 / (1.0 - 0.08 / alpha)) / p,
                0.02 * seen.t[0]); // slender: 1 % for this one
    finish(sim, model);
}

static void test_cradle(void **state)
{
    (void)state;
    slip_model *model = classic("newtons-cradle", NULL, NULL);
    slip_sim *sim = simulate(model, NULL, NAN, NAN);
    double top = 0.0, others = 0.0;
    while (slip_sim_time(sim) < 0.55) {
        slip_sim_step(sim);
        top = fmax(top, slip_sim_get(sim, "x5"));
        if (slip_sim_time(sim) > 0.3) others = fmax(others, fabs(slip_sim_get(sim, "x3")));
    }
    assert_near(top, 0.05, 1e-4);
    assert_true(others < 5e-4);
    finish(sim, model);

    model = classic("newtons-cradle", "play=0", NULL);
    sim = simulate(model, NULL, 1e-5, NAN);
    impacts seen = { 0 };
    slip_sim_on_event(sim, note_impact, &seen);
    double v = 0.0;
    while (seen.count == 0) {
        v = slip_sim_get(sim, "x1'");
        slip_sim_step(sim);
        slip_sim_observe(sim);
    }
    assert_near(slip_sim_get(sim, "x1'"), -0.6 * v, 1e-3 * v);
    assert_near(slip_sim_get(sim, "x2'"), 0.4 * v, 1e-3 * v);
    assert_near(slip_sim_get(sim, "x5'"), 0.4 * v, 1e-3 * v);
    finish(sim, model);
}

static void note_first_impact(void *context, const slip_event *event)
{
    slip_event *first = context;
    if (event->kind == SLIP_EVENT_IMPACT && first->element == NULL) *first = *event;
}

static void test_falling_rod(void **state)
{
    (void)state;
    slip_model *model = classic("falling-rod", NULL, NULL);
    slip_sim *sim = simulate(model, NULL, NAN, NAN);
    slip_event strike = { 0 };
    slip_sim_on_event(sim, note_first_impact, &strike);
    run_whole(sim);
    const double W_NN = 2.5, W_NT = -1.5, W_TT = 2.5, mu = 0.2; // at 45 degrees, m = l = 1
    const double v = sqrt(2.0 * g * 0.1), P = 2.0 * v / (W_NN + mu * W_NT),
                 slip = 1.2 + P * (W_NT + mu * W_TT);
    assert_near(strike.t, v / g, 1e-12);
    assert_near(strike.approach, v, 1e-12); // does not turn before it strikes
    assert_near(strike.impulse, P, 1e-12);
    assert_near(strike.impulse_t[0], mu * P, 1e-12);
    const double gain = 0.5 * mu * P * (1.2 + slip);
    assert_near(measure(sim, "energy_gained"), gain, 1e-12);
    assert_non_null(strstr(slip_sim_warning(sim, 0), "created energy"));
    finish(sim, model);

    model = classic("falling-rod", "mu=0", NULL);
    sim = simulate(model, NULL, NAN, NAN);
    run_whole(sim);
    assert_true(measure(sim, "energy_gained") == 0.0);
    assert_near(slip_sim_energy(sim).impact, 0.0, 1e-12);
    finish(sim, model);
}

typedef struct jams {
    int count;
    double t[64];
} jams;

static void note_jam(void *context, const slip_event *event)
{
    jams *seen = context;
    if (event->kind == SLIP_EVENT_STICK && strcmp(event->element, "lower") == 0 && seen->count < 64)
        seen->t[seen->count++] = event->t;
}

static void test_woodpecker(void **state)
{
    (void)state;
    static const char *const starts[2] = { NULL,
                                           "w0=-7.2" }; // the published start and one nearby: the same cycle
    for (int k = 0; k < 2; k++) {
        slip_model *model = classic("woodpecker", starts[k], NULL);
        slip_sim *sim = simulate(model, NULL, NAN, 3.0);
        jams seen = { 0 };
        slip_sim_on_event(sim, note_jam, &seen);
        run_whole(sim);
        assert_true(seen.count > 18);
        const double period = (seen.t[17] - seen.t[7]) / 10.0;
        assert_near(period, 0.14598, 1e-4);
        assert_near(slip_sim_get(sim, "y") / 3.0, -0.1321,
                    1.5e-3); // 19.45 mm per cycle; the last is not whole
        assert_true(measure(sim, "energy_gained") == 0.0);
        finish(sim, model);
    }
    slip_model *model = classic("woodpecker", "w0=-6.5", NULL); // and the other cycle, of two strokes
    slip_sim *sim = simulate(model, NULL, 2e-5, 8.0);
    jams seen = { 0 };
    slip_sim_on_event(sim, note_jam, &seen);
    run_whole(sim);
    const double last = seen.t[seen.count - 1] - seen.t[seen.count - 2],
                 before = seen.t[seen.count - 2] - seen.t[seen.count - 3];
    assert_near(fmin(last, before), 0.1297, 1e-3);
    assert_near(fmax(last, before), 0.1756, 1e-3);
    finish(sim, model);
}

static void test_table(void **state)
{
    (void)state;
    slip_model *model = classic("table", NULL, NULL);
    slip_sim *sim = simulate(model, NULL, NAN, NAN);
    run_to(sim, 100);
    const double front = slip_sim_get(sim, "fl") + slip_sim_get(sim, "fr"),
                 rear = slip_sim_get(sim, "rl") + slip_sim_get(sim, "rr");
    assert_near(front + rear, 98.1, 1e-8);
    assert_near(front - rear, 0.24 * 98.1 * 0.7 / 0.5 * cos(acos(-1.0) / 6.0), 1e-7);
    run_whole(sim);
    assert_near(hypot(slip_sim_get(sim, "x"), slip_sim_get(sim, "y")), 0.64 / (2.0 * 0.24 * g), 2e-6);
    assert_near(slip_sim_get(sim, "y") / slip_sim_get(sim, "x"), tan(acos(-1.0) / 6.0), 1e-9); // straight on
    for (int k = 0; k < 4; k++)
        assert_non_null(strstr(slip_sim_note_at(sim, k)->text, "not unique")); // every leg
    assert_null(slip_sim_note_at(sim, 4));
    assert_null(slip_sim_warning(sim, 0)); // the motion is known
    finish(sim, model);
}

static void note_motion(void *context, const slip_event *event)
{
    int *count = context;
    *count += event->kind <= SLIP_EVENT_IMPACT;
}

static void test_stack(void **state)
{
    (void)state;
    slip_model *model = classic("stack", NULL, NULL);
    slip_sim *sim = simulate(model, NULL, NAN, NAN);
    int happened = 0;
    slip_sim_on_event(sim, note_motion, &happened);
    run_whole(sim);
    assert_near(slip_sim_get(sim, "joint1"), 98.1, 1e-7);
    assert_near(slip_sim_get(sim, "joint10"), 9.81, 1e-7);
    for (int k = 0; k < 30; k++) assert_near(sim->method->state[k], model->coordinates[k].start, 1e-11);
    assert_int_equal(happened, 0); // no contact opens, nothing slips
    assert_non_null(strstr(slip_sim_note_at(sim, 0)->text, "not unique"));
    finish(sim, model);

    static const char *const pushes[2] = { "push=2", "push=4" };
    for (int k = 0; k < 2; k++) {
        model = classic("stack", pushes[k], NULL);
        sim = simulate(model, NULL, NAN, 0.1);
        run_whole(sim);
        const double slid = k ? 0.5 * (4.0 - 0.3 * g) * 0.01 : 0.0;
        assert_near(slip_sim_get(sim, "x10"), slid, 1e-8);
        assert_near(slip_sim_get(sim, "x9"), 0.0, 1e-8);
        finish(sim, model);
    }
}

static void test_ball_between_plates(void **state)
{
    (void)state;
    slip_model *model = classic("ball-between-plates", NULL, NULL);
    slip_sim *sim = simulate(model, NULL, 1e-5, NAN);
    impacts seen = { 0 };
    slip_sim_on_event(sim, note_impact, &seen);
    run_whole(sim);
    double t = 0.05, leg = 0.1 / 0.8;
    for (int k = 0; k < seen.count; k++, t += leg, leg /= 0.8) assert_near(seen.t[k], t, 1e-4);
    assert_int_equal(seen.count, 5);
    assert_near(fabs(slip_sim_get(sim, "x'")), 2.0 * pow(0.8, 5), 1e-12);
    finish(sim, model);
}

static void test_pendulum_wall(void **state)
{
    (void)state;
    slip_model *model = classic("pendulum-wall", NULL, NULL);
    slip_sim *sim = simulate(model, NULL, 1e-5, NAN);
    impacts seen = { 0 };
    slip_sim_on_event(sim, note_impact, &seen);
    double out[8] = { 0 };
    while (slip_sim_step(sim) == SLIP_RUNNING)
        if (seen.count < 8) out[seen.count] = fmin(out[seen.count], slip_sim_get(sim, "th"));
    for (int k = 1; k < 4; k++) assert_near(cos(out[k]), 1.0 - pow(0.7, 2 * k) * 0.5, 2e-4);
    finish(sim, model);
}

static void test_chain(void **state)
{
    (void)state;
    slip_model *model = classic("chain-of-spheres", NULL, NULL);
    slip_sim *sim = simulate(model, NULL, NAN, NAN);
    run_whole(sim);
    assert_near(slip_sim_get(sim, "x10'"), pow(1.93 * 2.0 / 3.0, 9), 1e-9);
    double momentum = 0.0;
    for (int k = 0; k < 10; k++) momentum += ldexp(1.0, -k) * sim->method->state[10 + k];
    assert_near(momentum, 1.0, 1e-13);
    finish(sim, model);
}

// an event-driven formulation with fourth-order flights shares no code with the step: they agree to O(dt)
static void test_agreement(void **state)
{
    (void)state;
    static const struct {
        const char *name, *column;
        double tolerance;
    } cases[] = { { "ball-between-plates", "x", 5e-4 }, { "block-on-incline", "x", 5e-6 },
                  { "falling-rod", "th", 5e-4 },        { "pendulum-wall", "th", 1e-3 },
                  { "newtons-cradle", "x5", 2e-5 },     { "chain-of-spheres", "x10", 1e-4 },
                  { "bouncing-ball", "y", 1e-6 } };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        slip_model *model = classic(cases[k].name, NULL, NULL);
        slip_sim_def def = slip_default_sim_def();
        slip_error error;
        slip_sim *sim = simulate(model, NULL, NAN, NAN), *other = NULL;
        def.formulation = "lcp";
        if (slip_sim_create(model, &def, &error, &other) != SLIP_OK)
            fail_msg("%s: %s", error.where, error.text);
        run_whole(sim);
        run_whole(other);
        assert_near(slip_sim_get(sim, cases[k].column), slip_sim_get(other, cases[k].column),
                    cases[k].tolerance);
        slip_sim_destroy(other);
        finish(sim, model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bouncing_ball),
        cmocka_unit_test(test_block_on_incline),
        cmocka_unit_test(test_rocking_block),
        cmocka_unit_test(test_cradle),
        cmocka_unit_test(test_falling_rod),
        cmocka_unit_test(test_woodpecker),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_stack),
        cmocka_unit_test(test_ball_between_plates),
        cmocka_unit_test(test_pendulum_wall),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_agreement),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
