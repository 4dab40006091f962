/// models.c: the shipped models with bodies in space, each against its known answer.
#include "helper.h"

static slip_sim *start(const char *folder, const char *name, const char *formulation, double step,
                       slip_model **model)
{
    *model = read_model(folder, name, "", ";");
    slip_sim_def def = slip_default_sim_def();
    if (formulation) def.formulation = formulation;
    if (step > 0) def.step = step;
    return make_sim(*model, &def);
}

static void finish(slip_sim *sim, slip_model *model)
{
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// Kikuuwe 2008, simulation I: the reference values of the formulas, and its quaternion
static void the_sphere(void **state)
{
    (void)state;
    static const struct {
        const char *column, *name;
    } names[] = { { "px", "ball.x" },   { "pz", "ball.z" },          { "px'", "ball.x'" },
                  { "pz'", "ball.z'" }, { "thy'", "ball.wy" },       { "q0", "ball.qw" },
                  { "q2", "ball.qy" },  { "floor.e.x", "floor.e.x" } };
    slip_model *model;
    slip_sim *sim = start("kikuuwe", "sphere-bodies", NULL, 0, &model);
    FILE *file = fopen("test/truth/kikuuwe/scheme.csv", "r");
    assert_non_null(file);
    char line[160], of[64], column[32];
    double number, value, tolerance;
    int count = 0;
    assert_non_null(fgets(line, sizeof line, file));
    while (fscanf(file, " %63[^,],%31[^,],%lf,%lf,%lf", of, column, &number, &value, &tolerance) == 5) {
        if (strcmp(of, "sphere") != 0) continue;
        int k = 0;
        while (k < 8 && strcmp(names[k].column, column) != 0) k++;
        if (k == 8) print_error("%s\n", column);
        assert_true(k < 8);
        step_to(sim, (long)number);
        assert_near(slip_sim_get(sim, names[k].name), value, tolerance);
        count++;
    }
    fclose(file);
    assert_true(count > 40);
    finish(sim, model);
}

// simulation III: joints of springs follow the arm of simulation II, and that from bodies is that from
// formulas
static void the_arms(void **state)
{
    (void)state;
    slip_model *model[3];
    static const char *const names[] = { "two-link", "two-link-bodies", "two-link-penalty" };
    slip_sim *sim[3];
    for (int k = 0; k < 3; k++) sim[k] = start("kikuuwe", names[k], NULL, 0, &model[k]);
    double worst[2] = { 0 };
    for (long n = 100; n <= 100000; n += 100) {
        double th[3][2];
        for (int k = 0; k < 3; k++) {
            step_to(sim[k], n);
            th[k][0] = slip_sim_get(sim[k], "th0");
            th[k][1] = slip_sim_get(sim[k], "th1");
        }
        for (int k = 0; k < 2; k++)
            for (int j = 0; j < 2; j++) worst[k] = fmax(worst[k], fabs(th[1 + k][j] - th[0][j]));
    }
    assert_true(worst[0] < 1e-12);
    assert_near(worst[1], 2.0694033288304325e-05, 0.01 * 2.07e-5);
    assert_near(slip_sim_get(sim[2], "th0"), 1.180171979391986, 1e-9);
    static const char *const flat[] = {
        "link0.z", "link0.qx", "link0.qy", "link1.z", "link1.w1", "link1.w2"
    };
    for (int k = 0; k < 6; k++)
        assert_near(slip_sim_get(sim[2], flat[k]), 0, 1e-15); // the arm stays in its plane
    for (int k = 0; k < 3; k++) finish(sim[k], model[k]);
}

static void the_wing_nut(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = start("spatial", "dzhanibekov", NULL, 0, &model);
    const double right[] = { 4.2734981219, 12.0601512616, 19.8468044013 };
    double before = 3, found[3] = { 0 };
    int count = 0;
    while (slip_sim_step(sim) == SLIP_RUNNING) {
        double now = slip_sim_get(sim, "nut.w2"), t = slip_sim_time(sim);
        if (now * before < 0 && count < 3) found[count++] = t - 1e-3 * now / (now - before);
        before = now;
    }
    assert_int_equal(count, 3);
    for (int k = 0; k < 3; k++) assert_near(found[k], right[k], 1e-6);
    assert_near(slip_sim_get(sim, "energy"), 9.0002, 1e-11);
    double q[4], L[3];
    static const char *const names[] = { "nut.qw", "nut.qx", "nut.qy", "nut.qz" };
    for (int k = 0; k < 4; k++) q[k] = slip_sim_get(sim, names[k]);
    assert_near(q[0] * q[0] + dot(q + 1, q + 1), 1, 1e-9); // what rk4 makes of its length
    const double own[3] = { slip_sim_get(sim, "nut.w1"), 2 * slip_sim_get(sim, "nut.w2"),
                            3 * slip_sim_get(sim, "nut.w3") };
    rotate(q, own, L);
    const double kept[3] = { 0.01, 6, 0.03 };
    for (int k = 0; k < 3; k++) assert_near(L[k], kept[k], 1e-9);
    finish(sim, model);
}

static void the_pendulum(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = start("spatial", "spherical-pendulum", NULL, 0, &model);
    double low = 0, high = -1;
    while (slip_sim_step(sim) == SLIP_RUNNING) {
        double z = slip_sim_get(sim, "z");
        low = fmin(low, z), high = fmax(high, z);
        assert_near(slip_sim_get(sim, "momentum"), 1.44, 1e-8); // of the bob; its own inertia keeps the rest
    }
    assert_near(low, -0.8, 1e-6);
    assert_near(high, -0.7401634444866703, 1e-5);
    assert_near(slip_sim_energy(sim).numerical, 0, 1e-10);
    finish(sim, model);
}

static void the_boxes(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = start("spatial", "sliding-box", NULL, 0, &model);
    const double T = 1.8 / (0.3 * 9.81), way = 0.5 * 1.8 * T;
    while (slip_sim_step(sim) == SLIP_RUNNING) {
        double t = slip_sim_time(sim), vx = slip_sim_get(sim, "box.x'");
        assert_near(vx, 0.8 * fmax(0, 1.8 - 0.3 * 9.81 * t), 1e-9 + (fabs(t - T) < 2e-3 ? 4e-3 : 0));
    }
    assert_near(slip_sim_get(sim, "box.x"), 0.8 * way, 1e-6);
    assert_near(slip_sim_get(sim, "box.y"), 0.6 * way, 1e-6);
    assert_near(slip_sim_get(sim, "box.w3"), 0, 1e-12);
    finish(sim, model);

    sim = start("spatial", "tumbling-box", NULL, 0, &model);
    double most = slip_sim_energy(sim).start;
    while (slip_sim_step(sim) == SLIP_RUNNING) {
        slip_energy e = slip_sim_energy(sim);
        assert_true(e.kinetic + e.potential <
                    most + 2e-4); // what gyroscopic forces create in a step is that small
        most = e.kinetic + e.potential;
    }
    assert_near(slip_sim_energy(sim).kinetic, 0, 1e-12);
    assert_near(slip_sim_get(sim, "box.z"), 0.07, 1e-5);
    finish(sim, model);
}

static void the_coin(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = start("spatial", "coin", NULL, 0, &model);
    const double th = acos(-1.0) / 3, W = sqrt(4 * 9.81 / tan(th) / (0.6 - 0.1 * cos(th)));
    while (slip_sim_step(sim) == SLIP_RUNNING) {
        assert_near(slip_sim_get(sim, "lean"), th, 1e-6);
        double turned = slip_sim_get(sim, "around") - W * slip_sim_time(sim);
        assert_near(sin(turned), 0, 1e-5);
        assert_near(slip_sim_get(sim, "load"), 0.0981, 1e-5);
    }
    assert_near(slip_sim_time(sim), 3, 1e-9);
    finish(sim, model);
    sim = start("spatial", "coin", "moreau", 1e-5, &model);
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    assert_near(slip_sim_get(sim, "lean"), th, 5e-3);
    finish(sim, model);
}

static void the_balls(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = start("spatial", "billiards", NULL, 0, &model);
    double before = slip_sim_energy(sim).start;
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    assert_near(slip_sim_get(sim, "cue.x'"), -0.4, 1e-3);
    assert_near(slip_sim_get(sim, "left.x'"), 0.8 * sqrt(3) * cos(acos(-1.0) / 6), 1e-3);
    assert_near(slip_sim_get(sim, "left.y'"), 0.8 * sqrt(3) * 0.5, 1e-3);
    assert_near(slip_sim_get(sim, "right.y'"), -slip_sim_get(sim, "left.y'"), 1e-12);
    assert_near(slip_sim_get(sim, "px"), 0.34, 1e-13);
    assert_near(slip_sim_energy(sim).kinetic, before, 1e-12);
    finish(sim, model);
}

// nothing accelerates, so steps are as long as the run allows, and the balls could pass through each other in
// one
static void the_balls_in_long_steps(void **state)
{
    (void)state;
    slip_model *model;
    slip_sim *sim = start("spatial", "billiards", "lcp", 1e-3, &model);
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    assert_near(slip_sim_get(sim, "cue.x'"), -0.4, 1e-9);
    assert_near(slip_sim_get(sim, "left.x'"), 0.8 * sqrt(3) * cos(acos(-1.0) / 6), 1e-9);
    assert_near(slip_sim_get(sim, "left.y'"), 0.8 * sqrt(3) * 0.5, 1e-9);
    finish(sim, model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sphere),   cmocka_unit_test(the_arms),
        cmocka_unit_test(the_wing_nut), cmocka_unit_test(the_pendulum),
        cmocka_unit_test(the_boxes),    cmocka_unit_test(the_coin),
        cmocka_unit_test(the_balls),    cmocka_unit_test(the_balls_in_long_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
