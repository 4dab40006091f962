/// joints.c: one mechanism three ways: joints of the tree, joints as constraints, joints as springs.
#include "helper.h"

typedef struct answer {
    double x, y, z, energy;
} answer;

static answer run(const char *text, const char *formulation, double step, double until, const char *body)
{
    slip_model *model = read_model("", text, "", ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    def.step = step;
    def.until = until;
    slip_sim *sim = make_sim(model, &def);
    slip_run_outcome outcome;
    while ((outcome = slip_sim_step(sim)) == SLIP_RUNNING) {}
    assert_int_equal(outcome, SLIP_DONE);
    char name[3][40];
    for (int k = 0; k < 3; k++) snprintf(name[k], sizeof name[k], "%s%c", body, "xyz"[k]);
    slip_energy e = slip_sim_energy(sim);
    answer a = { slip_sim_get(sim, name[0]), slip_sim_get(sim, name[1]), slip_sim_get(sim, name[2]),
                 e.kinetic + e.potential - e.start };
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return a;
}

static void assert_same(answer a, answer b, double within)
{
    assert_near(a.x, b.x, within);
    assert_near(a.y, b.y, within);
    assert_near(a.z, b.z, within);
}

#define HEAD                                                                                                 \
    "slipstick: 1\nname: joint\nspace: 3\ngravity: 9.81\nrecord: {cx: rod.centre.x, cy: rod.centre.y, cz: "  \
    "rod.centre.z}\n"
#define ROD  "mass: 1.5, inertia: [0.02, 0.1, 0.11], "
#define FREE "bodies: {rod: {" ROD "x: {start: 0.5}, points: {end: [-0.5, 0, 0]}}}\n"
#define FREE_SPIN                                                                                            \
    "bodies: {rod: {" ROD "x: {start: 0.5}, y: {rate: 0.5}, spin: [0, 0, 1], points: {end: [-0.5, 0, "       \
    "0]}}}\n"

static void a_hinge(void **state)
{
    (void)state;
    static const char tree[] =
        HEAD "bodies: {rod: {" ROD "centre: [0.5, 0, 0], joint: {revolute: ground, axis: [0, 1, 0.5]}}}\n";
    static const char held[] = HEAD FREE "joints: {j: {revolute: [rod.end, ground], axis: [0, 1, 0.5]}}\n";
    static const char soft[] = HEAD FREE "joints: {j: {revolute: [rod.end, ground], axis: [0, 1, 0.5], "
                                         "stiffness: 1e7, damping: 300, stiffness_r: 1e6, damping_r: 30}}\n";
    answer right = run(tree, "dai", 1e-4, 1, "c");
    assert_near(right.energy, 0, 1e-9);
    assert_same(run(held, "moreau", 2e-5, 1, "c"), right, 2e-4);
    assert_same(run(held, "lcp", 1e-3, 1, "c"), right, 1e-5);
    assert_same(run(held, "gauss", 1e-3, 1, "c"), right, 1e-5);
    assert_same(run(soft, "dai", 1e-5, 1, "c"), right, 5e-5);
}

static void a_ball_joint(void **state)
{
    (void)state;
    static const char tree[] =
        HEAD "bodies: {rod: {" ROD "centre: [0.5, 0, 0], joint: {spherical: ground}, spin: [0, 0, 1]}}\n";
    static const char held[] = HEAD FREE_SPIN "joints: {j: {spherical: [rod.end, ground]}}\n";
    static const char soft[] =
        HEAD FREE_SPIN "joints: {j: {spherical: [rod.end, ground], stiffness: 1e7, damping: 300}}\n";
    answer right = run(tree, "dai", 1e-4, 1, "c");
    assert_near(right.energy, 0, 1e-9);
    assert_same(run(held, "moreau", 2e-5, 1, "c"), right, 5e-4);
    assert_same(run(held, "lcp", 1e-3, 1, "c"), right, 1e-5);
    assert_same(run(soft, "kelvin-voigt", 1e-5, 1, "c"), right, 5e-5);
}

// down a slope of 30 degrees: g sin(30 deg) t^2/2
static void a_slide(void **state)
{
    (void)state;
    static const char tree[] =
        HEAD "bodies: {rod: {" ROD "joint: {prismatic: ground, along: [cos(30 deg), 0, -sin(30 deg)]}}}\n";
    static const char held[] =
        HEAD "bodies: {rod: {" ROD
             "}}\njoints: {j: {prismatic: [rod, ground], along: [cos(30 deg), 0, -sin(30 deg)]}}\n";
    static const char soft[] = HEAD
        "bodies: {rod: {" ROD "}}\njoints: {j: {prismatic: [rod, ground], along: [cos(30 deg), 0, -sin(30 "
        "deg)], stiffness: 1e6, damping: 1e3, stiffness_r: 1e5, damping_r: 100}}\n";
    const double s = 0.25 * 9.81 * 0.25;
    const answer right = { .x = s * cos(acos(-1.0) / 6), .z = -0.5 * s };
    assert_same(run(tree, "dai", 1e-3, 0.5, "c"), right, 1e-12);
    assert_same(run(held, "moreau", 1e-3, 0.5, "c"), right, 1e-12);
    assert_same(run(held, "lcp", 1e-3, 0.5, "c"), right, 1e-9);
    assert_same(run(soft, "dai", 1e-5, 0.5, "c"), right, 5e-5);
}

static void a_weld(void **state)
{
    (void)state;
    static const char held[] =
        HEAD "bodies: {ground: {points: {p: [1, 0, 0]}}, rod: {" ROD
             "attitude: {axis: [1, 1, 0], angle: 50 deg}, x: {start: 1}}}\n"
             "joints: {j: {weld: [rod.centre, ground.p], attitude: {axis: [1, 1, 0], angle: 50 deg}}}\n";
    // rounding of 500 steps, each of which moves the body back onto its constraints
    assert_same(run(held, "moreau", 1e-3, 0.5, "c"), (answer){ .x = 1 }, 5e-12);
    assert_same(run(held, "lcp", 1e-3, 0.5, "c"), (answer){ .x = 1 }, 1e-9);
}

// A shaft that turns in a sleeve and slides down in it: th = w t, s = -g cos(40 deg) t^2/2.
static void a_sleeve(void **state)
{
    (void)state;
    static const char tree[] =
        HEAD "bodies: {rod: {" ROD
             "joint: {cylindrical: ground, axis: [0, sin(40 deg), cos(40 deg)]}, th: {rate: 3}}}\n";
    static const char held[] =
        HEAD "bodies: {rod: {" ROD "spin: [0, 3*sin(40 deg), 3*cos(40 deg)]}}\n"
             "joints: {j: {cylindrical: [rod, ground], axis: [0, sin(40 deg), cos(40 deg)]}}\n";
    const double c = cos(acos(-1.0) / 4.5), s = -9.81 * c * 0.125;
    const answer right = { .y = s * sqrt(1 - c * c), .z = s * c };
    assert_same(run(tree, "dai", 1e-3, 0.5, "c"), right, 1e-10);
    assert_same(run(tree, "lcp", 1e-3, 0.5, "c"), right, 1e-9);
    assert_same(run(held, "moreau", 1e-4, 0.5, "c"), right, 1e-5);
    assert_same(run(held, "gauss", 1e-3, 0.5, "c"), right, 1e-6);
}

// (J + m p^2) th'' = -m g p with p = lead/(2 pi): the weight turns the nut, and no energy is lost.
static void a_nut_on_its_thread(void **state)
{
    (void)state;
    static const char tree[] =
        HEAD "bodies: {rod: {" ROD "joint: {screw: ground, axis: [0, 0, 1], lead: -20 cm}}}\n";
    static const char *const all[] = { "dai", "lcp", "gauss", "moreau", "kelvin-voigt" };
    const double p = -0.2 / (2 * acos(-1.0)), rate = -1.5 * 9.81 * p / (0.11 + 1.5 * p * p);
    for (int k = 0; k < 5; k++) {
        const answer a = run(tree, all[k], 1e-3, 0.5, "c");
        assert_same(a, (answer){ .z = p * rate * 0.125 }, 1e-9);
        assert_near(a.energy, 0, 1e-9);
    }
}

// A plate that slides on a slope of 30 degrees and turns: in the plane it falls as a point does.
static void a_plate_in_its_plane(void **state)
{
    (void)state;
    static const char held[] = HEAD
        "bodies: {rod: {" ROD
        "attitude: {axis: [0, 1, 0], angle: 30 deg}, y: {rate: 0.4}, spin: [sin(30 deg), 0, cos(30 deg)]}}\n"
        "joints: {j: {planar: [rod, ground], axis: [sin(30 deg), 0, cos(30 deg)], own_axis: [0, 0, 1]}}\n";
    const double s = 0.5 * 9.81 * 0.125;
    const answer right = { .x = s * cos(acos(-1.0) / 6), .y = 0.2, .z = -0.5 * s };
    assert_same(run(held, "moreau", 1e-4, 0.5, "c"), right, 1e-5);
    assert_same(run(held, "lcp", 1e-3, 0.5, "c"), right, 1e-6);
}

// Two shafts at an angle b: tan(out) = tan(in)/cos(b), and with it the speed, Cardan's error.
static void a_cardan_joint(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: c\nspace: 3\nparameters: {b: 40 deg}\nbodies:\n"
        "  in: {mass: 1, inertia: 0.01, joint: {revolute: ground, axis: [1, 0, 0]}, th: {name: p, rate: "
        "10}}\n"
        "  out: {mass: 1, inertia: 0.02, attitude: {axis: [0, 0, 1], angle: b},\n"
        "    joint: {revolute: ground, axis: [cos(b), sin(b), 0]}, th: {name: q, rate: 10/cos(b)}}\n"
        "joints: {cross: {universal: [out, in], axis: [0, 1, 0], own_axis: [0, 0, 1]}}\n";
    static const char *const all[] = { "lcp", "gauss", "moreau" };
    const double c = cos(40 * acos(-1.0) / 180);
    for (int k = 0; k < 3; k++) {
        slip_model *model = read_model("", text, "", ";");
        slip_sim_def def = slip_default_sim_def();
        def.formulation = all[k];
        def.step = 1e-3;
        def.until = 0.5;
        slip_sim *sim = make_sim(model, &def);
        double start = slip_sim_energy(sim).start, error = 0, speed = 0;
        while (slip_sim_step(sim) == SLIP_RUNNING) {
            const double p = slip_sim_get(sim, "p"), q = slip_sim_get(sim, "q");
            const double ratio = c / (1 - (1 - c * c) * cos(p) * cos(p));
            error = fmax(error, fabs(sin(q) * cos(p) * c - cos(q) * sin(p)));
            speed = fmax(speed, fabs(slip_sim_get(sim, "q'") - ratio * slip_sim_get(sim, "p'")));
        }
        slip_energy e = slip_sim_energy(sim);
        assert_near(error, 0, 1e-8);
        assert_near(speed, 0, k < 2 ? 1e-6 : 0.05); // moreau holds its rates at the midpoint of a step
        assert_near(e.kinetic + e.potential, start, (k < 2 ? 1e-6 : 1e-2) * start);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

/// The four-bar of models/spatial/rssr: psi is a function of th in closed form.
static void a_loop_in_space(void **state)
{
    (void)state;
    slip_model *model = read_model("spatial", "rssr", "", ";");
    slip_sim *sim = make_sim(model, NULL);
    double start = slip_sim_energy(sim).start, range[2] = { INFINITY, -INFINITY };
    while (slip_sim_step(sim) == SLIP_RUNNING) {
        double th = slip_sim_get(sim, "th"), psi = slip_sim_get(sim, "psi");
        double x = 0.1 * cos(th) - 0.3 - 0.25 * cos(psi), y = 0.1 * sin(th), z = 0.1 - 0.25 * sin(psi);
        assert_near(x * x + y * y + z * z, 0.35 * 0.35, 1e-12);
        range[0] = fmin(range[0], slip_sim_get(sim, "th'"));
        range[1] = fmax(range[1], slip_sim_get(sim, "th'"));
    }
    slip_energy e = slip_sim_energy(sim);
    assert_near(e.kinetic + e.potential, start, 1e-3 * start);
    assert_true(range[1] - range[0] > 0.5);
    double th = slip_sim_get(sim, "th");
    slip_sim_destroy(sim);
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "gauss";
    sim = make_sim(model, &def);
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    assert_near(slip_sim_get(sim, "th"), th, 2e-3);
    assert_near(slip_sim_energy(sim).numerical, 0, 1e-5 * start);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

/// The same with its rod as a body between two ball joints, 1 + 1 + 4 coordinates and three constraints: a
/// rod of little mass changes the motion by little.
static void a_loop_with_its_rod(void **state)
{
    (void)state;
    slip_model *model = read_model("spatial", "rssr", "", ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "gauss";
    def.until = 1;
    slip_sim *sim = make_sim(model, &def);
    const double th0 = slip_sim_get(sim, "th"), psi0 = slip_sim_get(sim, "psi"),
                 rate = slip_sim_get(sim, "psi'");
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    const double right = slip_sim_get(sim, "th");
    slip_sim_destroy(sim);
    slip_model_destroy(model);

    // the rod's z axis from the crank to the rocker; its spin carries its end along
    double d[3] = { 0.3 + 0.25 * cos(psi0) - 0.1 * cos(th0), -0.1 * sin(th0), 0.1 - 0.25 * sin(psi0) }, w[3],
           local[3];
    double v[3] = { -0.25 * sin(psi0) * rate + 0.4 * sin(th0), -0.4 * cos(th0), -0.25 * cos(psi0) * rate };
    for (int k = 0; k < 3; k++) d[k] /= 0.35, v[k] /= 0.35;
    cross(d, v, w);
    const double crank[4] = { cos(0.5 * th0), 0, 0,
                              -sin(0.5 * th0) }; // the rod hangs on the crank, which turns too
    double relative[3];
    rotate(crank, d, local);
    w[2] -= 4;
    rotate(crank, w, relative);
    char text[3000];
    snprintf(
        text, sizeof text,
        "slipstick: 1\nname: loop\nspace: 3\nbodies:\n"
        "  ground: {points: {pivot: [0.3, 0, 0.1]}}\n"
        "  crank: {mass: 0.2, inertia: [1e-5, 2e-4, 2e-4], centre: [0.05, 0, 0], points: {tip: [0.1, 0, 0]}, "
        "joint: {revolute: ground}, th: {name: th, start: 0.3, rate: 4}}\n"
        "  rocker: {mass: 0.3, inertia: [1e-5, 1e-3, 1e-3], centre: [0.125, 0, 0], points: {tip: [0.25, 0, "
        "0]}, joint: {revolute: ground.pivot, axis: [0, 1, 0]}, th: {name: psi, start: %.17g, rate: %.17g}}\n"
        "  rod: {mass: 1e-6, inertia: [1e-8, 1e-8, 1e-9], joint: {spherical: crank.tip}, centre: [0, 0, "
        "0.175], points: {end: [0, 0, 0.35]}, attitude: [%.17g, %.17g, %.17g, 0], spin: [%.17g, %.17g, "
        "%.17g]}\n"
        "joints: {ball: {spherical: [rod.end, rocker.tip]}}\nrun: {formulation: gauss, until: 1}\n",
        psi0, rate, 1 + local[2], -local[1], local[0], relative[0], relative[1], relative[2]);
    model = read_model("", text, "", ";");
    assert_int_equal(slip_model_coordinate_count(model), 6);
    for (int k = 0; k < 2; k++) {
        def.formulation = k ? "moreau" : "gauss";
        def.step = 1e-4;
        sim = make_sim(model, &def);
        while (slip_sim_step(sim) == SLIP_RUNNING) {}
        assert_near(slip_sim_get(sim, "th"), right, k ? 1e-3 : 1e-4);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

// four hinges with parallel axes in space: three of the five constraints of the last one say nothing new
static void a_redundant_loop(void **state)
{
    (void)state;
    static const char flat[] =
        "slipstick: 1\nname: flat\ngravity: 9.81\nbodies:\n"
        "  ground: {points: {O: [0.4, 0]}}\n"
        "  a: {mass: 1, inertia: 0.01, centre: [0.1, 0], points: {tip: [0.2, 0]}, joint: {revolute: ground}, "
        "th: {start: 80 deg}}\n"
        "  b: {mass: 1, inertia: 0.02, centre: [0.2, 0], points: {tip: [0.4, 0]}, joint: {revolute: a.tip}, "
        "th: {guess: 0}}\n"
        "  c: {mass: 1, inertia: 0.01, centre: [0.1, 0], points: {tip: [0.25, 0]}, joint: {revolute: "
        "ground.O}, th: {guess: 80 deg}}\n"
        "joints: {pin: {revolute: [b.tip, c.tip]}}\nrecord: {cx: a.tip.x, cy: a.tip.y, cz: 0}\n";
    static const char deep[] =
        "slipstick: 1\nname: deep\nspace: 3\ngravity: [0, -9.81, 0]\nbodies:\n"
        "  ground: {points: {O: [0.4, 0, 0]}}\n"
        "  a: {mass: 1, inertia: 0.01, centre: [0.1, 0, 0], points: {tip: [0.2, 0, 0]}, joint: {revolute: "
        "ground}, th: {start: 80 deg}}\n"
        "  b: {mass: 1, inertia: 0.02, centre: [0.2, 0, 0], points: {tip: [0.4, 0, 0]}, joint: {revolute: "
        "a.tip}, th: {guess: -80 deg}}\n"
        "  c: {mass: 1, inertia: 0.01, centre: [0.1, 0, 0], points: {tip: [0.25, 0, 0]}, joint: {revolute: "
        "ground.O}, th: {guess: 80 deg}}\n"
        "joints: {pin: {revolute: [b.tip, c.tip]}}\nrecord: {cx: a.tip.x, cy: a.tip.y, cz: a.tip.z}\n";
    // internal steps of moreau follow the coordinates, which differ: the same to the tolerance of a run
    assert_same(run(deep, "moreau", 1e-3, 0.3, "c"), run(flat, "moreau", 1e-3, 0.3, "c"), 1e-6);
    assert_same(run(deep, "gauss", 1e-3, 0.3, "c"), run(flat, "gauss", 1e-3, 0.3, "c"), 1e-6);
    assert_same(run(deep, "lcp", 1e-3, 0.3, "c"), run(flat, "lcp", 1e-3, 0.3, "c"), 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hinge),
        cmocka_unit_test(a_ball_joint),
        cmocka_unit_test(a_slide),
        cmocka_unit_test(a_sleeve),
        cmocka_unit_test(a_nut_on_its_thread),
        cmocka_unit_test(a_plate_in_its_plane),
        cmocka_unit_test(a_cardan_joint),
        cmocka_unit_test(a_weld),
        cmocka_unit_test(a_loop_in_space),
        cmocka_unit_test(a_loop_with_its_rod),
        cmocka_unit_test(a_redundant_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
