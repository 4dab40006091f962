/// memory.c: every allocation on the way from text to numbers fails once, and nothing breaks or leaks.
#include "alloc_fail.h"
#include "random_formula.h"

static const char *const formulas[] = {
    "0.5*m*(x'^2 + y'^2)/(1 + 2*x^2) - 3*x*sin(t)^2*cos(t) + sqrt(x^2 + y^2)",
    "if(t < 1, exp(x)*tanh(y)*log(2 + x), min(x, y, z)) + sat(m, x, y).x*max(x, 2*y)",
    "x + y + z + t + x*y + y*z + z*t + 1 + 2*x + 3*y + 4*z + 5*t + 6*x + 7*y + 8*z + 9*t + 10*x*y*z*t",
    "xx + sinn(y) + 3 mmm", // and the way of a mistake
};

static slip_ref same(void *context, slip_graph *graph, slip_ref original, slip_ref rewritten)
{
    (void)context;
    (void)original;
    slip_node n = slip_graph_node(graph, rewritten);
    return n.op == SLIP_OP_INPUT && n.index == 0 ? slip_graph_constant(graph, 0.25) : rewritten;
}

// true when everything succeeded
static bool whole_way(const char *formula)
{
    desk d;
    slip_value value;
    bool fine = desk_open(&d) && desk_read(&d, formula, &value);
    slip_partial *list = NULL;
    slip_text out = { 0 };
    slip_ref roots[9], where;
    int count = fine ? slip_graph_gradient(d.graph, value.part[0], &list) : -1;
    if (count >= 0) {
        roots[0] = value.part[0];
        for (int k = 0; k < count; k++) roots[k + 1] = list[k].value;
        slip_ref directions[7] = { d.inputs[4], d.inputs[5], d.inputs[6], SLIP_NONE };
        slip_ref along = slip_graph_directional(d.graph, value.part[0], directions, 4);
        slip_ref changed = slip_graph_rewrite(d.graph, value.part[0], same, NULL);
        slip_graph_interval(d.graph, value.part[0]);
        slip_graph_is_discontinuous(d.graph, value.part[0], &where);
        slip_graph_depends(d.graph, value.part[0], d.inputs[0]);
        slip_graph_evaluate(d.graph, value.part[0]);
        slip_graph_print(d.graph, value.part[0], SLIP_PLAIN, &out);
        slip_graph_print(d.graph, value.part[0], SLIP_LATEX, &out);
        slip_tape *tape = slip_tape_create(d.graph, roots, count + 1);
        fine = along != SLIP_NONE && changed != SLIP_NONE && tape && !out.failed;
        slip_tape_destroy(tape);
    }
    slip_text_destroy(&out);
    free(list);
    desk_close(&d);
    return fine && count >= 0;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (size_t f = 0; f < sizeof formulas / sizeof formulas[0]; f++) {
        long failures = 0;
        for (long k = 1;; k++) {
            alloc_fail_at(k);
            bool fine = whole_way(formulas[f]);
            if (alloc_fail_stop() < k) {
                assert_true(fine == (f < 3));
                break;
            }
            failures += !fine;
        }
        assert_true(failures > 10);
    }
}

static void a_run_allocates_nothing(void **state)
{
    (void)state;
    desk d;
    assert_true(desk_open(&d));
    slip_ref root = desk_node(&d, formulas[1]);
    slip_tape *tape = slip_tape_create(d.graph, &root, 1);
    double *r = calloc((size_t)slip_tape_registers(tape), sizeof *r);
    alloc_fail_at(0);
    slip_tape_start(tape, r);
    for (int k = 0; k < 100; k++) {
        r[3] = 0.02 * k;
        slip_tape_run(tape, r);
    }
    assert_int_equal(alloc_fail_stop(), 0);
    free(r);
    slip_tape_destroy(tape);
    desk_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_run_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
