/// truth.c: the models of Kikuuwe 2008 against reference values, step by step.
///
/// test/truth/kikuuwe/scheme.csv: rk4-generalised at the printed step; every correct program gets these
/// numbers.
#include "kikuuwe/helper.h"

static void the_scheme_step_by_step(void **state)
{
    (void)state;
    FILE *file = fopen("test/truth/kikuuwe/scheme.csv", "r");
    assert_non_null(file);
    char line[160], name[64], column[32], now[64] = "";
    assert_non_null(fgets(line, sizeof line, file));
    slip_model *model = NULL;
    slip_sim *sim = NULL;
    double number, value, tolerance;
    int count = 0;
    while (fscanf(file, " %63[^,],%31[^,],%lf,%lf,%lf", name, column, &number, &value, &tolerance) == 5) {
        if (strcmp(column, "q0") == 0 || strcmp(column, "q2") == 0)
            continue; // attitude: test/network/simulations.c
        if (strcmp(name, now) != 0) {
            slip_sim_destroy(sim);
            slip_model_destroy(model);
            model = load_model(name, "");
            slip_sim_def def = slip_default_sim_def();
            def.until = 50;
            sim = make_sim(model, &def);
            assert_string_equal(slip_sim_settings(sim).integrator, "rk4-generalised");
            snprintf(now, sizeof now, "%s", name);
        }
        step_to(sim, (long)number);
        double got = slip_sim_get(sim, column);
        if (!(fabs(got - value) <= tolerance)) print_error("%s, %s after step %g\n", name, column, number);
        assert_near(got, value, tolerance);
        count++;
    }
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    fclose(file);
    assert_true(count > 320);
}

// ------------------------------------------------------------------------------------------ simulation I

static void the_sphere_rolls_after_0_58_s(void **state)
{
    (void)state;
    slip_model *model = load_model("sphere", "");
    slip_sim *sim = make_sim(model, NULL);
    double rolls = NAN, deepest = 0, apex = 0;
    while (slip_sim_step(sim) == SLIP_RUNNING) {
        double vx = slip_sim_get(sim, "px'"), w = slip_sim_get(sim, "thy'"), pz = slip_sim_get(sim, "pz");
        double t = slip_sim_time(sim), vz = slip_sim_get(sim, "pz'");
        assert_near(vx + 0.4 * 0.2 * w, 2.0, 1e-12);                       // momentum about the contact
        if (t <= 0.55) assert_near(vx + 0.1 * (vz + 9.8 * t), 2.0, 1e-10); // slipping: f_t = mu f_n
        if (isnan(rolls) && vx - 0.2 * w <= 0) rolls = t;
        deepest = fmax(deepest, 0.2 - pz);
        if (t > 0.5) apex = fmax(apex, pz - 0.2);
    }
    assert_near(rolls, 0.5843, 1e-12); // first step with no slip; the paper has 0.58
    assert_near(rolls, 2 * 2.0 / (7 * 0.1 * 9.8), 0.022);
    assert_near(deepest, 3.405339620443648e-05, 1e-10);
    assert_true(apex > 0.0009 && apex < 0.0021);
    assert_near(slip_sim_get(sim, "px'"), 10.0 / 7, 1e-8);
    assert_near(slip_sim_get(sim, "thy'"), 50.0 / 7, 1e-7);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// plain rk4 multiplies the sliding friction's own mode by 4e6 per step at the first contact
static void the_stage_step_is_essential(void **state)
{
    (void)state;
    slip_model *model = load_model("sphere", "");
    slip_sim_def def = slip_default_sim_def();
    def.integrator = "rk4";
    slip_sim *sim = make_sim(model, &def);
    slip_run_outcome outcome;
    do outcome = slip_sim_step(sim);
    while (outcome == SLIP_RUNNING);
    assert_true(outcome == SLIP_BLOWN_UP || slip_sim_warning(sim, 0) != NULL);
    assert_non_null(slip_sim_warning(sim, 0)); // and it was said
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// ----------------------------------------------------------------------------------------- simulation II

/// Angle minus element state of both joints at 6 s and 10 s, and the last time either moved.
typedef struct rest {
    double at_6[2], at_10[2], angle_6[2], angle_10[2], last;
} rest;

static rest run_arm(const char *name)
{
    slip_model *model = load_model(name, "");
    slip_sim *sim = make_sim(model, NULL);
    rest r = { .last = 0 };
    double before[2] = { 0 };
    slip_run_outcome outcome;
    do {
        outcome = slip_sim_step(sim);
        double angle[2] = { slip_sim_get(sim, "th0"), slip_sim_get(sim, "th1") };
        double slid[2] = { angle[0] - slip_sim_get(sim, "joint0.e"),
                           angle[1] - slip_sim_get(sim, "joint1.e") };
        for (int k = 0; k < 2; k++) {
            if (fabs(slid[k] - before[k]) > 1e-12) r.last = slip_sim_time(sim);
            before[k] = slid[k];
            if (slip_sim_steps(sim) == 60000) r.at_6[k] = slid[k], r.angle_6[k] = angle[k];
            r.at_10[k] = slid[k], r.angle_10[k] = angle[k];
        }
    } while (outcome == SLIP_RUNNING);
    assert_int_equal(outcome, SLIP_DONE);
    assert_null(slip_sim_warning(sim, 0));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return r;
}

static void the_arm_stops_and_stays(void **state)
{
    (void)state;
    rest r = run_arm("two-link");
    assert_near(r.last, 4.5401, 2e-4);
    assert_near(r.last, 4.5, 0.15);
    for (int k = 0; k < 2; k++) assert_near(r.at_10[k] - r.at_6[k], 0, 1e-12);
    assert_near(r.at_10[0], 1.1797603529026508, 1e-3); // the rigid arm's
    assert_near(r.at_10[1], 2.451733737662296, 1e-3);
}

static void with_lugre_and_dahl_it_drifts(void **state)
{
    (void)state;
    const double lugre[] = { 0.005399227139870899, 0.006321670749505071 };
    const double dahl[] = { 0.005322638979547434, 0.007141585318692245 };
    rest a = run_arm("two-link-lugre"), b = run_arm("two-link-dahl");
    for (int k = 0; k < 2; k++) {
        assert_near((a.angle_10[k] - a.angle_6[k]) / 4, lugre[k], 1e-10);
        assert_near((b.angle_10[k] - b.angle_6[k]) / 4, dahl[k], 1e-10);
    }
}

// --------------------------------------------------------------------------- the limit of small steps

// test/truth/kikuuwe/continuous.csv: (17) itself; integrators with error control tell no stage steps
static void the_limit_of_small_steps(void **state)
{
    (void)state;
    FILE *file = fopen("test/truth/kikuuwe/continuous.csv", "r");
    assert_non_null(file);
    char line[160], name[64], column[32];
    assert_non_null(fgets(line, sizeof line, file));
    double at, value, tolerance, now = -1;
    slip_model *model = load_model("two-link", "");
    slip_sim *sim = NULL;
    int count = 0;
    while (fscanf(file, " %63[^,],%31[^,],%lf,%lf,%lf", name, column, &at, &value, &tolerance) == 5) {
        if (strcmp(name, "two-link") != 0) continue;
        if (at != now) {
            slip_sim_destroy(sim);
            slip_sim_def def = slip_default_sim_def();
            def.integrator = "sdirk4";
            def.relative = 1e-10;
            def.absolute = 1e-13;
            def.until = now = at;
            sim = make_sim(model, &def);
            run_to_end(sim);
        }
        double got = slip_sim_get(sim, column);
        if (!(fabs(got - value) <= tolerance + 2e-8)) print_error("%s at %g\n", column, at);
        assert_near(got, value, tolerance + 2e-8);
        count++;
    }
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    fclose(file);
    assert_true(count >= 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scheme_step_by_step),       cmocka_unit_test(the_sphere_rolls_after_0_58_s),
        cmocka_unit_test(the_stage_step_is_essential),   cmocka_unit_test(the_arm_stops_and_stays),
        cmocka_unit_test(with_lugre_and_dahl_it_drifts), cmocka_unit_test(the_limit_of_small_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
