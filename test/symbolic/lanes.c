/// lanes.c: every lane of a tape has the bits of the tape alone, with every instruction set, and machine code those of the
/// interpreter.
///
/// `test_symbolic.lanes 5000 300` takes 300 other random formulas, from number 5000 on.
#include "symbolic/simd/simd_lanes.h"
#include "symbolic/tape/tape.h"
#include "random_formula.h"

enum { INPUTS = 7, ROOTS = 3 };

static long first_formula = 0, formula_count = 2000;

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

static int stretches; // tapes with machine code

// the results in `reg` are those of the interpreter; inputs[k][j] for lane j
static void compare_with_interpreter(const slip_tape *tape, double (*inputs)[SLIP_LANES], int j,
                                     const double *reg)
{
    double *const plain = calloc((size_t)slip_tape_registers(tape), sizeof *plain);
    slip_tape_start(tape, plain);
    for (int k = 0; k < INPUTS; k++) plain[k] = inputs[k][j];
    slip_tape_interpret(tape, plain);
    for (int k = 0; k < tape->result_count; k++) {
        const int at = slip_tape_result(tape, k);
        if (!same(plain[at], reg[at]))
            fail_msg("result %d: machine code %a, interpreter %a", k, reg[at], plain[at]);
    }
    free(plain);
}

static void compare_with(const slip_tape *tape, double (*inputs)[SLIP_LANES], bool native)
{
    double *rows = slip_lanes_rows(tape), *reg = calloc((size_t)slip_tape_registers(tape), sizeof *reg);
    for (int p = 0; p < SLIP_SIMD_WIDTH_COUNT; p++) {
        if (!slip_simd_width_available((slip_simd_width)p)) continue;
        slip_lanes_code *code = native ? slip_lanes_code_create(tape, (slip_simd_width)p) : NULL;
        stretches += code != NULL;
        slip_lanes_start(tape, rows);
        for (int k = 0; k < INPUTS; k++) memcpy(rows + k * SLIP_LANES, inputs[k], sizeof inputs[k]);
        slip_lanes_run(tape, (slip_simd_width)p, code, rows);
        slip_lanes_code_destroy(code);
        for (int j = 0; j < SLIP_LANES; j++) {
            slip_tape_start(tape, reg);
            for (int k = 0; k < INPUTS; k++) reg[k] = inputs[k][j];
            slip_tape_run(tape, reg);
            compare_with_interpreter(tape, inputs, j, reg);
            for (int k = 0; k < tape->result_count; k++) {
                const int at = slip_tape_result(tape, k);
                if (!same(rows[at * SLIP_LANES + j], reg[at]))
                    fail_msg("packing %d, lane %d, result %d: %a, alone %a", p, j, k,
                             rows[at * SLIP_LANES + j], reg[at]);
            }
        }
    }
    free(rows);
    free(reg);
}

static void compare(const slip_tape *tape, double (*inputs)[SLIP_LANES])
{
    compare_with(tape, inputs, false);
    compare_with(tape, inputs, true);
}

// of ordinary size, next to 1 and 0, below the normal numbers, and of any bits, infinities and NaN among them
static double operand(uint64_t *seed)
{
    const uint64_t any =
        (uint64_t)random_bits(seed) << 33 ^ (uint64_t)random_bits(seed) << 11 ^ random_bits(seed);
    double x;
    switch (random_below(seed, 6)) {
    case 0:
        memcpy(&x, &any, sizeof x);
        return x;
    case 1:
        return 1.0 + random_number(seed, -1e-9, 1e-9);
    case 2:
        return random_number(seed, -1.0, 1.0);
    case 3:
        return random_number(seed, -1e7, 1e7);
    case 4:
        return random_number(seed, -1e-160, 1e-160) * random_number(seed, 0.0, 1e-150);
    default:
        return random_number(seed, -40.0, 40.0);
    }
}

// of ordinary size with zeros, with numbers that are none, or of any kind
static double random_input(uint64_t *seed, long kind)
{
    if (kind == 2) return operand(seed);
    if (random_below(seed, 9)) return random_number(seed, -3, 3);
    return kind == 1 ? 0.0 : NAN;
}

static void random_formula(long number, int *jumps, int *translated)
{
    uint64_t seed = 11 + (uint64_t)number * 0x9e3779b97f4a7c15u;
    desk d;
    assert_true(desk_open(&d));
    slip_ref roots[ROOTS];
    for (int k = 0; k < ROOTS; k++)
        roots[k] = number % 2 ? random_any(&d, &seed, 1 + (int)(number % 40), SLIP_OP_SAT_Y)
                              : random_tame(&d, &seed, 1 + (int)(number % 60));
    slip_tape *tape = slip_tape_create(d.graph, roots, ROOTS);
    assert_non_null(tape);
    for (int k = 0; k < tape->length; k++) *jumps += slip_tape_is_jump((slip_tape_op)tape->code[k].op);
    *translated += tape->native != NULL;
    double inputs[INPUTS][SLIP_LANES];
    for (int k = 0; k < INPUTS; k++)
        for (int j = 0; j < SLIP_LANES; j++) inputs[k][j] = random_input(&seed, number % 3);
    compare(tape, inputs);
    slip_tape_destroy(tape);
    desk_close(&d);
}

static void random_formulas(void **state)
{
    (void)state;
    int jumps = 0, translated = 0;
    for (long k = 0; k < formula_count; k++) random_formula(first_formula + k, &jumps, &translated);
    if (formula_count < 2000) return;
    assert_true(jumps > 1000); // branches that lanes do not agree on are among them
    assert_true(stretches > 1000 || !translated || slip_simd_width_best() == SLIP_SIMD_WIDTH_2);
}

static void every_function(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int op = SLIP_OP_ADD; op < SLIP_OP_COUNT; op++) {
        if (slip_op_is_set_valued((slip_op)op) || op == SLIP_OP_PATCH_FORCE || op == SLIP_OP_PATCH_TORQUE ||
            op == SLIP_OP_PATCH_CHANGE)
            continue;
        desk d;
        assert_true(desk_open(&d));
        slip_ref both[2] = { slip_graph_op(d.graph, (slip_op)op, d.inputs[0], d.inputs[1], d.inputs[2]),
                             SLIP_NONE };
        both[1] =
            random_one(d.graph, op == SLIP_OP_SIN ? SLIP_OP_COS : SLIP_OP_SIN, d.inputs[0]); // sincos too
        slip_tape *tape = slip_tape_create(d.graph, both, 2);
        assert_non_null(tape);
        for (int trial = 0; trial < 400; trial++) {
            double inputs[INPUTS][SLIP_LANES];
            for (int k = 0; k < INPUTS; k++)
                for (int j = 0; j < SLIP_LANES; j++) inputs[k][j] = operand(&seed);
            compare(tape, inputs);
        }
        slip_tape_destroy(tape);
        desk_close(&d);
    }
}

int main(int count, char **words)
{
    if (count > 2) first_formula = atol(words[1]), formula_count = atol(words[2]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_formulas),
        cmocka_unit_test(every_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
