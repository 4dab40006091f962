/// tape.c: a tape gives the bits that the operations give one by one.
#include "symbolic/graph/operations.h"
#include "symbolic/native/basic_block.h"
#include "random_formula.h"

static uint64_t bits(double v)
{
    uint64_t b;
    if (v == 0.0) v = 0.0; // the sign of zero is not part of the language
    if (v != v) return 1;
    memcpy(&b, &v, sizeof b);
    return b;
}

// node by node, in order
static double evaluate(const slip_graph *g, slip_ref root, const double *inputs)
{
    double *v = calloc((size_t)root + 1, sizeof *v);
    for (slip_ref k = 0; k <= root; k++) {
        slip_node n = slip_graph_node(g, k);
        double arg[3] = { 0 };
        for (int j = 0; j < 3; j++)
            if (n.arg[j] >= 0) arg[j] = v[n.arg[j]];
        bool number = n.op == SLIP_OP_CONSTANT || n.op == SLIP_OP_PARAMETER;
        v[k] = n.op == SLIP_OP_INPUT ? inputs[n.index]
               : number              ? n.value
                                     : slip_op_apply(n.op, arg[0], arg[1], arg[2]);
    }
    double result = v[root];
    free(v);
    return result;
}

static void random_tapes_give_the_same_bits(void **state)
{
    (void)state;
    uint64_t seed = 12;
    for (int trial = 0; trial < 3000; trial++) {
        desk d;
        assert_true(desk_open(&d));
        slip_ref root = random_tame(&d, &seed, 1 + trial % 60);
        for (int point = 0; point < 3; point++) {
            double at[7];
            for (int k = 0; k < 7; k++) at[k] = random_number(&seed, -3, 3);
            double expected = evaluate(d.graph, root, at), got = desk_run(&d, root, at);
            if (bits(got) != bits(expected)) {
                char *text = desk_print(&d, root, SLIP_PLAIN);
                print_error("%s is %.17g, not %.17g\n", text, got, expected);
                fail();
            }
        }
        desk_close(&d);
    }
}

// also where numbers overflow, vanish or are none: only 0*x = 0 and x - x = 0 may hide one, so no such
// constants take part
static void wild_tapes_give_the_same_bits(void **state)
{
    (void)state;
    uint64_t seed = 77;
    int compared = 0;
    for (int trial = 0; trial < 3000; trial++) {
        desk d;
        assert_true(desk_open(&d));
        slip_ref root = random_any(&d, &seed, 1 + trial % 30, SLIP_OP_SAT_Y);
        double at[7];
        for (int k = 0; k < 7; k++) at[k] = random_number(&seed, -3, 3);
        double expected = evaluate(d.graph, root, at), got = desk_run(&d, root, at);
        if (isfinite(expected)) {
            if (bits(got) != bits(expected)) {
                char *text = desk_print(&d, root, SLIP_PLAIN);
                print_error("%s is %.17g, not %.17g\n", text, got, expected);
                fail();
            }
            compared++;
        }
        desk_close(&d);
    }
    assert_true(compared > 1000);
}

// several roots at once, so that more values are alive than the processor has registers
static void machine_code_and_interpreter_give_the_same_bits(void **state)
{
    (void)state;
    enum { ROOTS = 12, MOST = 4000 };
    static double native[MOST], stepped[MOST];
    uint64_t seed = 2;
    int translated = 0;
    for (int trial = 0; trial < 1500; trial++) {
        desk d;
        slip_ref roots[ROOTS];
        assert_true(desk_open(&d));
        for (int k = 0; k < ROOTS; k++)
            roots[k] = k % 2 ? random_any(&d, &seed, 1 + trial % 40, SLIP_OP_SAT_Y)
                             : random_tame(&d, &seed, 1 + trial % 40);
        slip_tape *tape = slip_tape_create(d.graph, roots, ROOTS);
        if (trial % 2) { // as on an old processor
            slip_tape_drop_native(tape);
            slip_tape_make_native(tape, false);
        }
        assert_true(slip_tape_registers(tape) <= MOST);
        slip_tape_start(tape, native);
        for (int k = 0; k < 7; k++)
            native[k] = random_below(&seed, 9) ? random_number(&seed, -3, 3) : trial % 2 ? NAN : 0;
        memcpy(stepped, native, sizeof stepped);
        slip_tape_run(tape, native);
        slip_tape_interpret(tape, stepped);
        translated += tape->native != NULL;
        for (int k = 0; k < ROOTS; k++)
            assert_true(bits(native[slip_tape_result(tape, k)]) == bits(stepped[slip_tape_result(tape, k)]));
        slip_tape_destroy(tape);
        desk_close(&d);
    }
    assert_true(translated == 0 || translated == 1500);
}

static bool goes_on(slip_tape_op op)
{
    return !slip_tape_is_jump(op) && op != SLIP_TAPE_END;
}

static bool ends(slip_tape_op op)
{
    return !goes_on(op);
}

// divisions and roots that one side of an `if` alone needs are done there, with and without AVX
static void sides_that_take_long_give_the_same_bits(void **state)
{
    (void)state;
    desk d;
    assert_true(desk_open(&d));
    slip_ref roots[4] = { desk_node(&d, "if(x < y, z/t, x)"), desk_node(&d, "if(x, (x + y)/t, sqrt(z))"),
                          desk_node(&d, "if(x <= y, t, z/(x*y)) + if(x <= y, x, z/(x + t))"),
                          desk_node(&d, "if(z < t, (x - y)/z, t/(x - y)) + z/t") };
    slip_tape *tape = slip_tape_create(d.graph, roots, 4);
    slip_basic_blocks stretches;
    int waits = 0;
    assert_true(
        slip_basic_blocks_find(&stretches, tape, (slip_basic_block_rules){ goes_on, ends, .waits = true }));
    for (int k = 0; k < stretches.count; k++) {
        slip_basic_block_read(&stretches, k);
        for (int j = 0; j < stretches.act_count; j++)
            waits += (stretches.acts[j].side[0] != 0) + (stretches.acts[j].side[1] != 0);
    }
    slip_basic_blocks_destroy(&stretches);
    assert_int_equal(waits, 6); // z/t has another reader
    const double numbers[] = { 0.0, -0.0, 1.5, -2.0, 1e-300, 1e300, INFINITY, NAN };
    for (int trial = 0; trial < 2 * 4096; trial++) {
        double native[64], stepped[64];
        if (trial == 4096) slip_tape_drop_native(tape), slip_tape_make_native(tape, false);
        assert_true(slip_tape_registers(tape) <= 64);
        slip_tape_start(tape, native);
        for (int k = 0; k < 4; k++) native[k] = numbers[trial >> 3 * k & 7];
        memcpy(stepped, native, sizeof stepped);
        slip_tape_run(tape, native);
        slip_tape_interpret(tape, stepped);
        for (int r = 0; r < 4; r++)
            assert_true(bits(native[slip_tape_result(tape, r)]) == bits(stepped[slip_tape_result(tape, r)]));
    }
    slip_tape_destroy(tape);
    desk_close(&d);
}

// functions of input 0 alone are remembered from run to run: asked again, asked anew, asked with a zero of
// either sign
static void remembered_functions_give_the_same_bits(void **state)
{
    (void)state;
    desk d;
    assert_true(desk_open(&d));
    slip_ref roots[4] = { desk_node(&d, "if(x < 2, sin(100*x), cos(x/3))"), desk_node(&d, "sin(3*x)*y"),
                          desk_node(&d, "cos(3*x) + exp(x)"), desk_node(&d, "sin(x)") };
    slip_tape *tape = slip_tape_create(d.graph, roots, 4);
    double native[64], stepped[64];
    assert_true(slip_tape_registers(tape) <= 64);
    slip_tape_start(tape, native);
    slip_tape_start(tape, stepped);
    const double times[] = { 0.0, -0.0, 0.0, 0.5,      0.5,      0.5,    NAN, NAN,
                             2.5, 2.5,  0.5, INFINITY, INFINITY, 1e-300, 2.5 };
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        native[0] = stepped[0] = times[k];
        native[1] = stepped[1] = 0.25 * (double)k;
        slip_tape_run(tape, native);
        slip_tape_interpret(tape, stepped);
        for (int r = 0; r < 4; r++)
            assert_true(bits(native[slip_tape_result(tape, r)]) == bits(stepped[slip_tape_result(tape, r)]));
    }
    assert_true(!tape->native || slip_tape_registers(tape) >= tape->first_memo + 4 * 2 + 3);
    slip_tape_destroy(tape);
    desk_close(&d);
}

// operations that are exact by the standard: the same sum of bits with every compiler and level
static void bits_do_not_depend_on_the_build(void **state)
{
    (void)state;
    static const slip_op ops[] = { SLIP_OP_ADD,  SLIP_OP_SUB, SLIP_OP_MUL, SLIP_OP_DIV,
                                   SLIP_OP_SQRT, SLIP_OP_MIN, SLIP_OP_MAX, SLIP_OP_SAT,
                                   SLIP_OP_ABS,  SLIP_OP_LT,  SLIP_OP_IF,  SLIP_OP_NEG };
    uint64_t seed = 123, hash = 14695981039346656037u;
    desk d;
    assert_true(desk_open(&d));
    slip_ref pool[40];
    for (int k = 0; k < 40; k++) pool[k] = k < 7 ? d.inputs[k] : slip_graph_constant(d.graph, 0.1 * k);
    for (int k = 0; k < 2000; k++) {
        slip_op op = ops[random_below(&seed, 12)];
        slip_ref a = pool[random_below(&seed, 40)], b = pool[random_below(&seed, 40)];
        pool[random_below(&seed, 40)] = slip_graph_op(d.graph, op, a, b, pool[random_below(&seed, 40)]);
        if (k % 100) continue;
        const double at[7] = { 0.1, 1.2, -0.3, 2.4, -1.5, 0.6, 0.7 };
        for (int j = 0; j < 40; j++) hash = (hash ^ bits(desk_run(&d, pool[j], at))) * 1099511628211u;
    }
    assert_true(hash == 0x2c9e6aa8cbf2b567u);
    desk_close(&d);
}

static void many_roots_share_their_parts(void **state)
{
    (void)state;
    desk d;
    assert_true(desk_open(&d));
    slip_ref roots[6] = { desk_node(&d, "exp(x)*sin(y)"), desk_node(&d, "sin(y)*exp(x) + 1"),
                          desk_node(&d, "2*m"),           desk_node(&d, "x"),
                          desk_node(&d, "cos(y)"),        desk_node(&d, "exp(x)*sin(y)") };
    slip_tape *tape = slip_tape_create(d.graph, roots, 6);
    assert_int_equal(slip_tape_length(tape), 5); // exp, sin and cos, *, + 1, end
    double r[64], constant;
    assert_true(slip_tape_registers(tape) <= 64);
    slip_tape_start(tape, r);
    const double at[7] = { 0.5, -1.25, 2.0, 0.75, 1.5, -0.5, 3.0 };
    memcpy(r, at, sizeof at);
    slip_tape_run(tape, r);
    assert_near(r[slip_tape_result(tape, 0)], exp(0.5) * sin(-1.25), 0);
    assert_near(r[slip_tape_result(tape, 1)], exp(0.5) * sin(-1.25) + 1, 0);
    assert_true(slip_tape_result_constant(tape, 2, &constant));
    assert_near(constant, 4, 0);
    assert_near(r[slip_tape_result(tape, 2)], 4, 0);
    assert_int_equal(slip_tape_result(tape, 3), 0);
    assert_near(r[slip_tape_result(tape, 4)], cos(-1.25), 0);
    assert_int_equal(slip_tape_result(tape, 5), slip_tape_result(tape, 0));
    assert_false(slip_tape_result_constant(tape, 0, &constant));
    for (int k = 0; k < 7; k++) assert_near(r[k], at[k], 0); // inputs stay as they were set
    slip_tape_destroy(tape);
    desk_close(&d);
}

static void powers_are_products(void **state)
{
    (void)state;
    desk d;
    assert_true(desk_open(&d));
    const double at[7] = { 1.1 }, x = 1.1;
    assert_near(desk_run(&d, desk_node(&d, "x^2"), at), x * x, 0);
    assert_near(desk_run(&d, desk_node(&d, "x^3"), at), x * x * x, 0);
    assert_near(desk_run(&d, desk_node(&d, "x^-2"), at), 1 / (x * x), 0);
    assert_near(desk_run(&d, desk_node(&d, "x^0.5"), at), sqrt(x), 0);
    assert_near(desk_run(&d, desk_node(&d, "x^m"), at), x * x, 0); // m is 2
    assert_near(desk_run(&d, desk_node(&d, "x^2.5"), at), pow(x, 2.5), 0);
    desk_close(&d);
}

static void parameters_are_numbers_on_a_tape(void **state)
{
    (void)state;
    desk d;
    assert_true(desk_open(&d));
    slip_ref root = desk_node(&d, "m*x + k*sin(y)");
    const double at[7] = { 3, 1 };
    assert_near(desk_run(&d, root, at), 6 + 3 * sin(1), 1e-15);
    slip_graph_set_parameter(d.graph, d.parameters[1], 0.0);
    slip_tape *tape = slip_tape_create(d.graph, &root, 1);
    assert_int_equal(slip_tape_length(tape), 2); // the sine is not computed for nothing
    slip_tape_destroy(tape);
    assert_near(desk_run(&d, root, at), 6, 0);
    desk_close(&d);
}

static void nan_is_not_hidden(void **state)
{
    (void)state;
    desk d;
    assert_true(desk_open(&d));
    const double at[7] = { NAN, 1, 2 };
    static const char *const formulas[] = { "min(x, y)",      "min(y, x)",      "max(x, y)", "max(y, x)",
                                            "abs(x)",         "sign(x)",        "sat(x, y)", "sat(y, x)",
                                            "sat(1, x, y).y", "sat(x, y, z).x", "floor(x)" };
    for (size_t k = 0; k < sizeof formulas / sizeof formulas[0]; k++)
        assert_true(isnan(desk_run(&d, desk_node(&d, formulas[k]), at)));
    desk_close(&d);
}

// log(x) with x < 0 raises no doubt when its branch is not taken; the branch that is taken is right
// the other roots keep their values
static void what_is_set_valued_is_not_a_number(void **state)
{
    (void)state;
    static const slip_op ops[] = { SLIP_OP_DIO, SLIP_OP_SGN, SLIP_OP_SGN_X, SLIP_OP_SGN_Y };
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
        slip_graph *g = slip_graph_create();
        slip_ref x = slip_graph_input(g, "x"), where;
        slip_ref set = slip_graph_op(g, ops[k], x, k < 2 ? SLIP_NONE : x, SLIP_NONE);
        slip_ref roots[] = { slip_graph_op(g, SLIP_OP_ADD, x, x, SLIP_NONE),
                             slip_graph_op(g, SLIP_OP_ADD, x, set, SLIP_NONE),
                             slip_graph_op(g, SLIP_OP_SIN, x, SLIP_NONE, SLIP_NONE) };
        slip_tape *tape = slip_tape_create(g, roots, 3);
        double *reg = calloc((size_t)slip_tape_registers(tape) + 1, sizeof *reg);
        slip_tape_start(tape, reg);
        reg[0] = 0.5;
        slip_tape_run(tape, reg);
        assert_near(reg[slip_tape_result(tape, 0)], 1.0, 0.0);
        assert_true(isnan(reg[slip_tape_result(tape, 1)]));
        assert_near(reg[slip_tape_result(tape, 2)], sin(0.5), 0.0);
        assert_false(slip_graph_is_set_valued(g, roots[0], &where));
        assert_true(slip_graph_is_set_valued(g, roots[1], &where));
        assert_int_equal(where, set);
        free(reg);
        slip_tape_destroy(tape);
        slip_graph_destroy(g);
    }
}

static void branches(void **state)
{
    (void)state;
    desk d;
    assert_true(desk_open(&d));
    const char *text = "if(x > 0, exp(x)*log(x) + if(y > 0, sinh(y)*cosh(y), tan(y)*tanh(z)), "
                       "if(z > 1 and y < 0, atan2(y, z)*exp(z), cos(y)*sqrt(z))) + exp(x)";
    slip_ref root = desk_node(&d, text);
    for (int k = 0; k < 8; k++) {
        double x = k & 1 ? 0.7 : -0.7, y = k & 2 ? 0.4 : -0.4, z = k & 4 ? 1.6 : 0.6;
        const double at[7] = { x, y, z };
        double expected = (x > 0 ? exp(x) * log(x) + (y > 0 ? sinh(y) * cosh(y) : tan(y) * tanh(z))
                                 : (z > 1 && y < 0 ? atan2(y, z) * exp(z) : cos(y) * sqrt(z))) +
                          exp(x);
        assert_near(desk_run(&d, root, at), expected, 0);
    }
    desk_close(&d);
}

static void constants_fold_and_unfold(void **state)
{
    (void)state;
    desk d;
    assert_true(desk_open(&d));
    assert_near(slip_graph_evaluate(d.graph, desk_node(&d, "m*k + sin(mu)")), 6 + sin(0.25), 0);
    assert_true(isnan(slip_graph_evaluate(d.graph, desk_node(&d, "m*x"))));
    assert_true(isinf(slip_graph_evaluate(d.graph, desk_node(&d, "1/0"))));
    const double at[7] = { 0 };
    assert_true(isinf(desk_run(&d, desk_node(&d, "1/(m - 2)"), at)));
    desk_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_tapes_give_the_same_bits),
        cmocka_unit_test(wild_tapes_give_the_same_bits),
        cmocka_unit_test(machine_code_and_interpreter_give_the_same_bits),
        cmocka_unit_test(sides_that_take_long_give_the_same_bits),
        cmocka_unit_test(remembered_functions_give_the_same_bits),
        cmocka_unit_test(bits_do_not_depend_on_the_build),
        cmocka_unit_test(many_roots_share_their_parts),
        cmocka_unit_test(powers_are_products),
        cmocka_unit_test(parameters_are_numbers_on_a_tape),
        cmocka_unit_test(nan_is_not_hidden),
        cmocka_unit_test(what_is_set_valued_is_not_a_number),
        cmocka_unit_test(branches),
        cmocka_unit_test(constants_fold_and_unfold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
