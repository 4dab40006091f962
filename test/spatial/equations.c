/// equations.c: the equations of motion of trees in space: energy, momentum, closed forms, and the plane.
#include "helper.h"

static const char chain[] =
    "slipstick: 1\nname: chain\nspace: 3\nparameters: {g: 0}\ngravity: [0.3*g, -0.2*g, -g]\nbodies:\n"
    "  base: {mass: 2, inertia: [0.3, 0.4, 0.5, 0.02, -0.03, 0.01], centre: [0.1, -0.05, 0.02], points: {p: "
    "[0.5, 0.1, 0], q: [-0.4, 0, 0.2]}}\n"
    "  arm: {mass: 1, inertia: [0.1, 0.2, 0.25], centre: [0.2, 0, 0.1], points: {tip: [0.5, 0, 0]},\n"
    "    joint: {revolute: base.p, axis: [1, 2, 2]}, attitude: {axis: [0, 1, 1], angle: 40 deg}}\n"
    "  hand: {mass: 0.5, inertia: [0.05, 0.06, 0.07], centre: [0, 0.1, 0], points: {tip: [0, 0.3, 0]}, "
    "joint: {spherical: arm.tip}}\n"
    "  slide: {mass: 0.7, inertia: 0.02, joint: {prismatic: base.q, along: [0, 3, 4]}, attitude: [1, 2, 3, "
    "4], points: {tip: [1, 0, 0]}}\n"
    "  plate: {mass: 0.3, inertia: [0.01, 0.01, 0.02], joint: {weld: slide.tip}, attitude: {axis: [1, 0, 0], "
    "angle: 20 deg}, centre: [0, 0, 0.1]}\n"
    "springs: {s: {between: [hand.tip, slide.tip], stiffness: 3, length: 0.2}, r: {turn: arm, stiffness: "
    "2}}\n"
    "contacts: {c: {gap: hand.tip.z + 2, slip': [hand.tip.x', hand.tip.y'], friction: 0.2}}\n"
    "constraints: {k: hand.qx*hand.tip.x + arm.qw}\n";

// along the motion that M u' = h gives, the energy does not change, and rows are the rates of gaps and
// constraints
static void energy_and_rows(void **state)
{
    (void)state;
    const char *sets[] = { "g=9.81" };
    scene s = scene_of(read_with(chain, NULL, sets, 1));
    const int n = s.system->n;
    assert_int_equal(n, 7 + 1 + 4 + 1);
    double q[MOST], u[MOST], a[MOST], end[2][MOST], v[2][MOST];
    unsigned long long seed = 7;
    for (int trial = 0; trial < 50; trial++) {
        draw_state(&s, 0.5, &seed, q, u);
        scene_at(&s, 0, q, u);
        memcpy(a, s.terms.h, sizeof a);
        slip_system_solve(s.system, &s.terms, a);
        double gap_rate = scene_rate(&s, "c", u, 0),
               hold_rate = slip_system_row_rate(s.system, &s.terms, 0, u);
        double z = s.terms.z[s.system->elements[0].normal_row], row = 0, e = 1e-4, E[2], gap[2], hold[2],
               rate[2];
        row = slip_system_row_dot(s.system, &s.terms, s.system->elements[0].normal_row, a) + z;
        for (int side = 0; side < 2; side++) {
            double h = side ? e : -e, middle[MOST], half[MOST];
            for (int k = 0; k < n; k++) half[k] = u[k] + 0.5 * h * a[k], v[side][k] = u[k] + h * a[k];
            slip_system_move(s.system, 0, q, 0.5 * h, u, &s.terms, middle); // midpoint rule: exact to h^3
            double qdot[MOST];
            slip_system_velocity(s.system, 0, middle, half, &s.terms, qdot);
            for (int k = 0; k < n; k++) end[side][k] = q[k] + h * qdot[k];
            E[side] = energy_of(&s, 0, end[side], v[side]);
            scene_at(&s, 0, end[side], v[side]);
            gap[side] = scene_gap(&s, "c");
            hold[side] = s.terms.constraint[0];
            rate[side] = scene_rate(&s, "c", v[side], 0);
        }
        assert_near((E[1] - E[0]) / (2 * e), 0, 2e-5);
        assert_near((gap[1] - gap[0]) / (2 * e), gap_rate, 1e-6);
        assert_near((hold[1] - hold[0]) / (2 * e), hold_rate, 1e-6);
        assert_near((rate[1] - rate[0]) / (2 * e), row, 1e-5);
    }
    scene_end(&s);
}

// nothing but inner forces: momentum and angular momentum stay, to the order of the scheme
static void momentum_stays(void **state)
{
    (void)state;
    static const char floating[] =
        "slipstick: 1\nname: floating\nspace: 3\nparameters: {J: 0.1}\nbodies:\n"
        "  a: {mass: 2, inertia: J, spin: [1, 2, 3], x: {rate: 0.3}, points: {p: [0.5, 0.1, 0.2]}}\n"
        "  b: {mass: 1, inertia: J, centre: [0.2, 0, 0.1], joint: {revolute: a.p, axis: [1, 2, 2]}, th: "
        "{rate: 2}, points: {p: [0.4, 0, 0]}}\n"
        "  c: {mass: 0.5, inertia: J, centre: [0, 0.3, 0], joint: {spherical: b.p}, spin: [0, 3, 0], "
        "attitude: [1, 1, 0, 0]}\n"
        "springs: {s: {turn: b, stiffness: 5}}\n"
        "dampers: {d: {turn: [c, b], axis: [0, 1, 0], damping: 0.3}}\n"
        "record:\n"
        "  px: 2*a.x' + b.centre.x' + 0.5*c.centre.x'\n"
        "  pz: 2*a.z' + b.centre.z' + 0.5*c.centre.z'\n"
        "  Lx: 2*(a.y*a.z' - a.z*a.y') + b.centre.y*b.centre.z' - b.centre.z*b.centre.y' + "
        "0.5*(c.centre.y*c.centre.z' - c.centre.z*c.centre.y') + J*(a.wx + b.wx + c.wx)\n"
        "  Ly: 2*(a.z*a.x' - a.x*a.z') + b.centre.z*b.centre.x' - b.centre.x*b.centre.z' + "
        "0.5*(c.centre.z*c.centre.x' - c.centre.x*c.centre.z') + J*(a.wy + b.wy + c.wy)\n"
        "run: {formulation: dai, integrator: rk4, step: 1 ms, until: 3}\n";
    slip_model *model = read_model("", floating, "", ";");
    slip_sim *sim = make_sim(model, NULL);
    static const char *const names[] = { "px", "pz", "Lx", "Ly" };
    double start[4], energy = slip_sim_energy(sim).kinetic;
    for (int k = 0; k < 4; k++) start[k] = slip_sim_get(sim, names[k]);
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    for (int k = 0; k < 4; k++) assert_near(slip_sim_get(sim, names[k]), start[k], 1e-9);
    assert_true(slip_sim_energy(sim).kinetic + slip_sim_energy(sim).potential < energy); // the damper takes
    assert_near(slip_sim_get(sim, "c.stretch"), 0, 0);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// a body that is moved as a function of time: the ledger closes
static void driven_bodies(void **state)
{
    (void)state;
    static const char driven[] = "slipstick: 1\nname: driven\nspace: 3\ngravity: 9.81\nbodies:\n"
                                 "  table: {joint: {revolute: ground, axis: [0, 1, 0]}, th: {motion: "
                                 "0.3*sin(4*t)}, points: {p: [1, 0, 0]}}\n"
                                 "  bob: {mass: 1, inertia: [0.01, 0.02, 0.02], joint: {spherical: table.p}, "
                                 "centre: [0, 0, -0.5], spin: [1, 0, 2]}\n"
                                 "run: {formulation: dai, integrator: rk4, step: 1 ms, until: 2}\n";
    slip_model *model = read_model("", driven, "", ";");
    slip_sim *sim = make_sim(model, NULL);
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    slip_energy e = slip_sim_energy(sim);
    assert_true(fabs(e.work) > 0.1);
    assert_near(e.numerical, 0, 1e-7);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// Kikuuwe 2008, eq (8): H u' + c = tau with the closed form of two slender rods
static void the_two_link_arm(void **state)
{
    (void)state;
    scene s = scene_of(read_with(NULL, "models/kikuuwe/two-link-bodies.yaml", NULL, 0));
    const double m = 0.5, l = 0.3, C = m * l * l / 2;
    double q[2], u[2], a[2], M = m * l * l;
    unsigned long long seed = 1;
    for (int trial = 0; trial < 200; trial++) {
        for (int k = 0; k < 2; k++) q[k] = 3 * draw(&seed), u[k] = 5 * draw(&seed);
        double t = 3 + draw(&seed), push = fmin(0.52, 0.3 * t), c = cos(q[1]), sn = sin(q[1]);
        double H00 = M * (1.0 / 3 + 1 + 1.0 / 3) + 2 * C * c, H01 = M / 3 + C * c, H11 = M / 3;
        double f[2] = { push + C * sn * (2 * u[0] * u[1] + u[1] * u[1]), push - C * sn * u[0] * u[0] };
        double det = H00 * H11 - H01 * H01,
               right[2] = { (H11 * f[0] - H01 * f[1]) / det, (H00 * f[1] - H01 * f[0]) / det };
        if (t >= 4) continue;
        scene_at(&s, t, q, u);
        memcpy(a, s.terms.h, sizeof a);
        slip_system_solve(s.system, &s.terms, a);
        for (int k = 0; k < 2; k++) assert_near(a[k], right[k], 1e-12 * (1 + fabs(right[k])));
    }
    scene_end(&s);
}

// a double pendulum with a cart, in the plane and in space turned upright: the same accelerations
static void the_plane_in_space(void **state)
{
    (void)state;
    scene flat = scene_from(
        "slipstick: 1\nname: flat\ngravity: 9.81\nbodies:\n"
        "  cart: {mass: 2, joint: {prismatic: ground}}\n"
        "  a: {mass: 1, inertia: 0.1, centre: [0.3, 0.1], points: {tip: [0.7, 0]}, joint: {revolute: cart}}\n"
        "  b: {mass: 0.5, inertia: 0.2, centre: [0.2, 0], joint: {revolute: a.tip}}\n");
    scene deep =
        scene_from("slipstick: 1\nname: deep\nspace: 3\ngravity: [0, -9.81, 0]\nbodies:\n"
                   "  cart: {mass: 2, joint: {prismatic: ground}}\n"
                   "  a: {mass: 1, inertia: [0.1, 0.1, 0.1], centre: [0.3, 0.1, 0], points: {tip: [0.7, 0, "
                   "0]}, joint: {revolute: cart}}\n"
                   "  b: {mass: 0.5, inertia: 0.2, centre: [0.2, 0, 0], joint: {revolute: a.tip}}\n");
    unsigned long long seed = 5;
    for (int trial = 0; trial < 50; trial++) {
        double q[3], u[3], a[2][3];
        for (int k = 0; k < 3; k++) q[k] = 2 * draw(&seed), u[k] = 3 * draw(&seed);
        scene_at(&flat, 0, q, u);
        memcpy(a[0], flat.terms.h, sizeof a[0]);
        slip_system_solve(flat.system, &flat.terms, a[0]);
        q[2] -= q[1], u[2] -= u[1]; // in the plane angles are absolute
        scene_at(&deep, 0, q, u);
        memcpy(a[1], deep.terms.h, sizeof a[1]);
        slip_system_solve(deep.system, &deep.terms, a[1]);
        a[1][2] += a[1][1];
        for (int k = 0; k < 3; k++) assert_near(a[1][k], a[0][k], 1e-11 * (1 + fabs(a[0][k])));
    }
    scene_end(&flat);
    scene_end(&deep);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_and_rows),    cmocka_unit_test(momentum_stays),
        cmocka_unit_test(driven_bodies),      cmocka_unit_test(the_two_link_arm),
        cmocka_unit_test(the_plane_in_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
