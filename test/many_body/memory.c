/// memory.c: each allocation fails once while a model with detected contacts is read, its simulation
/// made and stepped: the answer is a status or an outcome, and nothing leaks. Steps that find no more
/// contacts than before allocate nothing.
#include "../models.h"
#include "alloc_fail.h"

static const char MODEL[] =
    "slipstick: 1\nname: all kinds\nspace: 3\ngravity: 9.81\n"
    "materials: {steel: {steel: {friction: 0.2, static: 0.3, rolling: 1e-3, restitution: 0.5}, ice: "
    "{friction: 0.02}}, ice: {}}\n"
    "bodies:\n"
    "  ground: {material: steel, shapes: {floor: {plane: [0, 0, 0]}, wall: {plane: [-1, 0, 0], normal: [1, "
    "0, 0]}}}\n"
    "  plate: {joint: {prismatic: ground}, s: {motion: 0.1*t}, shape: {box: [0.1, 0.1, 0.1], at: [0, 0, "
    "3]}}\n"
    "  egg: {mass: 1, inertia: 0.01, shape: {ellipsoid: [0.2, 0.15, 0.1]}, z: 0.1}\n"
    "  stone: {material: ice, mass: 1, inertia: 0.01, x: 0.5, z: 0.1,\n"
    "    shape: {hull: [[0.1, 0.1, -0.1], [-0.1, 0.1, -0.1], [0.1, -0.1, -0.1], [-0.1, -0.1, -0.1], [0, 0, "
    "0.2]]}}\n"
    "  rod: {mass: 1, inertia: 0.01, x: -0.6, z: 0.1, shape: {capsule: [[0, -0.2, 0], [0, 0.2, 0]], radius: "
    "0.1}}\n"
    "  arm: {mass: 1, inertia: 0.01, centre: [0.1, 0, 0], joint: {revolute: ground, axis: [0, 1, 0], "
    "friction: 0.1,\n"
    "    radius: 0.02}, shape: {sphere: 0.1, at: [0.3, 2, 0.5]}}\n"
    "repeat:\n"
    "  for: {i: 1..4}\n"
    "  bodies:\n"
    "    ball(i): {mass: 1, inertia: 4e-3, shape: {sphere: 0.1}, y: 1, z: 0.1 + 0.205*(i - 1), x: 0.001*i}\n"
    "fill: {seed: {count: 3, region: [[2, 2, 0], [3, 3, 1]], mass: 1, inertia: 4e-3, shape: {sphere: 0.1}}}\n"
    "springs: {hold: {turn: [arm, ground], stiffness: 5, damping: 0.1}}\n"
    "frictions: {pin: {slip: arm.th, limit: 0.01, static: 0.02}}\n"
    "contacts: {stop: {gap: arm.th + 0.1}, pile: {detect: [arm, seed*, ball*, egg, stone, rod, plate, "
    "ground], friction: 0.5}}\n"
    "record: {load: pile.normal, touching: pile.count}\n";

// the first ones one by one, then by strides that meet no period
static long next(long k)
{
    return k < 60 ? k + 1 : k + 17;
}

static void reading_survives(void **state)
{
    (void)state;
    long all = 0;
    for (long k = 0; k <= all; k = next(k)) { // 0: none fails, and they are counted
        slip_diagnostics *notes = slip_diagnostics_create();
        slip_model *model = NULL;
        alloc_fail_at(k);
        slip_status status = slip_model_read_text("test.yaml", MODEL, strlen(MODEL), NULL, 0, notes, &model);
        long asked = alloc_fail_stop();
        if (k == 0) all = asked;
        assert_int_equal(status == SLIP_OK, model != NULL);
        if (status != SLIP_OK && (k == 0 || status != SLIP_NO_MEMORY)) {
            char *said = slip_diagnostics_text(notes);
            fail_msg("allocation %ld: %s: %s", k, slip_status_text(status), said);
        }
        slip_model_destroy(model);
        slip_diagnostics_destroy(notes);
    }
    assert_true(all > 100); // else nothing was counted
}

static slip_sim_def settings(void)
{
    slip_sim_def def = slip_default_sim_def();
    def.step = 1e-3, def.until = 1.0;
    return def;
}

static void creating_survives(void **state)
{
    (void)state;
    slip_model *model = read_model("", MODEL, "", ";");
    const slip_sim_def def = settings();
    long all = 1;
    for (long k = 0; k <= all; k++) {
        slip_error error = { 0 };
        slip_sim *sim = NULL;
        alloc_fail_at(k);
        slip_status status = slip_sim_create(model, &def, &error, &sim);
        long asked = alloc_fail_stop();
        if (k == 0) all = asked;
        assert_int_equal(status == SLIP_OK, sim != NULL);
        assert_true(status == SLIP_OK || (k > 0 && status == SLIP_NO_MEMORY));
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

// the state and the ledger after so many steps
static void finish(slip_sim *sim, long steps, double *row)
{
    step_to(sim, steps);
    slip_sim_columns(sim, row);
}

// A step that has no room ends the run, with the state before it
static void stepping_survives(void **state)
{
    (void)state;
    enum { STEPS = 60 };
    slip_model *model = read_model("", MODEL, "", ";");
    const slip_sim_def def = settings();
    slip_sim *good = make_sim(model, &def);
    const size_t columns = (size_t)slip_sim_column_count(good);
    double *row = calloc(columns, sizeof *row), *expected = calloc(columns, sizeof *expected);
    assert_true(row && expected);
    alloc_fail_at(0);
    finish(good, STEPS, expected);
    const long all = alloc_fail_stop();
    assert_true(all > 10);
    for (long k = 1; k <= all; k++) {
        slip_sim *sim = make_sim(model, &def);
        slip_run_outcome outcome = SLIP_RUNNING;
        alloc_fail_at(k);
        while (outcome == SLIP_RUNNING && slip_sim_steps(sim) < STEPS) outcome = slip_sim_step(sim);
        alloc_fail_stop();
        slip_sim_columns(sim, row);
        if (outcome == SLIP_RUNNING) // a word that was not said: the motion is the same
            for (size_t i = 0; i < columns; i++) assert_true(row[i] == expected[i]);
        else
            assert_int_equal(outcome, SLIP_OUT_OF_MEMORY);
        slip_sim_destroy(sim);
    }
    free(row);
    free(expected);
    slip_sim_destroy(good);
    slip_model_destroy(model);
}

static void steps_allocate_nothing(void **state)
{
    (void)state;
    slip_model *model = read_model("", MODEL, "", ";");
    const slip_sim_def def = settings();
    slip_sim *sim = make_sim(model, &def);
    step_to(sim, 500);
    alloc_fail_at(0);
    step_to(sim, 900);
    assert_int_equal(alloc_fail_stop(), 0);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// A state that is read back where there is no room is refused, and the simulation can be destroyed
static void restoring_survives(void **state)
{
    (void)state;
    slip_model *model = read_model("", MODEL, "", ";");
    const slip_sim_def def = settings();
    slip_error error = { 0 };
    slip_sim *sim = make_sim(model, &def);
    step_to(sim, 300);
    char *saved = slip_sim_save(sim, &error);
    assert_non_null(saved);
    long all = 1;
    for (long k = 0; k <= all; k = next(k)) {
        slip_sim *other = make_sim(model, &def);
        alloc_fail_at(k);
        slip_status status = slip_sim_restore(other, saved, &error);
        long asked = alloc_fail_stop();
        if (k == 0) all = asked;
        assert_true((status == SLIP_OK) == (k == 0));
        slip_sim_destroy(other);
    }
    assert_true(all > 3);
    free(saved);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_survives),   cmocka_unit_test(creating_survives),
        cmocka_unit_test(stepping_survives),  cmocka_unit_test(steps_allocate_nothing),
        cmocka_unit_test(restoring_survives),
    };
    return cmocka_run_group_tests_name("crowd.memory", tests, NULL, NULL);
}
