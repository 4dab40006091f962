/// basin.c: where motions end is known: a well from whose energy nothing escapes, a pendulum under a torque.
#include <stdio.h>

#include "scratch.h"
#include "sweeps.h"

static const char wells[] = "slipstick: 1\nname: Two wells\ncoordinates: {x: -1}\nmass: {x: 1}\n"
                            "forces: {x: \"x - x^3 - 0.5*x'\"}\nrun: {until: 30}\n";
static const char pendulum[] = "slipstick: 1\nname: Pendulum\ncoordinates: {th: 0 rad}\nmass: {th: 1}\n"
                               "forces: {th: \"-sin(th) - 0.1*th' + 0.4\"}\nrun: {until: 100}\n";

static slip_basin *map(const slip_model *model, slip_sweep_axis *axes)
{
    slip_basin_def def = slip_default_basin_def();
    slip_error error = { 0 };
    slip_basin *basin = NULL;
    def.sweep.model = model, def.sweep.axes = axes, def.sweep.axis_count = 2, def.sweep.companion = false;
    def.sweep.sim.formulation = "lcp";
    if (slip_basin_run(&def, &error, &basin) != SLIP_OK) fail_msg("%s: %s", error.where, error.text);
    return basin;
}

// below the energy of the saddle a motion stays on its side of it
static void test_two_wells(void **state)
{
    (void)state;
    slip_model *model = read_model("", wells, "", " ");
    double x[9], v[] = { -0.4, 0.0, 0.4 };
    for (int k = 0; k < 9; k++) x[k] = -1.6 + 0.4 * k;
    slip_sweep_axis axes[] = { { "x", x, 9 }, { "x'", v, 3 } };
    slip_basin *b = map(model, axes);
    assert_int_equal(slip_basin_attractor_count(b), 3); // one run begins on the saddle and stays there
    int right = -1;
    long all = 0;
    for (int k = 0; k < 3; k++) {
        const slip_attractor *a = slip_basin_attractor(b, k);
        assert_int_equal(a->kind, SLIP_ATTRACTOR_REST);
        if (strcmp(a->name, "rest at x = 1") == 0) right = k;
        all += a->runs;
    }
    assert_int_equal(all, 27);
    assert_true(right >= 0);
    assert_string_equal(slip_basin_attractor(b, 2)->name, "rest at x = 0");
    for (long run = 0; run < 27; run++) {
        const double at = slip_sweep_point(slip_basin_sweep(b), run, 0),
                     speed = slip_sweep_point(slip_basin_sweep(b), run, 1);
        if (0.5 * speed * speed - 0.5 * at * at + 0.25 * at * at * at * at < 0.0)
            assert_int_equal(slip_basin_end(b, run) == right, at > 0.0);
    }
    char *json = slip_basin_json(b);
    assert_non_null(strstr(json, "\"not_settled\": 0"));
    free(json);
    assert_null(slip_basin_attractor(b, 3));
    assert_int_equal(slip_basin_end(b, -1), -1);
    const char *path = scratch_path(".svg");
    assert_int_equal(slip_basin_picture(path, b, NULL), SLIP_OK);
    remove(path);
    slip_basin_destroy(b);
    slip_model_destroy(model);
}

// it hangs where sin th = 0.4, or turns with torque and damping in balance: a mean rate of 4 rad/s, about
static void test_pendulum(void **state)
{
    (void)state;
    slip_model *model = read_model("", pendulum, "", " ");
    double th[] = { -2.0, 0.4, 6.7 }, rate[] = { 0.0, 4.0 };
    slip_sweep_axis axes[] = { { "th", th, 3 }, { "th'", rate, 2 } };
    slip_basin *b = map(model, axes);
    assert_int_equal(slip_basin_attractor_count(b), 2);
    const int hangs = slip_basin_end(b, 2), turns = slip_basin_end(b, 3);
    assert_int_equal(slip_basin_attractor(b, hangs)->kind, SLIP_ATTRACTOR_REST);
    assert_int_equal(slip_basin_attractor(b, turns)->kind, SLIP_ATTRACTOR_DRIFT);
    assert_string_equal(slip_basin_attractor(b, hangs)->name, "rest at th = 0.4115");
    assert_int_equal(slip_basin_end(b, 4), hangs); // a whole turn further is the same place
    assert_int_equal(slip_basin_end(b, 5), turns);
    slip_basin_destroy(b);
    slip_model_destroy(model);
}

static void test_mistakes(void **state)
{
    (void)state;
    slip_model *model = read_model("", wells, "", " ");
    double x[] = { 0.0, 1.0 };
    slip_sweep_axis axes[] = { { "x", x, 2 }, { "x'", x, 2 } };
    slip_basin_def def = slip_default_basin_def();
    slip_basin *basin = NULL;
    def.sweep.model = model, def.sweep.axes = axes, def.sweep.axis_count = 1;
    assert_int_equal(slip_basin_run(&def, NULL, &basin), SLIP_BAD_ARGUMENT);
    def.sweep.axis_count = 2, def.tail = 1.5;
    assert_int_equal(slip_basin_run(&def, NULL, &basin), SLIP_BAD_ARGUMENT);
    def.tail = 0.2, def.tolerance = 0.0;
    assert_int_equal(slip_basin_run(&def, NULL, &basin), SLIP_BAD_ARGUMENT);
    assert_null(basin);
    slip_model_destroy(model);
}

// x'' = -x - 200 x' creeps to 0 with a time constant of 200 s: after 60 s only what began at rest there has ended
static void test_what_creeps_has_not_settled(void **state)
{
    (void)state;
    static const char slow[] = "slipstick: 1\nname: Slow\ncoordinates: {x: 0}\nmass: {x: 1}\n"
                               "forces: {x: \"-x - 200*x'\"}\nrun: {until: 60}\n";
    slip_model *model = read_model("", slow, "", " ");
    double x[] = { -1.0, -0.5, 0.0, 0.5, 1.0 }, v[] = { 0.0 };
    slip_sweep_axis axes[] = { { "x", x, 5 }, { "x'", v, 1 } };
    slip_basin *b = map(model, axes);
    assert_int_equal(slip_basin_attractor_count(b), 1);
    assert_int_equal(slip_basin_attractor(b, 0)->kind, SLIP_ATTRACTOR_REST);
    assert_int_equal(slip_basin_attractor(b, 0)->runs, 1);
    slip_basin_destroy(b);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_two_wells), cmocka_unit_test(test_pendulum),
                                        cmocka_unit_test(test_mistakes),
                                        cmocka_unit_test(test_what_creeps_has_not_settled) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
