/// rest.c: what stands, what falls, and that what stands does not creep.
#include "crowds.h"

#include <math.h>

#include "simulation/sim/sim.h"

// largest |state - before| of what is no rate
static double moved(slip_sim *sim, const double *before)
{
    const int n = slip_sim_state_count(sim);
    double *row = calloc((size_t)slip_sim_column_count(sim), sizeof *row), most = 0.0;
    slip_sim_columns(sim, row);
    for (int k = 1; k <= n / 2; k++) most = fmax(most, fabs(row[k] - before[k]));
    free(row);
    return most;
}

static double *columns(slip_sim *sim)
{
    double *row = calloc((size_t)slip_sim_column_count(sim), sizeof *row);
    slip_sim_columns(sim, row);
    return row;
}

// the heaviest on top, at every step
static void tower(void **state)
{
    (void)state;
    static const double steps[] = { 2e-2, 1e-2, 1e-3, 1e-4 };
    for (int k = 0; k < 4; k++) {
        slip_model *model;
        slip_sim *sim = start_crowd(&model, "many-body", "tower", "", steps[k], 2000.0 * steps[k]);
        double *before = columns(sim);
        run_to_end(sim);
        assert_near(moved(sim, before), 0.0, 1e-9);
        assert_near(slip_sim_energy(sim).kinetic, 0.0, 0.0);
        double load = 0.0, above = 0.0; // what rests on the ten contacts: the weights above each
        for (int i = 10; i >= 1; i--) above += 9.81 * pow(1e4, (i - 1) / 9.0), load += above;
        assert_near(slip_sim_get(sim, "load"), load, 1e-6 * load);
        free(before);
        finish(sim, model);
    }
}

static const char BALLS[] = "slipstick: 1\nname: four balls\nspace: 3\ngravity: 9.81\n"
                            "parameters: {mu: 0.5, r: 0.1}\n"
                            "bodies:\n"
                            "  ground: {shape: {plane: [0, 0, 0]}}\n"
                            "  top: {mass: 1, inertia: 0.4*r^2, shape: {sphere: r}, z: r + 2*r*sqrt(2/3)}\n"
                            "repeat:\n"
                            "  for: {i: 1..3}\n"
                            "  bodies:\n"
                            "    ball(i): {mass: 1, inertia: 0.4*r^2, shape: {sphere: r}, z: r,\n"
                            "              x: 2*r/sqrt(3)*cos(120 deg*i), y: 2*r/sqrt(3)*sin(120 deg*i)}\n"
                            "contacts: {pile: {detect: [top, ball*, ground], friction: mu}}\n";

// A ball on three: the force that a lower one carries passes its point on the floor, half as steep as the
// line of centres, so that it stands for mu >= tan(theta/2) = sqrt(3) - sqrt(2) and falls for less
static void four_balls(void **state)
{
    (void)state;
    const double limit = sqrt(3.0) - sqrt(2.0);
    for (int k = 0; k < 2; k++) {
        char set[60];
        slip_model *model;
        snprintf(set, sizeof set, "mu=%.17g", k ? 1.001 * limit : 0.999 * limit);
        slip_sim *sim = start_crowd(&model, "many-body", BALLS, set, 1e-3, 1.0);
        double *before = columns(sim);
        run_to_end(sim);
        if (k)
            assert_near(moved(sim, before), 0.0, 1e-9);
        else
            assert_true(moved(sim, before) > 1e-3);
        free(before);
        finish(sim, model);
    }
}

// a hundred thousand steps, and not a bit
static void does_not_creep(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = start_crowd(&model, "many-body", BALLS, "mu=0.4", 1e-3, 101.0);
    step_to(sim, 100);
    double *before = columns(sim);
    step_to(sim, 100100);
    double *after = columns(sim);
    for (int k = 1; k <= slip_sim_state_count(sim); k++) assert_true(after[k] == before[k]);
    free(before);
    free(after);
    finish(sim, model);
}

// a sleeper wakes when it is hit: momentum goes over, and the block comes to rest again where friction ends
// it
static void wakes(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim =
        start_crowd(&model, "many-body",
                    "slipstick: 1\nname: hit\nspace: 3\ngravity: 9.81\n"
                    "bodies:\n"
                    "  ground: {shape: {plane: [0, 0, 0]}}\n"
                    "  block: {mass: 2, inertia: 0.02, shape: {box: [0.2, 0.2, 0.2]}, z: 0.1}\n"
                    "  ball: {mass: 1, inertia: 4e-3, shape: {sphere: 0.05}, x: {start: -1.15, rate: "
                    "2}, z: 0.1 + 0.5*9.81*0.25}\n"
                    "contacts: {c: {detect: [block, ball, ground], friction: 0.2}}\n",
                    "", 1e-3, 3.0);
    step_until(sim, 0.4);
    assert_near(slip_sim_get(sim, "block.x'"), 0.0, 0.0); // it sleeps
    step_until(sim, 0.55);
    assert_true(slip_sim_get(sim, "block.x'") > 0.2);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "block.x'"), 0.0, 0.0);
    assert_true(slip_sim_get(sim, "block.x") > 0.01);
    finish(sim, model);
}

// A plate that is gone within a step, and one that leaves faster than things fall: the sleeper falls
static void loses_its_support(void **state)
{
    (void)state;
    static const char *const ways[] = { "-min(1, max(0, 1000*(t - 2)))", "-20*max(0, t - 2)^2" };
    for (int k = 0; k < 2; k++) {
        char set[100];
        slip_model *model;
        snprintf(set, sizeof set, "bodies.plate.s.motion=%s", ways[k]);
        slip_sim *sim = start_crowd(&model, "many-body",
                                    "slipstick: 1\nname: gone\ngravity: 9.81\n"
                                    "bodies:\n"
                                    "  ground: {shape: {line: [0, -5]}}\n"
                                    "  plate: {joint: {prismatic: ground, along: 90 deg}, s: {motion: 0*t},\n"
                                    "    shape: {box: [1, 0.02], at: [0, -0.01]}}\n"
                                    "  ball: {mass: 1, inertia: 1e-3, shape: {circle: 0.05}, y: 0.05}\n"
                                    "contacts: {c: {detect: [ball, plate, ground], friction: 0.3}}\n",
                                    set, 1e-3, 2.3);
        step_until(sim, 1.0);
        assert_near(slip_sim_get(sim, "ball.y'"), 0.0, 0.0); // it sleeps
        run_to_end(sim);
        assert_near(slip_sim_get(sim, "ball.y"), 0.05 - 0.5 * 9.81 * 0.09, 1e-4);
        assert_near(slip_sim_get(sim, "ball.y'"), -9.81 * 0.3, 1e-3);
        finish(sim, model);
    }
}

// two discs that overlap by 5 cm, and two that touch and strike at once
static void starts_inside(void **state)
{
    (void)state;
    static const char *const sets[] = { "", "bodies.b.x={start: 0.2, rate: -3}" };
    for (int k = 0; k < 2; k++) {
        slip_model *model;
        slip_sim *sim = start_crowd(&model, "many-body",
                                    "slipstick: 1\nname: inside\nbodies:\n"
                                    "  a: {mass: 1, inertia: 0.01, shape: {circle: 0.1}}\n"
                                    "  b: {mass: 1, inertia: 0.01, shape: {circle: 0.1}, x: 0.15}\n"
                                    "contacts: {c: {detect: [a, b]}}\n",
                                    sets[k], 1e-3, 0.1);
        run_to_end(sim);
        const char *said = slip_sim_warning(sim, 0);
        if (k)
            assert_null(said);
        else
            assert_non_null(strstr(said, "'a' and 'b' start 0.05 m inside each other"));
        finish(sim, model);
    }
}

// boxes in the plane, sixty seconds
static void pyramid(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = start_crowd(&model, "many-body", "pyramid", "", 1e-2, 60.0);
    double *before = columns(sim);
    run_to_end(sim);
    assert_near(moved(sim, before), 0.0, 1e-9);
    assert_near(slip_sim_energy(sim).kinetic, 0.0, 0.0);
    free(before);
    finish(sim, model);
}

static double contacts_at_end(const char *folder, const char *text)
{
    slip_model *model;
    slip_sim *sim = start_crowd(&model, folder, text, "", 1e-2, 2.0);
    run_to_end(sim);
    assert_string_equal(sim->method->measures[0].name, "contacts");
    const double count = sim->method->measures[0].value;
    finish(sim, model);
    return count;
}

// Contacts that fall asleep, all at once or beside others, are counted once: two under each box of the lowest
// row, four under each of the others
static void are_counted_once(void **state)
{
    (void)state;
    static const char falls[] = "slipstick: 1\nname: one after the other\ngravity: 9.81\n"
                                "bodies:\n"
                                "  ground: {shape: {line: [0, 0]}}\n"
                                "  lies: {mass: 1, inertia: 1, shape: {box: [1, 1]}, y: 0.5}\n"
                                "  falls: {mass: 1, inertia: 1, shape: {box: [1, 1]}, x: 3, y: 0.7}\n"
                                "contacts: {pile: {detect: [lies, falls, ground], friction: 0.5}}\n";
    const double rows = 12.0;
    assert_near(contacts_at_end("many-body", "pyramid"), 2.0 * rows + 4.0 * rows * (rows - 1.0) / 2.0, 0.0);
    assert_near(contacts_at_end("", falls), 4.0, 0.0);
}

// the same bits on every run
static void repeats(void **state)
{
    (void)state;
    double *row[2];
    for (int k = 0; k < 2; k++) {
        slip_model *model;
        slip_sim *sim = start_crowd(&model, "many-body", "heap", "layers=2", 1e-3, 0.5);
        run_to_end(sim);
        row[k] = columns(sim);
        if (k)
            for (int i = 0; i < slip_sim_column_count(sim); i++) assert_true(row[0][i] == row[1][i]);
        finish(sim, model);
    }
    free(row[0]);
    free(row[1]);
}

// A table whose rail holds 2 N, with a box on it, under a force that grows by 1 N/s: both stay to the last
// bit for two seconds, then (M + m) a = t - 2 N
static const char TABLE[] = "slipstick: 1\nname: table\ngravity: 9.81\n"
                            "bodies:\n"
                            "  ground: {}\n"
                            "  table: {mass: 1, joint: {prismatic: ground}, shape: {line: [0, 0]}}\n"
                            "  box: {mass: 1, inertia: 4e-3, shape: {box: [0.2, 0.1]}, y: 0.05}\n"
                            "forces: {table.s: t}\n"
                            "frictions: {rail: {slip: table.s, limit: 2}}\n"
                            "contacts: {c: {detect: [box, table], friction: 0.4}}\n";

static void what_formulas_move_stays(void **state)
{
    (void)state;
    static const double ends[] = { 1.99, 3.0 };
    for (int k = 0; k < 2; k++) {
        slip_model *model;
        slip_sim *sim = start_crowd(&model, "", TABLE, "", 1e-3, ends[k]);
        run_to_end(sim);
        const double way = k ? 1.0 / 12.0 : 0.0;
        assert_near(slip_sim_get(sim, "table.s"), way, k ? 1e-6 : 0.0);
        assert_near(slip_sim_get(sim, "box.x"), way, k ? 1e-6 : 0.0);
        finish(sim, model);
    }
}

// two fingers that springs press hold a wrench by friction alone, and it does not creep
static void a_gripper_does_not_creep(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = start_crowd(&model, "many-body", "gripper", "", 1e-3, 4.0);
    while (slip_sim_time(sim) < 2.0) slip_sim_step(sim);
    double *before = columns(sim);
    run_to_end(sim);
    assert_near(moved(sim, before), 0.0, 0.0);
    assert_near(slip_sim_energy(sim).kinetic, 0.0, 0.0);
    free(before);
    finish(sim, model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tower),
        cmocka_unit_test(four_balls),
        cmocka_unit_test(does_not_creep),
        cmocka_unit_test(wakes),
        cmocka_unit_test(loses_its_support),
        cmocka_unit_test(starts_inside),
        cmocka_unit_test(pyramid),
        cmocka_unit_test(are_counted_once),
        cmocka_unit_test(repeats),
        cmocka_unit_test(what_formulas_move_stays),
        cmocka_unit_test(a_gripper_does_not_creep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
