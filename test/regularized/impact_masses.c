/// impact_masses.c: compliant contacts that strike together have the restitution that is stated, as Newton's law
/// has it.
#include <math.h>

#include "models.h"

static const char *const formulations[] = { "dai", "modular", "kelvin-voigt", "hunt-crossley", "tanh" };
enum { COUNT = 5 };

// a value of the model at the end of its run under one formulation, with parameters set
static double final_value(const char *text, const char *sets, const char *formulation, const char *name)
{
    slip_model *model = read_model("", text, sets, " ");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    slip_sim *sim = make_sim(model, &def);
    run_to_end(sim);
    const double value = slip_sim_get(sim, name);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return value;
}

// A plate that falls flat at 1 m/s on two edges that are a and b from its centre of mass: Newton's law sends it
// up at e without a turn, whatever a, b and the inertia are. Each edge alone would meet another mass.
static void a_plate_on_two_edges_comes_up_flat(void **state)
{
    (void)state;
    static const char text[] = "slipstick: 1\nname: plate\nparameters: {a: 0.3, b: 0.3, e: 0.5, J: 0.03}\n"
                               "coordinates: {y: {start: 0.01, rate: -1}, th: {}}\nmass: {y: 1, th: J}\n"
                               "contacts: {left: {gap: y - a*sin(th), restitution: e}, right: {gap: y + "
                               "b*sin(th), restitution: e}}\n"
                               "run: {until: 0.012}\n";
    static const char *const sets[] = { "e=0.5", "e=0.9 J=0.01", "e=0.2 a=0.2", "e=0.7 a=0.15 J=0.1", "e=0" };
    static const double e[] = { 0.5, 0.9, 0.2, 0.7, 0.0 };
    for (int k = 0; k < 5; k++)
        for (int f = 0; f < COUNT; f++) {
            assert_near(final_value(text, sets[k], formulations[f], "y'"), e[k], 0.02);
            assert_near(final_value(text, sets[k], formulations[f], "th'"), 0.0, 0.05);
        }
}

// Newton's cradle without play: ball 1 goes back with 0.6 of its speed, the others go on together with 0.4.
static void a_cradle_without_play_follows_newton(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: cradle\nparameters: {e: 1}\n"
        "coordinates: {a: {start: -0.01, rate: 1}, b: 0, c: 0, d: 0, f: 0}\n"
        "mass: {a: 1, b: 1, c: 1, d: 1, f: 1}\n"
        "contacts: {ab: {gap: b - a, restitution: e}, bc: {gap: c - b, restitution: e},"
        " cd: {gap: d - c, restitution: e}, df: {gap: f - d, restitution: e}}\nrun: {until: 0.012}\n";
    for (int f = 1; f < COUNT; f++) { // dai does not hold contacts of such a restitution, and says so
        assert_near(final_value(text, "e=1", formulations[f], "a'"), -0.6, 0.02);
        assert_near(final_value(text, "e=1", formulations[f], "f'"), 0.4, 0.02);
        assert_near(final_value(text, "e=0.5", formulations[f], "a'"), -0.2, 0.02);
    }
}

// A ball on a block that rests on the floor: the floor does not give way, so it comes back as from a wall.
static void a_block_at_rest_is_a_wall(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: anvil\nparameters: {e: 0.6}\n"
        "coordinates: {ball: {start: 0.01, rate: -1}, block: 0}\n"
        "energy: {kinetic: 0.5*ball'^2 + 1.5*block'^2, potential: 9.81*(ball + 3*block)}\n"
        "contacts: {top: {gap: ball - block, restitution: e}, floor: {gap: block, restitution: e}}\n"
        "run: {until: 0.015}\n";
    const double strike = sqrt(1.0 + 2.0 * 9.81 * 0.01), when = (strike - 1.0) / 9.81;
    for (int f = 0; f < COUNT; f++)
        assert_near(final_value(text, "e=0.6", formulations[f], "ball'"),
                    0.6 * strike - 9.81 * (0.015 - when), 0.02);
}

// Without restitution nothing comes back, and friction stops a slip that its impulse can stop.
static void a_dead_impact_is_dead(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: wall\ncoordinates: {x: {start: 0.5, rate: -2}, y: {rate: 1}}\n"
        "mass: {x: 1, y: 1}\ncontacts: {wall: {gap: x, slip: y, friction: 0.6}}\nrun: {until: 0.5}\n";
    for (int f = 0; f < COUNT; f++) {
        assert_true(fabs(final_value(text, "", formulations[f], "x'")) <= 2e-3);
        assert_near(final_value(text, "", formulations[f], "y'"), 0.0, 2e-3);
    }
}

// A friction whose slip is not pulled at the start but for rounding is as stiff as any other.
static void a_pull_of_rounding_is_none(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: bar\ngravity: 10\nbodies:\n  a: {mass: 1, x: {rate: -0.7}}\n"
        "  b: {mass: 2, x: {start: 0.4, rate: -0.7}, y: {start: 0.5}}\n"
        "joints: {bar: {distance: [a, b], length: \"sqrt(0.4^2 + 0.5^2)\"}}\n"
        "frictions: {f: {slip: b.x, limit: 0.8}}\nrun: {until: 0.4}\n";
    const double right = final_value(text, "", "lcp", "b.x");
    for (int f = 0; f < COUNT; f++) assert_near(final_value(text, "", formulations[f], "b.x"), right, 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plate_on_two_edges_comes_up_flat),
        cmocka_unit_test(a_cradle_without_play_follows_newton),
        cmocka_unit_test(a_block_at_rest_is_a_wall),
        cmocka_unit_test(a_dead_impact_is_dead),
        cmocka_unit_test(a_pull_of_rounding_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
