/// follow.c: derivatives of friction whose limit follows the force of a joint.
#include "ride.h"

#define TIGHT(until) "run: {until: " until ", relative: 1e-11, absolute: 1e-13}\n"

// A rotor whose centre is on its pin: the force is its weight, and it slows down evenly, by mu r m g/J
static void of_a_rotor(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: rotor\nparameters: {mu: 0.3, r: 0.05, m: 1.4, J: 0.1, w: 5}\nbodies:\n"
        "  rotor: {mass: m, inertia: J, th: {rate: w}, joint: {revolute: ground, friction: mu, radius: r,\n"
        "    name: pin}}\n"
        "gravity: 9.81\nrecord: {F: pin.force, T: pin.friction}\n" TIGHT("%s");
    static const char *const until[] = { "1.3", "4" }; // it turns; it has come to rest
    const double mu = 0.3, r0 = 0.05, m = 1.4, J = 0.1, w = 5, g = 9.81, slows = mu * r0 * m * g / J;
    for (int k = 0; k < 4; k++) {
        char model[600];
        snprintf(model, sizeof model, text, until[k / 2]);
        ride r = run(model, "", k % 2 ? "gauss" : "lcp", "mu, r, m, J, w");
        const double t = k / 2 ? w / slows : 1.3, by = -0.5 * t * t * slows; // of the angle, times 1/mu
        assert_near(slip_sim_get(r.sim, "rotor.th"), w * t - 0.5 * slows * t * t, 1e-9);
        assert_near(slope(&r, "rotor.th", "mu"), by / mu, 1e-8);
        assert_near(slope(&r, "rotor.th", "r"), by / r0, 1e-7);
        assert_near(slope(&r, "rotor.th", "m"), by / m, 1e-8);
        assert_near(slope(&r, "rotor.th", "J"), -by / J, 1e-7);
        assert_near(slope(&r, "rotor.th", "w"), t, 1e-8);
        assert_near(slope(&r, "F", "m"), g, 1e-8);
        assert_near(slope(&r, "T", "mu"), k / 2 ? 0.0 : -r0 * m * g, 1e-8);
        end(&r);
    }
}

// A pendulum that swings until its pin holds it, a ball joint in space, a drawer that is heavier on one side:
// friction changes the force that it follows. Against quotients of runs
static void as_quotients(void **state)
{
    (void)state;
    static const struct {
        const char *text, *of, *to[3];
        double value[3], small;
    } list[] = {
        { "slipstick: 1\nname: pendulum\nparameters: {m: 2, l: 0.3, mu: 0.5, r: 0.06, w: 7}\nbodies:\n"
          "  rod: {mass: m, inertia: 0.06, centre: [0, -l], th: {start: 0.01, rate: w},\n"
          "    joint: {revolute: ground, friction: mu, radius: r, name: pin}}\ngravity: 9.81\n" TIGHT("5"),
          "rod.th",
          { "mu", "l", "w" },
          { 0.5, 0.3, 7 },
          1e-4 },
        { "slipstick: 1\nname: ball joint\nspace: 3\nparameters: {m: 1.1, l: 0.5, mu: 0.3, r: "
          "0.02}\nbodies:\n"
          "  rod: {mass: m, inertia: 0.1, centre: [0, -l, 0], attitude: {axis: [0.6, 0, 0.8], angle: 1},\n"
          "    spin: [0.3, 0.1, 2], joint: {spherical: ground, friction: mu, radius: r}}\n"
          "gravity: [0, -9.81, 0]\n" TIGHT("0.15"),
          "rod.w3",
          { "mu", "l", "r" },
          { 0.3, 0.5, 0.02 },
          1e-4 },
        { "slipstick: 1\nname: drawer\nparameters: {m: 2, mu: 0.2, v: 1.5, a: 0.3}\nbodies:\n"
          "  drawer: {mass: m, inertia: 0.05, centre: [a, 0.03], s: {rate: v},\n"
          "    joint: {prismatic: ground, friction: mu, length: 0.4}}\ngravity: 9.81\n" TIGHT("0.4"),
          "drawer.s",
          { "mu", "v", "a" },
          { 0.2, 1.5, 0.3 },
          1e-4 },
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        for (int k = 0; k < 3; k++) {
            ride r = run(list[i].text, "", "lcp", list[i].to[k]);
            const double q = quotient_by(list[i].text, "lcp", NULL, list[i].of, list[i].to[k],
                                         list[i].value[k], list[i].small);
            assert_true(fabs(q) > 1e-3);
            assert_near(slope(&r, list[i].of, list[i].to[k]), q, 1e-6 * fmax(1.0, fabs(q)));
            end(&r);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(of_a_rotor), cmocka_unit_test(as_quotients) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
