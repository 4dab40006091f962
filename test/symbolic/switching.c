/// switching.c: where expressions bend or jump, their pieces, and what t alone is going to do.
#include <math.h>

#include "symbolic/analysis/switching_functions.h"
#include "symbolic/analysis/time_schedule.h"
#include "formula_test.h"

static const double PI = 3.14159265358979323846;

/// A graph whose first input is the time, as models have it: t x y.
typedef struct bench {
    slip_graph *graph;
    slip_scope scope;
    slip_diagnostics *notes;
    slip_source source;
    slip_ref inputs[3];
} bench;

static bool bench_find(void *context, const char *name, int primes, slip_value *value)
{
    bench *b = context;
    for (int k = 0; k < 3; k++) {
        if (primes || strlen(name) != 1 || name[0] != "txy"[k]) continue;
        *value = slip_scalar(b->inputs[k]);
        return true;
    }
    return false;
}

static void bench_open(bench *b)
{
    *b = (bench){ .graph = slip_graph_create(), .notes = slip_diagnostics_create() };
    b->scope = (slip_scope){ .context = b, .find = bench_find };
    for (int k = 0; k < 3; k++)
        b->inputs[k] = slip_graph_input(b->graph, (const char *[]){ "t", "x", "y" }[k]);
}

static void bench_close(bench *b)
{
    slip_graph_destroy(b->graph);
    slip_diagnostics_destroy(b->notes);
}

static slip_ref bench_node(bench *b, const char *text)
{
    slip_value value;
    b->source = (slip_source){ .name = "test", .text = text, .length = (long)strlen(text) };
    slip_span where = slip_span_at(&b->source, 0, (long)strlen(text));
    assert_true(slip_formula_parse(b->graph, text, strlen(text), where, NULL, &b->scope, b->notes, &value));
    return value.part[0];
}

// value of an expression with the sides given, NULL: free
static double value_of(const bench *b, slip_ref root, const slip_switches *s, const double *side, double x,
                       double y)
{
    double reg[200] = { 0 };
    slip_tape *tape = slip_tape_create(b->graph, &root, 1);
    assert_true(slip_tape_registers(tape) < 200);
    slip_tape_start(tape, reg);
    reg[1] = x, reg[2] = y;
    for (int k = 0; k < s->count; k++) reg[s->list[k].input] = side ? side[k] : SLIP_SIDE_FREE;
    slip_tape_run(tape, reg);
    double value = reg[slip_tape_result(tape, 0)];
    slip_tape_destroy(tape);
    return value;
}

// each expression, the pieces that its one switch has, and where it is free
static void a_locked_expression_keeps_its_piece(void **state)
{
    (void)state;
    const struct {
        const char *text, *negative, *positive;
    } cases[] = {
        { "abs(x)", "-x", "x" },
        { "max(x, y)", "y", "x" },
        { "min(x, y)", "x", "y" },
        { "max(y, x)", "y", "x" },
        { "sign(x)*y", "-y", "y" },
        { "if(x < y, x^2, y^3)", "x^2", "y^3" },
        { "if(x >= y, x^2, y^3)", "y^3", "x^2" },
        { "if(not(x > y), x^2, y^3)", "x^2", "y^3" },
        { "max(x, y) - min(y, x) + abs(x - y)", "2*(y - x)", "2*(x - y)" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench b;
        slip_switches s;
        bench_open(&b);
        slip_ref plain = bench_node(&b, cases[k].text), locked = plain;
        slip_ref piece[2] = { bench_node(&b, cases[k].negative), bench_node(&b, cases[k].positive) };
        assert_true(slip_switches_create(&s, b.graph, &locked, 1));
        assert_int_equal(s.count, 1);
        assert_false(s.list[0].timed);
        assert_true(slip_switches_lock(&s, b.graph, &locked, 1));
        for (int i = -4; i <= 4; i++)
            for (int j = -4; j <= 4; j++) {
                assert_near(value_of(&b, locked, &s, NULL, i, j), value_of(&b, plain, &s, NULL, i, j), 0);
                // the switch counts its operands as they were met; its own value says which side is which
                double v = value_of(&b, s.list[0].value, &s, NULL, i, j);
                if (v == 0.0) continue;
                double first = i - (strchr(cases[k].text, 'y') && k != 4 ? j : 0);
                for (int side = -1; side <= 1; side += 2) {
                    double along = side * (first > 0) - side * (first < 0),
                           sides[1] = { v > 0 ? along : -along };
                    double got = value_of(&b, locked, &s, sides, i, j);
                    assert_near(got, value_of(&b, piece[side > 0], &s, NULL, i, j), 1e-12);
                }
            }
        slip_switches_destroy(&s);
        bench_close(&b);
    }
}

// what each expression is where its two sides meet, however x and y stand
static void a_border_is_a_side(void **state)
{
    (void)state;
    const struct {
        const char *text;
        double value;
        bool jumps;
    } cases[] = {
        { "sign(x)", 0, true },
        { "-sign(-x)", 0, true },
        { "abs(x)", 0, false },
        { "x < y", 0, true },
        { "x <= y", 1, true },
        { "x > y", 0, true },
        { "x >= y", 1, true },
        { "not(x < y)", 1, true },
        { "(x < y) + (y < x)", 0, true },
        { "(x <= y) + (y <= x)", 2, true },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench b;
        slip_switches s;
        const double border = 0.0;
        bench_open(&b);
        slip_ref locked = bench_node(&b, cases[k].text);
        assert_true(slip_switches_create(&s, b.graph, &locked, 1));
        assert_true(slip_switches_lock(&s, b.graph, &locked, 1));
        assert_int_equal(s.count, 1);
        assert_int_equal(s.list[0].jumps, cases[k].jumps);
        for (int i = -1; i <= 1; i++) assert_near(value_of(&b, locked, &s, &border, i, 0), cases[k].value, 0);
        slip_switches_destroy(&s);
        bench_close(&b);
    }
}

// A condition inside another one is an input of its value
static void what_is_inside_is_locked(void **state)
{
    (void)state;
    bench b;
    slip_switches s;
    bench_open(&b);
    slip_ref locked = bench_node(&b, "floor(sign(x) + 0.5)");
    assert_true(slip_switches_create(&s, b.graph, &locked, 1));
    assert_true(slip_switches_lock(&s, b.graph, &locked, 1));
    assert_int_equal(s.count, 2);
    const double up[] = { 1.0, SLIP_SIDE_FREE }, down[] = { -1.0, SLIP_SIDE_FREE };
    assert_near(value_of(&b, s.list[1].own, &s, up, -2, 0), 1, 0);
    assert_near(value_of(&b, s.list[1].own, &s, down, 2, 0), -1, 0);
    slip_switches_destroy(&s);
    bench_close(&b);
}

static void a_floor_is_held_at_its_number(void **state)
{
    (void)state;
    bench b;
    slip_switches s;
    bench_open(&b);
    slip_ref locked = bench_node(&b, "x - floor(x)");
    assert_true(slip_switches_create(&s, b.graph, &locked, 1));
    assert_true(slip_switches_lock(&s, b.graph, &locked, 1));
    assert_int_equal(s.count, 1);
    double three = 3.0;
    assert_near(value_of(&b, locked, &s, NULL, 4.25, 0), 0.25, 0);
    assert_near(value_of(&b, locked, &s, &three, 4.25, 0), 1.25, 0);
    assert_true(value_of(&b, s.list[0].within, &s, &three, 3.9, 0) > 0);
    assert_true(value_of(&b, s.list[0].within, &s, &three, 4.1, 0) < 0);
    assert_true(value_of(&b, s.list[0].within, &s, &three, 2.9, 0) < 0);
    slip_switches_destroy(&s);
    bench_close(&b);
}

static void sat_and_its_derivative_switch_together(void **state)
{
    (void)state;
    bench b;
    slip_switches s;
    slip_partial *partials = NULL;
    bench_open(&b);
    slip_ref roots[2] = { bench_node(&b, "sat(2, x)") };
    assert_int_equal(slip_graph_gradient(b.graph, roots[0], &partials), 1);
    roots[1] = partials[0].value;
    free(partials);
    assert_true(slip_switches_create(&s, b.graph, roots, 2));
    assert_int_equal(s.count, 2); // |x| against 2, x against 0
    for (int i = -30; i <= 30; i++) {
        double x = 0.1 * i;
        slip_switches none = { 0 };
        assert_near(value_of(&b, roots[0], &none, NULL, x, 0), fmax(-2, fmin(2, x)), 0);
    }
    slip_switches_destroy(&s);
    bench_close(&b);
}

static slip_time_schedule table_of(const char *text, double until)
{
    bench b;
    slip_time_schedule table;
    bench_open(&b);
    slip_ref root = bench_node(&b, text);
    assert_true(slip_time_schedule_create(&table, b.graph, &root, 1, until));
    bench_close(&b);
    return table;
}

static void conditions_on_time_are_known_before(void **state)
{
    (void)state;
    slip_time_schedule table = table_of("x*if(t > 0.7321 and t < 0.73210001, 500, 0)", 2);
    assert_int_equal(table.switch_count, 2);
    assert_near(table.switches[0], 0.7321, 1e-15);
    assert_near(table.switches[1], 0.73210001, 1e-15);
    assert_near(slip_time_schedule_end(&table, 0), 0.7321, 1e-15);
    assert_near(slip_time_schedule_end(&table, 0.7321), 0.73210001, 1e-15);
    assert_true(slip_time_schedule_end(&table, 1.0) > 1.1);
    slip_time_schedule_destroy(&table);

    table =
        table_of("x + max(0, cos(60*t))^8 + abs(sin(3*t))", 1); // 19 zeros of the cosine, none of the sine
    assert_int_equal(table.switch_count, 19);
    for (int k = 0; k < 19; k++) assert_near(table.switches[k], (k + 0.5) * PI / 60, 1e-15);
    slip_time_schedule_destroy(&table);

    table = table_of("x*floor(t/0.1)", 1); // 0.1, 0.2, ... 0.9
    assert_int_equal(table.switch_count, 9);
    for (int k = 0; k < 9; k++) assert_near(table.switches[k], 0.1 * (k + 1), 1e-15);
    slip_time_schedule_destroy(&table);

    table = table_of("x*if(cos(t) > 0.99999999999, 1, 0)", 10); // above it for 9 microseconds at 0 and 2 pi
    assert_int_equal(table.switch_count, 3);
    assert_near(table.switches[1] + table.switches[2], 4 * PI, 1e-5);
    slip_time_schedule_destroy(&table);
}

static void steps_follow_what_time_does(void **state)
{
    (void)state;
    slip_time_schedule table = table_of("x + y", 10);
    assert_true(isinf(slip_time_schedule_end(&table, 3)));
    slip_time_schedule_destroy(&table);

    table = table_of("x + 3*t + 2*t^3", 10); // a cubic is one piece
    assert_near(slip_time_schedule_end(&table, 0), 10, 1e-9);
    slip_time_schedule_destroy(&table);

    table = table_of("x + cos(26*pi*t)", 20); // about ten steps in a period of 77 ms
    double step = slip_time_schedule_end(&table, 7.0) - 7.0;
    assert_true(step < 1 / 13.0 / 5 && step > 1 / 13.0 / 20);
    slip_time_schedule_destroy(&table);

    table = table_of("x + exp(-((t - 7.123)/0.001)^2)", 10); // 1e-4 of the run
    double t = 0.0, in = 0.0;
    int steps = 0;
    for (; t < 10.0; t = slip_time_schedule_end(&table, t), steps++) in += fabs(t - 7.123) < 0.001;
    assert_true(in >= 3 && steps < 50);
    assert_near(t, 10, 1e-9);
    slip_time_schedule_destroy(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_locked_expression_keeps_its_piece),
        cmocka_unit_test(a_border_is_a_side),
        cmocka_unit_test(what_is_inside_is_locked),
        cmocka_unit_test(a_floor_is_held_at_its_number),
        cmocka_unit_test(sat_and_its_derivative_switch_together),
        cmocka_unit_test(conditions_on_time_are_known_before),
        cmocka_unit_test(steps_follow_what_time_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
