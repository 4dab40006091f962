/// A tape on the tape_cache serves a graph that differs in numbers alone, with the numbers of that graph.
#include <math.h>

#include "symbolic/graph/expression_builders.h"
#include "symbolic/compiler/tape_cache.h"
#include "test.h"

typedef struct fixture {
    slip_tape_cache *tape_cache;
    slip_graph *graph;
    slip_ref a, b, root; // a*x + b
} fixture;

static fixture make(void)
{
    fixture f = { slip_tape_cache_create(), slip_graph_create(), 0, 0, 0 };
    slip_ref x = slip_graph_input(f.graph, "x");
    f.a = slip_graph_parameter(f.graph, "a", 3.0);
    f.b = slip_graph_parameter(f.graph, "b", 4.0);
    f.root = slip_op2(f.graph, SLIP_OP_ADD, slip_op2(f.graph, SLIP_OP_MUL, f.a, x), f.b);
    slip_graph_use_cache(f.graph, f.tape_cache);
    return f;
}

static void end(fixture *f)
{
    slip_graph_destroy(f->graph);
    slip_tape_cache_destroy(f->tape_cache);
}

static double value(const slip_tape *tape, double x)
{
    double registers[64] = { x };
    assert_true(slip_tape_registers(tape) <= 64);
    slip_tape_start(tape, registers);
    registers[0] = x;
    slip_tape_run(tape, registers);
    return registers[slip_tape_result(tape, 0)];
}

static void test_other_numbers(void **state)
{
    (void)state;
    fixture f = make();
    slip_tape *first = slip_tape_create(f.graph, &f.root, 1);
    assert_float_equal(value(first, 2.0), 10.0, 0.0);
    slip_tape_destroy(first);
    slip_graph_set_parameter(f.graph, f.a, 5.0);
    slip_tape *second = slip_tape_create(f.graph, &f.root, 1);
    assert_ptr_equal(first, second);
    assert_float_equal(value(second, 2.0), 14.0, 0.0);
    slip_tape *beside = slip_tape_create(f.graph, &f.root, 1); // the first is in use
    assert_ptr_not_equal(beside, second);
    slip_tape_destroy(beside);
    slip_tape_destroy(second);
    end(&f);
}

static void test_numbers_that_change_the_form(void **state)
{
    (void)state;
    fixture f = make();
    slip_tape *first = slip_tape_create(f.graph, &f.root, 1);
    slip_tape_destroy(first);
    const double odd[][2] = { { 1.0, 4.0 }, { 0.0, 4.0 },  { 3.0, 0.0 },
                              { 4.0, 4.0 }, { 3.0, -4.0 }, { NAN, 4.0 } };
    for (int k = 0; k < 6; k++) {
        slip_graph_set_parameter(f.graph, f.a, odd[k][0]);
        slip_graph_set_parameter(f.graph, f.b, odd[k][1]);
        slip_tape *other = slip_tape_create(f.graph, &f.root, 1);
        assert_ptr_not_equal(other, first);
        const double expected = odd[k][0] * 2.0 + odd[k][1], got = value(other, 2.0);
        assert_true(got == expected || (isnan(got) && isnan(expected)));
        slip_tape_destroy(other);
    }
    end(&f);
}

static void test_shelf_is_finite(void **state)
{
    (void)state;
    fixture f = make();
    slip_tape *tapes[100];
    for (int k = 0; k < 100; k++) assert_non_null(tapes[k] = slip_tape_create(f.graph, &f.root, 1));
    for (int k = 0; k < 100; k++) slip_tape_destroy(tapes[k]);
    end(&f);
}

static void test_rewound_graph(void **state)
{
    (void)state;
    fixture f = make();
    const slip_graph_mark mark = slip_graph_set_mark(f.graph);
    const slip_ref before = slip_op2(f.graph, SLIP_OP_DIV, f.root, f.b);
    slip_ref many = before;
    for (int k = 0; k < 1000; k++) many = slip_op2(f.graph, SLIP_OP_DIV, many, f.root); // the table grows
    slip_graph_input(f.graph, "later");
    slip_graph_rewind(f.graph, mark);
    assert_int_equal(slip_graph_input_count(f.graph), 1);
    assert_int_equal(slip_op2(f.graph, SLIP_OP_MUL, f.a, slip_graph_input_ref(f.graph, 0)),
                     f.root - 1);                                          // known
    assert_int_equal(slip_op2(f.graph, SLIP_OP_DIV, f.root, f.b), before); // the next number again
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_numbers),
        cmocka_unit_test(test_numbers_that_change_the_form),
        cmocka_unit_test(test_shelf_is_finite),
        cmocka_unit_test(test_rewound_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
