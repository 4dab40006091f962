/// mistakes.c: what is said about a wrong formula, and where.
#include "random_formula.h"

static const struct wrong {
    const char *formula;
    int column, length;
    const char *text, *hint; // the hint must contain this; "" for none
} wrongs[] = {
    { "2*xy", 3, 2, "unknown name 'xy'", "did you mean 'x'?" },
    { "x + mv*x'", 5, 2, "unknown name 'mv'", "did you mean 'm'?" },
    { "m'", 1, 2, "unknown name 'm''", "'m' is known here, but has no rate" },
    { "x''", 1, 3, "unknown name 'x'''", "no such derivative" },
    { "sin", 1, 3, "unknown name 'sin'", "sin is a function: write sin(x)" },
    { "x + rpm", 5, 3, "unknown name 'rpm'", "a unit stands behind a number, as in 1 rpm" },
    { "sqtr(x)", 1, 4, "unknown function 'sqtr'", "did you mean 'sqrt'?" },
    { "ln(x)", 1, 2, "unknown function 'ln'", "the natural logarithm is log(x)" },
    { "pow(x, 2)", 1, 3, "unknown function 'pow'", "write a^b" },
    { "x(2 + y)", 1, 1, "'x' is not a function", "write x*(...) to multiply" },
    { "sin(x, y)", 1, 9, "sin(x) cannot take 2 arguments", "" },
    { "1 + if(x, y)", 5, 8, "if(c, a, b) cannot take 2 arguments", "" },
    { "max(x)", 1, 6, "max(a, b, ...) cannot take 1 argument", "" },
    { "abs()", 1, 5, "abs(x) cannot take 0 arguments", "" },
    { "2x", 1, 2, "an operator is missing between the number and 'x'", "write 2*x" },
    { "3 sin(x)", 1, 5, "an operator is missing between the number and 'sin'", "write 3*sin(...)" },
    { "2(x + 1)", 2, 1, "an operator is missing here", "write 2*(x + 1)" },
    { "x y", 3, 1, "an operator is missing here", "write x*y" },
    { "(x)(y)", 4, 1, "an operator is missing here", "write (x)*(y)" },
    { "0.5 m y'^2", 7, 2, "an operator is missing here", "write 0.5*m*y'^2" },
    { "2 kg x'^2 + 1", 6, 2, "an operator is missing here", "write 2 kg*x'^2" },
    { "x sin(y) z", 3, 3, "an operator is missing here", "write x*sin(y)*z" },
    { "m*xdot", 3, 4, "unknown name 'xdot'", "the rate of x is written x'" },
    { "x_dot", 1, 5, "unknown name 'x_dot'", "the rate of x is written x'" },
    { "dxdt", 1, 4, "unknown name 'dxdt'", "the rate of x is written x'" },
    { "der(x)", 1, 3, "unknown function 'der'", "the rate of x is written x'" },
    { "5 mmm", 3, 3, "unknown unit 'mmm'", "did you mean 'mm'?" },
    { "5 newton", 3, 6, "unknown unit 'newton'", "a name right after a number is a unit" },
    { "5 m^x", 4, 2, "the exponent of a unit must be a whole number up to 9", "(5 m)^x" },
    { "sin((x + y)*2", 4, 1, "this parenthesis is never closed", "" },
    { "(x + 2", 1, 1, "this parenthesis is never closed", "" },
    { "x + 2)", 6, 1, "this parenthesis was never opened", "" },
    { ")", 1, 1, "this parenthesis was never opened", "" },
    { "x + ", 4, 1, "the formula ends where a value is expected", "" },
    { "x + * y", 5, 1, "'*' where a value is expected", "" },
    { "", 1, 1, "the formula is empty", "" },
    { "  ", 1, 2, "the formula is empty", "" },
    { "x = 2", 3, 1, "'=' has no meaning in a formula", "write == to compare" },
    { "x ** 2", 3, 2, "'**' has no meaning in a formula", "write ^ for a power" },
    { "x && y", 3, 1, "'&' has no meaning in a formula", "write and" },
    { "!x", 1, 1, "'!' has no meaning in a formula", "write not" },
    { "|x|", 1, 1, "'|' has no meaning in a formula", "abs(x)" },
    { "x <> y", 3, 2, "'<>' has no meaning in a formula", "write !=" },
    { "x =< y", 3, 2, "'=<' has no meaning in a formula", "write <=" },
    { "x[1]", 2, 1, "'[' has no meaning in a formula", "write ( and )" },
    { "0 < x < 1", 7, 1, "comparisons cannot be chained", "write a < b and b < c" },
    { "1,5", 2, 1, "a comma has no meaning here", "decimal point" },
    { "(1,5)", 3, 1, "a comma has no meaning here", "decimal point" },
    { "1.2.3", 1, 5, "a number has one decimal point", "" },
    { "1e999", 1, 5, "the number is too large (the largest is 1.8e308)", "" },
    { "2 + 1e-999", 5, 6, "the number is too small to be distinguished from 0 (the smallest is 4.9e-324)",
      "" },
    { "1e308 km", 1, 8, "the number is too large in SI units", "" },
    { "sgn(x)", 1, 3, "sgn is set-valued and has no meaning here", "sign(x)" },
    { "m*dio(x)", 3, 3, "dio is set-valued and has no meaning here", "inclusion" },
    { "v + 1", 5, 1, "a scalar where a vector is needed: the other operand is a vector", ".x or .y" },
    { "1 + sat(1, x, y)", 1, 1, "a scalar where a vector is needed: the other operand is sat of a vector",
      ".x" },
    { "sin(v)", 5, 1, "a vector where a scalar is needed", ".x or .y" },
    { "x/v", 3, 1, "a vector where a scalar is needed", ".x or .y" },
    { "v*v", 3, 1, "a vector where a scalar is needed", ".x or .y" },
    { "v^2", 1, 1, "a vector where a scalar is needed", ".x or .y" },
    { "sat(1, x, y) < 2", 1, 12, "sat of a vector where a scalar is needed", ".x or .y" },
    { "m.x", 1, 3, ".x takes a component of a vector, and this is a scalar", "" },
    { "(x + y).x", 1, 9, ".x takes a component of a vector, and this is a scalar", "" },
    { "sat(1, v).z", 11, 1, "expected .x or .y: the components of a vector", "" },
    { "\xCE\xBC*x", 1, 2, "'\xCE\xBC' has no meaning in a formula", "write mu" },
    { "x\xC2\xB2", 2, 2, "'\xC2\xB2' has no meaning in a formula", "write ^2" },
    { "x \xE2\x88\x92 y", 3, 3, "'\xE2\x88\x92' has no meaning in a formula", "plain minus" },
    { "x + \xFF", 5, 1, "byte 0xFF is not valid UTF-8", "UTF-8" },
    { "x + \xC3", 5, 1, "byte 0xC3 is not valid UTF-8", "UTF-8" },
    { "x\x01", 2, 1, "control character 0x01 in a formula", "" },
    { "x '", 3, 1, "' must follow a name", "without a space" },
    { "x + not y", 5, 3, "'not' cannot stand behind an operator", "(not c)" },
    { "and x", 1, 3, "'and' where a value is expected", "" },
};

static void each_mistake_is_said_at_its_place(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof wrongs / sizeof wrongs[0]; k++) {
        const struct wrong *w = &wrongs[k];
        desk d;
        slip_value value;
        assert_true(desk_open(&d));
        assert_false(desk_read(&d, w->formula, &value));
        assert_int_equal(slip_diagnostics_count(d.notes), 1);
        slip_diagnostic note = slip_diagnostics_get(d.notes, 0);
        bool right = strcmp(note.text, w->text) == 0 && note.column == w->column &&
                     note.length == w->length &&
                     (w->hint[0] ? strstr(note.hint, w->hint) != NULL : note.hint[0] == '\0');
        if (!right) {
            char *said = slip_diagnostics_text(d.notes);
            print_error("expected column %d, length %d: %s (%s), got\n%s\n", w->column, w->length, w->text,
                        w->hint, said);
            fail();
        }
        desk_close(&d);
    }
}

static void all_unknown_names_are_said_at_once(void **state)
{
    (void)state;
    desk d;
    slip_value value;
    assert_true(desk_open(&d));
    assert_false(desk_read(&d, "aaa + bbb*x - sinn(ccc)/3 mmm", &value));
    assert_int_equal(slip_diagnostics_count(d.notes), 5);
    desk_close(&d);
}

static void a_known_name_without_value_is_not_said_twice(void **state)
{
    (void)state;
    desk d;
    slip_value value;
    assert_true(desk_open(&d));
    d.parameters[0] = SLIP_NONE;
    assert_false(desk_read(&d, "m*x + 2", &value));
    assert_int_equal(slip_diagnostics_count(d.notes), 0);
    desk_close(&d);
}

static void deep_nesting_is_refused(void **state)
{
    (void)state;
    static char text[200000];
    static const char *const openers[] = { "(", "-", "sin(", "2^", "not ", "if(1,2," };
    for (size_t k = 0; k < sizeof openers / sizeof openers[0]; k++) {
        desk d;
        slip_value value;
        assert_true(desk_open(&d));
        size_t n = strlen(openers[k]), length = 0;
        for (int j = 0; j < 20000; j++, length += n) memcpy(text + length, openers[k], n);
        text[length] = '\0';
        assert_false(desk_read(&d, text, &value));
        slip_diagnostic note = slip_diagnostics_get(d.notes, 0);
        assert_string_equal(note.text, "the formula is nested more than 200 levels deep");
        desk_close(&d);
    }
}

static void too_long_is_refused(void **state)
{
    (void)state;
    desk d;
    slip_value value;
    size_t length = SLIP_FORMULA_LENGTH + 1;
    char *text = malloc(length + 1);
    assert_true(desk_open(&d));
    memset(text, ' ', length);
    text[length] = '\0';
    assert_false(desk_read(&d, text, &value));
    assert_string_equal(slip_diagnostics_get(d.notes, 0).text, "the formula is longer than 1048576 bytes");
    memset(text, '9', 1000);
    text[1000] = '\0';
    assert_false(desk_read(&d, text, &value));
    assert_string_equal(slip_diagnostics_get(d.notes, 1).text, "a number has at most 400 characters");
    memset(text, 'x', 1000);
    assert_false(desk_read(&d, text, &value));
    assert_string_equal(slip_diagnostics_get(d.notes, 2).text, "the name is longer than 127 characters");
    free(text);
    desk_close(&d);
}

// a formula folded over two lines of a file: the caret stands in the file
static void the_map_leads_to_the_file(void **state)
{
    (void)state;
    const char *file = "force: 2*x\n   + yy*m\n";
    const char *text = "2*x + yy*m";
    int32_t map[10];
    desk d;
    slip_value value;
    assert_true(desk_open(&d));
    slip_source source = { .name = "fold.yaml", .text = file, .length = (long)strlen(file) };
    for (int k = 0; k < 10; k++) map[k] = k < 3 ? 7 + k : 10 + k;
    assert_false(
        slip_formula_parse(d.graph, text, 10, (slip_span){ &source, 7, 14 }, map, &d.scope, d.notes, &value));
    slip_diagnostic note = slip_diagnostics_get(d.notes, 0);
    assert_int_equal(note.line, 2);
    assert_int_equal(note.column, 6);
    assert_int_equal(note.length, 2);
    desk_close(&d);
}

static void places_lead_back_to_the_text(void **state)
{
    (void)state;
    desk d;
    slip_value value;
    assert_true(desk_open(&d));
    d.scope.set_valued = true;
    const char *text = "x + m*sgn(x' - 2)";
    assert_true(desk_read(&d, text, &value));
    slip_node sum = slip_graph_node(d.graph, value.part[0]);
    slip_span product = slip_graph_place(d.graph, sum.arg[1]);
    slip_span sgn = slip_graph_place(d.graph, slip_graph_node(d.graph, sum.arg[1]).arg[1]);
    assert_int_equal(product.start, 4);
    assert_int_equal(product.length, 13);
    assert_int_equal(sgn.start, 6);
    assert_int_equal(sgn.length, 11);
    desk_close(&d);
}

// what is read after a rewind has the places of its own text, and what was there before keeps its own
static void places_are_taken_back(void **state)
{
    (void)state;
    desk d;
    slip_value kept, value;
    assert_true(desk_open(&d));
    assert_true(desk_read(&d, "   x*m", &kept));
    const slip_graph_mark mark = slip_graph_set_mark(d.graph);
    for (int k = 0; k < 3; k++) {
        assert_true(desk_read(&d, k % 2 ? "  cos(x)" : "sin(x)/m", &value));
        const slip_span place = slip_graph_place(d.graph, value.part[0]);
        assert_int_equal(place.start, k % 2 ? 2 : 0);
        assert_int_equal(place.length, k % 2 ? 6 : 8);
        assert_int_equal(slip_graph_place(d.graph, kept.part[0]).start, 3);
        slip_graph_rewind(d.graph, mark);
        const slip_ref made = slip_graph_op(d.graph, SLIP_OP_TAN, kept.part[0], SLIP_NONE, SLIP_NONE);
        assert_null(slip_graph_place(d.graph, made).source);
        slip_graph_rewind(d.graph, mark);
    }
    desk_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mistake_is_said_at_its_place),
        cmocka_unit_test(all_unknown_names_are_said_at_once),
        cmocka_unit_test(a_known_name_without_value_is_not_said_twice),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(too_long_is_refused),
        cmocka_unit_test(the_map_leads_to_the_file),
        cmocka_unit_test(places_lead_back_to_the_text),
        cmocka_unit_test(places_are_taken_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
