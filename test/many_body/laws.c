/// laws.c: what materials say beside one coefficient of friction, against closed forms.
#include "crowds.h"

#include <math.h>

#define G 9.81

// gravity is turned by alpha instead of the floor
#define SLOPE "parameters: {slope: 0.4, v: 0}\ngravity: [9.81*sin(atan(slope)), 0, -9.81*cos(atan(slope))]\n"
#define PLANE "parameters: {slope: 0.4, v: 0}\ngravity: [9.81*sin(atan(slope)), -9.81*cos(atan(slope))]\n"

// ------------------------------------------------------------------------------------ friction at rest

static const double SLIDING = 0.3, AT_REST = 0.5;

static const char *const blocks[] = {
    "slipstick: 1\nname: block\nspace: 3\n" SLOPE
    "materials: {wood: {stone: {friction: 0.3, static: 0.5}}, stone: {}}\n"
    "bodies:\n"
    "  ground: {material: stone, shape: {plane: [0, 0, 0]}}\n"
    "  box: {material: wood, mass: 1, inertia: [4.1e-3, 4.1e-3, 6.7e-3], shape: {box: [0.2, 0.2, 0.1]},\n"
    "    z: 0.05, x: {rate: v}}\n"
    "contacts: {c: {detect: [box, ground], friction: 0.1}}\n",
    "slipstick: 1\nname: block in the plane\n" PLANE "bodies:\n"
    "  ground: {shape: {line: [0, 0]}}\n"
    "  box: {mass: 1, inertia: 4e-3, shape: {box: [0.2, 0.1]}, y: 0.05, x: {rate: v}}\n"
    "contacts: {c: {detect: [box, ground], friction: 0.3, static: 0.5}}\n",
    "slipstick: 1\nname: block on a table that formulas move\n" PLANE "bodies:\n"
    "  ground: {}\n"
    "  table: {mass: 1, inertia: 1, joint: {prismatic: ground, along: 90 deg}, shape: {line: [0, 0]}}\n"
    "  box: {mass: 1, inertia: 4e-3, shape: {box: [0.2, 0.1]}, y: 0.05, x: {rate: v}}\n"
    "forces: {table.s: 2*9.81*cos(atan(slope))}\n"
    "contacts: {c: {detect: [box, table], friction: 0.3, static: 0.5}}\n",
};
enum { BLOCKS = sizeof blocks / sizeof *blocks };

static double way_of(const char *text, double slope, double v, double t)
{
    char sets[120];
    slip_model *model;
    snprintf(sets, sizeof sets, "slope=%.17g;v=%.17g", slope, v);
    slip_sim *sim = start_crowd(&model, "", text, sets, 1e-3, t);
    run_to_end(sim);
    const double x = slip_sim_get(sim, "box.x");
    finish(sim, model);
    return x;
}

// down the slope, while it slides
static double slide_of(double slope, double mu)
{
    return G * (sin(atan(slope)) - mu * cos(atan(slope)));
}

// A block that stands holds up to tan(alpha) = mu_s, and then slides with mu_k from the first instant on
static void a_block_holds_and_lets_go(void **state)
{
    (void)state;
    const double t = 0.3;
    for (int k = 0; k < BLOCKS; k++) {
        assert_near(way_of(blocks[k], 0.999 * AT_REST, 0.0, t), 0.0, 1e-12);
        assert_near(way_of(blocks[k], 1.001 * AT_REST, 0.0, t),
                    0.5 * slide_of(1.001 * AT_REST, SLIDING) * t * t, 1e-8);
    }
}

// One that is thrown up the slope comes to rest after v^2/(2 a), a = g (sin + mu_k cos). Between the two
// coefficients it then stays; above mu_s it comes back. The step in which it stops has one velocity too many
static void a_block_that_turns_back_was_at_rest(void **state)
{
    (void)state;
    const double v = 0.5, h = 1e-3, t = 0.3;
    for (int k = 0; k < BLOCKS; k++) {
        const double up = slide_of(0.4, -SLIDING), steep = slide_of(0.6, -SLIDING), back = t - v / steep;
        assert_near(way_of(blocks[k], 0.4, -v, t), -v * v / (2.0 * up), up * h * h);
        assert_near(way_of(blocks[k], 0.6, -v, t),
                    -v * v / (2.0 * steep) + 0.5 * slide_of(0.6, SLIDING) * back * back, steep * h * t);
    }
}

// what slides stays with the friction of sliding: below mu_s, above mu_k it goes on and becomes faster
static void a_block_that_slides_goes_on(void **state)
{
    (void)state;
    const double v = 0.5, t = 0.3;
    for (int k = 0; k < BLOCKS; k++)
        assert_near(way_of(blocks[k], 0.4, v, t), v * t + 0.5 * slide_of(0.4, SLIDING) * t * t, 1e-8);
}

// Two blocks of equal weight on one another, the lower one on a floor that slips early: once the floor lets
// go the upper one is carried along, for its friction is never asked for more than mu_k of the floor
static void stacks_slide_where_they_are_weakest(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: stack\n" PLANE "materials: {wood: {wood: {friction: 0.4, static: 0.6}, ice: "
        "{friction: 0.1, static: 0.2}}, ice: {}}\n"
        "bodies:\n"
        "  ground: {material: ice, shape: {line: [0, 0]}}\n"
        "  box: {material: wood, mass: 1, inertia: 4e-3, shape: {box: [0.2, 0.1]}, y: 0.05, x: {rate: v}}\n"
        "  top: {material: wood, mass: 1, inertia: 4e-3, shape: {box: [0.2, 0.1]}, y: 0.15, x: {rate: v}}\n"
        "contacts: {c: {detect: [box, top, ground], friction: 0}}\n";
    slip_model *model;
    const double t = 0.3;
    assert_near(way_of(text, 0.199, 0.0, t), 0.0, 1e-12);
    slip_sim *sim = start_crowd(&model, "", text, "slope=0.201", 1e-3, t);
    run_to_end(sim);
    const double way = 0.5 * slide_of(0.201, 0.1) * t * t;
    assert_near(slip_sim_get(sim, "box.x"), way, 1e-7);
    assert_near(slip_sim_get(sim, "top.x"), way, 1e-7);
    finish(sim, model);
}

// ------------------------------------------------------------------------------------ rolling, drilling

static const double RESISTANCE = 0.01, RADIUS = 0.1;

// what rolls, and 1/(1 + I/(m r^2))
static const struct {
    const char *text;
    double share;
} rollers[] = {
    { "slipstick: 1\nname: ball\nspace: 3\n" SLOPE
      "materials: {wood: {stone: {friction: 0.5, rolling: 10 mm}}, stone: {}}\n"
      "bodies:\n"
      "  ground: {material: stone, shape: {plane: [0, 0, 0]}}\n"
      "  box: {material: wood, mass: 2, inertia: 0.4*2*0.1^2, shape: {sphere: 0.1}, z: 0.1,\n"
      "    x: {rate: v}, spin: [0, v/0.1, 0]}\n"
      "contacts: {c: {detect: [box, ground], friction: 0.1}}\n",
      5.0 / 7.0 },
    { "slipstick: 1\nname: disc\n" PLANE "bodies:\n"
      "  ground: {shape: {line: [0, 0]}}\n"
      "  box: {mass: 3, inertia: 0.5*3*0.1^2, shape: {circle: 0.1}, y: 0.1, x: {rate: v}, th: {rate: "
      "-v/0.1}}\n"
      "contacts: {c: {detect: [box, ground], friction: 0.5, rolling: 10 mm}}\n",
      2.0 / 3.0 },
    { "slipstick: 1\nname: disc on a slab that lies free\n" PLANE
      "materials: {wood: {stone: {friction: 0.5, rolling: 10 mm}}, stone: {}}\n"
      "bodies:\n"
      "  ground: {shape: {line: [0, -0.1]}}\n"
      "  slab: {material: stone, mass: 100, inertia: 3, shape: {box: [0.8, 0.1]}, y: -0.05}\n"
      "  box: {material: wood, mass: 1, inertia: 0.5*0.1^2, shape: {circle: 0.1}, y: 0.1, x: {rate: v}, th: "
      "{rate: -v/0.1}}\n"
      "contacts: {c: {detect: [box, slab, ground], friction: 2}}\n",
      2.0 / 3.0 },
    { "slipstick: 1\nname: ball on a slab that lies free\nspace: 3\n" SLOPE
      "materials: {wood: {stone: {friction: 0.5, rolling: 10 mm, spinning: 5 mm}}, stone: {}}\n"
      "bodies:\n"
      "  ground: {shape: {plane: [0, 0, -0.1]}}\n"
      "  slab: {material: stone, mass: 100, inertia: 6, shape: {box: [0.8, 0.4, 0.1]}, z: -0.05}\n"
      "  box: {material: wood, mass: 1, inertia: 0.4*0.1^2, shape: {sphere: 0.1}, z: 0.1,\n"
      "    x: {rate: v}, spin: [0, v/0.1, 0]}\n"
      "contacts: {c: {detect: [box, slab, ground], friction: 2}}\n",
      5.0 / 7.0 },
    { "slipstick: 1\nname: disc on a table that formulas move\n" PLANE "bodies:\n"
      "  ground: {}\n"
      "  table: {mass: 1, inertia: 1, joint: {prismatic: ground, along: 90 deg}, shape: {line: [0, 0]}}\n"
      "  box: {mass: 1, inertia: 0.5*0.1^2, shape: {circle: 0.1}, y: 0.1, x: {rate: v}, th: {rate: -v/0.1}}\n"
      "forces: {table.s: 2*9.81*cos(atan(slope))}\n"
      "contacts: {c: {detect: [box, table], friction: 0.5, rolling: 10 mm}}\n",
      2.0 / 3.0 },
};
enum { ROLLERS = sizeof rollers / sizeof *rollers };

// What is round stays on a slope up to tan(alpha) = rolling/r. Steeper, it rolls with
// g (sin - rolling/r cos)/(1 + I/(m r^2)): the couple of the resistance against that of the weight about the
// contact
static void round_bodies_stay_and_roll(void **state)
{
    (void)state;
    const double t = 0.3, limit = RESISTANCE / RADIUS;
    for (int k = 0; k < ROLLERS; k++) {
        assert_near(way_of(rollers[k].text, 0.999 * limit, 0.0, t), 0.0, 1e-10);
        for (int i = 0; i < 2; i++) {
            const double slope = limit * (i ? 1.001 : 2.0), a = rollers[k].share * slide_of(slope, limit);
            assert_near(way_of(rollers[k].text, slope, 0.0, t), 0.5 * a * t * t, 1e-7);
        }
    }
}

// on the level they come to rest after v^2/(2 a), a = g rolling/r/(1 + I/(m r^2)), and stay
static void round_bodies_come_to_rest(void **state)
{
    (void)state;
    const double v = 0.1, h = 1e-3;
    for (int k = 0; k < ROLLERS; k++) {
        const double a = rollers[k].share * G * RESISTANCE / RADIUS, stop = v / a;
        assert_near(way_of(rollers[k].text, 0.0, v, 0.5 * stop), 0.375 * v * stop, v * h);
        assert_near(way_of(rollers[k].text, 0.0, v, 2.0 * stop), 0.5 * v * stop, a * h * h);
    }
}

// as many as one likes on one body: discs side by side on a slab that lies free, and balls that drill
static void many_roll_on_one(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "slipstick: 1\nname: discs\n" PLANE "bodies:\n"
        "  ground: {shape: {line: [0, -0.1]}}\n"
        "  slab: {mass: 1000, inertia: 3000, shape: {box: [16, 0.1]}, x: 7, y: -0.05}\n"
        "repeat:\n"
        "  for: {i: 1..50}\n"
        "  bodies:\n"
        "    box(i): {mass: 1, inertia: 0.5*0.1^2, shape: {circle: 0.1}, y: 0.1, x: {start: 0.25*(i - 1), "
        "rate: v},\n"
        "      th: {rate: -v/0.1}}\n"
        "contacts: {c: {detect: [box*, slab], friction: 2, rolling: 10 mm}, d: {detect: [slab, ground], "
        "friction: 2}}\n",
        "slipstick: 1\nname: balls\nspace: 3\n" SLOPE "bodies:\n"
        "  ground: {shape: {plane: [0, 0, -0.1]}}\n"
        "  slab: {mass: 1000, inertia: 3000, shape: {box: [16, 1, 0.1]}, x: 7, z: -0.05}\n"
        "repeat:\n"
        "  for: {i: 1..50}\n"
        "  bodies:\n"
        "    box(i): {mass: 1, inertia: 0.4*0.1^2, shape: {sphere: 0.1}, z: 0.1, x: {start: 0.25*(i - 1), "
        "rate: v},\n"
        "      spin: [0, v/0.1, 0]}\n"
        "contacts: {c: {detect: [box*, slab], friction: 2, rolling: 10 mm, spinning: 5 mm}, d: {detect: "
        "[slab, "
        "ground], "
        "friction: 2}}\n",
    };
    const double t = 0.1, share[] = { 2.0 / 3.0, 5.0 / 7.0 };
    for (int k = 0; k < 2; k++) {
        slip_model *model;
        slip_sim *sim = start_crowd(&model, "", texts[k], "slope=0.2", 1e-3, t);
        run_to_end(sim);
        const double way = 0.5 * share[k] * slide_of(0.2, 0.1) * t * t;
        assert_near(slip_sim_get(sim, "box1.x"), way, 1e-7);
        assert_near(slip_sim_get(sim, "box50.x"), 0.25 * 49 + way, 1e-7);
        finish(sim, model);
    }
}

// A ball that spins about the vertical is slowed down by drilling m g/I, and by rolling resistance not at all
static void spin_is_drilled_away(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: spin\nspace: 3\ngravity: 9.81\nparameters: {d: 5 mm}\n"
        "bodies:\n"
        "  ground: {shape: {plane: [0, 0, 0]}}\n"
        "  ball: {mass: 1, inertia: 0.004, shape: {sphere: 0.1}, z: 0.1, spin: [0, 0, 10]}\n"
        "contacts: {c: {detect: [ball, ground], friction: 0.5, rolling: 5 mm, spinning: d}}\n";
    const double stop = 10.0 * 0.004 / (5e-3 * G);
    for (int k = 0; k < 3; k++) {
        slip_model *model;
        slip_sim *sim =
            start_crowd(&model, "", text, k == 2 ? "d=0" : "", stop / 1000.0, stop * (k ? 1.5 : 0.5));
        run_to_end(sim);
        assert_near(slip_sim_get(sim, "ball.wz"), k == 0 ? 5.0 : k == 1 ? 0.0 : 10.0, 1e-6);
        finish(sim, model);
    }
}

// A wheel on an axle rolls on a plank that is pressed against it with N, both on joints of their own:
// (I/r^2 + m) v' = -rolling N/r
static void machines_resist_too(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: wheel\ngravity: 9.81\n"
        "bodies:\n"
        "  ground: {}\n"
        "  wheel: {mass: 1, inertia: 0.005, joint: {revolute: ground}, th: {rate: -10}, shape: {circle: "
        "0.1}}\n"
        "  lift: {mass: 0.5, joint: {prismatic: ground, along: 90 deg}, s: -0.1}\n"
        "  plank: {mass: 0.5, joint: {prismatic: lift}, s: {rate: -1}, shape: {line: [0, 0]}}\n"
        "forces: {lift.s: 20 + 9.81}\n"
        "contacts: {c: {detect: [wheel, plank], friction: 0.5, rolling: 5 mm}}\n";
    const double t = 0.05, slower = 5e-3 * 20.0 / 0.1 / (0.005 / 0.01 + 0.5) * t;
    slip_model *model;
    slip_sim *sim = start_crowd(&model, "", text, "", 1e-3, t);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "plank.s'"), -(1.0 - slower), 1e-9);
    assert_near(slip_sim_get(sim, "wheel.th'"), -10.0 * (1.0 - slower), 1e-8);
    assert_near(slip_sim_energy(sim).numerical, 0.0, 1e-12);
    finish(sim, model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_bodies_stay_and_roll),
        cmocka_unit_test(round_bodies_come_to_rest),
        cmocka_unit_test(many_roll_on_one),
        cmocka_unit_test(spin_is_drilled_away),
        cmocka_unit_test(machines_resist_too),
        cmocka_unit_test(a_block_holds_and_lets_go),
        cmocka_unit_test(a_block_that_turns_back_was_at_rest),
        cmocka_unit_test(a_block_that_slides_goes_on),
        cmocka_unit_test(stacks_slide_where_they_are_weakest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
