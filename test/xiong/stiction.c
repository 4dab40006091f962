/// stiction.c: what sticks stays: creep below 1e-12 m/s after the transient. LuGre and Dahl drift beside it.
///
/// Creep is that of the massless slider p - a, which stands still in stick; the mass itself only swings on
/// the elastic element.
#include "xiong/helper.h"

static slip_sim *start(slip_model **model, const char *text, const char *sets, double until)
{
    *model = load_model(text, sets);
    slip_sim_def def = slip_default_sim_def();
    def.until = until;
    return make_dai_sim(*model, &def);
}

static void stop(slip_sim *sim, slip_model *model)
{
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static double slider(slip_sim *sim, const char *position, const char *element)
{
    return slip_sim_get(sim, position) - slip_sim_get(sim, element);
}

// mean speed of the slider from `from` to the end
static double creep(slip_sim *sim, const char *position, const char *element, double from)
{
    step_until(sim, from);
    double before = slider(sim, position, element), t = slip_sim_time(sim);
    run_to_end(sim);
    assert_null(slip_sim_warning(sim, 0));
    return (slider(sim, position, element) - before) / (slip_sim_time(sim) - t);
}

// at 0.99 of the friction angle the block stays on the slope, at 1.01 it goes
static const char *const slope = "slipstick: 1\n"
                                 "name: block on a slope\n"
                                 "parameters: {m: 3, g: 9.81, mu: 0.4, part: 0.99, angle: part*atan(mu)}\n"
                                 "coordinates: {x: 0, y: 0}\n"
                                 "energy:\n"
                                 "  kinetic: 0.5*m*(x'^2 + y'^2)\n"
                                 "  potential: m*g*(y*cos(angle) - x*sin(angle))\n"
                                 "contacts: {slope: {gap: y, slip: x, friction: mu}}\n";

static void a_block_stays_on_its_slope(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = start(&model, slope, "", 20);
    assert_near(creep(sim, "x", "slope.a", 2), 0, 1e-12);
    assert_near(slip_sim_get(sim, "x'"), 0, 1e-12);
    stop(sim, model);
    sim = start(&model, slope, "part=1.01", 3);
    run_to_end(sim);
    double angle = 1.01 * atan(0.4), pull = 9.81 * (sin(angle) - 0.4 * cos(angle));
    assert_near(slip_sim_get(sim, "x'"), pull * 3, 0.02 * pull * 3);
    stop(sim, model);
}

static void vibration_below_the_limit_moves_nothing(void **state)
{
    (void)state;
    const char *const text = "slipstick: 1\n"
                             "name: shaken mass\n"
                             "parameters: {F: 0.5, f0: 0.336, f1: 0.144}\n"
                             "coordinates: {p: 0}\n"
                             "mass: {p: 1}\n"
                             "forces: {p: f0 + f1*cos(100*t)}\n"
                             "frictions: {f: {slip: p, limit: F}}\n";
    slip_model *model;
    slip_sim *sim = start(&model, text, "", 100);
    assert_near(creep(sim, "p", "f.a", 1), 0, 1e-12);
    stop(sim, model);
}

static void a_rotating_force_below_the_limit_moves_nothing(void **state)
{
    (void)state;
    const char *const text = "slipstick: 1\n"
                             "name: mass under a rotating force\n"
                             "coordinates: {x: 0, y: 0, z: 0}\n"
                             "energy: {kinetic: 0.5*(x'^2 + y'^2 + z'^2), potential: 9.81*z}\n"
                             "forces: {x: 1.5*cos(30*t) + 0.9, y: 1.5*sin(30*t)}\n"
                             "contacts: {floor: {gap: z, slip: [x, y], friction: 0.3}}\n";
    slip_model *model;
    slip_sim *sim = start(&model, text, "", 100);
    step_until(sim, 2);
    double y = slider(sim, "y", "floor.a.y");
    assert_near(creep(sim, "x", "floor.a.x", 2), 0, 1e-12);
    assert_near((slider(sim, "y", "floor.a.y") - y) / 98, 0, 1e-12);
    stop(sim, model);
}

// a cube between two fingers that press with 12 N each and hold its 9.81 N by friction, while being shaken
static void a_grasped_object_stays_in_the_grasp(void **state)
{
    (void)state;
    const char *const text =
        "slipstick: 1\n"
        "name: grasp\n"
        "parameters: {m: 1, g: 9.81, mu: 0.6, mf: 0.2, P: 12}\n"
        "coordinates: {x: 0, y: 0, l: 0, r: 0}\n"
        "energy: {kinetic: 0.5*m*(x'^2 + y'^2) + 0.5*mf*(l'^2 + r'^2), potential: m*g*y}\n"
        "forces: {l: P - 2*l', r: -P - 2*r', x: 0.5*sin(40*t), y: 1.5*sin(25*t)}\n"
        "contacts:\n"
        "  left: {gap: x - l, slip: y, friction: mu}\n"
        "  right: {gap: r - x, slip: y, friction: mu}\n";
    slip_model *model;
    slip_sim *sim = start(&model, text, "", 30);
    assert_near(creep(sim, "y", "left.a", 3), 0, 1e-12);
    assert_true(slip_sim_get(sim, "y") > -1e-2);
    stop(sim, model);
}

// the same shaking under bristle models: for ever on the way
static void bristles_drift(void **state)
{
    (void)state;
    const struct {
        const char *sets;
        double least;
    } cases[] = { { "", 1e-3 }, { "B=0", 1e-3 } }; // LuGre, Dahl
    for (int k = 0; k < 2; k++) {
        slip_model *model;
        slip_sim *sim = start(&model, "friction-mass-lugre", cases[k].sets, 20);
        step_until(sim, 10);
        double p = slip_sim_get(sim, "p");
        run_to_end(sim);
        print_message("%s drifts %.3g m/s\n", k ? "Dahl" : "LuGre", (slip_sim_get(sim, "p") - p) / 10);
        assert_true((slip_sim_get(sim, "p") - p) / 10 > cases[k].least);
        stop(sim, model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_stays_on_its_slope),
        cmocka_unit_test(vibration_below_the_limit_moves_nothing),
        cmocka_unit_test(a_rotating_force_below_the_limit_moves_nothing),
        cmocka_unit_test(a_grasped_object_stays_in_the_grasp),
        cmocka_unit_test(bristles_drift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
