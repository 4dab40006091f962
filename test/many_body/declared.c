/// written.c: friction of joints, of contacts and of frictions that are written, and motors that prescribe a
/// motion, beside detected contacts: limits that follow forces, and friction that is larger at rest.
/// Against closed forms, and against the same machine without detected contacts.
#include "crowds.h"

#include <math.h>

static const double G = 9.81;

// a ball that rests far away, so that contacts are detected
#define AWAY                                                                                                 \
    "  ground: {shape: {line: [0, -50]}}\n"                                                                  \
    "  away: {mass: 3, inertia: 0.1, shape: {circle: 0.1}, x: 40, y: -49.9}\n"
#define FOUND "  far: {detect: [away, ground], friction: 0.5}\n"

static double end_of(const char *head, const char *text, const char *sets, double step, double t,
                     const char *name)
{
    slip_model *model;
    slip_sim *sim = start_headed(&model, head, text, sets, step, t);
    run_to_end(sim);
    const double value = slip_sim_get(sim, name);
    finish(sim, model);
    return value;
}

// ------------------------------------------------------------------------------------------------ joints

#define SPIN                                                                                                 \
    "  door: {mass: 2, inertia: 0.03, joint: {revolute: ground, friction: 0.4, radius: 0.05, name: pin},\n"  \
    "    centre: [0.3, 0], th: {rate: 8}}\n"

// A door on a pin of radius r, without gravity: I' w' = -mu r F with F = m l sqrt(w^4 + w'^2), I' = I + m
// l^2, so w' = -k w^2, k = mu r m l/sqrt(I'^2 - (mu r m l)^2), and the angle is ln(1 + k w0 t)/k
static void a_door_runs_out(void **state)
{
    (void)state;
    static const char text[] = "slipstick: 1\nname: door\nbodies:\n" AWAY SPIN "contacts:\n" FOUND
                               "record: {force: pin.force, limit: pin.limit}\n";
    const double arm = 0.4 * 0.05 * 2.0 * 0.3, inertia = 0.03 + 2.0 * 0.09, t = 1.0,
                 k = arm / sqrt(inertia * inertia - arm * arm), w = 8.0 / (1.0 + 8.0 * k * t);
    const double force = 2.0 * 0.3 * w * w * sqrt(1.0 + k * k);
    double off[2];
    for (int i = 0; i < 2; i++) {
        const double step = i ? 0.01 : 0.02; // forces that depend on rates are known to 1e-9 a step
        off[i] = fabs(end_of("", text, "", step, t, "door.th") - log1p(8.0 * k * t) / k);
    }
    assert_true(off[1] < 1e-4);
    assert_true(off[0] > 3.0 * off[1]);
    assert_near(end_of("", text, "", 1e-3, t, "force"), force, 2e-3 * force); // half a step earlier
    assert_near(end_of("", text, "", 1e-3, t, "limit"), 0.02 * force, 2e-3 * 0.02 * force);
}

// a machine, and what is looked at
static const struct {
    const char *head, *away, *text, *found, *name;
    double factor; // of the difference where the step is halved
} machines[] = {
    { "slipstick: 1\nname: door\ngravity: 9.81\nbodies:\n", AWAY, SPIN, FOUND, "door.th", 3.0 },
    { "slipstick: 1\nname: crank\nbodies:\n", AWAY,
      "  crank: {mass: 0.5, inertia: 0.5*0.1^2/12, centre: [0.05, 0], points: {tip: [0.1, 0]},\n"
      "    joint: {revolute: ground, friction: 0.2, radius: 0.015}, th: {start: 0.3, rate: 20}}\n"
      "  rod: {mass: 0.4, inertia: 0.4*0.3^2/12, centre: [0.15, 0], points: {tip: [0.3, 0]},\n"
      "    th: {guess: -0.1}, joint: {revolute: crank.tip, friction: 0.2, radius: 0.012}}\n"
      "  slider: {mass: 0.6, joint: {prismatic: ground}, s: {guess: 0.39}}\n"
      "joints: {C: {revolute: [rod.tip, slider], friction: 0.2, radius: 0.01}}\n",
      FOUND, "crank.th", 3.0 },
    { "slipstick: 1\nname: top\nspace: 3\ngravity: 9.81\nbodies:\n",
      "  ground: {shape: {plane: [0, 0, -50]}}\n"
      "  away: {mass: 3, inertia: 0.1, shape: {sphere: 0.1}, x: 40, z: -49.9}\n",
      "  top: {mass: 2, inertia: [0.05, 0.06, 0.02], centre: [0, 0, -0.4], spin: [0.3, 0.1, 2],\n"
      "    joint: {spherical: ground, friction: 0.3, radius: 0.02}}\n",
      FOUND, "top.w3", 1.7 },
};

// the same without detected contacts: both rules are of second order, but for coefficients of friction
// that depend on rates, as the shares of a ball joint do: these are of the beginning of a step
static void machines_agree(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof machines / sizeof *machines; k++) {
        char with[3000], without[3000];
        double off[2];
        snprintf(with, sizeof with, "%s%scontacts:\n%s", machines[k].away, machines[k].text,
                 machines[k].found);
        snprintf(without, sizeof without, "  ground: {}\n%s", machines[k].text);
        for (int i = 0; i < 2; i++) {
            const double step = i ? 1e-3 : 2e-3, t = 0.1;
            off[i] = fabs(end_of(machines[k].head, with, "", step, t, machines[k].name) -
                          end_of(machines[k].head, without, "", step, t, machines[k].name));
        }
        assert_true(off[1] < 1e-4);
        assert_true(off[0] > machines[k].factor * off[1]);
    }
}

// A shoe in a guide presses on a wheel with its weight N: the rim is braked with mu N, and the pin carries
// F = (mu N, M g + N), so that I w' = -mu N R - mu_p r |F|
static void a_shoe_brakes_a_wheel(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: brake\ngravity: 9.81\n"
        "bodies:\n"
        "  ground: {shape: {line: [0, -5]}}\n"
        "  wheel: {mass: 5, inertia: 0.2, joint: {revolute: ground, friction: 0.2, radius: 0.03, name: "
        "pin},\n"
        "    th: {rate: 10}, shape: {circle: 0.3}}\n"
        "  shoe: {mass: 2, joint: {prismatic: ground, along: 90 deg}, s: 0.35, shape: {box: [0.2, 0.1]}}\n"
        "contacts: {c: {detect: [wheel, shoe, ground], friction: 0.4}}\n"
        "record: {force: pin.force, torque: pin.friction}\n";
    const double N = 2.0 * G, F = hypot(0.4 * N, 5.0 * G + N), t = 0.4,
                 slower = (0.4 * N * 0.3 + 0.2 * 0.03 * F) / 0.2 * t;
    assert_near(end_of("", text, "", 1e-3, t, "wheel.th'"), 10.0 - slower, 1e-6);
    assert_near(end_of("", text, "", 1e-3, t, "wheel.th"), (10.0 - 0.5 * slower) * t, 1e-6);
    assert_near(end_of("", text, "", 1e-3, t, "force"), F, 1e-5);
    assert_near(end_of("", text, "", 1e-3, t, "torque"), -0.2 * 0.03 * F, 1e-7);
    assert_near(end_of("", text, "", 1e-3, 1.5, "wheel.th'"), 0.0, 1e-9); // 10 rad/s end after 0.79 s
}

// An arm on a pin at height b rests with a ball of radius r on a belt at distance a of the pin. The belt
// pulls it away from the pin, or towards it: N a +- mu N b = m g l, l = a, and the pin carries (mu N, m g -
// N). It has no friction, and its force is asked for.
static void an_arm_brakes_a_belt(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: belt\ngravity: 9.81\nparameters: {v: 1}\n"
        "bodies:\n"
        "  ground: {shape: {line: [0, -0.3], speed: v}}\n"
        "  arm: {mass: 2, inertia: 0.02, joint: {revolute: ground, friction: 0, radius: 0.1, name: pin},\n"
        "    centre: [0.4, 0], shape: {circle: 0.1, at: [0.4, -0.2]}}\n"
        "contacts: {c: {detect: [arm, ground], friction: 0.5}}\n"
        "record: {force: pin.force, load: c.normal}\n";
    for (int way = -1; way <= 1; way += 2) {
        // about the pin: N a - m g a + way mu N b = 0, with the belt running along +x or -x
        const double N = 2.0 * G * 0.4 / (0.4 + way * 0.5 * 0.3);
        const char *sets = way > 0 ? "v=1" : "v=-1";
        assert_near(end_of("", text, sets, 1e-3, 0.2, "load"), N, 1e-5);
        assert_near(end_of("", text, sets, 1e-3, 0.2, "force"), hypot(0.5 * N, 2.0 * G - N), 1e-5);
    }
}

// A slider in a guide of length l in which a force P acts at a distance e of its axis: both ends carry
// P e/l each way, so friction takes 2 mu P e/l of P; the force also acts through a ball that is pushed
static void a_guide_rubs(void **state)
{
    (void)state;
    static const char text[] = "slipstick: 1\nname: guide\n"
                               "bodies:\n"
                               "  ground: {shape: {line: [0, -5]}}\n"
                               "  slider: {mass: 2, inertia: 0.1, joint: {prismatic: ground, friction: 0.3, "
                               "length: 0.5, name: rail},\n"
                               "    shapes: {nose: {box: [0.2, 0.4], at: [0, 0.1]}}}\n"
                               "  ball: {mass: 1, inertia: 0.004, x: 0.2, y: 0.2, shape: {circle: 0.1}}\n"
                               "forces: {slider.s: 12}\n"
                               "contacts: {c: {detect: [slider, ball, ground], friction: 0}}\n"
                               "record: {load: c.normal, force: rail.force}\n";
    // (m + M) a = P - mu L, L = 2 N e/l with N = m a and e = 0.2
    const double share = 0.3 * 2.0 * 0.2 / 0.5, a = 12.0 / (3.0 + share), t = 0.3;
    assert_near(end_of("", text, "", 1e-3, t, "load"), a, 1e-6);
    assert_near(end_of("", text, "", 1e-3, t, "force"), 2.0 * a * 0.2 / 0.5, 1e-6);
    assert_near(end_of("", text, "", 1e-3, t, "slider.s"), 0.5 * a * t * t, 1e-8);
    assert_near(end_of("", text, "", 1e-3, t, "ball.x"), 0.2 + 0.5 * a * t * t, 1e-8);
}

// A door on a pin that rubs, and on a post that ends a = 1 mm beside it: the post carries it, or the pin
// holds it with what the post makes it carry, and whoever shares, moments balance; where the post is under
// the pin itself nothing can give way
static void a_post_beside_a_pin(void **state)
{
    (void)state;
    static const char text[] = "slipstick: 1\nname: post\ngravity: 9.81\n"
                               "bodies:\n"
                               "  ground: {shape: {box: [0.002, 0.1], at: [0, -0.05]}}\n"
                               "  door: {mass: 1, inertia: 0.02, joint: {revolute: ground, friction: 0.5, "
                               "radius: 0.05, name: pin},\n"
                               "    centre: [0.2, 0], shape: {box: [0.4, 0.02], at: [0.2, 0.01]}}\n"
                               "contacts: {c: {detect: [door, ground], friction: 0}}\n"
                               "record: {force: pin.force, load: c.normal, torque: pin.friction}\n";
    const double load = end_of("", text, "", 1e-3, 0.1, "load"),
                 force = end_of("", text, "", 1e-3, 0.1, "force"),
                 torque = end_of("", text, "", 1e-3, 0.1, "torque");
    assert_near(end_of("", text, "", 1e-3, 0.1, "door.th"), 0.0, 1e-12);
    assert_near(torque + 1e-3 * load, G * 0.2, 1e-6);
    assert_near(force, fabs(load - G), 1e-5 * force);
    assert_true(torque <= 0.025 * force * (1.0 + 1e-7));
}

// Discs press a gate against the wall beside its hinge, whose pin rubs: forces there are not unique, leap
// with the friction, and settle all the same; what friction takes is all that is lost
static void a_gate_jams_at_its_hinge(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim =
        start_crowd(&model, "many-body", "hopper",
                    "n=30;bodies.gate.joint.friction=0.3;bodies.gate.joint.radius=5e-3", 5e-4, 0.3);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "gate.th"), 0.0, 0.03); // the latch has 50 N m/rad
    assert_near(slip_sim_energy(sim).numerical, 0.0, 1e-3);
    finish(sim, model);
}

// With a centre so far from its guide that friction makes 1.2 times the force it follows, there may be
// several answers, which the verdict says
static void a_guide_that_jams_is_doubted(void **state)
{
    (void)state;
    static const char text[] = "slipstick: 1\nname: jam\ngravity: 9.81\nbodies:\n" AWAY
                               "  slider: {mass: 2, inertia: 0.1, joint: {prismatic: ground, friction: 0.5, "
                               "length: 0.5, name: rail},\n"
                               "    centre: [0, 0.6], s: {rate: 1}}\n"
                               "contacts:\n" FOUND;
    slip_model *model;
    slip_sim *sim = start_crowd(&model, "", text, "", 1e-3, 0.1);
    const char *said = NULL;
    run_to_end(sim);
    slip_sim_verdict(sim, &said);
    assert_non_null(
        strstr(said, "friction of 'rail' follows a force of which it can make 1.2 times as much"));
    finish(sim, model);
}

// A motor that prescribes a motion lifts a table M and a box m that lies on it, with the acceleration a: the
// box presses with m (g + a), and the motor does the work of both
static void a_motor_lifts_a_table(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: lift\ngravity: 9.81\n"
        "bodies:\n"
        "  ground: {shape: {line: [0, -5]}, points: {foot: [0, -1]}}\n"
        "  table: {mass: 2, joint: {prismatic: ground, along: 90 deg}, s: {rate: 0.5}, points: {middle: [0, "
        "0]},\n"
        "    shape: {box: [1, 0.1]}}\n"
        "  box: {mass: 3, inertia: 0.01, shape: {box: [0.2, 0.2]}, y: {start: 0.15, rate: 0.5}}\n"
        "motors: {drive: {between: [table.middle, ground.foot], motion: 1 + 0.5*t + 0.2*t^2}}\n"
        "contacts: {c: {detect: [box, table, ground], friction: 0.5}}\n"
        "record: {load: c.normal}\n";
    slip_model *model;
    slip_sim *sim = start_crowd(&model, "", text, "", 1e-3, 1.0);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "table.s"), 0.7, 1e-12);
    assert_near(slip_sim_get(sim, "box.y"), 0.15 + 0.7, 1e-9);
    assert_near(slip_sim_get(sim, "load"), 3.0 * (G + 0.4), 1e-5);
    assert_near(slip_sim_energy(sim).work, 5.0 * (0.5 * (0.81 - 0.25) + G * 0.7), 1e-6);
    assert_near(slip_sim_energy(sim).numerical, 0.0, 1e-9);
    finish(sim, model);
}

// A crank that a motor turns drives a slider, which pushes a ball ahead of it over a smooth floor: the loop
// is that of x = R cos(w t) + sqrt(L^2 - R^2 sin^2(w t)), and the ball leaves where the slider is fastest
static void a_motor_drives_a_crank(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: crank\n"
        "bodies:\n"
        "  ground: {shape: {line: [0, -5]}}\n"
        "  crank: {mass: 1, inertia: 0.01, joint: {revolute: ground}, points: {tip: [0.1, 0]}, th: {start: "
        "3, rate: "
        "10}}\n"
        "  rod: {mass: 1, inertia: 0.01, centre: [0.2, 0], joint: {revolute: crank.tip}, points: {tip: [0.4, "
        "0]},\n"
        "    th: {guess: -0.035}}\n"
        "  slider: {mass: 1, joint: {prismatic: ground}, s: {guess: 0.3}, shape: {box: [0.1, 0.1]}}\n"
        "  ball: {mass: 0.5, inertia: 1e-3, shape: {circle: 0.05}, x: 0.45}\n"
        "motors: {drive: {turn: crank, motion: 3 + 10*t}}\n"
        "joints: {C: {revolute: [rod.tip, slider]}}\n"
        "contacts: {c: {detect: [slider, ball, ground], friction: 0}}\n";
    double off[2], fastest = 0.0;
    for (double at = 3.0; at < 5.5; at += 1e-4)
        fastest = fmax(fastest, -sin(at) - 0.1 * sin(at) * cos(at) / sqrt(0.16 - 0.01 * sin(at) * sin(at)));
    for (int i = 0; i < 2; i++) {
        const double step = i ? 1e-3 : 2e-3, t = 0.25, th = 3.0 + 10.0 * t;
        slip_model *model;
        slip_sim *sim = start_crowd(&model, "", text, "", step, t);
        run_to_end(sim);
        assert_near(slip_sim_get(sim, "slider.s"), 0.1 * cos(th) + sqrt(0.16 - 0.01 * sin(th) * sin(th)),
                    1e-12);
        assert_near(slip_sim_get(sim, "ball.x'"), fastest, 1e-4);
        off[i] = fabs(slip_sim_energy(sim).numerical);
        finish(sim, model);
    }
    assert_true(off[1] < 1e-4);
    assert_true(off[0] > 3.0 * off[1]);
}

// ---------------------------------------------------------------------------------------------- contacts

// What is round rolls down a slope with g (sin - rolling/r cos)/(1 + I/(m r^2)), or stays
static void written_contacts_resist_rolling(void **state)
{
    (void)state;
    static const char *const heads[] = { "slipstick: 1\nname: disc\n",
                                         "slipstick: 1\nname: ball\nspace: 3\n" };
    static const char *const texts[] = {
        "parameters: {slope: 0}\ngravity: [9.81*sin(atan(slope)), -9.81*cos(atan(slope))]\n"
        "bodies:\n"
        "  ground: {shapes: {floor: {line: [0, 0]}}}\n"
        "  ball: {mass: 2, inertia: 0.01, shape: {circle: 0.1}, y: 0.1}\n"
        "  other: {mass: 1, inertia: 0.01, shape: {box: [0.2, 0.2]}, x: 5, y: 0.1}\n"
        "contacts:\n"
        "  floor: {between: [ball, ground.floor], friction: 0.5, rolling: 10 mm}\n"
        "  pile: {detect: [other, ground], friction: 1}\n",
        "parameters: {slope: 0}\ngravity: [9.81*sin(atan(slope)), 0, -9.81*cos(atan(slope))]\n"
        "bodies:\n"
        "  ground: {shapes: {floor: {plane: [0, 0, 0]}}}\n"
        "  ball: {mass: 2, inertia: 0.008, shape: {sphere: 0.1}, z: 0.1}\n"
        "  other: {mass: 1, inertia: 0.01, shape: {box: [0.2, 0.2, 0.2]}, x: 5, z: 0.1}\n"
        "contacts:\n"
        "  floor: {between: [ball, ground.floor], friction: 0.5, rolling: 10 mm}\n"
        "  pile: {detect: [other, ground], friction: 1}\n",
    };
    const double t = 0.3, share[2] = { 2.0 / 3.0, 5.0 / 7.0 };
    for (int k = 0; k < 2; k++) {
        const double a = share[k] * G * (0.2 - 0.1) / sqrt(1.0 + 0.04);
        assert_near(end_of(heads[k], texts[k], "slope=0.2", 1e-3, t, "ball.x"), 0.5 * a * t * t, 1e-7);
        assert_near(end_of(heads[k], texts[k], "slope=0.099", 1e-3, t, "ball.x"), 0.0, 1e-9);
    }
}

// The limit follows the sum of a set: a disc is slowed down by factor m g of what lies on the ground, whether
// it sleeps or not
static void a_limit_follows_a_heap(void **state)
{
    (void)state;
    static const char text[] = "slipstick: 1\nname: scale\ngravity: 9.81\n"
                               "bodies:\n"
                               "  ground: {shape: {line: [0, 0]}}\n"
                               "  disc: {mass: 1, inertia: 0.5, joint: {revolute: ground}, th: {rate: 10}}\n"
                               "  low: {mass: 2, inertia: 0.1, shape: {box: [0.2, 0.2]}, x: 1, y: 0.1}\n"
                               "  top: {mass: 3, inertia: 0.1, shape: {box: [0.2, 0.2]}, x: 2, y: 0.1}\n"
                               "frictions: {brake: {slip: disc.th, load: floor, factor: 1 cm}}\n"
                               "contacts: {floor: {detect: [low, top, ground], friction: 0.5}}\n";
    slip_model *model;
    const char *said = NULL;
    slip_sim *sim = start_crowd(&model, "", text, "", 1e-3, 1.0);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "disc.th'"), 10.0 - 0.01 * 5.0 * G / 0.5, 1e-6);
    slip_sim_verdict(sim, &said);
    assert_non_null(strstr(said, "friction of 'brake' follows the forces of detected contacts"));
    finish(sim, model);
}

// ------------------------------------------------------------------------------------------ held at rest

// A block on a slope that is written, and one that a known limit holds: they stay up to what friction at rest
// holds, and slide with the other one
static void written_friction_holds_and_lets_go(void **state)
{
    (void)state;
    static const char blocks[] = "slipstick: 1\nname: blocks\nparameters: {slope: 0, push: 0, v: 0}\n"
                                 "gravity: [9.81*sin(atan(slope)), -9.81*cos(atan(slope))]\n"
                                 "bodies:\n"
                                 "  ground: {shapes: {floor: {line: [0, 0]}}}\n"
                                 "  box: {mass: 2, joint: {prismatic: ground}, s: {rate: v}}\n"
                                 "  lift: {mass: 0.5, joint: {prismatic: ground}}\n"
                                 "  slab: {mass: 1.5, joint: {prismatic: lift, along: 90 deg}, s: 0.1}\n"
                                 "  other: {mass: 1, inertia: 0.01, shape: {box: [0.2, 0.2]}, x: 5, y: 0.1}\n"
                                 "forces: {box.s: push - 2*9.81*sin(atan(slope))}\n"
                                 "frictions: {rail: {slip: box.s, limit: 3, static: 5}}\n"
                                 "contacts:\n"
                                 "  floor: {gap: slab.s - 0.1, slip: lift.s, friction: 0.3, static: 0.5}\n"
                                 "  pile: {detect: [other, ground], friction: 2}\n";
    const double t = 0.3, h = 1e-3;
    // the slope: m' = 2 along it, N = 1.5 g cos
    for (int k = 0; k < 2; k++) {
        const double slope = k ? 0.38 : 0.37, load = 1.5 / 2.0, // 0.5 load = 0.375 holds
            a = k ? G * (slope - 0.3 * load) / sqrt(1.0 + slope * slope) : 0.0;
        assert_near(end_of("", blocks, k ? "slope=0.38" : "slope=0.37", h, t, "lift.s"), 0.5 * a * t * t,
                    1e-7);
    }
    // the rail
    assert_near(end_of("", blocks, "push=4.99", h, t, "box.s"), 0.0, 1e-12);
    assert_near(end_of("", blocks, "push=5.01", h, t, "box.s"), 0.5 * (5.01 - 3.0) / 2.0 * t * t, 1e-7);
    assert_near(end_of("", blocks, "push=4;v=1", h, t, "box.s"), t + 0.5 * 0.5 * t * t, 1e-7);
    // thrown against the push it stops after v^2/(2 a), a = (4 + 3)/2, and stays
    assert_near(end_of("", blocks, "push=4;v=-0.5", h, 0.5, "box.s"), -0.5 * 0.25 / 3.5, 3.5 * h * h);
    assert_near(end_of("", blocks, "push=4;v=-0.5", h, 0.5, "box.s'"), 0.0, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_door_runs_out),
        cmocka_unit_test(machines_agree),
        cmocka_unit_test(a_shoe_brakes_a_wheel),
        cmocka_unit_test(an_arm_brakes_a_belt),
        cmocka_unit_test(a_guide_rubs),
        cmocka_unit_test(a_post_beside_a_pin),
        cmocka_unit_test(a_gate_jams_at_its_hinge),
        cmocka_unit_test(a_guide_that_jams_is_doubted),
        cmocka_unit_test(a_motor_lifts_a_table),
        cmocka_unit_test(a_motor_drives_a_crank),
        cmocka_unit_test(written_contacts_resist_rolling),
        cmocka_unit_test(a_limit_follows_a_heap),
        cmocka_unit_test(written_friction_holds_and_lets_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
