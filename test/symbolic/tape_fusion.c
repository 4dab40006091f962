/// weave.c: a program of two copies of a tape gives the bits of two runs.
#include "symbolic/tape/tape.h"
#include "symbolic/compiler/tape_fusion.h"
#include "random_formula.h"

enum { INPUTS = 7, ROOTS = 3 };

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b) || a == b; // the sign of zero is not looked at
}

// results := f(x), then y_k = part * f_k + x_k, then f(y)
static void two_runs(const slip_tape *f, const double *x, double part, double *results)
{
    double *reg = calloc((size_t)slip_tape_registers(f), sizeof *reg);
    slip_tape_start(f, reg);
    memcpy(reg, x, INPUTS * sizeof *x);
    slip_tape_interpret(f, reg);
    for (int k = 0; k < ROOTS; k++) results[k] = part * reg[slip_tape_result(f, k)] + x[k];
    for (int k = 0; k < ROOTS; k++) reg[k] = results[k];
    slip_tape_interpret(f, reg);
    for (int k = 0; k < ROOTS; k++) results[k] = reg[slip_tape_result(f, k)];
    free(reg);
}

// the same as a program; the first copy has other registers for its results
static slip_tape *weave(const slip_tape *f, int *part, int *place)
{
    slip_tape_fusion *w = slip_fusion_begin(f);
    int y = slip_fusion_registers(w, INPUTS), results[ROOTS];
    *part = slip_fusion_registers(w, 1);
    for (int r = 0; r < slip_tape_registers(f); r++) place[r] = r;
    slip_fusion_inline(w, place);
    for (int k = 0; k < INPUTS; k++) {
        if (k < ROOTS)
            slip_fusion_mul_add(w, y + k, *part, slip_tape_result(f, k), k);
        else
            slip_fusion_move(w, y + k, k);
        place[k] = y + k;
    }
    slip_fusion_inline(w, place);
    for (int k = 0; k < ROOTS; k++) results[k] = place[slip_tape_result(f, k)];
    return slip_fusion_end(w, results, ROOTS);
}

static void random_programs_give_the_same_bits(void **state)
{
    (void)state;
    uint64_t seed = 5;
    int shorter = 0;
    for (int trial = 0; trial < 1500; trial++) {
        desk d;
        assert_true(desk_open(&d));
        slip_ref roots[ROOTS];
        for (int k = 0; k < ROOTS; k++) roots[k] = random_tame(&d, &seed, 1 + trial % 40);
        slip_tape *f = slip_tape_create(d.graph, roots, ROOTS);
        int *place = calloc((size_t)slip_tape_registers(f), sizeof *place), part;
        slip_tape *program = weave(f, &part, place);
        assert_non_null(program);
        double *reg = calloc((size_t)slip_tape_registers(program), sizeof *reg);
        for (int way = 0; way < 2; way++) { // as machine code, then one by one
            slip_tape_start(program, reg);
            for (int point = 0; point < 3; point++) {
                double x[INPUTS], expected[ROOTS];
                for (int k = 0; k < INPUTS; k++) x[k] = random_number(&seed, -3, 3);
                two_runs(f, x, 0.25, expected);
                memcpy(reg, x, sizeof x);
                reg[part] = 0.25;
                if (way)
                    slip_tape_interpret(program, reg);
                else
                    slip_tape_run(program, reg);
                for (int k = 0; k < ROOTS; k++)
                    assert_true(same(reg[slip_tape_result(program, k)], expected[k]));
            }
        }
        shorter += slip_tape_length(program) < 2 * slip_tape_length(f) + ROOTS;
        free(reg);
        free(place);
        slip_tape_destroy(program);
        slip_tape_destroy(f);
        desk_close(&d);
    }
    assert_true(shorter > 100);
}

// f = (x + 1, x * 3 if x > 0 else exp(x)): only the first is wanted, and nothing of the second is left
static void what_no_result_needs_is_left_out(void **state)
{
    (void)state;
    desk d;
    assert_true(desk_open(&d));
    slip_graph *g = d.graph;
    slip_ref x = d.inputs[1], one = slip_graph_constant(g, 1.0);
    slip_ref roots[2] = { slip_graph_op(g, SLIP_OP_ADD, x, one, SLIP_NONE), SLIP_NONE };
    slip_ref large = slip_graph_op(g, SLIP_OP_EXP, slip_graph_op(g, SLIP_OP_EXP, x, SLIP_NONE, SLIP_NONE),
                                   SLIP_NONE, SLIP_NONE);
    slip_ref asks = slip_graph_op(g, SLIP_OP_LT, slip_graph_constant(g, 0.0), x, SLIP_NONE);
    roots[1] = slip_graph_op(g, SLIP_OP_IF, asks, slip_graph_op(g, SLIP_OP_MUL, x, x, SLIP_NONE), large);
    slip_tape *f = slip_tape_create(g, roots, 2);
    int *place = calloc((size_t)slip_tape_registers(f), sizeof *place);
    for (int r = 0; r < slip_tape_registers(f); r++) place[r] = r;
    slip_tape_fusion *w = slip_fusion_begin(f);
    slip_fusion_inline(w, place);
    int wanted = slip_tape_result(f, 0);
    slip_tape *program = slip_fusion_end(w, &wanted, 1);
    assert_non_null(program);
    assert_int_equal(slip_tape_length(program), 2); // the sum, the end
    free(place);
    slip_tape_destroy(program);
    slip_tape_destroy(f);
    desk_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs_give_the_same_bits),
        cmocka_unit_test(what_no_result_needs_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
