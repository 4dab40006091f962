/// stretch.c: machine code for operations in any order, on registers that are written again and again, gives
/// the bits of the interpreter: alone, with and without AVX, and in lanes.
#include "symbolic/simd/simd_lanes.h"
#include "symbolic/native/basic_block.h"
#include "random_formula.h"

enum { INPUTS = 6, CONSTANTS = 4, MOST_REGISTERS = 60, MOST_OPERATIONS = 400, ROOM = 4000 };

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b); // which NaN is not looked at
}

static slip_tape_op random_op(uint64_t *seed)
{
    static const slip_tape_op few[] = { SLIP_TAPE_MOVE, SLIP_TAPE_SAT, SLIP_TAPE_IF, SLIP_TAPE_MAX,
                                        SLIP_TAPE_DIV,  SLIP_TAPE_SUB, SLIP_TAPE_MUL };
    if (random_below(seed, 40) == 0) return random_below(seed, 2) ? SLIP_TAPE_SINCOS : SLIP_TAPE_POW;
    if (random_below(seed, 40) == 0) return slip_tape_call(SLIP_OP_TANH);
    if (random_below(seed, 2)) return few[random_below(seed, 7)];
    slip_tape_op op = (slip_tape_op)random_below(seed, SLIP_TAPE_SINCOS);
    return op == SLIP_TAPE_POW ? SLIP_TAPE_ADD : op;
}

static slip_instruction random_operation(uint64_t *seed, int registers)
{
    const int first = INPUTS + CONSTANTS; // which nobody writes to
    slip_instruction i = { .op = (unsigned)random_op(seed) & 0xff,
                           .to = (uint32_t)(first + random_below(seed, registers - first)) & 0xffffff,
                           .a = (uint32_t)random_below(seed, registers),
                           .b = (uint32_t)random_below(seed, registers),
                           .c = (uint32_t)random_below(seed, registers) };
    const bool pair = i.op == SLIP_TAPE_SINCOS;
    if (pair) i.to = (uint32_t)first, i.c = (uint32_t)first + 1;
    return i;
}

// an `if` now and then: condition, first side, jump over the second
static int put_if(uint64_t *seed, slip_instruction *code, int registers)
{
    const int yes = 1 + random_below(seed, 9), no = 1 + random_below(seed, 9);
    static const slip_tape_op conditions[] = { SLIP_TAPE_UNLESS, SLIP_TAPE_UNLESS_LT, SLIP_TAPE_UNLESS_LE };
    int at = 0;
    code[at++] = (slip_instruction){ .op = (unsigned)conditions[random_below(seed, 3)] & 0xff,
                                     .a = (uint32_t)random_below(seed, registers),
                                     .b = (uint32_t)random_below(seed, registers),
                                     .c = (uint32_t)(yes + 2) };
    for (int k = 0; k < yes; k++) code[at++] = random_operation(seed, registers);
    code[at++] = (slip_instruction){ .op = SLIP_TAPE_JUMP, .c = (uint32_t)(yes + 2 + no) };
    for (int k = 0; k < no; k++) code[at++] = random_operation(seed, registers);
    return at;
}

static slip_tape *random_tape(uint64_t *seed, int length, bool jumps)
{
    slip_tape *t = calloc(1, sizeof *t);
    const int registers =
        INPUTS + CONSTANTS + 3 + random_below(seed, MOST_REGISTERS - INPUTS - CONSTANTS - 3);
    t->registers = t->first_memo = registers;
    t->code = calloc((size_t)length + 32, sizeof *t->code);
    t->first_constant = INPUTS;
    t->constant_count = CONSTANTS;
    t->constants = calloc(CONSTANTS, sizeof *t->constants);
    for (int k = 0; k < CONSTANTS; k++) t->constants[k] = k ? random_number(seed, -2, 2) : 0.0;
    while (t->length < length) {
        const int begin = t->length;
        if (!jumps || random_below(seed, 12)) {
            t->code[t->length++] = random_operation(seed, registers);
            continue;
        }
        t->length += put_if(seed, t->code + begin, registers);
        for (int k = begin; k < t->length; k++)
            if (slip_tape_is_jump((slip_tape_op)t->code[k].op)) t->code[k].c += (uint32_t)begin;
    }
    t->code[t->length++] = (slip_instruction){ .op = SLIP_TAPE_END };
    t->results = calloc((size_t)registers, sizeof *t->results);
    for (int r = INPUTS + CONSTANTS; r < registers; r++)
        if (random_below(seed, 3)) t->results[t->result_count++] = r;
    return t;
}

static void put_inputs(uint64_t *seed, double *x)
{
    static const double special[] = { 0.0, -0.0, NAN, INFINITY };
    for (int k = 0; k < INPUTS; k++)
        x[k] = random_below(seed, 12) ? random_number(seed, -3, 3) : special[random_below(seed, 4)];
}

static void compare_alone(const slip_tape *t, const double *x)
{
    static double native[ROOM], stepped[ROOM];
    assert_true(t->registers <= ROOM);
    slip_tape_start(t, native);
    slip_tape_start(t, stepped);
    memcpy(native, x, INPUTS * sizeof *x);
    memcpy(stepped, x, INPUTS * sizeof *x);
    for (int round = 0; round < 2; round++) { // the second one begins with what the first one left
        slip_tape_run(t, native);
        slip_tape_interpret(t, stepped);
        for (int k = 0; k < t->result_count; k++)
            assert_true(same(native[t->results[k]], stepped[t->results[k]]));
        for (int r = INPUTS + CONSTANTS; r < t->first_memo; r++) native[r] = stepped[r];
    }
}

static void compare_lanes(const slip_tape *t, uint64_t *seed, slip_simd_width packing)
{
    static double x[SLIP_LANES][ROOM];
    double *rows = slip_lanes_rows(t);
    slip_lanes_code *code = slip_lanes_code_create(t, packing);
    slip_lanes_start(t, rows);
    for (int j = 0; j < SLIP_LANES; j++) {
        slip_tape_start(t, x[j]);
        put_inputs(seed, x[j]);
        for (int r = 0; r < INPUTS; r++) rows[r * SLIP_LANES + j] = x[j][r];
        slip_tape_interpret(t, x[j]);
    }
    slip_lanes_run(t, packing, code, rows);
    for (int j = 0; j < SLIP_LANES; j++)
        for (int k = 0; k < t->result_count; k++)
            assert_true(same(rows[t->results[k] * SLIP_LANES + j], x[j][t->results[k]]));
    slip_lanes_code_destroy(code);
    free(rows);
}

static void random_operations_give_the_same_bits(void **state)
{
    (void)state;
    uint64_t seed = 21;
    double x[INPUTS];
    for (int trial = 0; trial < 2000; trial++) {
        slip_tape *t = random_tape(&seed, 1 + random_below(&seed, MOST_OPERATIONS), trial % 2);
        for (int avx = 0; avx < 2; avx++) {
            if (avx && !slip_tape_has_avx()) continue;
            slip_tape_drop_native(t);
            slip_tape_make_native(t, avx);
            for (int k = 0; k < 4; k++) put_inputs(&seed, x), compare_alone(t, x);
        }
        for (int p = 0; p < SLIP_SIMD_WIDTH_COUNT; p++)
            if (slip_simd_width_available((slip_simd_width)p)) compare_lanes(t, &seed, (slip_simd_width)p);
        slip_tape_destroy(t);
    }
}

static bool plain(slip_tape_op op)
{
    return op != SLIP_TAPE_END;
}

static bool ends(slip_tape_op op)
{
    return op == SLIP_TAPE_END;
}

// y = x; x = a b; z = b a + y; w = z - z again from the same values: one product, no copies, and what is
// overwritten goes away
static void a_stretch_does_things_once(void **state)
{
    (void)state;
    enum { X = INPUTS + CONSTANTS, Y, Z, W };
    slip_instruction code[] = {
        { .op = SLIP_TAPE_MOVE, .to = Y, .a = X },
        { .op = SLIP_TAPE_MUL, .to = X, .a = 0, .b = 1 },
        { .op = SLIP_TAPE_MUL, .to = Z, .a = 1, .b = 0 },
        { .op = SLIP_TAPE_DIV, .to = W, .a = Z, .b = Y },
        { .op = SLIP_TAPE_ADD, .to = W, .a = Z, .b = Y },
        { .op = SLIP_TAPE_ADD, .to = Z, .a = Y, .b = X },
        { .op = SLIP_TAPE_END },
    };
    int results[] = { X, W, Z };
    slip_tape t = { .code = code,
                    .length = 7,
                    .registers = W + 1,
                    .first_memo = W + 1,
                    .first_constant = INPUTS,
                    .results = results,
                    .result_count = 3 };
    slip_basic_blocks s;
    assert_true(slip_basic_blocks_find(&s, &t, (slip_basic_block_rules){ plain, ends, false, 0 }));
    assert_int_equal(s.count, 1);
    slip_basic_block_read(&s, 0);
    int products = 0, sums = 0, stores = 0, others = 0;
    for (int k = 0; k < s.act_count; k++) {
        const int op = s.acts[k].op;
        products += op == SLIP_TAPE_MUL;
        sums += op == SLIP_TAPE_ADD;
        stores += op == SLIP_BLOCK_OP_STORE;
        others += op == SLIP_TAPE_DIV || op == SLIP_TAPE_MOVE;
    }
    assert_int_equal(products, 1);
    assert_int_equal(sums, 1);
    assert_int_equal(stores, 3);
    assert_int_equal(others, 0);
    slip_basic_blocks_destroy(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_operations_give_the_same_bits),
        cmocka_unit_test(a_stretch_does_things_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
