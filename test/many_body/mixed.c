/// mixed.c: bodies whose contacts are detected beside joints, springs, drives, frictions and contacts that are
/// written, against closed forms and against the same machine with all contacts written.
#include "crowds.h"

#include <math.h>

#define PLANE "slipstick: 1\nname: mixed\ngravity: 9.81\n"
#define SPACE "slipstick: 1\nname: mixed\nspace: 3\ngravity: 9.81\n"

// J: what the ledger cannot explain
static double unexplained(slip_sim *sim)
{
    return slip_sim_energy(sim).numerical;
}

static double whole_energy(slip_sim *sim)
{
    const slip_energy e = slip_sim_energy(sim);
    return e.kinetic + e.potential;
}

// A body that only a group names beside the detected contacts is held by what is written about it:
// the third one falls
static void groups_name_bodies(void **state)
{
    (void)state;
    static const char text[] =
        PLANE "groups: {two: [a, b]}\n"
              "bodies:\n"
              "  ground: {shape: {line: [0, 0]}}\n"
              "  a: {mass: 1, inertia: 0.01, shape: {circle: 0.1}, x: 0, y: 0.1}\n"
              "  b: {mass: 1, inertia: 0.01, shape: {circle: 0.1}, x: 1, y: 0.1}\n"
              "  c: {mass: 1, inertia: 0.01, shape: {circle: 0.1}, x: 2, y: 0.1}\n"
              "contacts: {floor: {between: [two, ground]}, touch: {detect: [a, b, c]}}\n";
    slip_model *model;
    slip_sim *sim = start_crowd(&model, "", text, "", 1e-3, 1.0);
    step_until(sim, 0.5);
    assert_near(slip_sim_get(sim, "a.y"), 0.1, 1e-9);
    assert_near(slip_sim_get(sim, "b.y"), 0.1, 1e-9);
    assert_near(slip_sim_get(sim, "c.y"), 0.1 - 0.5 * 9.81 * 0.25, 1e-9);
    finish(sim, model);
}

// ------------------------------------------------------------------------------------- springs and drives

static const char TABLE[] =
    PLANE "parameters: {M: 2, m: 1, k: 500, A: 0, d: 0}\n"
          "bodies:\n"
          "  ground: {shape: {line: [0, -5]}}\n"
          "  table: {mass: M, joint: {prismatic: ground, along: 90 deg}, s: -(M + m)*9.81/k + A,\n"
          "    shape: {box: [1, 0.1]}}\n"
          "  box: {mass: m, inertia: 0.01, shape: {box: [0.2, 0.2]}, y: -(M + m)*9.81/k + A + 0.15}\n"
          "forces: {table.s: -k*table.s - d*table.s'}\n"
          "contacts: {c: {detect: [box, table, ground], friction: 0.5}}\n"
          "record: {load: c.normal}\n";

// a box on a table on a spring: what is balanced stays, and the table carries the box
static void table_is_balanced(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = start_crowd(&model, "", TABLE, "", 1e-3, 2.0);
    step_until(sim, 1.0);
    assert_near(slip_sim_get(sim, "table.s"), -3.0 * 9.81 / 500.0, 1e-12);
    assert_near(slip_sim_get(sim, "box.y"), -3.0 * 9.81 / 500.0 + 0.15, 1e-12);
    assert_near(slip_sim_get(sim, "load"), 9.81, 1e-6); // the residual is 1e-8 of m g
    finish(sim, model);
}

// together they swing with the frequency of both masses, sqrt(k/(M + m)); the rule is of second order
static void table_swings(void **state)
{
    (void)state;
    const double w = sqrt(500.0 / 3.0), A = 0.02, t = 0.5;
    double off[2];
    for (int k = 0; k < 2; k++) {
        slip_model *model;
        const double step = k ? 1e-3 : 2e-3;
        slip_sim *sim = start_crowd(&model, "", TABLE, "A=0.02", step, 1.0);
        const double before = whole_energy(sim);
        step_to(sim, lround(t / step));
        off[k] = fabs(slip_sim_get(sim, "table.s") + 3.0 * 9.81 / 500.0 - A * cos(w * t));
        // N - m g = m a with a = - A w^2 cos(w t)
        assert_near(slip_sim_get(sim, "load"), 9.81 - A * w * w * cos(w * t), 0.1);
        assert_near(slip_sim_get(sim, "box.y") - slip_sim_get(sim, "table.s"), 0.15, 1e-9);
        assert_near(unexplained(sim), 0.0, 1e-3 * before + 1e-4);
        finish(sim, model);
    }
    assert_true(off[1] < 2e-5);
    assert_true(off[0] > 3.5 * off[1] && off[0] < 4.5 * off[1]);
}

// x'' + 2 D w x' + w^2 x = 0: forces that depend on rates are those of the midpoint
static void table_is_damped(void **state)
{
    (void)state;
    const double w = sqrt(500.0 / 3.0), d = 10.0, D = d / (2.0 * 3.0 * w), v = w * sqrt(1.0 - D * D), t = 0.5;
    double off[2];
    for (int k = 0; k < 2; k++) {
        slip_model *model;
        const double step = k ? 1e-3 : 2e-3;
        slip_sim *sim = start_crowd(&model, "", TABLE, "A=0.02;d=10", step, 1.0);
        step_to(sim, lround(t / step));
        const double x = 0.02 * exp(-D * w * t) * (cos(v * t) + D * w / v * sin(v * t));
        off[k] = fabs(slip_sim_get(sim, "table.s") + 3.0 * 9.81 / 500.0 - x);
        finish(sim, model);
    }
    assert_true(off[1] < 2e-5);
    assert_true(off[0] > 3.5 * off[1] && off[0] < 4.5 * off[1]);
}

// A spring that is too stiff for the step is met in parts of it, and one that is too stiff for those is
// refused
static void stiff_springs(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = start_crowd(&model, "", TABLE, "k=3e8;A=-1e-7", 1e-3, 1.0); // 10 rad in a step
    step_to(sim, 500);
    assert_near(slip_sim_get(sim, "table.s"), -3.0 * 9.81 / 3e8, 3e-7);
    assert_near(slip_sim_energy(sim).numerical, 0.0, 1e-5);
    finish(sim, model);
    sim = start_crowd(&model, "", TABLE, "k=3e16", 1e-3, 1.0);
    assert_int_equal(slip_sim_step(sim), SLIP_UNSOLVED);
    finish(sim, model);
}

// Two jaws on slides press with F each: they hold a body of mass m while 2 mu F >= m g; below it falls with
// g - 2 mu F/m
static void jaws_hold(void **state)
{
    (void)state;
    static const char JAWS[] =
        SPACE "parameters: {mu: 0.5, F: 9.81}\n"
              "bodies:\n"
              "  ground: {shape: {plane: [0, 0, -1]}}\n"
              "  left: {mass: 0.3, joint: {prismatic: ground}, s: -0.06, shape: {box: [0.02, 0.1, 0.1]}}\n"
              "  right: {mass: 0.2, joint: {prismatic: ground}, s: 0.06, shape: {box: [0.02, 0.1, 0.1]}}\n"
              "  wrench: {mass: 1, inertia: 1e-3, shape: {sphere: 0.05}}\n"
              "forces: {left.s: F, right.s: -F}\n"
              "contacts: {grip: {detect: [left, right, wrench, ground], friction: mu}}\n"
              "record: {press: grip.normal, rub: grip.friction}\n";
    for (int k = 0; k < 2; k++) {
        slip_model *model;
        slip_sim *sim = start_crowd(&model, "", JAWS, k ? "mu=0.505" : "mu=0.4", 1e-3, 1.0);
        step_until(sim, 0.2 - 1e-9);
        assert_near(slip_sim_get(sim, "press"), 2.0 * 9.81, 1e-4);
        assert_near(slip_sim_get(sim, "wrench.z"), k ? 0.0 : -0.5 * 0.2 * 9.81 * 0.04, 1e-8);
        if (k) assert_near(slip_sim_get(sim, "rub"), 9.81, 1e-4);
        finish(sim, model);
    }
}

// ------------------------------------------------------------------------------------------------ strikes

// A rod about a pivot strikes a ball: P = (1 + e) l w / (1/m + l^2/I), by Newton's law
static void pendulum_strikes(void **state)
{
    (void)state;
    static const char SWING[] =
        "slipstick: 1\nname: swing\nspace: 3\nparameters: {e: 0.5}\n"
        "bodies:\n"
        "  rod: {mass: 3, inertia: [0.1, 0.2, 0.3], centre: [0, 0, -0.5], th: {start: -0.2, rate: 2},\n"
        "    joint: {revolute: ground, axis: [0, -1, 0]}, shape: {capsule: [[0, 0, 0], [0, 0, -1]], radius: "
        "0.05}}\n"
        "  ball: {mass: 2, inertia: 0.008, shape: {sphere: 0.1}, x: 0.15, z: -0.8}\n"
        "contacts: {hit: {detect: [rod, ball], restitution: e}}\n";
    static const double e[] = { 0.0, 0.5, 1.0 };
    for (int k = 0; k < 3; k++) {
        slip_model *model;
        char set[20];
        snprintf(set, sizeof set, "e=%g", e[k]);
        slip_sim *sim = start_crowd(&model, "", SWING, set, 1e-5, 1.0);
        step_until(sim, 0.1002);
        const double l = 0.8, w = 2.0, I = 0.2 + 3.0 * 0.25, m = 2.0;
        const double P = (1.0 + e[k]) * l * w / (1.0 / m + l * l / I);
        assert_near(slip_sim_get(sim, "ball.x'"), P / m, 1e-4);
        assert_near(slip_sim_get(sim, "rod.th'"), w - P * l / I, 1e-4);
        assert_near(whole_energy(sim), 0.5 * I * (w - P * l / I) * (w - P * l / I) + 0.5 * P * P / m, 2e-4);
        assert_near(unexplained(sim), 0.0, 1e-9);
        finish(sim, model);
    }
}

// What sleeps is woken by a pendulum, and not before
static void pendulum_wakes(void **state)
{
    (void)state;
    static const char WAKE[] = PLANE
        "bodies:\n"
        "  rod: {mass: 1, inertia: 0.1, centre: [0, -0.5], th: -60 deg, joint: {revolute: ground.hook},\n"
        "    shape: {circle: 0.1, at: [0, -1]}}\n"
        "  ground: {shape: {line: [0, 0]}, points: {hook: [0, 1.3]}}\n"
        "  box: {mass: 1, inertia: 0.01, shape: {box: [0.4, 0.6]}, x: 0.4, y: 0.3}\n"
        "contacts: {c: {detect: [rod, box, ground], friction: 0.4}}\n";
    slip_model *model;
    slip_sim *sim = start_crowd(&model, "", WAKE, "", 1e-3, 2.0);
    step_to(sim, 100);
    assert_near(slip_sim_get(sim, "box.x"), 0.4, 1e-12);
    assert_true(slip_sim_get(sim, "box.x'") == 0.0 && slip_sim_get(sim, "box.th'") == 0.0);
    step_until(sim, 1.0);
    assert_true(slip_sim_get(sim, "box.x") > 0.41);
    finish(sim, model);
}

// --------------------------------------------------------------------------- frictions, declared contacts

// A cart with a known friction R in its slide carries a box that sticks: both stop after (M + m) v^2/(2 R)
static void cart_stops(void **state)
{
    (void)state;
    static const char CART[] =
        PLANE "parameters: {R: 3}\n"
              "bodies:\n"
              "  ground: {shape: {line: [0, -1]}}\n"
              "  cart: {mass: 2, joint: {prismatic: ground}, s: {rate: 1}, shape: {box: [2, 0.1]}}\n"
              "  box: {mass: 1, inertia: 0.01, shape: {box: [0.2, 0.2]}, x: {rate: 1}, y: 0.15}\n"
              "frictions: {rail: {slip: cart.s, limit: R}}\n"
              "contacts: {c: {detect: [cart, box, ground], friction: 0.5}}\n"
              "record: {rub: rail.friction, stuck: rail.stick}\n";
    slip_model *model;
    slip_sim *sim = start_crowd(&model, "", CART, "", 1e-3, 2.0);
    step_to(sim, 500);
    assert_near(slip_sim_get(sim, "cart.s"), 0.5 - 0.5 * 0.25, 1e-6);
    assert_near(fabs(slip_sim_get(sim, "rub")), 3.0, 1e-6);
    step_to(sim, 1500);
    assert_near(slip_sim_get(sim, "cart.s"), 0.5, 1e-6);
    assert_near(slip_sim_get(sim, "box.x"), 0.5, 1e-6);
    assert_near(slip_sim_get(sim, "cart.s'"), 0.0, 1e-12);
    assert_near(slip_sim_get(sim, "stuck"), 1.0, 0.0);
    assert_near(slip_sim_energy(sim).friction, 1.5, 1e-6);
    assert_near(unexplained(sim), 0.0, 1e-9);
    finish(sim, model);
}

// A table with a box on it falls on a stop that is written, without restitution: both rest, the stop carries
// both
static void stop_carries(void **state)
{
    (void)state;
    static const char STOP[] = PLANE
        "bodies:\n"
        "  table: {mass: 2, joint: {prismatic: ground, along: 90 deg}, s: 0.1, shape: {box: [1, 0.1]}}\n"
        "  box: {mass: 1, inertia: 0.01, shape: {box: [0.2, 0.2]}, y: 0.25}\n"
        "contacts:\n"
        "  stop: {gap: table.s}\n"
        "  c: {detect: [table, box], friction: 0.5}\n"
        "record: {all: stop.normal, upper: c.normal}\n";
    slip_model *model;
    slip_sim *sim = start_crowd(&model, "", STOP, "", 1e-3, 1.0);
    step_to(sim, 800);
    assert_near(slip_sim_get(sim, "all"), 3.0 * 9.81, 1e-6);
    assert_near(slip_sim_get(sim, "upper"), 9.81, 1e-6);
    assert_near(slip_sim_get(sim, "table.s"), 0.0, 1e-5);
    assert_near(slip_sim_get(sim, "box.y'"), 0.0, 1e-9);
    finish(sim, model);
}

// ------------------------------------------------------------------------------------------- wide, closed

// A chain of five links, more than a free body has, falls on a floor that is found, and on one that is
// written: the same motion by two ways that share no contact code
static void chain_falls(void **state)
{
    (void)state;
    static const char CHAIN[] = PLANE
        "bodies:\n"
        "  ground: {shape: {line: [0, -0.9]}}\n"
        "  a1: {mass: 1, inertia: 0.01, centre: [0.15, 0], points: {tip: [0.3, 0]}, joint: {revolute: "
        "ground}, shape: {circle: 0.02, at: [0.3, 0]}}\n"
        "repeat:\n"
        "  for: {i: 2..5}\n"
        "  bodies:\n"
        "    a(i): {mass: 1, inertia: 0.01, centre: [0.15, 0], points: {tip: [0.3, 0]}, joint: {revolute: "
        "a(i-1).tip}, shape: {circle: 0.02, at: [0.3, 0]}}\n";
    char found[2000], written[2000];
    snprintf(found, sizeof found, "%scontacts: {c: {detect: [a*, ground], friction: 0.3}}\n", CHAIN);
    snprintf(written, sizeof written,
             "%scontacts: {c: {between: [[a1, a2, a3, a4, a5], ground], friction: 0.3}}\n", CHAIN);
    slip_model *one, *other;
    slip_sim *a = start_crowd(&one, "", found, "", 1e-4, 1.0),
             *b = start_crowd(&other, "", written, "", 1e-4, 1.0);
    const double t = 0.45;
    step_until(a, t - 1e-9);
    step_until(b, t - 1e-9);
    for (int k = 1; k <= 5; k++) {
        char name[10];
        snprintf(name, sizeof name, "a%d.th", k);
        assert_near(slip_sim_get(a, name), slip_sim_get(b, name), 5e-3);
    }
    finish(a, one);
    finish(b, other);
}

// A parallelogram of two cranks and a rod, closed by a joint, carries a box: loops stay closed, and the crank
// feels the weight as that of a mass on it. Small swings about the hanging position have the frequency of a
// pendulum, sqrt(g/l): the rod does not turn
static void parallelogram_carries(void **state)
{
    (void)state;
    static const char LOOP[] = PLANE
        "bodies:\n"
        "  ground: {points: {p: [0.4, 0]}}\n"
        "  one: {mass: 1e-6, inertia: 1e-9, points: {tip: [0, -0.5]}, th: 0.02, joint: {revolute: ground}}\n"
        "  two: {mass: 1e-6, inertia: 1e-9, points: {tip: [0, -0.5]}, th: 0.02, joint: {revolute: "
        "ground.p}}\n"
        "  rod: {mass: 1, inertia: 0.02, centre: [0.2, 0], points: {end: [0.4, 0]}, joint: {revolute: "
        "one.tip}, shape: {box: [0.4, 0.02], at: [0.2, 0]}}\n"
        "  box: {mass: 2, inertia: 0.01, shape: {box: [0.1, 0.1]}, x: 0.2 + 0.5*sin(0.02), y: 0.06 - "
        "0.5*cos(0.02)}\n"
        "joints: {pin: {revolute: [two.tip, rod.end]}}\n"
        "contacts: {c: {detect: [rod, box], friction: 0.5}}\n"
        "record: {load: c.normal, open: 'sqrt((two.tip.x - rod.end.x)^2 + (two.tip.y - rod.end.y)^2)'}\n";
    slip_model *model;
    slip_sim *sim = start_crowd(&model, "", LOOP, "", 1e-3, 5.0);
    const double w = sqrt(9.81 / 0.5);
    step_to(sim, 1000);
    assert_near(slip_sim_get(sim, "open"), 0.0, 1e-10);
    assert_near(slip_sim_get(sim, "rod.th"), 0.0, 1e-9);
    assert_near(slip_sim_get(sim, "one.th"), 0.02 * cos(w * 1.0), 2e-5);
    assert_near(slip_sim_get(sim, "load"), 2.0 * 9.81, 0.05);
    finish(sim, model);
}

// ------------------------------------------------------------------------------------------------ control

// A controller that samples does not wake what sleeps beside it
static void controller_lets_sleep(void **state)
{
    (void)state;
    static const char SERVO[] =
        PLANE "bodies:\n"
              "  ground: {shape: {line: [0, 0]}}\n"
              "  slide: {mass: 1, joint: {prismatic: ground}, shape: {box: [0.1, 0.1], at: [0, 2]}}\n"
              "  box: {mass: 1, inertia: 0.01, shape: {box: [0.2, 0.2]}, x: 1, y: 0.1}\n"
              "controllers:\n"
              "  servo: {period: 10 ms, outputs: {F: 100*(0.1 - slide.s) - 20*slide.s'}}\n"
              "forces: {slide.s: F}\n"
              "contacts: {c: {detect: [slide, box, ground], friction: 0.5}}\n";
    slip_model *model;
    slip_sim *sim = start_crowd(&model, "", SERVO, "", 1e-3, 2.0);
    step_to(sim, 300);
    const double y = slip_sim_get(sim, "box.y");
    for (int k = 300; k < 400; k++) {
        step_to(sim, k + 1);
        assert_true(slip_sim_get(sim, "box.y") == y && slip_sim_get(sim, "box.y'") == 0.0);
    }
    step_to(sim, 1900);
    assert_near(slip_sim_get(sim, "slide.s"), 0.1, 1e-4);
    finish(sim, model);
}

// ------------------------------------------------------------------------------------------ shipped models

// A pendulum topples the first domino, and each the next
static void dominoes_topple(void **state)
{
    (void)state;
    slip_model *model = read_model("many-body", "dominoes", "", ";");
    slip_sim *sim = make_sim(model, NULL);
    for (int step = 0; step < 5000; step++) {
        if (step == 1000) // asleep until the bob comes
            assert_true(slip_sim_get(sim, "domino1.z'") == 0.0 &&
                        fabs(slip_sim_get(sim, "domino1.qy")) < 1e-9);
        assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
    }
    for (int k = 1; k <= 10; k++) {
        char name[2][20];
        snprintf(name[0], sizeof name[0], "domino%d.qy", k);
        snprintf(name[1], sizeof name[1], "domino%d.qw", k);
        const double angle = 2.0 * atan2(slip_sim_get(sim, name[0]), slip_sim_get(sim, name[1]));
        assert_true(angle > 0.9); // it lies on the next one, or on the floor
    }
    finish(sim, model);
}

// Fingers on slides hold a wrench: the lag of the servo while it lifts is (rail + d v)/p, nothing slips, and
// the grip is what the drives press with
static void gripper_lifts(void **state)
{
    (void)state;
    slip_model *model = read_model("many-body", "gripper", "", ";");
    slip_sim *sim = make_sim(model, NULL);
    step_until(sim, 1.0 - 1e-9);
    assert_near(slip_sim_get(sim, "carriage.s"), 0.08 - (3.0 + 90.0 * 0.1) / 2000.0, 1e-8);
    step_until(sim, 1.9);
    assert_near(slip_sim_get(sim, "slipped"), 0.0, 1e-9);
    assert_near(slip_sim_get(sim, "press"), 16.0, 1e-4);
    assert_near(slip_sim_energy(sim).numerical, 0.0, 1e-9);
    finish(sim, model);
}

static const char PRESS[] =
    PLANE "bodies:\n"
          "  ground: {shape: {line: [0, 0]}}\n"
          "  a: {mass: 1, inertia: 0.01, shape: {box: [0.2, 0.2]}, y: 0.1}\n"
          "  b: {mass: 1, inertia: 0.01, shape: {box: [0.2, 0.2]}, y: 0.3}\n"
          "  p: {mass: 0.5, joint: {prismatic: ground, along: 90 deg}, s: 0.45, shape: {box: [0.1, 0.1]}}\n"
          "springs: {pull: {between: [p, ground], stiffness: 200, length: 0.4, damping: 5}}\n"
          "contacts:\n"
          "  up: {detect: [p, b], friction: 0.3}\n"
          "  low: {detect: [a, b, ground], friction: 0.3}\n"
          "record: {top: up.normal, all: low.normal}\n";

// A stack that is pressed down does not move: what the solver leaves of that is no motion that two
// resolutions could differ in
static void pressed_stack_stands(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = start_crowd(&model, "", PRESS, "", 1e-3, 1.0);
    slip_run_def run = slip_default_run_def();
    slip_run_info info;
    run.companion = true;
    assert_int_equal(slip_run(sim, &run, &info, NULL), SLIP_OK);
    assert_near(slip_run_horizon(sim).until, 1.0, 0.0);
    const double top = 0.5 * 9.81 + 200.0 * 0.05;
    assert_near(slip_sim_get(sim, "top"), top, 1e-6);
    assert_near(slip_sim_get(sim, "all"), 2.0 * top + 3.0 * 9.81, 1e-6);
    finish(sim, model);
}

// --------------------------------------------------------------------------------------------------- belts

// A box falls on a belt that runs at v over a cart on a rail without friction. The belt takes it along: the
// two come to differ by v after t = v/(mu g (1 + m/M)), and the momentum of both together stays 0
static const char CART[] =
    PLANE "parameters: {M: 3, m: 1, mu: 0.2, v: 0.5, tilt: 0}\n"
          "bodies:\n"
          "  ground: {}\n"
          "  cart: {mass: M, joint: {prismatic: ground}, shape: {line: [0, 0], speed: v}}\n"
          "  box: {mass: m, inertia: 4e-3, shape: {box: [0.2, 0.1]}, y: 0.05}\n"
          "contacts: {c: {detect: [box, cart], friction: mu}}\n";

static void belts_on_what_formulas_move(void **state)
{
    (void)state;
    const double M = 3.0, m = 1.0, mu = 0.2, v = 0.5, g = 9.81, reach = v / (mu * g * (1.0 + m / M));
    for (int k = 0; k < 2; k++) {
        slip_model *model;
        slip_sim *sim = start_crowd(&model, "", CART, "", 1e-4, k ? 2.0 * reach : 0.5 * reach);
        run_to_end(sim);
        const double box = slip_sim_get(sim, "box.x'"), cart = slip_sim_get(sim, "cart.s'");
        // the surface runs to -x or to +x, whichever way its direction points
        assert_near(fabs(box - cart), k ? v : 0.5 * v, 1e-3 * v);
        assert_near(m * box + M * cart, 0.0, 1e-12);
        assert_near(unexplained(sim), 0.0, 1e-9);
        finish(sim, model);
    }
}

// the same on a plank that formulas turn by 20 degrees, too heavy to be moved by it: the way of the belt
// turns along
static const char PLANK[] =
    "slipstick: 1\nname: plank\nparameters: {a: 20 deg, v: 0.5}\ngravity: [9.81*sin(a), -9.81*cos(a)]\n"
    "bodies:\n"
    "  ground: {}\n"
    "  plank: {mass: 1, inertia: 1e9, joint: {revolute: ground}, th: a, shape: {line: [0, 0], speed: v}}\n"
    "  box: {mass: 1, inertia: 4e-3, shape: {box: [0.2, 0.1]}, x: -0.05*sin(a), y: 0.05*cos(a), th: a}\n"
    "contacts: {c: {detect: [box, plank], friction: 0.5}}\n";

static void belts_turn_with_their_bodies(void **state)
{
    (void)state;
    const double a = 20.0 * 3.14159265358979323846 / 180.0, v = 0.5;
    slip_model *model;
    slip_sim *sim = start_crowd(&model, "", PLANK, "", 1e-3, 0.5);
    run_to_end(sim);
    const double x = slip_sim_get(sim, "box.x'"), y = slip_sim_get(sim, "box.y'");
    assert_near(fabs(x), v * cos(a), 1e-6);
    assert_near(fabs(y), v * sin(a), 1e-6);
    assert_true(x * y > 0.0);
    finish(sim, model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(belts_on_what_formulas_move),
        cmocka_unit_test(belts_turn_with_their_bodies),
        cmocka_unit_test(groups_name_bodies),
        cmocka_unit_test(table_is_balanced),
        cmocka_unit_test(table_swings),
        cmocka_unit_test(table_is_damped),
        cmocka_unit_test(stiff_springs),
        cmocka_unit_test(jaws_hold),
        cmocka_unit_test(pendulum_strikes),
        cmocka_unit_test(pendulum_wakes),
        cmocka_unit_test(cart_stops),
        cmocka_unit_test(stop_carries),
        cmocka_unit_test(chain_falls),
        cmocka_unit_test(parallelogram_carries),
        cmocka_unit_test(controller_lets_sleep),
        cmocka_unit_test(dominoes_topple),
        cmocka_unit_test(gripper_lifts),
        cmocka_unit_test(pressed_stack_stands),
    };
    return cmocka_run_group_tests_name("crowd.mixed", tests, NULL, NULL);
}
