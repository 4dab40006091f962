/// printing.c: text that reads back to the same node, and LaTeX.
#include "random_formula.h"

static void check_round_trip(desk *d, slip_ref node)
{
    char *text = desk_print(d, node, SLIP_PLAIN), *latex = desk_print(d, node, SLIP_LATEX);
    slip_value value;
    bool fine = desk_read(d, text, &value);
    if (!fine || value.part[0] != node) {
        char *again = fine ? desk_print(d, value.part[0], SLIP_PLAIN) : slip_diagnostics_text(d->notes);
        print_error("%s\nreads back as\n%s\n", text, again);
        fail();
    }
    // LaTeX: braces and \left \right in balance
    int depth = 0, sides = 0;
    for (const char *c = latex; *c; c++) {
        depth += (*c == '{') - (*c == '}');
        sides += (strncmp(c, "\\left", 5) == 0) - (strncmp(c, "\\right", 6) == 0);
        assert_true(depth >= 0 && sides >= 0);
    }
    assert_int_equal(depth, 0);
    assert_int_equal(sides, 0);
    free(text);
    free(latex);
}

static void random_expressions_read_back_to_themselves(void **state)
{
    (void)state;
    uint64_t seed = 99;
    for (int trial = 0; trial < 3000; trial++) {
        desk d;
        assert_true(desk_open(&d));
        d.scope.set_valued = true;
        check_round_trip(&d, random_any(&d, &seed, 1 + trial % 9, (slip_op)(SLIP_OP_COUNT - 1)));
        desk_close(&d);
    }
}

static void derivatives_read_back_too(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int trial = 0; trial < 500; trial++) {
        desk d;
        slip_partial *list;
        assert_true(desk_open(&d));
        int count = slip_graph_gradient(d.graph, random_tame(&d, &seed, 1 + trial % 4), &list);
        for (int k = 0; k < count; k++) {
            char *text = desk_print(&d, list[k].value, SLIP_PLAIN);
            if (strlen(text) < 5000) check_round_trip(&d, list[k].value);
            free(text);
        }
        free(list);
        desk_close(&d);
    }
}

static void check_latex(const char *formula, const char *expected)
{
    desk d;
    assert_true(desk_open(&d));
    d.scope.set_valued = true;
    char *text = desk_print(&d, desk_node(&d, formula), SLIP_LATEX);
    assert_string_equal(text, expected);
    free(text);
    desk_close(&d);
}

static void latex_is_as_expected(void **state)
{
    (void)state;
    check_latex("mu*x'", "\\mu \\, \\dot{x}");
    check_latex("l1^2/2", "\\frac{{l_{1}}^{2}}{2}");
    check_latex("(x + y)*z", "\\left(x + y\\right) \\, z");
    check_latex("2.5e-6*x", "2.5 \\cdot 10^{-6} \\, x");
    check_latex("x*10", "x \\cdot 10");
    check_latex("sqrt(x)*abs(y) + pi", "\\sqrt{x} \\, \\left|y\\right| + \\pi");
    check_latex("sin(x)^2", "{\\left(\\sin\\left(x\\right)\\right)}^{2}");
    check_latex(
        "if(x >= 0 and y < 1, 1, -x)",
        "\\begin{cases} 1 & \\text{if } x \\ge 0 \\wedge y < 1 \\\\ -x & \\text{otherwise} \\end{cases}");
    check_latex("sgn(x, y).x + dio(z)",
                "\\operatorname{sgn}\\left(x, y\\right)_{x} + \\operatorname{dio}\\left(z\\right)");
}

static void latex_names(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        { "x", "x" },
        { "x'", "\\dot{x}" },
        { "x''", "\\ddot{x}" },
        { "K_s", "K_{s}" },
        { "mu_1", "\\mu_{1}" },
        { "th1'", "\\dot{\\theta}_{1}" },
        { "p1x", "p_{1x}" },
        { "eps_N", "\\varepsilon_{N}" },
        { "mass", "\\mathit{mass}" },
        { "floor.normal", "\\mathit{floor}_{\\mathrm{normal}}" },
        { "F_mu", "F_{\\mu}" },
    };
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        slip_graph *g = slip_graph_create();
        slip_text out = { 0 };
        slip_graph_print(g, slip_graph_input(g, pairs[k][0]), SLIP_LATEX, &out);
        char *text = slip_text_take(&out);
        assert_string_equal(text, pairs[k][1]);
        free(text);
        slip_graph_destroy(g);
    }
}

// as a tree this would be 2^100 terms
static void printing_what_is_shared_ends(void **state)
{
    (void)state;
    desk d;
    assert_true(desk_open(&d));
    slip_ref node = d.inputs[0];
    for (int k = 0; k < 100; k++)
        node = random_two(d.graph, SLIP_OP_ADD, node, random_one(d.graph, SLIP_OP_SIN, node));
    char *text = desk_print(&d, node, SLIP_PLAIN);
    assert_true(strlen(text) > 1000 && strlen(text) < 2 * SLIP_FORMULA_LENGTH);
    assert_string_equal(text + strlen(text) - 3, "...");
    free(text);
    desk_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_expressions_read_back_to_themselves),
        cmocka_unit_test(derivatives_read_back_too),
        cmocka_unit_test(latex_is_as_expected),
        cmocka_unit_test(latex_names),
        cmocka_unit_test(printing_what_is_shared_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
