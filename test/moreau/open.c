/// open.c: forces that redundant contacts leave open: those of least norm, and a word only where they are
/// recorded.
#include "helper.h"

static const double g = 9.81;

#define DOMINO                                                                                               \
    "slipstick: 1\nname: Domino\ngravity: 9.81\nbodies:\n  ground: {shape: {line: [0, 0]}}\n"                \
    "  d: {mass: 10 g, inertia: 2e-6, y: 24 mm, shape: {box: [8 mm, 48 mm]}}\n"                              \
    "contacts: {foot: {between: [d, ground], friction: 0.5}}\n"

// two feet: half of the weight each, and they do not pull against each other
static void a_domino_stands(void **state)
{
    (void)state;
    slip_model *model = model_text(
        DOMINO "record: {N: foot_3.normal, T: foot_3.friction, M: foot_4.normal, S: foot_4.friction}\n");
    slip_sim *sim = simulate(model, NULL, 1e-3, 0.1);
    while (slip_sim_step(sim) == SLIP_RUNNING) {
        assert_near(slip_sim_get(sim, "N"), 0.005 * g, 1e-10);
        assert_near(slip_sim_get(sim, "M"), 0.005 * g, 1e-10);
        assert_near(slip_sim_get(sim, "T"), 0.0, 1e-10);
        assert_near(slip_sim_get(sim, "S"), 0.0, 1e-10);
    }
    assert_non_null(slip_sim_note_at(sim, 0));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    model = model_text(DOMINO);
    sim = simulate(model, NULL, 1e-3, 0.1);
    run_whole(sim);
    assert_null(slip_sim_note_at(sim, 0));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// a puck that spins on eight points, each with an eighth of its weight: w' = -mu m g R / (m R^2/2)
static void a_puck_spins(void **state)
{
    (void)state;
    slip_model *model = model_text(
        "slipstick: 1\nname: Puck\nspace: 3\ngravity: 9.81\nparameters: {R: 0.05, m: 1}\nbodies:\n"
        "  ground: {shape: {plane: [0, 0, 0]}}\n"
        "  puck: {mass: m, inertia: [m*R^2/4, m*R^2/4, m*R^2/2], spin: [0, 0, 20], shape: {cylinder: [R, 0], "
        "points: 8}}\ncontacts: {c: {between: [puck, ground], friction: 0.2}}\nrecord: {wz: puck.wz}\n");
    for (int k = 0; k < 2; k++) { // of second order: the points turn by 0.02 rad in a step of 1 ms
        slip_sim *sim = simulate(model, NULL, k ? 1e-4 : 1e-3, 0.2);
        run_whole(sim);
        assert_near(slip_sim_get(sim, "wz"), 20.0 - 2.0 * 0.2 * g / 0.05 * 0.2, k ? 4e-6 : 4e-4);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

// a box on four corners slides straight on: v = v0 - mu g t, and stops
static void a_box_slides(void **state)
{
    (void)state;
    slip_model *model =
        model_text("slipstick: 1\nname: Box\nspace: 3\ngravity: 9.81\nbodies:\n"
                   "  ground: {shape: {plane: [0, 0, 0]}}\n"
                   "  box: {mass: 2, inertia: 0.1, z: 5 cm, x: {rate: 1}, shape: {box: [0.3, 0.2, 0.1]}}\n"
                   "contacts: {c: {between: [box, ground], friction: 0.3}}\n");
    slip_sim *sim = simulate(model, NULL, 1e-3, 0.6);
    run_whole(sim);
    assert_near(slip_sim_get(sim, "box.x"), 1.0 / (2.0 * 0.3 * g), 1e-6);
    assert_near(slip_sim_get(sim, "box.x'"), 0.0, 1e-12);
    assert_near(slip_sim_get(sim, "box.z"), 0.05, 1e-9);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_domino_stands),
        cmocka_unit_test(a_puck_spins),
        cmocka_unit_test(a_box_slides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
