/// scale.c: large formulas and large graphs take time in proportion, and no deep recursion.
#include <time.h>

#include "random_formula.h"

enum { TERMS = 100000 };

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

// 1*x + 2*y + ... as text: read, differentiate, compile, run, print
static void a_sum_of_many_terms(void **state)
{
    (void)state;
    static const char *const names[] = { "x", "y", "z" };
    char *text = malloc(TERMS * 12);
    size_t length = 0;
    for (int k = 0; k < TERMS; k++)
        length += (size_t)sprintf(text + length, "%s%d*%s", k ? "+" : "", k % 97 + 1, names[k % 3]);
    desk d;
    assert_true(desk_open(&d));
    double start = seconds(), expected = 0.0;
    slip_ref root = desk_node(&d, text);
    slip_partial *list;
    assert_int_equal(slip_graph_gradient(d.graph, root, &list), 3);
    const double at[7] = { 0.5, 0.25, 2.0 };
    for (int k = 0; k < TERMS; k++) expected += (k % 97 + 1) * at[k % 3];
    assert_near(desk_run(&d, root, at), expected, 1e-9 * expected);
    for (int k = 0; k < 3; k++) assert_true(desk_run(&d, list[k].value, at) > 1e6);
    char *again = desk_print(&d, root, SLIP_PLAIN);
    assert_int_equal(desk_node(&d, again), root);
    assert_true(seconds() - start < 20.0); // 0.2 s without sanitizers
    free(again);
    free(list);
    free(text);
    desk_close(&d);
}

// a chain of oscillators: n coordinates, about 10 n nodes, a sparse gradient per coordinate
static void a_graph_of_a_million_nodes(void **state)
{
    (void)state;
    enum { N = 60000 };
    slip_graph *g = slip_graph_create();
    slip_ref *q = malloc(N * sizeof *q), *force = malloc(N * sizeof *force);
    double start = seconds();
    for (int k = 0; k < N; k++) q[k] = slip_graph_input(g, "q");
    slip_ref energy = slip_graph_constant(g, 0.0), half = slip_graph_constant(g, 0.5);
    for (int k = 1; k < N; k++) {
        slip_ref gap = random_two(g, SLIP_OP_SUB, q[k], q[k - 1]);
        slip_ref term =
            random_two(g, SLIP_OP_MUL, half, random_two(g, SLIP_OP_POW, gap, slip_graph_constant(g, 2.0)));
        slip_ref wave = random_one(g, SLIP_OP_COS, gap);
        energy = random_two(g, SLIP_OP_ADD, random_two(g, SLIP_OP_ADD, energy, term), wave);
    }
    slip_partial *list;
    assert_int_equal(slip_graph_gradient(g, energy, &list), N);
    for (int k = 0; k < N; k++) force[k] = list[k].value;
    for (int k = 0; k < N; k++) { // a small gradient in a large graph is cheap
        slip_partial *row;
        int count = slip_graph_gradient(g, force[k], &row);
        assert_true(count >= 2 && count <= 3);
        free(row);
    }
    assert_true(slip_graph_node_count(g) > 1000000);
    slip_tape *tape = slip_tape_create(g, force, N);
    assert_non_null(tape);
    double *r = calloc((size_t)slip_tape_registers(tape), sizeof *r);
    slip_tape_start(tape, r);
    for (int k = 0; k < N; k++) r[k] = 0.001 * k;
    slip_tape_run(tape, r);
    assert_near(r[slip_tape_result(tape, N / 2)], 0.0, 1e-9);
    assert_true(seconds() - start < 60.0); // 2 s without sanitizers
    print_message("%d nodes, %d operations, %.1f s\n", slip_graph_node_count(g), slip_tape_length(tape),
                  seconds() - start);
    free(r);
    slip_tape_destroy(tape);
    free(list);
    free(q);
    free(force);
    slip_graph_destroy(g);
}

// 10^5 levels made by the program: no pass recurses
static void a_deep_graph(void **state)
{
    (void)state;
    desk d;
    assert_true(desk_open(&d));
    slip_ref node = d.inputs[0];
    for (int k = 0; k < TERMS; k++) {
        slip_op op = k % 3 == 0 ? SLIP_OP_SIN : SLIP_OP_ABS;
        node = random_two(d.graph, SLIP_OP_ADD, d.inputs[1], random_one(d.graph, op, node));
        if (k % 1000 == 0)
            node =
                slip_graph_op(d.graph, SLIP_OP_IF, d.inputs[2], node, random_one(d.graph, SLIP_OP_EXP, node));
    }
    const double at[7] = { 0.5, 1e-6, 1.0 };
    slip_ref direction[1] = { slip_graph_constant(d.graph, 1.0) };
    slip_ref forward = slip_graph_directional(d.graph, node, direction, 1);
    slip_partial *list;
    int count = slip_graph_gradient(d.graph, node, &list);
    assert_true(count >= 2 && list[0].input == 0);
    assert_near(desk_run(&d, forward, at), desk_run(&d, list[0].value, at), 1e-9);
    slip_graph_interval(d.graph, node);
    char *text = desk_print(&d, node, SLIP_LATEX);
    assert_non_null(text);
    free(text);
    free(list);
    desk_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sum_of_many_terms),
        cmocka_unit_test(a_graph_of_a_million_nodes),
        cmocka_unit_test(a_deep_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
