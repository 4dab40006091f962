/// refine.c: steps made of internal ones, against closed forms: nothing is passed through, nothing sinks, no
/// strike is told that is none, and a step of 1 ms is enough where the motion is faster than that.
#include "helper.h"

static const double g = 9.81;
static const double pi = 3.14159265358979323846;

static void finish(slip_sim *sim, slip_model *model)
{
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

typedef struct counts {
    int impacts, contacts, releases;
    double first, last; // s, of impacts
    double released;    // s, the last time
} counts;

static void count(void *context, const slip_event *event)
{
    counts *seen = context;
    if (event->kind == SLIP_EVENT_IMPACT) {
        if (seen->impacts++ == 0) seen->first = event->t;
        seen->last = event->t;
    }
    seen->contacts += event->kind == SLIP_EVENT_CONTACT;
    if (event->kind == SLIP_EVENT_RELEASE) seen->releases++, seen->released = event->t;
}

static slip_sim *run(const slip_model *model, double step, double until, counts *seen)
{
    slip_sim *sim = simulate(model, NULL, step, until);
    *seen = (counts){ 0 };
    slip_sim_on_event(sim, count, seen);
    run_whole(sim);
    return sim;
}

// ---- nothing is passed through -----------------------------------------------------------------------

// Discs of 1 cm at 100 m/s are 10 cm further on after a step of 1 ms; equal masses exchange their velocities
static void discs_head_on(void **state)
{
    (void)state;
    for (int k = 0; k < 40; k++) { // wherever in the step they meet
        char text[500];
        snprintf(text, sizeof text,
                 "slipstick: 1\nname: Discs\nbodies:\n"
                 "  a: {mass: 1, inertia: 1e-4, x: {start: -0.5, rate: 100}, shape: {circle: 5 mm}}\n"
                 "  b: {mass: 1, inertia: 1e-4, x: {start: %.17g}, shape: {circle: 5 mm}}\n"
                 "contacts: {hit: {between: [a, b], restitution: 1}}\n",
                 0.5 + 0.00731 * k);
        slip_model *model = model_text(text);
        counts seen;
        slip_sim *sim = run(model, 1e-3, 0.05, &seen);
        assert_int_equal(seen.impacts, 1);
        assert_near(seen.first, (1.0 + 0.00731 * k - 0.01) / 100.0, 1e-12);
        assert_near(slip_sim_get(sim, "a.x'"), 0.0, 1e-9);
        assert_near(slip_sim_get(sim, "b.x'"), 100.0, 1e-9);
        finish(sim, model);
    }
}

// a wall 2 mm thick, in front of and behind which the gap is positive, at 20 m/s
static void thin_wall(void **state)
{
    (void)state;
    for (int k = 0; k < 25; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "slipstick: 1\nname: Wall\ncoordinates: {x: {start: %.17g, rate: 20}}\nmass: {x: 1}\n"
                 "contacts: {wall: {gap: abs(x - 1) - 1 mm, restitution: 1}}\n",
                 -0.00083 * k);
        slip_model *model = model_text(text);
        counts seen;
        slip_sim *sim = run(model, 1e-3, 0.1, &seen);
        assert_int_equal(seen.impacts, 1);
        assert_near(slip_sim_get(sim, "x"), 2.0 * 0.999 + 0.00083 * k - 2.0, 1e-10);
        finish(sim, model);
    }
}

// glancing: the direction after an oblique strike is that of the common normal at the touch
static void oblique_strike(void **state)
{
    (void)state;
    slip_model *model = model_text(
        "slipstick: 1\nname: Peg\nbodies:\n"
        "  ground: {shape: {circle: 5 cm, at: [10, 0]}}\n"
        "  puck: {mass: 0.1, inertia: 1e-4, x: {rate: 20}, y: {start: 8 cm}, shape: {circle: 5 cm}}\n"
        "contacts: {hit: {between: [puck, ground], restitution: 1}}\n");
    counts seen;
    slip_sim *sim = run(model, 1e-3, 1.0, &seen);
    assert_near(atan2(slip_sim_get(sim, "puck.y'"), slip_sim_get(sim, "puck.x'")), pi - 2.0 * asin(0.8),
                1e-9);
    finish(sim, model);
}

// a gap that moves with the time alone: a piston at 50 Hz against a particle that waits for it
static void piston(void **state)
{
    (void)state;
    slip_model *model = model_text("slipstick: 1\nname: Piston\nparameters: {w: 2*pi*50}\n"
                                   "coordinates: {y: 1 mm}\nmass: {y: 1}\n"
                                   "contacts: {piston: {gap: y - 5 mm*sin(w*t), restitution: 1}}\n");
    counts seen;
    slip_sim *sim = run(model, 1e-3, 0.5, &seen);
    const double w = 2.0 * pi * 50.0;
    assert_near(seen.first, asin(0.2) / w, 1e-12);
    assert_near(slip_sim_get(sim, "y'"), 2.0 * 5e-3 * w * sqrt(1.0 - 0.04), 1e-9);
    finish(sim, model);
}

// ---- bounces -------------------------------------------------------------------------------------------

// the height of the first rebound is e^2 h, however low the drop is against the step
static void rebound_heights(void **state)
{
    (void)state;
    static const double heights[] = { 1.0, 0.1, 4.59e-3, 1e-3 }, e[] = { 0.9, 0.5, 0.3 };
    for (int k = 0; k < 12; k++) {
        const double h = heights[k / 3], r = e[k % 3], fall = sqrt(2.0 * h / g);
        char text[300];
        snprintf(text, sizeof text,
                 "slipstick: 1\nname: Ball\ncoordinates: {y: %.17g}\n"
                 "energy: {kinetic: \"0.5*y'^2\", potential: 9.81*y}\n"
                 "contacts: {floor: {gap: y, restitution: %.17g}}\n",
                 h, r);
        slip_model *model = model_text(text);
        counts seen;
        slip_sim *sim = run(model, 1e-3, fall * (1.0 + r), &seen);
        assert_near(slip_sim_get(sim, "y"), r * r * h, 1e-9 * h);
        assert_near(slip_sim_energy(sim).impact, (1.0 - r * r) * g * h, 1e-9 * h);
        assert_near(slip_sim_energy(sim).numerical, 0.0, 1e-10 * h);
        finish(sim, model);
    }
}

// infinitely many bounces in a finite time, and rest: at any step, since no bounce is too short to be seen
static void bounces_that_end(void **state)
{
    (void)state;
    slip_model *model = model_file("models/classics/bouncing-ball.yaml", NULL);
    static const double steps[] = { 1e-3, 1e-2, 0.1, 1.0 };
    for (int k = 0; k < 4; k++) {
        counts seen;
        slip_sim *sim = run(model, steps[k], 20.0, &seen);
        assert_near(seen.last, 9.0 * sqrt(2.0 / g), 0.2 * steps[k]); // t_0 (1 + e)/(1 - e), e = 0.8
        assert_near(slip_sim_get(sim, "y"), 0.0, 1e-4 * g * steps[k] * steps[k]);
        assert_near(slip_sim_get(sim, "y'"), 0.0, 1e-12);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

// a switch of 1 ug closes through 2 um in 63 us: the same motion in other units
static void small_and_fast(void **state)
{
    (void)state;
    slip_model *model = model_text("slipstick: 1\nname: Switch\ncoordinates: {x: 2e-6}\n"
                                   "energy: {kinetic: \"0.5e-9*x'^2\"}\nforces: {x: -1e-6}\n"
                                   "contacts: {stop: {gap: x, restitution: 0.5}}\n");
    counts seen;
    slip_sim *sim = run(model, 1e-3, 1e-4, &seen);
    const double fall = sqrt(2.0 * 2e-6 / 1e3), after = 1e-4 - fall, v = 0.5 * 1e3 * fall;
    assert_near(slip_sim_get(sim, "x"), v * after - 500.0 * after * after, 1e-12);
    finish(sim, model);
}

// ---- nothing sinks -------------------------------------------------------------------------------------

// A disc of radius r rolls in a ring of radius R: its gap stays closed, and it swings as
// th'' = -2/3 g/(R - r) sin th, of which the energy integral gives the rate
static void rolling_in_a_ring(void **state)
{
    (void)state;
    slip_model *model = model_text(
        "slipstick: 1\nname: Ring\ngravity: 9.81\nparameters: {R: 1, r: 0.1, a: 0.5}\nbodies:\n"
        "  ground: {shape: {ring: R}}\n"
        "  disc: {mass: 1, inertia: 0.5*r^2, x: {start: (R - r)*sin(a)}, y: {start: -(R - r)*cos(a)}, "
        "shape: {circle: r}}\n"
        "contacts: {c: {between: [disc, ground], friction: 1}}\nrecord: {gap: c.gap}\n");
    slip_sim *sim = simulate(model, NULL, 1e-3, 100.0);
    counts seen = { 0 };
    slip_sim_on_event(sim, count, &seen);
    double deepest = 0.0, widest = 0.0, rate = 0.0;
    while (slip_sim_step(sim) == SLIP_RUNNING) {
        const double gap = slip_sim_get(sim, "gap"), x = slip_sim_get(sim, "disc.x"),
                     y = slip_sim_get(sim, "disc.y");
        deepest = fmax(deepest, -gap), widest = fmax(widest, gap);
        const double v = hypot(slip_sim_get(sim, "disc.x'"), slip_sim_get(sim, "disc.y'"));
        const double fallen = fmax(0.0, -y - 0.9 * cos(0.5));
        rate = fmax(rate, fabs(v * v - 4.0 / 3.0 * g * fallen));
        assert_near(hypot(x, y), 0.9, 1e-9);
    }
    assert_true(deepest < 1e-10 && widest < 1e-10);
    assert_true(rate < 1e-5);
    assert_int_equal(seen.impacts + seen.releases, 0);
    assert_null(slip_sim_warning(sim, 0));
    finish(sim, model);
}

// Euler's disk, leaning by 10 degrees with its centre at rest: Om^2 = 4 g/(R sin a), and its height stays
static void eulers_disk(void **state)
{
    (void)state;
    slip_model *model =
        model_text("slipstick: 1\nname: Disk\nspace: 3\ngravity: 9.81\n"
                   "parameters: {R: 0.0375, m: 0.4, al: 10 deg, Om: sqrt(4*9.81/(R*sin(al)))}\nbodies:\n"
                   "  ground: {shape: {plane: [0, 0, 0]}}\n"
                   "  disk: {mass: m, inertia: [0.25*m*R^2, 0.25*m*R^2, 0.5*m*R^2], z: {start: R*sin(al)}, "
                   "attitude: {axis: "
                   "[0, 1, 0], angle: al}, spin: [Om*sin(al)*cos(al), 0, -Om*sin(al)*sin(al)], shape: "
                   "{cylinder: [R, 0]}}\n"
                   "contacts: {edge: {between: [disk, ground], friction: 1}}\nrecord: {gap: edge.gap}\n");
    slip_sim *sim = simulate(model, NULL, 1e-3, 1.0);
    const double height = 0.0375 * sin(10.0 * pi / 180.0);
    while (slip_sim_step(sim) == SLIP_RUNNING) {
        assert_near(slip_sim_get(sim, "gap"), 0.0, 1e-10);
        assert_near(slip_sim_get(sim, "disk.z"), height, 1e-3 * height);
    }
    finish(sim, model);
}

// A pendulum in x and y from the horizontal: at the bottom after K(1/2) sqrt(l/g), on its rod and with
// its energy
static void pendulum(void **state)
{
    (void)state;
    slip_model *model = model_text("slipstick: 1\nname: Pendulum\ncoordinates: {x: {start: 1}, y: 0}\n"
                                   "energy: {kinetic: \"0.5*(x'^2 + y'^2)\", potential: 9.81*y}\n"
                                   "constraints: {rod: x^2 + y^2 - 1}\n");
    const double bottom = 1.8540746773013719 / sqrt(g);
    for (int k = 0; k < 6; k++) { // internal steps are shorter by the third root of the tolerance
        const double relative = k % 2 ? 1e-9 : 1e-6, within = k % 2 ? 2e-8 : 2e-6;
        slip_sim_def def = slip_default_sim_def();
        def.formulation = "moreau";
        def.step = 2e-3 / (1 << k / 2);
        def.until = bottom;
        def.relative = relative;
        slip_sim *sim = NULL;
        assert_int_equal(slip_sim_create(model, &def, NULL, &sim), SLIP_OK);
        while (slip_sim_step(sim) == SLIP_RUNNING) {
            assert_near(hypot(slip_sim_get(sim, "x"), slip_sim_get(sim, "y")), 1.0, 1e-12);
            assert_near(total_energy(sim), 0.0, within);
        }
        assert_near(slip_sim_get(sim, "x"), 0.0, within);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

// what `projection` is for: on a curved surface positions drift without it
static void projection_matters(void **state)
{
    (void)state;
    double off[2];
    for (int k = 0; k < 2; k++) {
        slip_model *model =
            model_text(k ? "slipstick: 1\nname: Bowl\ncoordinates: {x: {start: 0.6}, y: {start: -0.8}}\n"
                           "energy: {kinetic: \"0.5*(x'^2 + y'^2)\", potential: 9.81*y}\n"
                           "contacts: {bowl: {gap: 1 - sqrt(x^2 + y^2)}}\nrecord: {gap: bowl.gap}\nrun: "
                           "{projection: none}\n"
                         : "slipstick: 1\nname: Bowl\ncoordinates: {x: {start: 0.6}, y: {start: -0.8}}\n"
                           "energy: {kinetic: \"0.5*(x'^2 + y'^2)\", potential: 9.81*y}\n"
                           "contacts: {bowl: {gap: 1 - sqrt(x^2 + y^2)}}\nrecord: {gap: bowl.gap}\n");
        slip_sim *sim = simulate(model, NULL, 1e-3, 5.0);
        off[k] = 0.0;
        while (slip_sim_step(sim) == SLIP_RUNNING) off[k] = fmax(off[k], fabs(slip_sim_get(sim, "gap")));
        assert_true(measure(sim, "projection_energy") <= 0.0);
        finish(sim, model);
    }
    assert_true(off[0] < 1e-10 && off[1] > 1e-7 && off[1] < 1e-3);
}

// ---- no strike is told that is none --------------------------------------------------------------------

// A smooth ladder slides down from 70 degrees without a jump and leaves the wall at 2/3 of its height
static void smooth_ladder(void **state)
{
    (void)state;
    slip_model *model = model_text(
        "slipstick: 1\nname: Ladder\ngravity: 9.81\nparameters: {m: 10, L: 4, b0: 70 deg}\nbodies:\n"
        "  ground: {shapes: {floor: {line: [0, 0]}, wall: {line: [0, 0], angle: -90 deg}}}\n"
        "  ladder: {mass: m, inertia: m*L^2/12, x: {start: L/2*cos(b0)}, y: {start: L/2*sin(b0)}, th: "
        "{start: -b0},"
        " shapes: {top: {point: [-L/2, 0]}, foot: {point: [L/2, 0]}}}\n"
        "contacts: {floor: {between: [ladder.foot, ground.floor]}, wall: {between: [ladder.top, "
        "ground.wall]}}\n");
    counts seen;
    slip_sim *sim = run(model, 1e-3, 0.86, &seen);
    assert_int_equal(seen.impacts, 0);
    assert_int_equal(seen.releases, 1);
    assert_near(seen.released, 0.845032, 2e-3); // by quadrature of the energy integral
    finish(sim, model);
}

// A follower on a cam that it never leaves: one contact, and its force is m y'' + k y + F0
static void cam_that_keeps_contact(void **state)
{
    (void)state;
    slip_model *model =
        model_text("slipstick: 1\nname: Cam\ncoordinates: {y: 0}\n"
                   "energy: {kinetic: \"0.25*y'^2\", potential: 1000*y^2 + 20*y}\n"
                   "contacts: {cam: {gap: y - 0.01*(1 - cos(50*t))}}\nrecord: {N: cam.normal}\n");
    slip_sim *sim = simulate(model, NULL, 1e-3, 2.0);
    counts seen = { 0 };
    slip_sim_on_event(sim, count, &seen);
    double sum = 0.0;
    while (slip_sim_step(sim) == SLIP_RUNNING) {
        // a force is the mean over its step, and that of cos(50 t) has a factor
        const double h = 1e-3, mean = cos(50.0 * (slip_sim_time(sim) - 0.5 * h)) * sin(25.0 * h) / (25.0 * h);
        const double y = 0.01 * (1.0 - mean), a = 0.01 * 2500.0 * mean;
        const double off = fabs(slip_sim_get(sim, "N") - (0.5 * a + 2000.0 * y + 20.0));
        assert_true(off < 0.026); // where the length of internal steps changes
        sum += off;
    }
    assert_true(sum / 2000.0 < 4e-4); // on average a hundred-thousandth of the force
    assert_int_equal(seen.impacts + seen.releases, 0);
    finish(sim, model);
}

// and one that it leaves, whenever the cam falls faster than spring and weight follow: a landing each turn
static void cam_that_throws(void **state)
{
    (void)state;
    slip_model *model =
        model_text("slipstick: 1\nname: Cam\nparameters: {w: 140}\ncoordinates: {y: 0}\n"
                   "energy: {kinetic: \"0.25*y'^2\", potential: 1000*y^2 + 20*y}\n"
                   "contacts: {cam: {gap: y - 0.01*(1 - cos(w*t))}}\nrecord: {gap: cam.gap}\n");
    counts seen;
    slip_sim *sim = run(model, 1e-3, 0.03647, &seen);
    assert_near(slip_sim_get(sim, "gap"), 0.0078035, 1e-4); // free flight on the spring
    assert_int_equal(seen.impacts, 0);
    assert_int_equal(seen.releases, 1);
    finish(sim, model);
}

// ---- what sticks stays, and energy is never made -------------------------------------------------------

static void nothing_creeps(void **state)
{
    (void)state;
    slip_model *model = model_text("slipstick: 1\nname: Shaken\ncoordinates: {x: 0, y: 0}\n"
                                   "energy: {kinetic: \"0.5*(x'^2 + y'^2)\", potential: 9.81*y}\n"
                                   "forces: {x: 0.95*0.3*9.81*sin(2*pi*60*t)}\n"
                                   "contacts: {floor: {gap: y, slip: x, friction: 0.3}}\n");
    counts seen;
    slip_sim *sim = run(model, 1e-3, 20.0, &seen);
    assert_near(slip_sim_get(sim, "x"), 0.0, 1e-15);
    assert_int_equal(seen.impacts + seen.releases, 0);
    finish(sim, model);
}

// strikes of several bodies at once, elastic and smooth: energy stays what it was, to rounding
static void energy_stays(void **state)
{
    (void)state;
    slip_model *model = model_text("slipstick: 1\nname: Box of discs\nbodies:\n"
                                   "  ground: {shape: {ring: 0.5}}\n"
                                   "  a: {mass: 1, inertia: 1e-3, x: {start: -0.3, rate: 3}, y: {start: "
                                   "0.02, rate: 0.4}, shape: {circle: 5 cm}}\n"
                                   "  b: {mass: 2, inertia: 1e-3, x: {start: 0, rate: -1}, y: {start: 0.1, "
                                   "rate: 2}, shape: {circle: 7 cm}}\n"
                                   "  c: {mass: 0.5, inertia: 1e-3, x: {start: 0.3, rate: 0}, y: {start: "
                                   "-0.1, rate: -5}, shape: {circle: 4 cm}}\n"
                                   "groups: {all: [a, b, c]}\n"
                                   "contacts: {wall: {between: [all, ground], restitution: 1}, hit: "
                                   "{between: [all, all], restitution: 1}}\n");
    slip_sim *sim = simulate(model, NULL, 1e-3, 10.0);
    counts seen = { 0 };
    slip_sim_on_event(sim, count, &seen);
    const double start = total_energy(sim);
    while (slip_sim_step(sim) == SLIP_RUNNING) assert_near(total_energy(sim), start, 1e-9 * start);
    assert_true(seen.impacts > 100);
    assert_true(measure(sim, "energy_gained") < 1e-9 * start);
    finish(sim, model);
}

// ---- accuracy ------------------------------------------------------------------------------------------

// a slider of 1 ug on 1 N/m at 31623 rad/s with dry friction, under steps of 1 ms
static void motion_that_is_faster_than_the_step(void **state)
{
    (void)state;
    slip_model *model = model_text("slipstick: 1\nname: Slider\ncoordinates: {x: {start: 1.05e-6}}\n"
                                   "energy: {kinetic: \"0.5e-9*x'^2\", potential: 0.5*x^2}\n"
                                   "frictions: {guide: {slip: x, limit: 1e-7}}\n");
    counts seen;
    slip_sim *sim = run(model, 1e-3, 2e-3, &seen);
    assert_near(slip_sim_get(sim, "x"), -5e-8, 1e-9); // turning points shrink by 2 F/k
    finish(sim, model);
}

// a fast top in steady precession at m g l/(I w): 300 rad/s under steps of 1 ms
static void fast_top(void **state)
{
    (void)state;
    slip_model *model = model_text(
        "slipstick: 1\nname: Top\nspace: 3\ngravity: 9.81\nparameters: {w: 300}\nbodies:\n"
        "  top: {mass: 1, inertia: [0.0025, 0.0025, 0.005], centre: [0, 0, 0.1], joint: {spherical: ground}, "
        "attitude: "
        "{axis: [0, 1, 0], angle: 90 deg}, spin: [w, 0, 9.81*0.1/(0.005*w)], points: {tip: [0, 0, 0.1]}}\n"
        "record: {az: \"atan2(top.tip.y, top.tip.x)\"}\n");
    counts seen;
    slip_sim *sim = run(model, 1e-3, 2.0, &seen);
    assert_near(slip_sim_get(sim, "az"), 1.308, 0.004);
    finish(sim, model);
}

// peeking ahead, also across a strike, leaves no trace
static void peeks_leave_no_trace(void **state)
{
    (void)state;
    slip_model *model = model_file("models/classics/double-pendulum-wall.yaml", NULL);
    slip_sim *one = simulate(model, NULL, 1e-3, 2.0), *other = simulate(model, NULL, 1e-3, 2.0);
    double row[64];
    for (int k = 0; k < 1500; k++) {
        assert_int_equal(slip_sim_peek(one, slip_sim_time(one) + 0.63e-3, row), SLIP_RUNNING);
        slip_sim_step(one);
        slip_sim_step(other);
    }
    for (int k = 0; k < one->method->state_count; k++)
        assert_true(one->method->state[k] == other->method->state[k]);
    slip_sim_destroy(other);
    finish(one, model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discs_head_on),
        cmocka_unit_test(thin_wall),
        cmocka_unit_test(oblique_strike),
        cmocka_unit_test(piston),
        cmocka_unit_test(rebound_heights),
        cmocka_unit_test(bounces_that_end),
        cmocka_unit_test(small_and_fast),
        cmocka_unit_test(rolling_in_a_ring),
        cmocka_unit_test(eulers_disk),
        cmocka_unit_test(pendulum),
        cmocka_unit_test(projection_matters),
        cmocka_unit_test(smooth_ladder),
        cmocka_unit_test(cam_that_keeps_contact),
        cmocka_unit_test(cam_that_throws),
        cmocka_unit_test(nothing_creeps),
        cmocka_unit_test(energy_stays),
        cmocka_unit_test(motion_that_is_faster_than_the_step),
        cmocka_unit_test(fast_top),
        cmocka_unit_test(peeks_leave_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
