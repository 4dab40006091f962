/// enclosure.c: bounds over a box hold every value in it; parts that change on a short way are found.
#include "symbolic/analysis/interval_bounds.h"
#include "random_formula.h"

static void bounds_hold_every_value_of_a_box(void **state)
{
    (void)state;
    uint64_t seed = 2718;
    for (int trial = 0; trial < 10000; trial++) {
        desk d;
        slip_interval_bounds e;
        slip_interval box[7];
        assert_true(desk_open(&d));
        slip_ref root = random_any(&d, &seed, 1 + trial % 12, SLIP_OP_SAT_Y);
        if (slip_graph_may_fail(d.graph, root)) { // a condition that is not a number has no side
            desk_close(&d);
            continue;
        }
        assert_true(slip_interval_bounds_create(&e, d.graph, &root, 1));
        for (int k = 0; k < 7; k++) {
            double middle = random_number(&seed, -3, 3), half = random_number(&seed, 0, 1);
            box[k] = (slip_interval){ middle - half, middle + half };
        }
        slip_interval_bounds_run(&e, box);
        slip_interval r = slip_interval_bounds_of(&e, 0);
        for (int point = 0; point < 8; point++) {
            double at[7];
            for (int k = 0; k < 7; k++) at[k] = random_number(&seed, box[k].low, box[k].high);
            double v = desk_run(&d, root, at), slack = isfinite(v) ? 1e-9 * fmax(1.0, fabs(v)) : 0.0;
            if (isnan(v) || (v >= r.low - slack && v <= r.high + slack)) continue;
            char *text = desk_print(&d, root, SLIP_PLAIN);
            print_error("%s = %g not in [%g, %g]\n", text, v, r.low, r.high);
            fail();
        }
        slip_interval_bounds_destroy(&e);
        desk_close(&d);
    }
}

// bounds with every input within [low, high]
static slip_interval bounds(const char *formula, double low, double high, bool *tame)
{
    desk d;
    slip_interval_bounds e;
    slip_interval box[7];
    assert_true(desk_open(&d));
    slip_ref root = desk_node(&d, formula);
    assert_true(slip_interval_bounds_create(&e, d.graph, &root, 1));
    for (int k = 0; k < 7; k++) box[k] = (slip_interval){ low, high };
    slip_interval_bounds_run(&e, box);
    slip_interval r = slip_interval_bounds_of(&e, 0);
    *tame = slip_interval_bounds_is_smooth(&e);
    slip_interval_bounds_destroy(&e);
    desk_close(&d);
    return r;
}

static void check(const char *formula, double from, double to, double low, double high, bool expected)
{
    bool tame;
    slip_interval r = bounds(formula, from, to, &tame);
    if (fabs(r.low - low) > 1e-9 || fabs(r.high - high) > 1e-9 || tame != expected)
        print_error("%s over [%g, %g] is in [%g, %g], %s\n", formula, from, to, r.low, r.high,
                    tame ? "tame" : "not tame");
    assert_true(fabs(r.low - low) <= 1e-9 && fabs(r.high - high) <= 1e-9 && tame == expected);
}

static void bounds_are_as_narrow_as_the_box(void **state)
{
    (void)state;
    check("sin(x)", 0, 1, 0, sin(1), true);
    check("sin(x)", 1, 3, sin(3), 1, true);
    check("cos(x)", 2, 4, -1, cos(2), true);
    check("cos(x)", -0.5, 1, cos(1), 1, true);
    check("sin(x)", 0, 7, -1, 1, true);
    check("exp(-(x/0.001)^2)", -1, 1, 0, 1, false);
    check("exp(-(x/0.001)^2)", 0.1, 1, 0, 0, true);
    check("exp(-(x/0.001)^2)", 0, 5e-4, exp(-0.25), 1, true);
    check("1/(1 + (x/0.1)^2)", -0.1, 1, 1 / 101.0, 1, false);
    check("1/(1 + (x/0.1)^2)", -0.05, 0.1, 0.5, 1, true);
    check("tanh(100*x)", -1, 1, -1, 1, false);
    check("cos(x)^1000", -1, 1, 0, 1, false);
}

static void check_parts(const char *formula, const char *expected)
{
    desk d;
    int found;
    assert_true(desk_open(&d));
    slip_ref root = desk_node(&d, formula);
    slip_ref *parts = slip_graph_narrow_parts(d.graph, &root, 1, 7, NULL, 0, &found);
    assert_non_null(parts);
    assert_int_equal(found, expected ? 1 : 0);
    if (found) {
        char *text = desk_print(&d, parts[0], SLIP_PLAIN);
        assert_string_equal(text, expected);
        free(text);
    }
    free(parts);
    desk_close(&d);
}

static void narrow_parts_are_found(void **state)
{
    (void)state;
    check_parts("m*x + sin(y)*x'^2 + k/m", NULL);
    check_parts("m*x + k*exp(-(x/mu)^2)", "exp(-(x/mu)^2)");
    check_parts("k*x*exp(m)", NULL);
    check_parts("k*(tanh(x) - tanh(y))", "tanh(x) - tanh(y)");
    check_parts("x + 1/(1 + x^2)", "1/(1 + x^2)");
    check_parts("x + cos(y)^8", "cos(y)^8");
    check_parts("x + cos(y)^2", NULL);
    check_parts("exp(t)*x", "exp(t)");
}

// those below an expression whose bounds are not known are taken one by one
static void what_has_no_bounds_is_left_out(void **state)
{
    (void)state;
    desk d;
    int found;
    assert_true(desk_open(&d));
    slip_ref root = desk_node(&d, "exp(x) + exp(tan(y))");
    slip_ref *parts = slip_graph_narrow_parts(d.graph, &root, 1, 7, NULL, 0, &found);
    assert_non_null(parts);
    assert_int_equal(found, 1);
    char *text = desk_print(&d, parts[0], SLIP_PLAIN);
    assert_string_equal(text, "exp(x)");
    free(text);
    free(parts);
    parts = slip_graph_narrow_parts(d.graph, &root, 1, 0, NULL, 0, &found);
    assert_int_equal(found, 0);
    free(parts);
    desk_close(&d);
}

// the length of what keeps it is no reason to look closer
static void what_stands_still_is_not_narrow(void **state)
{
    (void)state;
    desk d;
    int found;
    assert_true(desk_open(&d));
    slip_ref root = desk_node(&d, "x/sqrt(x*x + y*y) + z"), length = desk_node(&d, "sqrt(x*x + y*y)");
    slip_ref *parts = slip_graph_narrow_parts(d.graph, &root, 1, 7, NULL, 0, &found);
    assert_int_equal(found, 1);
    free(parts);
    parts = slip_graph_narrow_parts(d.graph, &root, 1, 7, &length, 1, &found);
    assert_non_null(parts);
    assert_int_equal(found, 0);
    free(parts);
    desk_close(&d);
}

// the nodes that are looked at have the same bounds when only they are run
static void a_short_run_says_whether_it_is_tame(void **state)
{
    (void)state;
    desk d;
    assert_true(desk_open(&d));
    slip_ref root = desk_node(&d, "x*y*exp(-(x/mu)^2)*sin(y)");
    for (int k = 0; k < 40; k++) {
        slip_interval input[7] = { { 0 } };
        slip_interval_bounds whole, part;
        input[0] = (slip_interval){ 0.1 * k - 2.0, 0.1 * k - 2.0 + 0.02 * k };
        input[1] = (slip_interval){ -1.0, 1.0 };
        assert_true(slip_interval_bounds_create(&whole, d.graph, &root, 1));
        assert_true(slip_interval_bounds_create(&part, d.graph, &root, 1));
        slip_interval_bounds_run(&whole, input);
        slip_interval_bounds_run_narrow(&part, input);
        assert_true(part.below_count < part.count);
        assert_int_equal(slip_interval_bounds_is_smooth(&whole), slip_interval_bounds_is_smooth(&part));
        slip_interval_bounds_destroy(&whole);
        slip_interval_bounds_destroy(&part);
    }
    desk_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_hold_every_value_of_a_box),
        cmocka_unit_test(what_stands_still_is_not_narrow),
        cmocka_unit_test(a_short_run_says_whether_it_is_tame),
        cmocka_unit_test(bounds_are_as_narrow_as_the_box),
        cmocka_unit_test(narrow_parts_are_found),
        cmocka_unit_test(what_has_no_bounds_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
