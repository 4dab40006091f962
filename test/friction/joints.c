/// joints.c: friction of joints that follows their own force, in trees and loops, in the plane and in space:
/// closed forms of a drawer, and numbers of reference integrations (Runge-Kutta of order 8, force and torque
/// solved for at each stage) of pendulums and of a slider-crank.
#include "models.h"

static const double TIGHT = 1e-10;

static slip_sim *start(const char *text, const char *sets, const char *formulation, double tolerance,
                       slip_model **model)
{
    *model = read_model("", text, sets, ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    def.relative = def.absolute = tolerance;
    return make_sim(*model, &def);
}

static void finish(slip_sim *sim, slip_model *model)
{
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static double end_of(const char *text, const char *sets, const char *formulation, const char *column)
{
    slip_model *model;
    slip_sim *sim = start(text, sets, formulation, TIGHT, &model);
    run_to_end(sim);
    const double value = slip_sim_get(sim, column);
    finish(sim, model);
    return value;
}

// ------------------------------------------------------------------------------------------- pendulums

#define PENDULUM_PARAMETERS "parameters: {m: 1, l: 0.5, I0: 1/3, mu: 0.3, r: 0.02, th0: 1, w0: 0, until: 5}\n"
#define PENDULUM_RUN        "run: {step: 1e-3, until: until}\n"

static const char TREE[] =
    "slipstick: 1\nname: pendulum\n" PENDULUM_PARAMETERS "bodies:\n"
    "  rod: {mass: m, inertia: I0 - m*l^2, centre: [0, -l], th: {start: th0, rate: w0},\n"
    "    joint: {revolute: ground, friction: mu, radius: r, name: pin}}\n"
    "gravity: 9.81\n"
    "record: {th: rod.th, w: rod.th', F: pin.force, T: pin.friction}\n" PENDULUM_RUN;

static const char LOOP[] =
    "slipstick: 1\nname: pendulum\n" PENDULUM_PARAMETERS "bodies:\n"
    "  rod: {mass: m, inertia: I0 - m*l^2, points: {top: [0, l]}, th: {start: th0, rate: w0},\n"
    "    x: {start: l*sin(th0), rate: w0*l*cos(th0)}, y: {start: -l*cos(th0), rate: w0*l*sin(th0)}}\n"
    "joints: {pin: {revolute: [rod.top, ground], friction: mu, radius: r}}\n"
    "gravity: 9.81\n"
    "record: {th: rod.th, w: rod.th', F: pin.force, T: pin.friction}\n" PENDULUM_RUN;

// about an axis that is none of the ground's
static const char HINGE[] =
    "slipstick: 1\nname: pendulum\nspace: 3\n" PENDULUM_PARAMETERS "bodies:\n"
    "  rod: {mass: m, inertia: I0 - m*l^2, centre: [0, -l, 0], th: {start: th0, rate: w0},\n"
    "    joint: {revolute: ground, axis: [0.6, 0, 0.8], friction: mu, radius: r, name: pin}}\n"
    "gravity: [0, -9.81, 0]\n"
    "record: {th: rod.th, w: rod.th', F: pin.force, T: pin.friction}\n" PENDULUM_RUN;

static const char HINGE_LOOP[] =
    "slipstick: 1\nname: pendulum\nspace: 3\n" PENDULUM_PARAMETERS "bodies:\n"
    "  rod: {mass: m, inertia: I0 - m*l^2, points: {top: [0, l, 0]}, x: l*sin(th0), y: -l*cos(th0),\n"
    "    attitude: {axis: [0, 0, 1], angle: th0}}\n"
    "joints: {pin: {revolute: [rod.top, ground], friction: mu, radius: r}}\n"
    "gravity: [0, -9.81, 0]\n"
    "record: {w: rod.wz, F: pin.force, T: pin.friction}\n" PENDULUM_RUN;

static const char BALL[] = "slipstick: 1\nname: pendulum\nspace: 3\n" PENDULUM_PARAMETERS "bodies:\n"
                           "  rod: {mass: m, inertia: I0 - m*l^2, centre: [0, -l, 0],\n"
                           "    attitude: {axis: [0.6, 0, 0.8], angle: th0},\n"
                           "    joint: {spherical: ground, friction: mu, radius: r, name: pin}}\n"
                           "gravity: [0, -9.81, 0]\n"
                           "record: {w: 0.6*rod.wx + 0.8*rod.wz, F: pin.force}\n" PENDULUM_RUN;

static const char FAST[] = "m=2;l=0.3;I0=0.24;mu=0.5;r=0.06;th0=0;w0=7";

typedef struct seen {
    double t[40];
    int count;
} seen;

static void on_event(void *context, const slip_event *event)
{
    seen *s = context;
    if (s->count < 40 && (event->kind == SLIP_EVENT_SLIDE || event->kind == SLIP_EVENT_STICK))
        s->t[s->count++] = event->t;
}

// where it turns, and the last time where it rests
static void turns(void **state)
{
    (void)state;
    static const double times[] = { 0.341171291294147, 1.035741953436855, 1.700244389593482,
                                    2.348511588999447, 2.987680378800826, 3.622320355222459 };
    static const char *const texts[] = { TREE, LOOP, HINGE };
    for (int k = 0; k < 3; k++) {
        slip_model *model;
        slip_sim *sim = start(texts[k], FAST, "lcp", TIGHT, &model);
        seen s = { 0 };
        slip_sim_on_event(sim, on_event, &s);
        run_to_end(sim);
        assert_int_equal(s.count, 6);
        for (int i = 0; i < 6; i++) assert_near(s.t[i], times[i], 1e-7);
        assert_near(slip_sim_get(sim, "th"), -0.06050261835872781, 2e-9);
        assert_near(slip_sim_get(sim, "w"), 0.0, 1e-14);
        assert_near(slip_sim_get(sim, "F"), 2.0 * 9.81, 1e-8);
        finish(sim, model);
    }
}

static void pendulums(void **state)
{
    (void)state;
    static const char *const formulations[] = { "lcp", "gauss" };
    for (int f = 0; f < 2; f++) {
        assert_near(end_of(TREE, "", formulations[f], "th"), 0.6391738481173139, 2e-9);
        assert_near(end_of(LOOP, "", formulations[f], "th"), 0.6391738481173139, 2e-9);
        assert_near(end_of(HINGE, "", formulations[f], "th"), 0.6391738481173139, 2e-9);
        assert_near(end_of(HINGE_LOOP, "", formulations[f], "w"), 1.739464587608757, 2e-8);
        assert_near(end_of(BALL, "", formulations[f], "w"), 1.739464587608757, 1e-7);
        assert_near(end_of(TREE, "until=0.5", formulations[f], "w"), -3.503822018623354, 1e-9);
    }
    slip_model *model;
    slip_sim *sim = start(TREE, "until=32", "lcp", TIGHT, &model);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "th"), 0.0004213258463002396, 2e-8); // after 36 turns
    finish(sim, model);
    sim = start(TREE, "", "moreau", 1e-6, &model);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "th"), 0.6391738481173139, 2e-4);
    finish(sim, model);
}

// it rests within asin(mu r/l) of the vertical, and not beyond
static void zone(void **state)
{
    (void)state;
    static const char *const formulations[] = { "lcp", "gauss", "moreau" };
    for (int f = 0; f < 3; f++) {
        assert_near(end_of(TREE, "th0=0.01200028;until=1", formulations[f], "th"), 0.01200028, 1e-12);
        assert_true(end_of(TREE, "th0=0.0120004;until=1", formulations[f], "th") < 0.0120004 - 1e-7);
    }
}

// --------------------------------------------------------------------------------------------- a drawer

static const char DRAWER[] =
    "slipstick: 1\nname: drawer\n"
    "parameters: {m: 2, l: 0.4, P: 10, d: 0.1, Q: 0, mu: 0.3, off: 0}\n"
    "bodies:\n"
    "  drawer: {mass: m, inertia: 0.05, centre: [0, off], points: {handle: [0, d]},\n"
    "    joint: {prismatic: ground, friction: mu, length: l, name: guide}}\n"
    "loads: {pull: {at: drawer.handle, force: [P, 0]}, side: {at: drawer, force: [0, Q]}}\n"
    "record: {v: drawer.s', T: guide.friction}\n"
    "run: {step: 1e-3, until: 1}\n";

static const char DRAWER_IN_SPACE[] =
    "slipstick: 1\nname: drawer\nspace: 3\n"
    "parameters: {m: 2, l: 0.4, P: 10, d: 0.1, Q: 0, mu: 0.3, off: 0}\n"
    "bodies: {drawer: {mass: m, inertia: 0.05, centre: [0, 0.6*off, 0.8*off], points: {handle: [0, 0.6*d, "
    "0.8*d]}}}\n"
    "joints: {guide: {prismatic: [drawer, ground], friction: mu, length: l}}\n"
    "loads: {pull: {at: drawer.handle, force: [P, 0, 0]}, side: {at: drawer, force: [0, 0.6*Q, 0.8*Q]}}\n"
    "record: {v: drawer.x', T: guide.friction}\n"
    "run: {step: 1e-3, until: 1}\n";

// friction mu max(|Q|, 2 |P d - m a s|/l); for Q = 0 it jams from d = l/(2 mu) on, whatever the pull
static void drawers(void **state)
{
    (void)state;
    static const struct {
        const char *sets;
        double acceleration, friction;
    } cases[] = { { "", 4.25, 1.5 },
                  { "d=0.5", 1.25, 7.5 },
                  { "d=0.7", 0.0, 10.0 },
                  { "d=0.7;P=1000", 0.0, 1000.0 },
                  { "Q=20", 2.0, 6.0 },
                  { "d=0.3;off=0.1", 3.235294117647059, 3.529411764705882 },
                  { "d=0;off=0.2", 3.846153846153846, 2.307692307692308 },
                  { "d=0.6666;P=50", 50.0 / 2.0 * (1.0 - 2.0 * 0.3 * 0.6666 / 0.4),
                    2.0 * 0.3 * 50.0 * 0.6666 / 0.4 },
                  { "d=0.6667;P=50", 0.0, 50.0 } };
    static const char *const formulations[] = { "lcp", "gauss", "moreau" }, *const texts[] = {
        DRAWER, DRAWER_IN_SPACE
    };
    for (int f = 0; f < 3; f++)
        for (int d = 0; d < 2; d++)
            for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
                assert_near(end_of(texts[d], cases[k].sets, formulations[f], "v"), cases[k].acceleration,
                            1e-9);
                assert_near(end_of(texts[d], cases[k].sets, formulations[f], "T"), -cases[k].friction,
                            1e-9 * cases[k].friction);
            }
}

// ---------------------------------------------------------------------------------------- slider-crank

static const char CRANK[] =
    "slipstick: 1\nname: crank\n"
    "parameters: {R: 0.1, L: 0.3, m1: 0.5, m2: 0.4, m3: 0.6, mu: 0.2, th0: 0.3, w0: 20, g: 0, until: 1}\n"
    "bodies:\n"
    "  crank: {mass: m1, inertia: m1*R^2/12, centre: [R/2, 0], points: {tip: [R, 0]},\n"
    "    joint: {revolute: ground, friction: mu, radius: 0.015, name: A}, th: {start: th0, rate: w0, name: "
    "th}}\n"
    "  rod: {mass: m2, inertia: m2*L^2/12, centre: [L/2, 0], points: {tip: [L, 0]}, th: {guess: "
    "-asin(R*sin(th0)/L)},\n"
    "    joint: {revolute: crank.tip, friction: mu, radius: 0.012, name: B}}\n"
    "  slider: {mass: m3, joint: {prismatic: ground}, s: {guess: 0.39}}\n"
    "joints: {C: {revolute: [rod.tip, slider], friction: mu, radius: 0.01}}\n"
    "gravity: g\n"
    "record: {FA: A.force, FB: B.force, FC: C.force, w: th'}\n"
    "run: {step: 1e-3, until: until}\n";

static void slider_crank(void **state)
{
    (void)state;
    static const char *const formulations[] = { "lcp", "gauss" };
    for (int f = 0; f < 2; f++) {
        assert_near(end_of(CRANK, "until=0.1", formulations[f], "th"), 1.589100489081039, 1e-8);
        assert_near(end_of(CRANK, "until=0.3", formulations[f], "w"), 9.84352873653169, 5e-8);
        assert_near(end_of(CRANK, "", formulations[f], "th"), 11.22994587167322, 2e-8);
        assert_near(end_of(CRANK, "g=9.81;th0=-0.3;w0=0;until=0.3", formulations[f], "th"),
                    -1.935105990778775, 1e-8);
        assert_near(end_of(CRANK, "g=9.81;th0=-0.3;w0=0", formulations[f], "th"), -0.8598167215551628, 2e-7);
        assert_near(end_of(CRANK, "g=9.81;th0=-0.3;w0=0;until=4.5", formulations[f], "th"),
                    -1.556868812446764, 2e-7); // at rest since 4.3798 s
        assert_near(end_of(CRANK, "g=9.81;th0=-0.3;w0=0;until=4.5", formulations[f], "w"), 0.0, 1e-15);
    }
    slip_model *model;
    slip_sim *sim = start(CRANK, "", "lcp", TIGHT, &model);
    assert_near(slip_sim_get(sim, "FA"), 41.32865904287266, 1e-8);
    assert_near(slip_sim_get(sim, "FB"), 31.38406624161913, 1e-8);
    assert_near(slip_sim_get(sim, "FC"), 20.55626229731639, 1e-8);
    run_to_end(sim);
    slip_energy energy = slip_sim_energy(sim);
    assert_near(energy.friction, 0.6370342272701868, 2e-8);
    finish(sim, model);
    sim = start(CRANK, "until=0.3", "moreau", 1e-6, &model);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "th"), 4.579780147043791, 1e-4);
    finish(sim, model);
}

// friction: 0 leaves the motion as it is and shows the force
static void without_friction(void **state)
{
    (void)state;
    const double th0 = 1.0, w2 = 2.0 * 9.81 * 0.5 / (1.0 / 3.0) * (1.0 - cos(th0)); // at the lowest point
    assert_near(w2, 13.5286, 1e-3);
    slip_model *model;
    slip_sim *sim = start(TREE, "mu=0;until=0.4312", "lcp", TIGHT, &model);
    run_to_end(sim);
    const double th = slip_sim_get(sim, "th"), w = slip_sim_get(sim, "w"), a = -9.81 * 1.5 * sin(th);
    assert_near(w * w, 2.0 * 9.81 * 1.5 * (cos(th) - cos(th0)), 1e-8);
    assert_near(slip_sim_get(sim, "F"), hypot(0.5 * w * w + 9.81 * cos(th), 0.5 * a + 9.81 * sin(th)), 1e-7);
    finish(sim, model);
}

// A slide whose centre of mass is h beside it, under a couple T: f = k |T - f h| with k = 2 mu/l. For k h > 1
// and T > 0 friction may be k T/(1 + k h) or k T/(k h - 1), and for T < 0 there is none; for k h < 1 there is
// one
static void two_answers_or_none(void **state)
{
    (void)state;
    static const char slide[] =
        "slipstick: 1\nname: slide\nparameters: {T: 3, mu: 1, h: 1}\nbodies:\n"
        "  s: {mass: 1, inertia: 0.05, centre: [0, h], s: {rate: 1},\n"
        "      joint: {prismatic: ground, friction: mu, length: 1, name: guide}}\n"
        "loads: {couple: {at: s, torque: T}}\nrecord: {f: guide.friction}\nrun: {step: 1e-3, until: 0.01}\n";
    static const char *const formulations[] = { "lcp", "gauss", "moreau" };
    for (int k = 0; k < 3; k++) {
        slip_model *model;
        slip_sim *sim = start(slide, "", formulations[k], TIGHT, &model);
        const char *text = NULL;
        run_to_end(sim);
        assert_string_equal(slip_sim_verdict(sim, &text), "ambiguous");
        assert_non_null(strstr(text, "friction of 'guide' follows a force of which it can make 2 times"));
        const double f = fabs(slip_sim_get(sim, "f"));
        assert_true(fabs(f - 2.0) < 1e-9 || fabs(f - 6.0) < 1e-9);
        finish(sim, model);

        sim = start(slide, "T=-3", formulations[k], TIGHT, &model);
        slip_run_outcome outcome;
        do outcome = slip_sim_step(sim);
        while (outcome == SLIP_RUNNING);
        assert_int_equal(outcome, SLIP_UNSOLVED);
        finish(sim, model);

        sim = start(slide, "mu=0.25", formulations[k], TIGHT, &model);
        run_to_end(sim);
        assert_string_equal(slip_sim_verdict(sim, NULL), "trusted");
        assert_near(fabs(slip_sim_get(sim, "f")), 0.5 * 3.0 / 1.5, 1e-9);
        finish(sim, model);
    }
}

static void refused(void **state)
{
    (void)state;
    static const char *const formulations[] = { "auto",         "dai",           "modular",
                                                "kelvin-voigt", "hunt-crossley", "tanh" };
    for (int f = 0; f < 6; f++) {
        slip_model *model = read_model("", TREE, "", ";");
        slip_sim_def def = slip_default_sim_def();
        def.formulation = formulations[f];
        slip_error error = { 0 };
        slip_sim *sim = NULL;
        assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_UNSUPPORTED);
        assert_non_null(strstr(error.text, "joint 'pin' has friction"));
        slip_model_destroy(model);
    }
}

// The twist of a ball joint comes to rest where next to nothing is left of its share of the friction: the
// end is that of formulation moreau at a step of 1e-4 s, and of neighbours
static void a_twist_that_fades(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: ball joint\nspace: 3\nparameters: {m: 1.1, l: 0.4999, mu: 0.3, r: 0.02}\n"
        "bodies:\n"
        "  rod: {mass: m, inertia: 0.1, centre: [0, -l, 0], attitude: {axis: [0.6, 0, 0.8], angle: 1},\n"
        "    spin: [0.3, 0.1, 2], joint: {spherical: ground, friction: mu, radius: r}}\n"
        "gravity: [0, -9.81, 0]\nrun: {until: 1}\n";
    const double end = end_of(text, "", "lcp", "rod.w3");
    assert_near(end, -0.487352, 2e-6);
    assert_near(end,
                0.5 * (end_of(text, "l=0.4998", "lcp", "rod.w3") + end_of(text, "l=0.5", "lcp", "rod.w3")),
                1e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns),
        cmocka_unit_test(pendulums),
        cmocka_unit_test(zone),
        cmocka_unit_test(drawers),
        cmocka_unit_test(slider_crank),
        cmocka_unit_test(without_friction),
        cmocka_unit_test(two_answers_or_none),
        cmocka_unit_test(a_twist_that_fades),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
