/// scenes.c: joints, springs, dampers, motors, loads and known motions against mechanics worked out by hand.
#include "base/text.h"
#include "helper.h"

static const double PI = 3.14159265358979323846;

// ------------------------------------------------------------------------------------------- trees

// Two uniform rods, absolute angles against the vertical (frames hang down: th = -90 deg is straight down).
static void double_pendulum(void **state)
{
    (void)state;
    scene s = scene_from(
        "slipstick: 1\nname: double pendulum\nparameters: {l: 0.7, m: 2}\ngravity: [1.5, -9.81]\nbodies:\n"
        "  lower: {mass: m, inertia: m*l^2/12, centre: [l/2, 0], joint: {revolute: upper.end}}\n"
        "  upper: {mass: m, inertia: m*l^2/12, centre: [l/2, 0], points: {end: [l, 0]}, joint: {revolute: "
        "ground}}\n");
    int up = scene_coordinate(&s, "upper.th"), low = scene_coordinate(&s, "lower.th");
    assert_int_equal(low, 0); // in the order of the file, whatever hangs on what
    double l = 0.7, m = 2.0, q[2], u[2];
    q[up] = -0.4, q[low] = 0.9, u[up] = 1.3, u[low] = -2.1;
    scene_at(&s, 0.0, q, u);
    double c = cos(q[low] - q[up]), d = sin(q[low] - q[up]);
    assert_near(scene_mass(&s, up, up), 4.0 / 3.0 * m * l * l, 1e-14);
    assert_near(scene_mass(&s, low, low), m * l * l / 3.0, 1e-14);
    assert_near(scene_mass(&s, up, low), 0.5 * m * l * l * c, 1e-14);
    double gx = 1.5, gy = -9.81;
    double h_up = 0.5 * m * l * l * d * u[low] * u[low] + 1.5 * m * l * (-gx * sin(q[up]) + gy * cos(q[up]));
    double h_low =
        -0.5 * m * l * l * d * u[up] * u[up] + 0.5 * m * l * (-gx * sin(q[low]) + gy * cos(q[low]));
    assert_near(s.terms.h[up], h_up, 1e-13);
    assert_near(s.terms.h[low], h_low, 1e-13);
    scene_end(&s);
}

// a block that slides on a wedge that slides on the ground, with a plate welded to it
static void prismatic_and_weld(void **state)
{
    (void)state;
    scene s = scene_from(
        "slipstick: 1\nname: wedge\ngravity: 10\nbodies:\n"
        "  wedge: {mass: 3, joint: {prismatic: ground}, points: {edge: [0.2, 0.5]}}\n"
        "  block: {mass: 1, joint: {prismatic: wedge.edge, along: 30 deg, angle: 30 deg}, points: {tip: "
        "[0.1, 0]}}\n"
        "  plate: {mass: 0.5, inertia: 7, joint: {weld: block.tip, angle: 15 deg}, points: {end: [0, 2]}}\n"
        "record: {x: plate.end.x, y: plate.end.y, vx: plate.end'.x, th: plate.th}\n");
    assert_int_equal(s.model->coordinate_count, 2);
    double q[2] = { 0.3, 0.4 }, u[2] = { 1.0, 2.0 }, c = cos(PI / 6), d = sin(PI / 6), out[4];
    assert_int_equal(scene_coordinate(&s, "block.s"), 1);
    scene_at(&s, 0.0, q, u);
    assert_near(scene_mass(&s, 0, 0), 4.5, 1e-14);
    assert_near(scene_mass(&s, 0, 1), 1.5 * c, 1e-14);
    assert_near(scene_mass(&s, 1, 1), 1.5, 1e-14);
    assert_near(s.terms.h[0], 0.0, 1e-14);
    assert_near(s.terms.h[1], -15.0 * d, 1e-14);
    slip_system_record(s.system, 0.0, q, u, NULL, NULL, &s.terms, out);
    assert_near(out[0], 0.3 + 0.2 + 0.5 * c - 2 * sin(PI / 4), 1e-14);
    assert_near(out[1], 0.5 + 0.5 * d + 2 * cos(PI / 4), 1e-14);
    assert_near(out[2], 1.0 + 2.0 * c, 1e-14);
    assert_near(out[3], PI / 4, 1e-15);
    scene_end(&s);
}

// a body without inertia is a particle, one with all its motion known needs no mass
static void particles_and_known_motion(void **state)
{
    (void)state;
    scene s = scene_from(
        "slipstick: 1\nname: shaken\nparameters: {A: 0.1, w: 3}\ndefine: {shake: A*sin(w*t)}\ngravity: 9.81\n"
        "bodies:\n  table: {joint: {prismatic: ground, along: 90 deg}, s: {motion: shake}, shape: {line: [0, "
        "0]}}\n"
        "  ball: {mass: 2, y: 0.5, shape: {point: [0, 0]}}\n"
        "  arm: {mass: 1, inertia: 0.2, centre: [0.3, 0], joint: {revolute: table}}\n"
        "contacts: {k: {between: [ball, table], friction: 0.1}}\n");
    assert_int_equal(s.model->coordinate_count, 3); // ball.x, ball.y, arm.th
    double q[3] = { 0, 0.5, 0.4 }, u[3] = { 0.2, -1.0, 0.7 }, t = 0.9;
    scene_at(&s, t, q, u);
    double y = 0.1 * sin(2.7), v = 0.3 * cos(2.7), acc = -0.9 * sin(2.7);
    assert_near(scene_gap(&s, "k"), 0.5 - y, 1e-15);
    assert_near(scene_rate(&s, "k", u, 0), -1.0 - v, 1e-15);
    assert_near(s.terms.z[s.system->elements[0].normal_row], -acc, 1e-14);
    // the pivot's acceleration acts like gravity
    assert_near(scene_mass(&s, 2, 2), 0.2 + 0.09, 1e-15);
    assert_near(s.terms.h[2], -(9.81 + acc) * 0.3 * cos(0.4), 1e-14);
    scene_end(&s);
}

// ------------------------------------------------------------------------------------------- loops

static void joint_rows(void **state)
{
    (void)state;
    scene s = scene_from(
        "slipstick: 1\nname: loops\nbodies:\n"
        "  a: {mass: 1, inertia: 1, points: {p: [1, 0]}}\n  b: {mass: 1, inertia: 1, points: {q: [0, 2]}, x: "
        "1, y: -2}\n"
        "  c: {mass: 1, inertia: 1, x: 4, th: 0.5}\n  d: {mass: 1, inertia: 1, x: 1, y: -2, th: 0.2}\n"
        "joints:\n  pin: {revolute: [a.p, b.q]}\n  rail: {prismatic: [c, ground], angle: 0.5}\n"
        "  glue: {weld: [d, b], angle: 0.2}\n  bar: {distance: [a, c], length: 4}\n"
        "motors: {drive: {turn: [a, b], motion: 3*(1 - cos(t))}}\n");
    const char *const names[] = { "pin_x",  "pin_y",   "rail_n", "rail_th", "glue_x",
                                  "glue_y", "glue_th", "bar",    "drive" };
    assert_int_equal(s.model->constraint_count, 9);
    for (int k = 0; k < 9; k++) assert_string_equal(s.model->constraints[k].name, names[k]);
    double q[12], u[12];
    unsigned long long seed = 7;
    for (int k = 0; k < 12; k++) q[k] = draw(&seed), u[k] = draw(&seed);
    scene_at(&s, 0.4, q, u);
    const double *a = q, *b = q + 3, *c = q + 6, *d = q + 9, *va = u, *vb = u + 3, *vc = u + 6, *vd = u + 9;
    double dist = hypot(a[0] - c[0], a[1] - c[1]);
    double zero[9] = { a[0] + cos(a[2]) - b[0] + 2 * sin(b[2]),
                       a[1] + sin(a[2]) - b[1] - 2 * cos(b[2]),
                       c[1],
                       c[2] - 0.5,
                       d[0] - b[0],
                       d[1] - b[1],
                       d[2] - b[2] - 0.2,
                       dist - 4.0,
                       a[2] - b[2] - 3 * (1 - cos(0.4)) };
    double rate[9] = { va[0] - sin(a[2]) * va[2] - vb[0] + 2 * cos(b[2]) * vb[2],
                       va[1] + cos(a[2]) * va[2] - vb[1] + 2 * sin(b[2]) * vb[2],
                       vc[1],
                       vc[2],
                       vd[0] - vb[0],
                       vd[1] - vb[1],
                       vd[2] - vb[2],
                       ((a[0] - c[0]) * (va[0] - vc[0]) + (a[1] - c[1]) * (va[1] - vc[1])) / dist,
                       va[2] - vb[2] - 3 * sin(0.4) };
    for (int k = 0; k < 9; k++) {
        assert_near(s.terms.constraint[k], zero[k], 1e-15);
        assert_near(slip_system_row_rate(s.system, &s.terms, k, u), rate[k], 1e-14);
    }
    scene_end(&s);
}

// a four-bar linkage from rough guesses: closed to rounding, and on the branch that was guessed
static void guesses_close_loops(void **state)
{
    (void)state;
    for (int branch = 0; branch < 2; branch++) {
        const char *set = branch ? "bodies.rocker.th.guess=-2" : "bodies.rocker.th.guess=2";
        const char *other = branch ? "bodies.rod.th.guess=-0.5" : "bodies.rod.th.guess=0.5",
                   *sets[] = { set, other };
        slip_model *m =
            read_with("slipstick: 1\nname: four-bar\nbodies:\n  ground: {points: {O4: [0.4, 0]}}\n"
                      "  crank: {mass: 1, points: {tip: [0.1, 0]}, centre: [0.1, 0], joint: {revolute: "
                      "ground}, th: {start: 60 deg, rate: 10}}\n"
                      "  rod: {mass: 1, points: {tip: [0.3, 0]}, centre: [0.1, 0], joint: {revolute: "
                      "crank.tip}, th: {guess: 0}}\n"
                      "  rocker: {mass: 1, points: {tip: [0.2, 0]}, centre: [0.1, 0], joint: {revolute: "
                      "ground.O4}, th: {guess: 0}}\n"
                      "joints: {pin: {revolute: [rod.tip, rocker.tip]}}\n",
                      NULL, sets, 2);
        double q[3], w[3];
        for (int k = 0; k < 3; k++) q[k] = m->coordinates[k].start, w[k] = m->coordinates[k].rate;
        assert_near(q[0], PI / 3, 1e-15);
        assert_near(0.1 * cos(q[0]) + 0.3 * cos(q[1]), 0.4 + 0.2 * cos(q[2]), 1e-14);
        assert_near(0.1 * sin(q[0]) + 0.3 * sin(q[1]), 0.2 * sin(q[2]), 1e-14);
        assert_near(-0.1 * sin(q[0]) * w[0] - 0.3 * sin(q[1]) * w[1], -0.2 * sin(q[2]) * w[2], 1e-11);
        assert_near(0.1 * cos(q[0]) * w[0] + 0.3 * cos(q[1]) * w[1], 0.2 * cos(q[2]) * w[2], 1e-11);
        assert_true(branch ? q[2] < 0.0 : q[2] > 0.0);
        assert_true(w[0] == 10.0);
        slip_model_destroy(m);
    }
}

// ---------------------------------------------------------------------------------------- elements

static void springs_and_forces(void **state)
{
    (void)state;
    scene s =
        scene_from("slipstick: 1\nname: forces\nbodies:\n  ground: {points: {post: [2, 1]}}\n"
                   "  a: {mass: 1, inertia: 1, points: {p: [0.5, 0.2]}}\n  b: {mass: 1, inertia: 1}\n"
                   "springs:\n  s: {between: [a.p, ground.post], stiffness: 50, length: 0.3, damping: 2}\n"
                   "  r: {turn: [a, b], stiffness: 7, angle: 0.1, damping: 0.4}\n"
                   "dampers: {d: {between: [a, b], damping: 3}}\n"
                   "motors:\n  m: {turn: b, torque: 5 + b.th'}\n  push: {between: [b, a.p], force: 4*t}\n"
                   "loads: {w: {at: a.p, force: [1, -2], torque: 0.5}}\nforces: {a.x: 100}\n");
    double q[6], u[6], t = 0.3;
    unsigned long long seed = 9;
    for (int k = 0; k < 6; k++) q[k] = draw(&seed), u[k] = draw(&seed);
    scene_at(&s, t, q, u);
    double arm[2] = { 0.5 * cos(q[2]) - 0.2 * sin(q[2]), 0.5 * sin(q[2]) + 0.2 * cos(q[2]) };
    double p[2] = { q[0] + arm[0], q[1] + arm[1] }, v[2] = { u[0] - u[2] * arm[1], u[1] + u[2] * arm[0] };
    double h[6] = { 100.0 };
    // a force f on the point p of body a
#define ON_P(fx, fy) (h[0] += (fx), h[1] += (fy), h[2] += arm[0] * (fy)-arm[1] * (fx))
    double d[2] = { p[0] - 2, p[1] - 1 }, L = hypot(d[0], d[1]);
    double f = -50 * (L - 0.3) - 2 * (d[0] * v[0] + d[1] * v[1]) / L;
    ON_P(f * d[0] / L, f * d[1] / L);
    double torque = -7 * (q[2] - q[5] - 0.1) - 0.4 * (u[2] - u[5]);
    h[2] += torque, h[5] -= torque;
    double e[2] = { q[0] - q[3], q[1] - q[4] }, D = hypot(e[0], e[1]);
    double damping = -3 * (e[0] * (u[0] - u[3]) + e[1] * (u[1] - u[4])) / D;
    h[0] += damping * e[0] / D, h[1] += damping * e[1] / D;
    h[3] -= damping * e[0] / D, h[4] -= damping * e[1] / D;
    h[5] += 5 + u[5];
    double c[2] = { p[0] - q[3], p[1] - q[4] }, C = hypot(c[0], c[1]);
    ON_P(4 * t * c[0] / C, 4 * t * c[1] / C);
    h[3] -= 4 * t * c[0] / C, h[4] -= 4 * t * c[1] / C;
    ON_P(1.0, -2.0);
    h[2] += 0.5;
    for (int k = 0; k < 6; k++) assert_near(s.terms.h[k], h[k], 1e-13);
    double T, V, P;
    slip_system_energy(s.system, t, q, u, &s.terms, &T, &V, &P);
    assert_near(V, 25 * (L - 0.3) * (L - 0.3) + 3.5 * (q[2] - q[5] - 0.1) * (q[2] - q[5] - 0.1), 1e-14);
    scene_end(&s);
}

// T and V against the sum over the bodies' own velocities and heights, in a scene with every kind of joint
static void energies_add_up(void **state)
{
    (void)state;
    scene s = scene_from(
        "slipstick: 1\nname: tree\ngravity: [2, -9]\nbodies:\n"
        "  arm2: {mass: 2, inertia: 0.3, centre: [0.2, 0.1], joint: {revolute: plate.p}}\n"
        "  base: {mass: 3, inertia: 0.5, centre: [0.1, -0.2], points: {p: [0.3, 0.4], q: [-0.2, 0.1]}}\n"
        "  arm: {mass: 1, inertia: 0.1, centre: [0.5, 0], points: {p: [1, 0.2]}, joint: {revolute: base.p}}\n"
        "  plate: {mass: 0.7, inertia: 0.2, centre: [0, 0.3], points: {p: [0.1, 0.2]}, joint: {weld: arm.p, "
        "angle: 0.4}}\n"
        "  cart: {mass: 0.6, inertia: 0.2, joint: {prismatic: base.q, along: 0.3, angle: 0.1}, points: {p: "
        "[0, 1]}}\n"
        "  bob: {mass: 0.4, inertia: 0.1, centre: [0.7, 0], joint: {revolute: cart.p}}\n"
        "  crane: {mass: 5, inertia: 2, centre: [0, 1], joint: {revolute: ground}, th: {motion: sin(t)}, "
        "points: {p: [2, 1]}}\n"
        "  hook: {mass: 1, inertia: 0.1, centre: [0.5, 0], joint: {revolute: crane.p}}\n"
        "record: {x0: arm2.centre'.x, y0: arm2.centre'.y, w0: arm2.th', h0: arm2.centre.x*2 - "
        "arm2.centre.y*9,\n"
        "  x1: base.centre'.x, y1: base.centre'.y, w1: base.th', h1: base.centre.x*2 - base.centre.y*9,\n"
        "  x2: arm.centre'.x, y2: arm.centre'.y, w2: arm.th', h2: arm.centre.x*2 - arm.centre.y*9,\n"
        "  x3: plate.centre'.x, y3: plate.centre'.y, w3: plate.th', h3: plate.centre.x*2 - "
        "plate.centre.y*9,\n"
        "  x4: cart.centre'.x, y4: cart.centre'.y, w4: cart.th', h4: cart.centre.x*2 - cart.centre.y*9,\n"
        "  x5: bob.centre'.x, y5: bob.centre'.y, w5: bob.th', h5: bob.centre.x*2 - bob.centre.y*9,\n"
        "  x6: crane.centre'.x, y6: crane.centre'.y, w6: crane.th', h6: crane.centre.x*2 - "
        "crane.centre.y*9,\n"
        "  x7: hook.centre'.x, y7: hook.centre'.y, w7: hook.th', h7: hook.centre.x*2 - hook.centre.y*9}\n");
    const double m[8] = { 2, 3, 1, 0.7, 0.6, 0.4, 5, 1 }, J[8] = { 0.3, 0.5, 0.1, 0.2, 0.2, 0.1, 2, 0.1 };
    assert_int_equal(s.model->coordinate_count,
                     8); // arm2.th, base.x, base.y, base.th, arm.th, cart.s, bob.th, hook.th
    unsigned long long seed = 11;
    for (int k = 0; k < 20; k++) {
        double inputs[17], out[32], T = 0.0, V = 0.0;
        for (int i = 0; i < 17; i++) inputs[i] = 2.0 * draw(&seed);
        slip_system_record(s.system, inputs[0], inputs + 1, inputs + 9, NULL, NULL, &s.terms, out);
        for (int b = 0; b < 8; b++) {
            const double *v = out + 4 * b;
            T += 0.5 * m[b] * (v[0] * v[0] + v[1] * v[1]) + 0.5 * J[b] * v[2] * v[2];
            V -= m[b] * v[3];
        }
        slip_ref roots[2] = { s.model->kinetic.ref, s.model->potential.ref };
        slip_tape *tape = slip_tape_create(s.model->graph, roots, 2);
        double *registers = calloc((size_t)slip_tape_registers(tape), sizeof *registers);
        slip_tape_start(tape, registers);
        memcpy(registers, inputs, sizeof inputs);
        slip_tape_run(tape, registers);
        assert_near(registers[slip_tape_result(tape, 0)], T, 1e-12);
        assert_near(registers[slip_tape_result(tape, 1)], V, 1e-12);
        free(registers);
        slip_tape_destroy(tape);
    }
    scene_end(&s);
}

// --------------------------------------------------------------------------------- clearances, groups

// Gomez, eqs 4.30-4.43: m points of the journal, all at the bearing when it is centred
static void journal_points(void **state)
{
    (void)state;
    const char *sets[] = { "points=12", "c=1e-4" };
    scene s = scene_of(
        read_with("slipstick: 1\nname: journal\nparameters: {r: 0.01, l: 0.15, points: 8, c: 0}\nbodies:\n"
                  "  pendulum: {mass: 1, inertia: 0.01, centre: [l, 0]}\n"
                  "clearances: {pivot: {journal: [pendulum, ground], radius: r, points: points, clearance: "
                  "c, friction: 0.1 + r*abs(pendulum.th')}}\n",
                  NULL, sets, 2));
    assert_int_equal(s.model->contact_count, 12);
    double q[3] = { 3e-5, -4e-5, 0.7 }, u[3] = { 0.0, 0.0, 2.0 }, centred[3] = { 0, 0, 0.7 };
    scene_at(&s, 0.0, q, u);
    for (int k = 0; k < 12; k++) {
        double angle = q[2] + 2 * PI * k / 12;
        double x = q[0] + 0.01 * cos(angle), y = q[1] + 0.01 * sin(angle);
        assert_near(s.terms.gap[k], 0.0101 - hypot(x, y), 1e-16);
        assert_near(s.terms.friction[k], 0.12, 1e-15);
    }
    scene_at(&s, 0.0, centred, u);
    for (int k = 0; k < 12; k++) {
        const slip_element *e = &s.system->elements[k];
        double angle = 0.7 + 2 * PI * k / 12, x[3] = { 1, 0, 0 }, y[3] = { 0, 1, 0 };
        assert_near(s.terms.gap[k], 1e-4, 1e-16);
        // 4.33: n = -(cos, sin); the slip counts along n turned by -90 degrees
        assert_near(slip_system_row_dot(s.system, &s.terms, e->normal_row, x), -cos(angle), 1e-14);
        assert_near(slip_system_row_dot(s.system, &s.terms, e->normal_row, y), -sin(angle), 1e-14);
        assert_near(slip_system_row_rate(s.system, &s.terms, e->tangent_row, u), 0.02, 1e-15);
    }
    scene_end(&s);
}

static void bearing_with_play(void **state)
{
    (void)state;
    scene s = scene_from(
        "slipstick: 1\nname: bearing\nbodies:\n  ground: {points: {hole: [1, 2]}}\n  pin: {mass: 1, inertia: "
        "1}\n"
        "clearances: {k: {revolute: [pin, ground.hole], radius: 20 mm, clearance: 0.5 mm, friction: 0.1}}\n");
    double q[3] = { 1.0003, 2.0004, 0.3 }, u[3] = { 0.0, 0.0, 10.0 };
    scene_at(&s, 0.0, q, u);
    assert_near(scene_gap(&s, "k"), 0.0, 1e-15);
    // the pin turns anticlockwise; at the contact, direction (0.6, 0.8), it moves along (-0.8, 0.6)
    assert_near(fabs(scene_rate(&s, "k", u, 1)), 0.2, 1e-12);
    double out[3] = { 0.6, 0.8, 0.0 };
    assert_near(scene_rate(&s, "k", out, 0), -1.0, 1e-12);
    scene_end(&s);
}

static void groups_make_all_pairs(void **state)
{
    (void)state;
    scene s = scene_from("slipstick: 1\nname: groups\nbodies:\n  ground: {shapes: {floor: {line: [0, 0]}, "
                         "wall: {line: [0, 0], angle: -90 deg}}}\n"
                         "  a: {mass: 1, x: 1, shape: {circle: 0.1}}\n  b: {mass: 1, x: 2, shape: {circle: "
                         "0.1}}\n  c: {mass: 1, x: 3, shape: {circle: 0.1}}\n"
                         "groups: {balls: [a, b, c]}\n"
                         "contacts:\n  hit: {between: [balls, balls]}\n  land: {between: [balls, "
                         "ground.floor], friction: 0.2}\n"
                         "  stop: {between: [[a, b], ground]}\n  gapped: {gap: a.x - b.y}\n");
    static const char *const names[] = { "hit_a_b",
                                         "hit_a_c",
                                         "hit_b_c",
                                         "land_a_ground_floor",
                                         "land_b_ground_floor",
                                         "land_c_ground_floor",
                                         "stop_a_ground_floor",
                                         "stop_a_ground_wall",
                                         "stop_b_ground_floor",
                                         "stop_b_ground_wall",
                                         "gapped" };
    assert_int_equal(s.model->contact_count, 11);
    for (int k = 0; k < 11; k++) assert_string_equal(s.model->contacts[k].name, names[k]);
    double q[6] = { 1, 5, 2, 5, 3, 5 }, u[6] = { 0 };
    scene_at(&s, 0.0, q, u);
    assert_near(scene_gap(&s, "hit_a_c"), 1.8, 1e-15);
    assert_near(scene_gap(&s, "stop_b_ground_wall"), 1.9, 1e-15); // free on its left, which is +x
    assert_near(scene_gap(&s, "land_c_ground_floor"), 4.9, 1e-15);
    assert_int_equal(s.system->elements[0].slip_count, 0);
    assert_int_equal(s.system->elements[3].slip_count, 1);
    scene_end(&s);
}

// both front ends in one file: what formulas say is added to what the bodies are
static void formulas_beside_bodies(void **state)
{
    (void)state;
    scene s = scene_from("slipstick: 1\nname: both\nparameters: {k: 3}\ndefine: {stretch: ball.x - z}\n"
                         "coordinates: {z: {start: 1, rate: 2}}\nenergy: {kinetic: z'^2, potential: "
                         "k*stretch^2}\nforces: {ball.y: -z', z: 7}\n"
                         "bodies: {ball: {mass: 4}}\ngravity: 10\n"
                         "frictions: {f: {slip': z' - ball.x', limit: 0.3}}\nconstraints: {c: ball.y - "
                         "z^2}\ncontacts: {g: {gap: ball.y}}\n");
    double q[3] = { 1.0, 0.5, 0.2 }, u[3] = { 2.0, 0.1, -0.3 };
    assert_int_equal(scene_coordinate(&s, "z"), 0);
    scene_at(&s, 0.0, q, u);
    assert_near(scene_mass(&s, 0, 0), 2.0, 1e-15);
    assert_near(scene_mass(&s, 1, 1), 4.0, 1e-15);
    assert_near(s.terms.h[0], 7.0 + 2 * 3 * (0.5 - 1.0), 1e-15);
    assert_near(s.terms.h[1], -2 * 3 * (0.5 - 1.0), 1e-15);
    assert_near(s.terms.h[2], -40.0 - 2.0, 1e-14);
    assert_near(s.terms.constraint[0], 0.2 - 1.0, 1e-15);
    scene_end(&s);
}

// --set reaches into short forms and adds what is not there
static void overrides_reach_bodies(void **state)
{
    (void)state;
    const char *sets[] = { "bodies.ball.y.rate=2", "bodies.ball.x.rate=3", "bodies.ball.mass=5",
                           "contacts.floor.between.2=ground.slope" };
    slip_model *m = read_with(
        "slipstick: 1\nname: n\nbodies:\n  ground: {shapes: {slope: {line: [0, 0], angle: 0.1}}}\n"
        "  ball: {mass: 1, y: 0.5, shape: {circle: 0.1}}\ncontacts: {floor: {between: [ball, ground]}}\n",
        NULL, sets, 4);
    assert_near(m->coordinates[0].rate, 3.0, 0.0);
    assert_near(m->coordinates[1].start, 0.5, 0.0);
    assert_near(m->coordinates[1].rate, 2.0, 0.0);
    assert_string_equal(m->contacts[0].name, "floor");
    slip_model_destroy(m);
}

// work, not time: expressions grow with the bodies, and not faster
static void two_hundred_bodies(void **state)
{
    (void)state;
    slip_text text = { 0 };
    slip_text_add(&text,
                  "slipstick: 1\nname: many\ngravity: 9.81\nbodies:\n  ground: {shape: {line: [0, 0]}}\n");
    for (int k = 0; k < 200; k++)
        slip_text_add(&text, "  b%d: {mass: 1, inertia: 0.01, x: %d, shape: {circle: 0.1}}\n", k, k);
    slip_text_add(&text, "groups: {balls: [b0");
    for (int k = 1; k < 200; k++) slip_text_add(&text, ", b%d", k);
    slip_text_add(&text, "]}\ncontacts: {floor: {between: [balls, ground], friction: 0.3}}\n");
    scene s = scene_from(text.data);
    slip_text_destroy(&text);
    assert_int_equal(s.model->coordinate_count, 600);
    assert_int_equal(s.model->contact_count, 200);
    assert_true(slip_graph_node_count(s.model->graph) < 40 * 200);
    assert_int_equal(s.system->block_count, 600); // M is diagonal
    scene_end(&s);
}

static void unused_shapes_are_said(void **state)
{
    (void)state;
    static const char text[] = "slipstick: 1\nname: n\nbodies: {a: {mass: 1, shape: {circle: 1}}}\n";
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    assert_int_equal(slip_model_read_text("m.yaml", text, strlen(text), NULL, 0, notes, &model), SLIP_OK);
    char *said = slip_diagnostics_text(notes);
    assert_non_null(
        strstr(said, "m.yaml:3:23: warning: the shape of body 'a' touches nothing: no contact names it"));
    free(said);
    slip_diagnostics_destroy(notes);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(double_pendulum),
        cmocka_unit_test(prismatic_and_weld),
        cmocka_unit_test(particles_and_known_motion),
        cmocka_unit_test(joint_rows),
        cmocka_unit_test(guesses_close_loops),
        cmocka_unit_test(springs_and_forces),
        cmocka_unit_test(journal_points),
        cmocka_unit_test(bearing_with_play),
        cmocka_unit_test(groups_make_all_pairs),
        cmocka_unit_test(energies_add_up),
        cmocka_unit_test(formulas_beside_bodies),
        cmocka_unit_test(two_hundred_bodies),
        cmocka_unit_test(overrides_reach_bodies),
        cmocka_unit_test(unused_shapes_are_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
