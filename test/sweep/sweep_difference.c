/// shift.c: how far results move from one sweep to another, and after how many points they repeat.
#include <jansson.h>

#include "sweeps.h"

static const char ball[] = "slipstick: 1\nname: Ball\nparameters: {h: 1, g: 9.81}\ncoordinates: {y: h}\n"
                           "mass: {y: 1}\nforces: {y: -g}\ncontacts: {floor: {gap: y, restitution: 0.5}}\n"
                           "run: {until: 0.7}\n";

static slip_sweep *drop(const slip_model *model, const double *heights, int count)
{
    slip_sweep_axis axis = { "h", heights, count };
    slip_sweep_def def = slip_default_sweep_def();
    def.model = model, def.axes = &axis, def.axis_count = 1;
    def.sim.formulation = "lcp", def.companion = false;
    def.outputs = SLIP_OUTPUT_EVENTS;
    return run_sweep(&def);
}

static int index_of(const slip_sweep *s, const char *name)
{
    for (int k = 0; slip_sweep_value_name(s, k); k++)
        if (strcmp(slip_sweep_value_name(s, k), name) == 0) return k;
    fail_msg("no value is called %s", name);
    return -1;
}

// from h it falls for sqrt(2 h/g); where g is less, the highest one is still on its way at the end
static void times_of_fall(void **state)
{
    (void)state;
    static const double heights[] = { 0.5, 1.0, 2.0 };
    const double ratio = sqrt(9.81 / 7.0) - 1.0;
    slip_model *model = read_model("", ball, "", ";"), *light = read_model("", ball, "g=7", ";");
    slip_sweep *a = drop(model, heights, 3), *b = drop(light, heights, 3), *c = drop(model, heights, 2);
    int k = index_of(a, "first(impact)");
    slip_sweep_difference shift;
    assert_true(slip_sweep_difference_of(a, b, k, &shift));
    assert_string_equal(shift.name, "first(impact)");
    assert_int_equal(shift.runs, 2); // sqrt(2*2/7) = 0.756 s
    assert_int_equal(shift.alone, 1);
    assert_int_equal(shift.at, 1);
    assert_near(shift.least, sqrt(1.0 / 9.81), 1e-9);
    assert_near(shift.greatest, sqrt(4.0 / 9.81), 1e-9);
    assert_near(shift.most, sqrt(2.0 / 9.81) * ratio, 1e-9);
    assert_near(shift.mean, 0.5 * (sqrt(1.0 / 9.81) + sqrt(2.0 / 9.81)) * ratio, 1e-9);
    assert_false(slip_sweep_difference_of(a, c, k, &shift)); // other points
    assert_false(slip_sweep_difference_of(a, b, 1000, &shift));
    assert_false(slip_sweep_difference_of(a, b, -1, &shift));
    slip_sweep_destroy(a), slip_sweep_destroy(b), slip_sweep_destroy(c);
    slip_model_destroy(model), slip_model_destroy(light);
}

// doublings at w = 2.65888454 and 2.72708836 (closed form; test/truth/cycles and cycle.branches)
static void doublings(void **state)
{
    (void)state;
    static const double w[] = { 2.62, 2.65, 2.67, 2.7, 2.735 };
    static const int wanted[] = { 1, 1, 2, 2, 4 };
    int period[5];
    slip_model *model =
        read_model("",
                   "slipstick: 1\nname: Oscillator\nparameters: {w: 2}\ncoordinates: {x: -0.5}\nmass: {x: "
                   "1}\nforces: {x: \"cos(w*t) - x - 0.1*x'\"}\ncontacts: {wall: {gap: -x, restitution: "
                   "0.8}}\nrecord: {clock: sin(w*t)}\nrun: {until: 500}\n",
                   "", ";");
    slip_sweep_axis axis = { "w", w, 5 };
    slip_sweep_def def = slip_default_sweep_def();
    def.model = model, def.axes = &axis, def.axis_count = 1;
    def.sim.formulation = "lcp", def.companion = false;
    def.section = "clock", def.section_direction = 1, def.after = 450.0;
    slip_sweep *s = run_sweep(&def);
    assert_true(slip_sweep_periods(s, period));
    for (int k = 0; k < 5; k++) assert_int_equal(period[k], wanted[k]);
    char *text =
        slip_sweep_laws_json((const slip_sweep *const[]){ s, s }, (const char *const[]){ "a", "b" }, 2);
    json_t *root = json_loads(text, 0, NULL), *laws = json_object_get(root, "laws");
    assert_int_equal(json_array_size(laws), 2);
    json_t *second = json_array_get(laws, 1);
    assert_string_equal(json_string_value(json_object_get(second, "law")), "b");
    assert_int_equal(json_integer_value(json_array_get(json_object_get(second, "periods"), 4)), 4);
    json_t *x = json_array_get(json_object_get(second, "shifts"), 0);
    assert_string_equal(json_string_value(json_object_get(x, "value")), "x");
    assert_int_equal(json_integer_value(json_object_get(x, "runs")), 5);
    assert_near(json_number_value(json_object_get(x, "most")), 0.0, 0.0);
    assert_string_equal(json_string_value(json_object_get(json_object_get(second, "sweep"), "formulation")),
                        "lcp");
    json_decref(root);
    free(text);
    slip_sweep_destroy(s);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(times_of_fall), cmocka_unit_test(doublings) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
