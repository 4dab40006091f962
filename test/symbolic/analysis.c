/// analysis.c: dependence, rewriting, ranges and jumps; the manual lists what the tables list.
#include "random_formula.h"

static void dependence_is_found(void **state)
{
    (void)state;
    desk d;
    assert_true(desk_open(&d));
    slip_ref root = desk_node(&d, "m*x + sin(y*t)");
    assert_true(slip_graph_depends(d.graph, root, d.inputs[0]));
    assert_true(slip_graph_depends(d.graph, root, d.parameters[0]));
    assert_true(slip_graph_depends(d.graph, root, desk_node(&d, "y*t")));
    assert_false(slip_graph_depends(d.graph, root, d.inputs[2]));
    assert_false(slip_graph_depends(d.graph, d.inputs[0], root));
    desk_close(&d);
}

static slip_ref dio_to_max(void *context, slip_graph *g, slip_ref original, slip_ref rewritten)
{
    slip_node n = slip_graph_node(g, rewritten);
    ++*(int *)context;
    if (n.op != SLIP_OP_DIO) return rewritten;
    assert_int_equal(slip_graph_node(g, original).op, SLIP_OP_DIO);
    return random_two(g, SLIP_OP_MAX, slip_graph_constant(g, 0.0), random_one(g, SLIP_OP_NEG, n.arg[0]));
}

static void rewriting_replaces_every_node_once(void **state)
{
    (void)state;
    desk d;
    int offered = 0;
    assert_true(desk_open(&d));
    d.scope.set_valued = true;
    slip_ref root = desk_node(&d, "m*dio(x) - dio(x)*y + dio(y - dio(x))");
    slip_ref changed = slip_graph_rewrite(d.graph, root, dio_to_max, &offered);
    char *text = desk_print(&d, changed, SLIP_PLAIN);
    assert_string_equal(text, "m*max(0, -x) - max(0, -x)*y + max(0, -(y - max(0, -x)))");
    assert_int_equal(offered, 10); // m x y, dio(x), two products, two differences and a sum, the outer dio
    free(text);
    desk_close(&d);
}

static void check_range(const char *formula, double low, double high)
{
    desk d;
    assert_true(desk_open(&d));
    d.scope.set_valued = true;
    slip_interval r = slip_graph_interval(d.graph, desk_node(&d, formula));
    if (r.low != low || r.high != high) print_error("%s in [%g, %g]\n", formula, r.low, r.high);
    assert_true(r.low == low && r.high == high);
    desk_close(&d);
}

static void ranges_follow_from_the_form(void **state)
{
    (void)state;
    check_range("mu*dio(x)", 0, INFINITY);
    check_range("-mu*dio(x)", -INFINITY, 0);
    check_range("x^2 + m", 2, INFINITY);
    check_range("x*x", 0, INFINITY);
    check_range("m*k", 6, 6);
    check_range("abs(x) + exp(y)", 0, INFINITY);
    check_range("mu*max(0, k*x)", 0, INFINITY);
    check_range("x", -INFINITY, INFINITY);
    check_range("2 + sin(x)", 1, 3);
    check_range("1/(2 + sin(x))", 1.0 / 3, 1);
    check_range("if(x > 0, 1, k)", 1, 3);
    check_range("sat(m, x)", -2, 2);
    check_range("m - k", -1, -1);
    check_range("exp(-(x/mu)^2)", 0, 1);
    check_range("sgn(x)", -1, 1);
    check_range("1/x", -INFINITY, INFINITY);
    check_range("sqrt(x)", 0, INFINITY);
    check_range("1 + (1.5 - 1)*exp(-abs(x')/mu)", 1, 1.5);
}

// what a run gives lies in the range
static void ranges_hold(void **state)
{
    (void)state;
    uint64_t seed = 4711;
    for (int trial = 0; trial < 2000; trial++) {
        desk d;
        assert_true(desk_open(&d));
        slip_ref root = random_any(&d, &seed, 1 + trial % 12, SLIP_OP_SAT_Y);
        slip_interval r = slip_graph_interval(d.graph, root);
        for (int point = 0; point < 5; point++) {
            double at[7];
            for (int k = 0; k < 7; k++) at[k] = random_number(&seed, -3, 3);
            double v = desk_run(&d, root, at), slack = isfinite(v) ? 1e-12 * fabs(v) : 0.0;
            if (isnan(v) || (v >= r.low - slack && v <= r.high + slack)) continue;
            char *text = desk_print(&d, root, SLIP_PLAIN);
            print_error("%s = %g not in [%g, %g]\n", text, v, r.low, r.high);
            fail();
        }
        desk_close(&d);
    }
}

static void check_jump(const char *formula, const char *expected)
{
    desk d;
    slip_ref where;
    assert_true(desk_open(&d));
    d.scope.set_valued = true;
    bool jumps = slip_graph_is_discontinuous(d.graph, desk_node(&d, formula), &where);
    assert_int_equal(jumps, expected != NULL);
    if (expected) {
        char *text = desk_print(&d, where, SLIP_PLAIN);
        assert_string_equal(text, expected);
        free(text);
    }
    desk_close(&d);
}

static void jumps_are_found(void **state)
{
    (void)state;
    check_jump("mu*dio(x)*max(0, y) + abs(x) + sat(1, y)", NULL);
    check_jump("x + if(t < 1, 0, 1)", "if(t < 1, 0, 1)");
    check_jump("x*(t < 1)", "t < 1");
    check_jump("floor(x)*2", "floor(x)");
    check_jump("m*sgn(x')", "sgn(x')");
    check_jump("sign(x)*x", "sign(x)");
}

static void the_manual_lists_functions_and_units(void **state)
{
    (void)state;
    FILE *file = fopen("docs/formulas.md", "rb"); // tests run at the root of the source tree
    assert_non_null(file);
    static char manual[1 << 17];
    size_t length = fread(manual, 1, sizeof manual - 1, file);
    fclose(file);
    manual[length] = '\0';
    for (int k = 0; slip_formula_function(k); k++) {
        const slip_function_info *f = slip_formula_function(k);
        char row[200];
        snprintf(row, sizeof row, "| `%s(%s)` | ", f->name, f->arguments);
        if (!strstr(manual, row)) print_error("docs/formulas.md lacks %s\n", row);
        assert_non_null(strstr(manual, row));
        assert_true(slip_formula_is_reserved(f->name));
    }
    for (int k = 0; slip_formula_unit(k); k++) {
        char word[40];
        snprintf(word, sizeof word, "`%s`", slip_formula_unit(k)->name);
        if (!strstr(manual, word)) print_error("docs/formulas.md lacks the unit %s\n", word);
        assert_non_null(strstr(manual, word));
    }
    assert_true(slip_formula_is_reserved("t") && slip_formula_is_reserved("pi") &&
                slip_formula_is_reserved("and"));
    assert_false(slip_formula_is_reserved("mm") || slip_formula_is_reserved("x"));
    assert_true(slip_formula_is_name("K_s1", 4) && slip_formula_is_name("_", 1));
    assert_false(slip_formula_is_name("1x", 2) || slip_formula_is_name("", 0) ||
                 slip_formula_is_name("a-b", 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dependence_is_found),
        cmocka_unit_test(rewriting_replaces_every_node_once),
        cmocka_unit_test(ranges_follow_from_the_form),
        cmocka_unit_test(ranges_hold),
        cmocka_unit_test(jumps_are_found),
        cmocka_unit_test(the_manual_lists_functions_and_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
