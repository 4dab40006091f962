/// tables.c: tables and inputs, under every formulation.
#include <math.h>

#include "formulations.h"

// ---------------------------------------------------------------------------------------------- values

/// A model in which x is the time, and f(x) is recorded.
static double value(const char *table, const char *call, double x)
{
    char text[1000];
    snprintf(text, sizeof text,
             "slipstick: 1\nname: n\ntables: {f: {%s}}\ncoordinates: {x: %.17g}\nmass: {x: 1}\nrecord: {y: "
             "\"%s\"}\n",
             table, x, call);
    slip_model *model = read_model("", text, "", " ");
    slip_sim *sim = start_sim(model, "lcp");
    double y = slip_sim_get(sim, "y");
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return y;
}

static void tables_interpolate(void **state)
{
    (void)state;
    const char *points = "x: [0, 1, 3], y: [5, 7, 1]";
    const struct {
        double x, linear, steps;
    } at[] = { { -1, 5, 5 }, { 0, 5, 5 }, { 0.5, 6, 5 }, { 1, 7, 7 }, { 2, 4, 7 }, { 3, 1, 1 }, { 9, 1, 1 } };
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
        char steps[100], extended[100];
        snprintf(steps, sizeof steps, "%s, interpolation: step", points);
        snprintf(extended, sizeof extended, "%s, outside: extend", points);
        assert_near(value(points, "f(x)", at[k].x), at[k].linear, 1e-15);
        assert_near(value(steps, "f(x)", at[k].x), at[k].steps, 0.0);
        double beyond = at[k].x < 0 ? 5 + 2 * at[k].x : at[k].x > 3 ? 1 - 3 * (at[k].x - 3) : at[k].linear;
        assert_near(value(extended, "f(x)", at[k].x), beyond, 1e-14);
    }
}

// natural spline through 0, 1, 0, 1 at 0, 1, 2, 3: second derivatives 0, -4, 4, 0
static void splines_are_natural(void **state)
{
    (void)state;
    const char *points = "x: [0, 1, 2, 3], y: [0, 1, 0, 1], interpolation: spline, outside: extend";
    assert_near(value(points, "f(x)", 0.5), 0.75, 1e-14);
    assert_near(value(points, "f(x)", 1.5), 0.5, 1e-14);
    assert_near(value(points, "f(x)", 2.0), 0.0, 1e-14);
    assert_near(value(points, "f(x)", 2.5), 0.25, 1e-14);
    // a parabola's end goes on as the last cubic: p(d) = 5/3 d - 2/3 d^3 back from the end at 3
    assert_near(value(points, "f(x)", -1.0), -(5.0 / 3.0) + 2.0 / 3.0, 1e-14);
}

static void two_variables_are_bilinear(void **state)
{
    (void)state;
    const char *grid = "x: [0, 1], y: [0, 1, 3], z: [[0, 1, 2], [3, 4, 9]]";
    assert_near(value(grid, "f(x, 2)", 0.5), 0.5 * (1.5 + 6.5), 1e-14);
    assert_near(value(grid, "f(x, 3)", 1.0), 9.0, 1e-14);
    assert_near(value(grid, "f(x, -1)", -1.0), 0.0, 1e-14);
    assert_near(value(grid, "f(x, 5)", 0.25), 2 + 0.25 * 7, 1e-14);
}

// ------------------------------------------------------------------------------------------ derivatives

// a potential as a table: forces -1 and 2 on its two sides, and the kink at 0 is passed without error
static void slopes_are_forces(void **state)
{
    (void)state;
    const char *text = "slipstick: 1\nname: roof\ntables: {V: {x: [-1, 0, 1], y: [2, 0, 1]}}\n"
                       "coordinates: {x: {start: 0.5, rate: 0}}\nmass: {x: 1}\nenergy: {potential: V(x)}\n"
                       "run: {step: 1 ms, until: 1.5}\n";
    slip_model *model = read_model("", text, "", " ");
    // falls 0.5 with 1: 1 s, at 1 m/s; then 2 against it: stops after 0.5 s at -0.25
    for (int f = 0; f < FORMULATIONS; f++) {
        slip_sim *sim = start_sim(model, formulations[f]);
        run_to_end(sim);
        assert_near(slip_sim_get(sim, "x"), -0.25, 1e-5);
        assert_near(slip_sim_energy(sim).numerical, 0.0, 1e-3);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

static void a_motor_follows_its_curve(void **state)
{
    (void)state;
    slip_model *model = read_model("classics", "motor-curve", "", " ");
    double first = 25.0 * log(1.25);
    for (int f = 0; f < FORMULATIONS; f++) {
        slip_sim *sim = start_sim(model, formulations[f]);
        run_to_end(sim);
        assert_near(slip_sim_get(sim, "th'"), 100.0 - 50.0 * exp(-0.16 * (10.0 - first)), 2e-3);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

// ----------------------------------------------------------------------------------------------- inputs

static void inputs_follow_files(void **state)
{
    (void)state;
    slip_model *model = read_model("classics", "recorded-push", "", " ");
    for (int f = 0; f < FORMULATIONS; f++) {
        if (strcmp(formulations[f], "tanh") == 0) continue; // creeps instead
        slip_sim *sim = start_sim(model, formulations[f]);
        run_to_end(sim);
        assert_near(slip_sim_get(sim, "x"), 1 / 24.0 + 5 / 12.0 + 1 / 32.0,
                    strcmp(formulations[f], "moreau") ? 1e-4 : 1e-3);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

// x'' = 3 from 0.123 s, 0 from 0.456 s on: the steps are events, however long a step of the method is
static void steps_of_inputs_are_met(void **state)
{
    (void)state;
    const char *text = "slipstick: 1\nname: kick\ncoordinates: {x: 0}\nmass: {x: 1}\nforces: {x: kick}\n"
                       "inputs: {kick: {t: [0, 0.123, 0.456], value: [0, 3, 0], interpolation: step}}\n"
                       "run: {max_step: 1, until: 1}\n";
    slip_model *model = read_model("", text, "", " ");
    slip_sim *sim = start_sim(model, "lcp");
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "x'"), 3 * 0.333, 1e-9);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void inputs_are_set_from_outside(void **state)
{
    (void)state;
    const char *text = "slipstick: 1\nname: pull\ncoordinates: {x: 0}\nmass: {x: 2}\nforces: {x: "
                       "pull}\ninputs: {pull: 1 N}\n"
                       "run: {step: 1 ms, until: 2}\n";
    for (int f = 0; f < FORMULATIONS; f++) {
        slip_model *model = read_model("", text, "inputs.pull=2", " ");
        slip_sim *sim = start_sim(model, formulations[f]);
        slip_error error = { 0 };
        assert_near(slip_sim_get(sim, "pull"), 2.0, 0.0);
        assert_int_equal(slip_sim_set_input(sim, "push", 1.0, &error), SLIP_UNKNOWN_NAME);
        assert_int_equal(slip_sim_set_input(sim, "x", 1.0, &error), SLIP_UNKNOWN_NAME);
        assert_int_equal(slip_sim_set_input(sim, "pull", NAN, &error), SLIP_BAD_ARGUMENT);
        while (slip_sim_time(sim) < 1.0) slip_sim_step(sim);
        double t = slip_sim_time(sim);
        assert_int_equal(slip_sim_set_input(sim, "pull", -4.0, &error), SLIP_OK);
        run_to_end(sim);
        assert_near(slip_sim_get(sim, "x'"), t - 2.0 * (2.0 - t), 1e-6);
        assert_near(slip_sim_get(sim, "pull.since"), t, 0.0);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_interpolate),         cmocka_unit_test(splines_are_natural),
        cmocka_unit_test(two_variables_are_bilinear), cmocka_unit_test(slopes_are_forces),
        cmocka_unit_test(a_motor_follows_its_curve),  cmocka_unit_test(inputs_follow_files),
        cmocka_unit_test(steps_of_inputs_are_met),    cmocka_unit_test(inputs_are_set_from_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
