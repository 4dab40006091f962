/// resume.c: a crowd that is interrupted goes on to the same bits: while it falls, strikes, slides, sleeps
/// and is woken.
#include "../sim/resume.h"

static const char HIT[] =
    "slipstick: 1\nname: hit\nspace: 3\ngravity: 9.81\n"
    "bodies:\n"
    "  ground: {shape: {plane: [0, 0, 0]}}\n"
    "  plate: {joint: {prismatic: ground}, s: {motion: 0.1*t},\n"
    "    shape: {box: [0.1, 0.1, 0.1], at: [0, 3, 0.05]}}\n"
    "  block: {mass: 2, inertia: 0.02, shape: {box: [0.2, 0.2, 0.2]}, z: 0.1}\n"
    "  egg: {mass: 1, inertia: [0.01, 0.02, 0.03], shape: {ellipsoid: [0.2, 0.15, 0.1]},\n"
    "    y: 1, z: 0.3, spin: [4, 0, 0]}\n"
    "  ball: {mass: 1, inertia: 4e-3, shape: {sphere: 0.05}, x: {start: -1.15, rate: 2},\n"
    "    z: 0.1 + 0.5*9.81*0.25}\n"
    "contacts: {c: {detect: [block, ball, egg, plate, ground], friction: 0.2, static: 0.3, rolling: 1 mm, "
    "spinning: 1 mm, restitution: "
    "0.3}}\n"
    "record: {load: c.normal, touching: c.count, slip: c.slip}\n";

// A ball sleeps on a plate that drops from under it, faster than it falls
static const char PLATE[] =
    "slipstick: 1\nname: plate\nspace: 3\ngravity: 9.81\n"
    "bodies:\n"
    "  ball: {mass: 1, inertia: 4e-3, shape: {sphere: 0.05}, z: 1.05}\n"
    "  plate: {joint: {prismatic: ground, along: [0, 0, 1]}, s: {motion: 0.9 - 50*max(0, t - 0.5)^2},\n"
    "    shape: {box: [1, 1, 0.2]}}\n"
    "contacts: {c: {detect: [ball, plate], friction: 0.2}}\n"
    "record: {load: c.normal}\n";

static const char DOOR[] =
    "slipstick: 1\nname: door\ngravity: 9.81\n"
    "bodies:\n"
    "  ground: {shape: {line: [0, -1]}}\n"
    "  door: {mass: 1, inertia: 0.01, joint: {revolute: ground, friction: 0.3, radius: 0.02},\n"
    "    shape: {box: [0.4, 0.02], at: [0.2, 0]}}\n"
    "  ball: {mass: 0.5, inertia: 6e-4, shape: {circle: 0.05}, x: 0.2, y: 0.2}\n"
    "  box: {mass: 1, inertia: 0.01, shape: {box: [0.2, 0.2]}, x: 2, y: -0.9}\n"
    "springs: {hold: {turn: [door, ground], stiffness: 30, damping: 0.3}}\n"
    "frictions: {pin: {slip: door.th, limit: 0.02, static: 0.03}}\n"
    "controllers: {nudge: {period: 50 ms, outputs: {F: 0.1 - door.th}}}\n"
    "forces: {door.th: F}\n"
    "contacts: {stop: {gap: door.th + 0.05, restitution: 0.2}, c: {detect: [ball, box, door, ground], "
    "friction: "
    "0.4}}\n"
    "record: {load: c.normal, push: stop.normal, rub: pin.friction, force: door_joint.force}\n";

static void same_bits(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *sets;
        double step, until;
    } runs[] = { { "hit", HIT, "", 1e-3, 1.5 },       { "door", DOOR, "", 1e-3, 1.2 },
                 { "plate", PLATE, "", 1e-3, 0.9 },   { "heap", "heap", "layers=2", 1e-3, 0.6 },
                 { "break", "break", "", 1e-4, 0.3 }, { "pyramid", "pyramid", "rows=4", 1e-2, 1.0 } };
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        slip_model *model = read_model("many-body", runs[k].text, runs[k].sets, ";");
        slip_sim_def def = slip_default_sim_def();
        def.formulation = "moreau";
        def.step = runs[k].step, def.until = runs[k].until;
        for (int part = 0; part < 6; part++)
            assert_true(compare(model, &def, runs[k].name, def.until * part / 6.0));
        slip_model_destroy(model);
    }
}

// what carried a sleeper is known after a restart as well: it falls g t^2/2 when that is gone
static void a_sleeper_falls_after_a_restart(void **state)
{
    (void)state;
    slip_model *model = read_model("", PLATE, "", ";");
    slip_sim_def def = slip_default_sim_def();
    slip_error error = { 0 };
    def.step = 1e-3, def.until = 0.9;
    slip_sim *a = make_sim(model, &def), *b = make_sim(model, &def);
    step_to(a, 300);
    char *saved = slip_sim_save(a, &error);
    assert_non_null(saved);
    assert_int_equal(slip_sim_restore(b, saved, &error), SLIP_OK);
    free(saved);
    step_to(b, 900);
    assert_near(slip_sim_get(b, "ball.z"), 1.05 - 0.5 * 9.81 * 0.4 * 0.4, 1e-9);
    slip_sim_destroy(a);
    slip_sim_destroy(b);
    slip_model_destroy(model);
}

// the next rows too, to the last bit
static void same_rows(void **state)
{
    (void)state;
    slip_model *model = read_model("", HIT, "", ";");
    slip_sim_def def = slip_default_sim_def();
    slip_error error = { 0 };
    def.step = 1e-3, def.until = 1.5;
    slip_sim *a = make_sim(model, &def), *b = make_sim(model, &def);
    const int count = slip_sim_column_count(a);
    double *row = calloc(2 * (size_t)count, sizeof *row);
    step_to(a, 400); // the block sleeps, the ball is on its way
    char *saved = slip_sim_save(a, &error);
    assert_non_null(saved);
    assert_int_equal(slip_sim_restore(b, saved, &error), SLIP_OK);
    free(saved);
    for (int step = 0; step < 400; step++) {
        slip_sim_columns(a, row);
        slip_sim_columns(b, row + count);
        assert_memory_equal(row, row + count, (size_t)count * sizeof *row);
        assert_int_equal(slip_sim_step(a), slip_sim_step(b));
    }
    free(row);
    slip_sim_destroy(a);
    slip_sim_destroy(b);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(same_bits), cmocka_unit_test(same_rows),
                                        cmocka_unit_test(a_sleeper_falls_after_a_restart) };
    return cmocka_run_group_tests_name("crowd.resume", tests, NULL, NULL);
}
