/// boxes.c: boxes on planes in space, whose corners depend on each other, against closed forms.
#include "helper.h"
#include "simulation/sim/sim.h"

#define SCENE(ground, box, more)                                                                             \
    HEAD "space: 3\ngravity: 10\nbodies:\n  ground: {shape: {plane: [0, 0, 0]" ground "}}\n"                 \
         "  box: {mass: 2, inertia: [0.02, 0.02, 0.02], shape: {box: [0.2, 0.2, 0.2]}, " box "}\n"           \
         "contacts: {floor: {between: [box, ground], friction: 0.5}}\n" more
#define PUSH(force) "loads: {push: {at: box.p, force: [" force "]}}\n"

// run without a warning; a box that stands still or slides as one changes its mode four corners at a time
static void check(const known_end *c, long most_events, double most_steps)
{
    slip_model *model = read_model("", c->text, "", ";");
    for (int f = 0; f < 3; f++) {
        slip_sim *sim = event_sim(model, event_driven[f]);
        run_to_end(sim);
        double got = slip_sim_get(sim, c->column);
        if (!(fabs(got - c->value) <= c->tolerance)) print_error("%s under %s\n", c->text, event_driven[f]);
        assert_near(got, c->value, c->tolerance);
        assert_true(sim->events <= most_events);
        assert_true((double)slip_sim_steps(sim) <= most_steps);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

// 10 N of friction at the most
static void pushed_sideways(void **state)
{
    (void)state;
    const double s = sqrt(1.09), t0 = 10 / (12 * s), t = 1 - t0;
    const known_end below = { SCENE("", "z: {start: 0.1}, points: {p: [0, 0, 0]}",
                                    PUSH("5, 2, 0") "run: {until: 1}\n"),
                              "box.x", 0, 1e-12 };
    check(&below, 0, 500);
    // a push that grows: a = 6 s (t - t0) along it, so that x = (t - t0)^3
    const known_end grows = { SCENE("", "z: {start: 0.1}, points: {p: [0, 0, 0]}",
                                    PUSH("12*t, 3.6*t, 0") "run: {until: 1}\n"),
                              "box.x", t * t * t, 1e-7 };
    check(&grows, 4, 4000);
    // above the limit from the start: (15 - 10)/2
    const known_end above = { SCENE("", "z: {start: 0.1}, points: {p: [0, 0, -0.05]}",
                                    PUSH("15, 0, 0") "run: {until: 1}\n"),
                              "box.x", 1.25, 1e-6 };
    check(&above, 8, 500);
}

// thrown at 1 m/s: stops after 0.2 s and 0.1 m
static void thrown(void **state)
{
    (void)state;
    const known_end c = { SCENE("", "z: {start: 0.1}, x: {rate: 0.6}, y: {rate: 0.8}", "run: {until: 0.5}\n"),
                          "box.y", 0.08, 1e-8 };
    check(&c, 8, 500);
}

// tan 0.4 < 0.5: it stays; a tall one with a foot of 0.2 in 0.6 tips over at any slope above 1/3, with
// th'' = m g (0.3 sin a - 0.1 cos a)/(I + m r^2) at first, about its lower edge
static void on_a_slope(void **state)
{
    (void)state;
    const double a = atan(0.4);
    char text[1200];
    snprintf(text, sizeof text,
             SCENE(", normal: [0.4, 0, 1]",
                   "x: {start: %.17g}, z: {start: %.17g}, attitude: {axis: [0, 1, 0], angle: %.17g}",
                   "run: {until: 1}\n"),
             0.1 * sin(a), 0.1 * cos(a), a);
    const known_end stays = { text, "box.x", 0.1 * sin(a), 1e-9 };
    check(&stays, 0, 500);
    char tall[1200];
    snprintf(tall, sizeof tall,
             HEAD
             "space: 3\ngravity: 10\nbodies:\n  ground: {shape: {plane: [0, 0, 0], normal: [0.4, 0, 1]}}\n"
             "  box: {mass: 2, inertia: [0.1, 0.1, 0.02], shape: {box: [0.2, 0.2, 0.6]}, x: {start: %.17g}, "
             "z: {start: "
             "%.17g}, attitude: {axis: [0, 1, 0], angle: %.17g}}\n"
             "contacts: {floor: {between: [box, ground], friction: 0.5}}\nrun: {until: 0.002}\n",
             0.3 * sin(a), 0.3 * cos(a), a);
    const double alpha = 2 * 10 * (0.3 * sin(a) - 0.1 * cos(a)) / (0.1 + 2 * (0.09 + 0.01));
    const known_end tips = { tall, "box.w2", alpha * 0.002, 1e-4 * alpha * 0.002 };
    check(&tips, 8, 500);
}

// recorded forces are the shortest ones: without a side load feet do not pull at each other, and with one of
// 1 N each of two takes half of it, as long as both are loaded enough
static void the_shortest_forces(void **state)
{
    (void)state;
#define FEET                                                                                                 \
    HEAD "gravity: 10\nbodies:\n  ground: {shape: {line: [0, 0]}}\n"                                         \
         "  d: {mass: 1, inertia: 0.01, y: 0.05, points: {p: [0, -0.05]}, shape: {box: [0.2, 0.1]}}\n"       \
         "contacts: {foot: {between: [d, ground], friction: 0.5}}\nrecord: {pull: foot_3.friction, load: "   \
         "foot_3.normal}\n"
    const known_end cases[] = {
        { FEET "run: {until: 0.1}\n", "pull", 0, 1e-12 },
        { FEET "run: {until: 0.1}\n", "load", 5, 1e-9 },
        { FEET "loads: {side: {at: d.p, force: [1, 0]}}\nrun: {until: 0.1}\n", "pull", -0.5, 1e-9 },
    };
    ends_as_known(cases, sizeof cases / sizeof *cases);
}

// a pyramid of discs, ten in four layers, between walls: it stands, by forces that are far from determined
static void a_pyramid_stands(void **state)
{
    (void)state;
    char text[6000];
    int at = snprintf(text, sizeof text,
                      HEAD "parameters: {r: 0.05}\ngravity: [0.5, -9.8]\nbodies:\n  ground: {shapes: {floor: "
                           "{line: [0, 0]}, right: "
                           "{line: [7*r, 0], angle: 90 deg}, left: {line: [-r, 0], angle: -90 deg}}}\n");
    for (int row = 0; row < 4; row++)
        for (int k = 0; k < 4 - row; k++)
            at += snprintf(text + at, sizeof text - (size_t)at,
                           "  d%d%d: {mass: 1, inertia: 0.5*r^2, x: {start: %d*r}, y: {start: r*(1 + "
                           "%d*sqrt(3))}, shape: "
                           "{circle: r}}\n",
                           row, k, row + 2 * k, row);
    at += snprintf(
        text + at, sizeof text - (size_t)at,
        "groups: {all: [d00, d01, d02, d03, d10, d11, d12, d20, d21, d30]}\n"
        "contacts: {floor: {between: [[d00, d01, d02, d03], ground.floor], friction: 0.6}, walls: {between: "
        "[[d00, "
        "d03], [ground.left, ground.right]], friction: 0.6}, each: {between: [all, all], friction: 0.6}}\n"
        "run: {until: 0.2}\n");
    assert_true((size_t)at < sizeof text);
    const known_end top = { text, "d30.y", 0.05 * (1 + 3 * sqrt(3)), 1e-9 };
    check(&top, 1, 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(pushed_sideways), cmocka_unit_test(thrown),
                                        cmocka_unit_test(on_a_slope), cmocka_unit_test(the_shortest_forces),
                                        cmocka_unit_test(a_pyramid_stands) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
