/// transmissions.c: gears, racks and belts: ratios, efficiencies in both directions of power, stretching belts.
#include "helper.h"
#include "models.h"

typedef struct motion {
    double a, b, da, db, numerical;
} motion;

static motion run(const char *text, const char *formulation, double step, double until)
{
    slip_model *model = read_model("", text, "", ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    def.step = step;
    def.until = until;
    slip_sim *sim = make_sim(model, &def);
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    motion m = { slip_sim_get(sim, "qa"), slip_sim_get(sim, "qb"), slip_sim_get(sim, "qa'"),
                 slip_sim_get(sim, "qb'"), slip_sim_energy(sim).numerical };
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return m;
}

static const char *const exact[] = { "lcp", "gauss", "moreau" };

#define GEAR(loss, ta, tb)                                                                                   \
    "slipstick: 1\nname: g\nbodies:\n"                                                                       \
    "  a: {mass: 1, inertia: 0.01, joint: {revolute: ground}, th: {name: qa}}\n"                             \
    "  b: {mass: 1, inertia: 0.09, joint: {revolute: ground}, th: {name: qb}}\n"                             \
    "joints: {mesh: {gear: [a, b], ratio: -3" loss "}}\n"                                                    \
    "motors: {m: {turn: a, torque: " #ta "}, l: {turn: b, torque: " #tb "}}\n"

// (J_a + J_b/(i^2 x)) a = T_a + T_b/(i x), x the efficiency, its inverse where the second drives
static double acceleration(double ta, double tb, double x)
{
    return (ta - tb / (3 * x)) / (0.01 + 0.09 / (9 * x));
}

static void check_gear(const char *text, double expected)
{
    for (int k = 0; k < 3; k++) {
        const motion m = run(text, exact[k], 1e-3, 0.5);
        assert_near(m.da, 0.5 * expected, 1e-9);
        assert_near(m.a, 0.125 * expected, 1e-9);
        assert_near(m.a, -3 * m.b, 1e-9);
        assert_near(m.numerical, 0, 1e-9);
    }
}

static void efficiency_goes_with_the_power(void **state)
{
    (void)state;
    check_gear(GEAR("", 1, 1), acceleration(1, 1, 1));
    check_gear(GEAR(", efficiency: 0.8, back_efficiency: 0.75", 1, 1), acceleration(1, 1, 0.8));
    check_gear(GEAR(", efficiency: 0.8, back_efficiency: 0.75", -0.1, 1), acceleration(-0.1, 1, 1 / 0.75));
    check_gear(GEAR(", efficiency: 0.9", 1, 1), acceleration(1, 1, 0.9));
    check_gear(GEAR(", efficiency: 0.9", -1, -1), acceleration(-1, -1, 0.9));
    check_gear(GEAR(", efficiency: 0.9", 0, 1), acceleration(0, 1, 1 / 0.9));
}

// A drive that locks itself: the second cannot move the first however hard it turns, the first moves it at 0.4.
static void a_worm_locks_itself(void **state)
{
    (void)state;
    check_gear(GEAR(", efficiency: 0.4, back_efficiency: 0", 0, 100), 0);
    check_gear(GEAR(", efficiency: 0.4, back_efficiency: 0", 1, 0.3), acceleration(1, 0.3, 0.4));
}

// Willis: with the ring held, the sun turns 1 + z_ring/z_sun times as fast as the carrier
static void a_planetary_gear(void **state)
{
    (void)state;
    static const char text[] = "slipstick: 1\nname: p\nbodies:\n"
                               "  sun: {mass: 1, inertia: 0.01, joint: {revolute: ground}, th: {name: qa}}\n"
                               "  arm: {mass: 1, inertia: 0.02, joint: {revolute: ground}, th: {name: qb}}\n"
                               "joints: {mesh: {gear: [sun, ground], ratio: -3, carrier: arm}}\nmotors: {m: "
                               "{turn: sun, torque: 1}}\n";
    for (int k = 0; k < 3; k++) {
        const motion m = run(text, exact[k], 1e-3, 0.5);
        assert_near(m.a, 4 * m.b, 1e-9);
        assert_near(m.da, 0.5 / (0.01 + 0.02 / 16), 1e-9);
    }
}

// a rack falls and turns its pinion, which takes 1/e of what reaches it
static void a_rack(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: r\ngravity: 9.81\nbodies:\n"
        "  rack: {mass: 2, joint: {prismatic: ground, along: -90 deg}, s: {name: qa}}\n"
        "  pinion: {mass: 1, inertia: 0.01, joint: {revolute: ground}, th: {name: qb, start: -2}}\n"
        "joints: {mesh: {rack: [rack, pinion], pitch_radius: 0.05, offset: 10 cm, efficiency: 0.8}}\n";
    const double expected = 2 * 9.81 / (2 + 0.01 / (0.0025 * 0.8));
    for (int k = 0; k < 3; k++) {
        const motion m = run(text, exact[k], 1e-3, 0.5);
        assert_near(m.da, 0.5 * expected, 1e-9);
        assert_near(m.a, 0.05 * m.b + 0.1, 1e-9);
    }
}

#define BELT(more)                                                                                           \
    "slipstick: 1\nname: b\nbodies:\n"                                                                       \
    "  a: {mass: 1, inertia: 0.01, joint: {revolute: ground}, th: {name: qa, rate: 1}}\n"                    \
    "  b: {mass: 1, inertia: 0.04, joint: {revolute: ground}, th: {name: qb, rate: 0.5}}\n"                  \
    "joints: {belt: {belt: [a, b], first_radius: 0.1, second_radius: 0.2" more "}}\n"

// 0.1 a - 0.2 b swings with w^2 = k (0.01/0.01 + 0.04/0.04)
static void a_belt(void **state)
{
    (void)state;
    const motion tight = run(BELT(""), "lcp", 1e-3, 2);
    assert_near(tight.a, 2, 1e-9);
    assert_near(tight.b, 1, 1e-9);
    static const char stretched[] =
        "slipstick: 1\nname: b\nbodies:\n"
        "  a: {mass: 1, inertia: 0.01, joint: {revolute: ground}, th: {name: qa, start: 0.1}}\n"
        "  b: {mass: 1, inertia: 0.04, joint: {revolute: ground}, th: {name: qb, start: -0.05}}\n"
        "joints: {belt: {belt: [a, b], first_radius: 0.1, second_radius: 0.2, stiffness: 200}}\n";
    static const char *const all[] = { "lcp", "dai", "kelvin-voigt" };
    for (int k = 0; k < 3; k++) {
        const motion m = run(stretched, all[k], 1e-4, 0.7);
        assert_near(0.1 * m.a - 0.2 * m.b, 0.02 * cos(20 * 0.7), 1e-6);
        assert_near(0.01 * m.da * 2 + 0.04 * m.db, 0, 1e-8); // J w/r: the belt pulls both alike
    }
}

#define FREEWHEEL(capacity, torque)                                                                          \
    "slipstick: 1\nname: f\nbodies:\n"                                                                       \
    "  a: {mass: 1, inertia: 1, joint: {revolute: ground}, th: {name: qa}}\n"                                \
    "  b: {mass: 1, inertia: 1, joint: {revolute: ground}, th: {name: qb}}\n"                                \
    "joints: {hub: {freewheel: [a, b], capacity: " #capacity "}}\nmotors: {m: {turn: b, torque: " #torque    \
    "}}\n"

// Driven forwards both turn together, up to the capacity; backwards the first stays where it is.
static void a_freewheel(void **state)
{
    (void)state;
    static const char *const all[] = { "lcp", "gauss", "moreau", "dai", "kelvin-voigt", "modular", "auto" };
    for (int k = 0; k < 7; k++) {
        const double within = k < 3 ? 1e-9 : 1e-3; // compliant ones give way
        const motion driven = run(FREEWHEEL(2, 1), all[k], 1e-3, 1),
                     back = run(FREEWHEEL(2, -1), all[k], 1e-3, 1),
                     beyond = run(FREEWHEEL(2, 10), all[k], 1e-3, 1);
        assert_near(driven.da, 0.5, within);
        assert_near(driven.db, 0.5, within);
        assert_near(back.da, 0, within);
        assert_near(back.db, -1, within);
        assert_near(beyond.da, 2, within);
        assert_near(beyond.db, 8, within);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(efficiency_goes_with_the_power),
        cmocka_unit_test(a_worm_locks_itself),
        cmocka_unit_test(a_planetary_gear),
        cmocka_unit_test(a_rack),
        cmocka_unit_test(a_belt),
        cmocka_unit_test(a_freewheel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
