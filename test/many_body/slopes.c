/// slopes.c: where heaps and stacks begin to move, against closed forms; what is steeper with more friction.
#include "crowds.h"

#include <math.h>

#define G 9.81

// gravity is turned by alpha instead of the floor; boxes of 0.2 x 0.2 x 0.1
static const char STACK[] =
    "slipstick: 1\nname: stack on a slope\nspace: 3\nparameters: {slope: 0.3, mu: 0.3, n: 4}\n"
    "gravity: [9.81*sin(atan(slope)), 0, -9.81*cos(atan(slope))]\n"
    "bodies: {ground: {shape: {plane: [0, 0, 0]}}}\n"
    "repeat:\n"
    "  for: {i: 1..n}\n"
    "  bodies:\n"
    "    box(i): {mass: 1, inertia: [4.1e-3, 4.1e-3, 6.7e-3], shape: {box: [0.2, 0.2, 0.1]}, z: 0.1*i - "
    "0.05}\n"
    "contacts: {c: {detect: [box*, ground], friction: mu}}\n";

// A stack slides where tan(alpha) > mu, as one, by g (sin(alpha) - mu cos(alpha)); else it stays to the last
// bit
static void slides(void **state)
{
    (void)state;
    static const double part[] = { 0.999, 1.001, 1.5 };
    for (int k = 0; k < 3; k++) {
        const double mu = 0.3, alpha = atan(part[k] * mu), t = 0.3;
        char sets[80];
        slip_model *model;
        snprintf(sets, sizeof sets, "mu=%.17g;slope=%.17g", mu, part[k] * mu);
        slip_sim *sim = start_crowd(&model, "", STACK, sets, 1e-3, t);
        run_to_end(sim);
        const double a = fmax(0.0, G * (sin(alpha) - mu * cos(alpha)));
        for (int i = 1; i <= 4; i++) {
            char name[20];
            snprintf(name, sizeof name, "box%d.x", i);
            // what holds is held from the first steps on; the length of a step is all that is lost of a slide
            assert_near(slip_sim_get(sim, name), 0.5 * a * t * t, k ? 1e-6 : 1e-12);
        }
        finish(sim, model);
    }
}

// With friction enough to stay, a stack of height h on a base of width w tips about its lower edge where
// tan(alpha) > w/h: here as four loose boxes, whose uppermost interfaces are shorter levers and hold longer
static void tips(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const double limit = 0.2 / 0.4;
        char sets[80];
        slip_model *model;
        snprintf(sets, sizeof sets, "mu=2;slope=%.17g", limit * (k ? 1.02 : 0.98));
        slip_sim *sim = start_crowd(&model, "", STACK, sets, 1e-3, 0.6);
        run_to_end(sim);
        if (k)
            assert_true(slip_sim_get(sim, "box4.x") > 1e-3);
        else
            assert_near(slip_sim_get(sim, "box4.x"), 0.0, 1e-9);
        finish(sim, model);
    }
}

// Three discs, one on two that touch: with W the weight of each, forces at the upper contacts are along lines
// to the lowest points of the lower discs, 15 degrees off the lines of centres; so N = W/2 and F = tan(15
// deg) W/2 there, and at the floor N = 3 W/2 and the same F: it stands for mu >= 2 - sqrt(3) between discs
// and a third of that on the floor
static const char DISCS[] =
    "slipstick: 1\nname: three discs\ngravity: 9.81\nparameters: {r: 0.1, mu: 1, base: 1}\n"
    "materials: {wood: {wood: {friction: mu}, stone: {friction: base}}, stone: {}}\n"
    "bodies:\n"
    "  ground: {material: stone, shape: {line: [0, 0]}}\n"
    "  left: {material: wood, mass: 1, inertia: 5e-3, shape: {circle: r}, x: -r, y: r}\n"
    "  right: {material: wood, mass: 1, inertia: 5e-3, shape: {circle: r}, x: r, y: r}\n"
    "  top: {material: wood, mass: 1, inertia: 5e-3, shape: {circle: r}, y: r + r*sqrt(3)}\n"
    "contacts: {c: {detect: [left, right, top, ground], friction: 0}}\n";

static void three_discs(void **state)
{
    (void)state;
    const double limit = 2.0 - sqrt(3.0);
    for (int k = 0; k < 4; k++) {
        const double factor = k % 2 ? 1.001 : 0.999;
        char sets[80];
        slip_model *model;
        if (k < 2)
            snprintf(sets, sizeof sets, "mu=%.17g", factor * limit);
        else
            snprintf(sets, sizeof sets, "base=%.17g", factor * limit / 3.0);
        slip_sim *sim = start_crowd(&model, "", DISCS, sets, 1e-3, 1.0);
        run_to_end(sim);
        const double down = 0.1 + 0.1 * sqrt(3.0) - slip_sim_get(sim, "top.y");
        if (k % 2)
            assert_near(down, 0.0, 1e-9);
        else
            assert_true(down > 1e-3);
        finish(sim, model);
    }
}

// A column of discs that collapses on a row of knobs
static const char COLUMN[] =
    "slipstick: 1\nname: column\ngravity: 9.81\nparameters: {n: 50, mu: 0.3}\n"
    "bodies: {ground: {}}\n"
    "repeat:\n"
    "  for: {i: 0..100}\n"
    "  bodies: {ground: {shapes: {knob(i): {circle: 0.02, at: [0.04*(i - 50), -0.02]}}}}\n"
    "fill:\n"
    "  disc: {count: n, region: [[-0.1, 0.01], [0.1, 0.75]], mass: 4000*(0.016 + 8e-5*i)^2,\n"
    "    inertia: 2000*(0.016 + 8e-5*i)^4, shape: {circle: 0.016 + 8e-5*i}}\n"
    "contacts: {c: {detect: [disc*, ground], friction: mu}}\n"
    "record: {mean: \"sum(i=1..n, disc(i).y)/n\", wide: \"sqrt(sum(i=1..n, disc(i).x^2)/n)\"}\n";

// no step missed the tolerance of its contacts
static bool is_exact(const slip_sim *sim)
{
    bool exact = true;
    const slip_warning *w;
    for (int k = 0; (w = slip_sim_warning_at(sim, k)) != NULL; k++)
        exact = exact && w->kind != SLIP_WARNING_STEP_TOO_LONG;
    return exact;
}

// A triangle of height H and half width B has its mean height at H/3 and B/sqrt(6) as the root mean square of
// x: its slope from those of the bodies. Discs roll, so slopes are gentle; they grow with friction, and are
// nearly as steep with 0.1 as with much more. While friction is weak no step misses the tolerance
static void heaps(void **state)
{
    (void)state;
    enum { SEEDS = 3 };
    static const double mu[] = { 0.02, 0.1, 0.6 };
    double first = 0.0;
    for (int k = 0; k < 3; k++) {
        double slope = 0.0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            char sets[80];
            slip_model *model;
            snprintf(sets, sizeof sets, "mu=%g;fill.disc.seed=%d", mu[k], seed);
            slip_sim *sim = start_crowd(&model, "", COLUMN, sets, 2e-3, 1.5);
            run_to_end(sim);
            assert_true(mu[k] > 0.1 || is_exact(sim));
            slope += 3.0 * slip_sim_get(sim, "mean") / (sqrt(6.0) * slip_sim_get(sim, "wide")) / SEEDS;
            finish(sim, model);
        }
        assert_true(slope > 1.15 * first);
        if (k == 0) first = slope;
    }
}

// Balls that jam between the walls of a narrow box, each held by three others and a wall or two. Forces are
// hundreds of times the weight of a ball, and most contacts are redundant. Of 2100 steps two may miss the
// tolerance, and these by little
static const char BOX[] =
    "slipstick: 1\nname: balls in a narrow box\nspace: 3\ngravity: 9.81\nparameters: {mu: 0.5, r: 1 cm}\n"
    "bodies:\n"
    "  ground:\n"
    "    shapes:\n"
    "      floor: {plane: [0, 0, 0]}\n"
    "      left: {plane: [-0.03, 0, 0], normal: [1, 0, 0]}\n"
    "      right: {plane: [0.03, 0, 0], normal: [-1, 0, 0]}\n"
    "      front: {plane: [0, -0.03, 0], normal: [0, 1, 0]}\n"
    "      back: {plane: [0, 0.03, 0], normal: [0, -1, 0]}\n"
    "fill:\n"
    "  ball: {count: 40, seed: 1, region: [[-0.03, -0.03, 0], [0.03, 0.03, 0.3]], mass: 10 g,\n"
    "    inertia: 0.004*r^2, shape: {sphere: r}}\n"
    "contacts: {pile: {detect: [ball*, ground], friction: mu}}\n";

static void jams(void **state)
{
    (void)state;
    enum { SEEDS = 3 };
    static const double mu[] = { 0.5, 1.0 };
    double missed = 0.0;
    for (int k = 0; k < 2 * SEEDS; k++) {
        char sets[80];
        slip_model *model;
        snprintf(sets, sizeof sets, "mu=%g;fill.ball.seed=%d", mu[k % 2], 1 + k / 2);
        slip_sim *sim = start_crowd(&model, "", BOX, sets, 1e-3, 0.35);
        run_to_end(sim);
        missed += measure(sim, "steps_over_tolerance");
        assert_true(measure(sim, "residual") < 1e-5);
        finish(sim, model);
    }
    assert_true(missed <= 2.0);
}

// A ball falls into a wedge of half angle a and strikes both walls at once. Sliding up it would get r_N
// (sin(a) - mu cos(a)) from each: nothing upwards for mu > tan(a), so Newton's law has no solution, and the
// ball stops. Below, it rebounds: u_N = e u_N- at both walls, so its speed is e times that of its fall
static const char WEDGE[] =
    "slipstick: 1\nname: a ball in a wedge\nspace: 3\ngravity: 9.81\nparameters: {mu: 1, r: 0.1}\n"
    "bodies:\n"
    "  ground:\n"
    "    shapes:\n"
    "      left: {plane: [0, 0, 0], normal: [sqrt(3)/2, 0, 0.5]}\n"
    "      right: {plane: [0, 0, 0], normal: [-sqrt(3)/2, 0, 0.5]}\n"
    "  ball: {mass: 1, inertia: 0.4*r^2, shape: {sphere: r}, z: 2*r + 0.05}\n"
    "contacts: {c: {detect: [ball, ground], friction: mu, restitution: 0.5}}\n";

static void wedge(void **state)
{
    (void)state;
    static const double mu[] = { 0.5, 0.6 }; // tan(30 degrees) = 0.577
    for (int k = 0; k < 2; k++) {
        char sets[80];
        slip_model *model;
        double before = 0.0, after = 0.0, last = 0.0;
        snprintf(sets, sizeof sets, "mu=%g", mu[k]);
        slip_sim *sim = start_crowd(&model, "", WEDGE, sets, 1e-3, 0.13);
        while (slip_sim_step(sim) == SLIP_RUNNING) {
            const double v = slip_sim_get(sim, "ball.z'");
            if (last < 0.0 && v > last + 0.1) before = last, after = v;
            last = v;
        }
        assert_near(slip_sim_time(sim), 0.13, 1e-12);
        assert_near(before, -sqrt(2.0 * G * 0.05), 0.02); // a step or two of fall
        assert_near(after, k ? 0.0 : -0.5 * before, 1e-9);
        const slip_warning *w;
        bool told = false;
        for (int i = 0; (w = slip_sim_warning_at(sim, i)) != NULL; i++)
            told = told || w->kind == SLIP_WARNING_RESTITUTION;
        assert_int_equal(told, k);
        finish(sim, model);
    }
}

// Two fingers with round tips press on a wrench with F each, at its middle: it stays while 2 mu F >= m g, to
// the last bit from the first steps on, and else falls by g - 2 mu F/m
static const char WRENCH[] =
    "slipstick: 1\nname: a wrench between fingers\nspace: 3\ngravity: 9.81\nparameters: {F: 8, mu: 0.4, m: "
    "0.3}\n"
    "bodies:\n"
    "  ground: {}\n"
    "  left: {mass: 0.1, joint: {prismatic: ground}, s: -3/128, shape: {sphere: 1/128}}\n"
    "  right: {mass: 0.1, joint: {prismatic: ground}, s: 3/128, shape: {sphere: 1/128}}\n"
    "  wrench:\n"
    "    mass: m\n"
    "    inertia: [1.1e-3, 1.1e-3, 2e-5]\n"
    "    shapes:\n"
    "      handle: {box: [1/32, 0.02, 0.16]}\n"
    "      head: {hull: [[0.03, 0.01, 0.05], [-0.03, 0.01, 0.05], [0.03, -0.01, 0.05], [-0.03, -0.01, 0.05], "
    "[0, 0.01, "
    "0.09], [0, -0.01, 0.09]]}\n"
    "forces: {left.s: F, right.s: -F}\n"
    "contacts: {grip: {detect: [left, right, wrench], friction: mu}}\n";

static void wrench(void **state)
{
    (void)state;
    static const double part[] = { 1.001, 0.999, 0.7 };
    for (int k = 0; k < 3; k++) {
        const double mu = 0.4, m = 0.3, F = part[k] * m * G / (2.0 * mu), t = 0.1;
        char sets[80];
        slip_model *model;
        snprintf(sets, sizeof sets, "F=%.17g", F);
        slip_sim *sim = start_crowd(&model, "", WRENCH, sets, 1e-3, t);
        run_to_end(sim);
        const double a = fmax(0.0, G - 2.0 * mu * F / m);
        assert_near(slip_sim_get(sim, "wrench.z"), -0.5 * a * t * t, k ? 1e-8 : 0.0);
        assert_near(slip_sim_get(sim, "wrench.x"), 0.0, 1e-9); // the tolerance of a step, for 0.1 s
        finish(sim, model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slides), cmocka_unit_test(tips), cmocka_unit_test(three_discs),
        cmocka_unit_test(heaps),  cmocka_unit_test(jams), cmocka_unit_test(wedge),
        cmocka_unit_test(wrench),
    };
    return cmocka_run_group_tests_name("crowd.slopes", tests, NULL, NULL);
}
