/// islands.c: what happens elsewhere does not change a bit of the motion here.
#include "crowds.h"

#include <math.h>
#include <string.h>

// a light box, two heavy polygons and a light one stand on each other: overlap that several sweeps take out
#define COLUMN                                                                                               \
    "  b0: {mass: 0.11, inertia: 1.3e-4, shape: {box: [0.06, 0.1035]}, x: 0, y: 0.05175}\n"                  \
    "  b1: {mass: 4.5, inertia: 3.7e-3, shape: {hull: [[-0.0456, 0.0022], [-0.0022, -0.0456], [0.0456, "     \
    "-0.0022], [0.0022, 0.0456]]}, x: 0.0015, y: 0.1491}\n"                                                  \
    "  b2: {mass: 4.6, inertia: 4.5e-3, shape: {hull: [[-0.0442, 0.0215], [-0.0408, -0.0275], [0.0034, "     \
    "-0.049], [0.0442, -0.0215], [0.0408, 0.0275], [-0.0034, 0.049]]}, x: -0.003, y: 0.2437}\n"              \
    "  b3: {mass: 0.2, inertia: 2.2e-4, shape: {hull: [[-0.0303, -0.0423], [0.0518, -0.0051], [-0.0215, "    \
    "0.0474]]}, x: 0.0025, y: 0.335}\n"
// and somewhere else: a ball that starts inside the floor, a stack that leans
#define BALL "  away: {mass: 3, inertia: 0.1, shape: {circle: 0.1}, x: 40, y: 0.098}\n"
#define STACK                                                                                                \
    "  s0: {mass: 0.1, inertia: 1e-4, shape: {box: [0.1, 0.1]}, x: 30, y: 0.0495}\n"                         \
    "  s1: {mass: 5, inertia: 1e-2, shape: {box: [0.1, 0.1]}, x: 30.04, y: 0.148}\n"                         \
    "  s2: {mass: 50, inertia: 1e-1, shape: {box: [0.1, 0.1]}, x: 30.01, y: 0.247}\n"

static void compare(const char *there, const char *members)
{
    static const char *const names[] = { "b0.x", "b0.y", "b0.th", "b1.x", "b1.y",  "b1.th",
                                         "b2.x", "b2.y", "b2.th", "b3.x", "b3.y'", "b3.th'" };
    static const char head[] =
        "slipstick: 1\nname: islands\ngravity: 9.81\nbodies:\n  ground: {shape: {line: [0, 0]}}\n" COLUMN;
    static const char contact[] = "contacts:\n  c: {detect: [b0, b1, b2, b3, ground], restitution: 0.5}\n";
    char text[4000];
    slip_model *alone_model, *model;
    snprintf(text, sizeof text, "%s%s", head, contact);
    slip_sim *alone = start_headed(&alone_model, "", text, "", 1e-3, 0.3);
    snprintf(text, sizeof text, "%s%s%s  d: {detect: [%s, ground], restitution: 0.2}\n", head, there, contact,
             members);
    slip_sim *sim = start_headed(&model, "", text, "", 1e-3, 0.3);
    for (int step = 0; step < 300; step++) {
        slip_sim_step(alone);
        slip_sim_step(sim);
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            const double a = slip_sim_get(alone, names[k]), b = slip_sim_get(sim, names[k]);
            if (memcmp(&a, &b, sizeof a) != 0)
                fail_msg("%s differs by %g after %d steps beside %s", names[k], b - a, step + 1, members);
        }
    }
    finish(alone, alone_model);
    finish(sim, model);
}

static void what_is_elsewhere_changes_nothing(void **state)
{
    (void)state;
    compare(BALL, "away");
    compare(STACK, "s0, s1, s2");
    compare(BALL STACK, "away, s0, s1, s2");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(what_is_elsewhere_changes_nothing) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
