/// symbolic/native/x86_instructions.c: operations of a tape as scalar machine code.
#include "symbolic/native/native_code.h"

#if defined(__x86_64__) && defined(__unix__) && !defined(SLIP_NO_NATIVE_TAPE)

#include <assert.h>

static const int simple_ops[] = { OP_ADD, OP_SUB, OP_MUL, OP_DIV };
static const int comparisons[] = { IS_LT, IS_LE, IS_EQ, IS_NE };

// A register for the result of an act, whose reads are held.
static int result_register(slip_assembler *s, const slip_block_op *act)
{
    if (s->out.avx) slip_regalloc_release(&s->holding, act); // other instructions overwrite an operand
    return slip_regalloc_take(&s->holding);
}

// to := a op b
static void emit_binary(slip_assembler *s, int op, int to, int a, slip_operand_location b)
{
    if (b.held >= 0) {
        slip_scalar_operate(&s->out, SCALAR, op, to, a, b.held);
        return;
    }
    if (!s->out.avx && to != a) slip_scalar_move(&s->out, to, a);
    slip_scalar_memory(&s->out, op, to, a, slip_x86_tape_register(s, b.place));
}

static void emit_compare(slip_assembler *s, int to, int a, slip_operand_location b, int how)
{
    emit_binary(s, OP_COMPARE, to, a, b);
    slip_scalar_byte(&s->out, how);
}

static slip_operand_location in_register(int k)
{
    return (slip_operand_location){ k, SLIP_NO_LOCATION };
}

// a of a symmetric operation is the one that a register holds
static void locate_operands(slip_assembler *s, const slip_block_op *act, bool symmetric, int *a,
                            slip_operand_location *b)
{
    slip_regalloc *h = &s->holding;
    const bool turn = symmetric && !slip_regalloc_in_register(h, act->read[0]) &&
                      slip_regalloc_in_register(h, act->read[1]);
    *a = slip_regalloc_load(h, act->read[turn]);
    *b = slip_regalloc_locate(h, act->read[!turn]);
}

// ----------------------------------------------------------------------------------------- arithmetic

typedef struct slip_outer_op {
    int op;
    bool second;
} outer;

// outer(inner(a, b), c), or outer(c, inner(a, b)) when `second`
static outer outer_of(slip_tape_op op)
{
    static const outer outers[] = { { OP_ADD, false }, { OP_SUB, false }, { OP_SUB, true },
                                    { OP_MUL, false }, { OP_DIV, false }, { OP_DIV, true } };
    return outers[(op - SLIP_TAPE_ADD_ADD) / 3];
}

static void put_fused(slip_assembler *s, slip_tape_op op, int to, int a, slip_operand_location b,
                      slip_operand_location c)
{
    const outer o = outer_of(op);
    emit_binary(s, simple_ops[(op - SLIP_TAPE_ADD_ADD) % 3], 0, a, b);
    emit_binary(s, o.op, to, o.second ? c.held : 0, o.second ? in_register(0) : c);
}

static int emit_fused(slip_assembler *s, const slip_block_op *act)
{
    const slip_tape_op op = (slip_tape_op)act->op;
    const bool second = outer_of(op).second;
    int a;
    slip_operand_location b, c = { -1, -1 };
    if (second) c = in_register(slip_regalloc_load(&s->holding, act->read[2]));
    locate_operands(s, act, (op - SLIP_TAPE_ADD_ADD) % 3 != 1, &a, &b);
    if (!second) c = slip_regalloc_locate(&s->holding, act->read[2]);
    const int to = result_register(s, act);
    put_fused(s, op, to, a, b, c);
    return to;
}

static int emit_arithmetic(slip_assembler *s, const slip_block_op *act)
{
    int a;
    slip_operand_location b;
    locate_operands(s, act, act->op == SLIP_TAPE_ADD || act->op == SLIP_TAPE_MUL, &a, &b);
    const int to = result_register(s, act);
    emit_binary(s, simple_ops[act->op], to, a, b);
    return to;
}

// a with its sign bit changed or cleared, or its root
static int emit_unary(slip_assembler *s, const slip_block_op *act)
{
    const int a = slip_regalloc_load(&s->holding, act->read[0]), to = result_register(s, act);
    if (act->op == SLIP_TAPE_NEG) {
        slip_scalar_pooled(&s->out, OP_XOR, to, a, POOL_SIGN);
    } else if (act->op == SLIP_TAPE_ABS) {
        slip_scalar_pooled(&s->out, OP_AND, to, a, POOL_SIZE);
    } else {
        assert(act->op == SLIP_TAPE_SQRT);
        slip_scalar_operate(&s->out, SCALAR, OP_SQRT, to, a, a);
    }
    return to;
}

// ----------------------------------------------------------------------------------- comparing, choosing

// to := mask ? yes : no, for a mask of all ones or zeros; xmm1 is used up
static void emit_blend(slip_assembler *s, int to, int mask, int yes, int no)
{
    slip_scalar_encoder *out = &s->out;
    if (out->avx) { // vblendvpd
        slip_scalar_byte(out, 0xC4), slip_scalar_byte(out, (to > 7 ? 0 : 0x80) | (yes > 7 ? 0 : 0x20) | 0x43),
            slip_scalar_byte(out, (~no & 15) << 3 | 1);
        slip_scalar_byte(out, 0x4B), slip_scalar_byte(out, 0xC0 | (to & 7) << 3 | (yes & 7)),
            slip_scalar_byte(out, mask << 4);
        return;
    }
    slip_scalar_operate(out, PACKED, OP_ANDN, 1, mask, no);
    slip_scalar_operate(out, PACKED, OP_AND, to, mask, yes);
    slip_scalar_operate(out, PACKED, OP_OR, to, to, 1);
}

static int emit_min_max(slip_assembler *s, const slip_block_op *act)
{
    const int op = act->op == SLIP_TAPE_MIN ? OP_MIN : OP_MAX;
    const bool sure = slip_tape_is_number(s->tape, s->stretches.values[act->read[0].value].given);
    const int a = slip_regalloc_load(&s->holding, act->read[0]);
    const slip_operand_location b = slip_regalloc_locate(&s->holding, act->read[1]);
    const int to = result_register(s, act);
    emit_binary(s, op, sure ? to : 2, a, b); // b when either is NaN
    if (sure) return to;
    slip_scalar_compare(&s->out, 3, a, a, IS_NAN);
    emit_blend(s, to, 3, a, 2);
    return to;
}

// a comparison as 0 or 1
static int emit_comparison(slip_assembler *s, const slip_block_op *act)
{
    int a;
    slip_operand_location b;
    locate_operands(s, act, false, &a, &b);
    const int to = result_register(s, act);
    emit_compare(s, 2, a, b, comparisons[act->op - SLIP_TAPE_LT]);
    slip_scalar_pooled(&s->out, OP_AND, to, 2, POOL_ONE);
    return to;
}

// AND, OR (of what is not 0) and NOT
static int emit_logic(slip_assembler *s, const slip_block_op *act)
{
    const bool turned = act->op == SLIP_TAPE_NOT;
    const int a = slip_regalloc_load(&s->holding, act->read[0]),
              b = turned ? a : slip_regalloc_load(&s->holding, act->read[1]);
    const int to = result_register(s, act), how = turned ? IS_EQ : IS_NE;
    slip_scalar_operate(&s->out, PACKED, OP_XOR, 0, 0, 0);
    slip_scalar_compare(&s->out, 2, a, 0, how);
    if (!turned) {
        slip_scalar_compare(&s->out, 1, b, 0, how);
        slip_scalar_operate(&s->out, PACKED, act->op == SLIP_TAPE_OR ? OP_OR : OP_AND, 2, 2, 1);
    }
    slip_scalar_pooled(&s->out, OP_AND, to, 2, POOL_ONE);
    return to;
}

// ---------------------------------------------------------------------------------------------- jumping

enum { IF_BELOW = 0x72, IF_NOT_BELOW, IF_EQUAL, IF_NOT_EQUAL, IF_NOT_ABOVE, IF_NAN = 0x7A, ALWAYS = 0xEB };

// a short jump to be filled in by patch_short_jump
static size_t emit_short_jump(slip_assembler *s, int op)
{
    slip_scalar_byte(&s->out, op), slip_scalar_byte(&s->out, 0);
    return s->out.at;
}

// the distance of a short jump to here, into the byte before `from`
static void patch_short_jump(slip_assembler *s, size_t from)
{
    assert(s->out.at - from < 128);
    s->out.code[from - 1] = (unsigned char)(s->out.at - from);
}

// a jump to anywhere, to be filled in by patch_long_jump
static size_t emit_long_jump(slip_assembler *s, int op)
{
    if (op == ALWAYS)
        slip_scalar_byte(&s->out, 0xE9);
    else
        slip_scalar_byte(&s->out, 0x0F), slip_scalar_byte(&s->out, op + 0x10);
    slip_scalar_u32(&s->out, 0);
    return s->out.at;
}

static void patch_long_jump(slip_assembler *s, size_t from, size_t target)
{
    const int32_t distance = (int32_t)((long)target - (long)from);
    memcpy(s->out.code + from - 4, &distance, sizeof distance);
}

/// One side of an `if`: a value, or an operation that waits for it, with its operands.
typedef struct side {
    int op; // 0: none
    int x[3];
} side;

static side hold_side(slip_assembler *s, int op, const slip_read *read, int *count)
{
    side e = { op, { 0, 0, 0 } };
    *count = op ? slip_tape_operands((slip_tape_op)op) : 1;
    for (int j = 0; j < *count; j++) e.x[j] = slip_regalloc_load(&s->holding, read[j]);
    return e;
}

static void take_side(slip_assembler *s, int to, side e)
{
    if (e.op == 0) {
        if (to != e.x[0]) slip_scalar_move(&s->out, to, e.x[0]);
    } else if (e.op == SLIP_TAPE_SQRT) {
        slip_scalar_operate(&s->out, SCALAR, OP_SQRT, to, e.x[0], e.x[0]);
    } else if (slip_tape_is_fused((slip_tape_op)e.op)) {
        put_fused(s, (slip_tape_op)e.op, to, e.x[0], in_register(e.x[1]), in_register(e.x[2]));
    } else {
        slip_scalar_operate(&s->out, SCALAR, simple_ops[e.op], to, e.x[0], e.x[1]);
    }
}

// jumps where the condition does not hold: behind them, and how many there are
static int emit_unless(slip_assembler *s, int condition, int a, int b, size_t *jumps)
{
    const bool less = condition == SLIP_TAPE_LT || condition == SLIP_TAPE_LE;
    slip_scalar_flags(&s->out, less ? b : a, less ? a : b); // b > a, b >= a; with a NaN neither
    int count = 0;
    if (less) {
        jumps[count++] = emit_short_jump(s, condition == SLIP_TAPE_LT ? IF_NOT_ABOVE : IF_BELOW);
    } else if (condition == SLIP_TAPE_EQ) {
        jumps[count++] = emit_short_jump(s, IF_NAN);
        jumps[count++] = emit_short_jump(s, IF_NOT_EQUAL);
    } else {
        const size_t over = emit_short_jump(s, IF_NAN); // NaN is true
        jumps[count++] = emit_short_jump(s, IF_EQUAL);
        patch_short_jump(s, over);
    }
    return count;
}

// An `if` with a side that takes long: by jumps, after all operands are in registers, so that these are the
// same on both ways
static int emit_branching_if(slip_assembler *s, const slip_block_op *act)
{
    size_t jumps[2];
    int at = 0, count, b = 0;
    const int a = slip_regalloc_load(&s->holding, act->read[at++]);
    if (act->condition) b = slip_regalloc_load(&s->holding, act->read[at++]);
    const side yes = hold_side(s, act->side[0], act->read + at, &count);
    const side no = hold_side(s, act->side[1], act->read + at + count, &count);
    const int to = result_register(s, act);
    if (!act->condition) slip_scalar_operate(&s->out, PACKED, OP_XOR, 0, 0, 0);
    count = emit_unless(s, act->condition ? act->condition : SLIP_TAPE_NE, a, b, jumps);
    take_side(s, to, yes);
    const size_t over = emit_short_jump(s, ALWAYS);
    for (int k = 0; k < count; k++) patch_short_jump(s, jumps[k]);
    take_side(s, to, no);
    patch_short_jump(s, over);
    return to;
}

static int emit_selection(slip_assembler *s, const slip_block_op *act)
{
    if (act->side[0] || act->side[1]) return emit_branching_if(s, act);
    slip_regalloc *h = &s->holding;
    const int asked = act->condition ? 2 : 1;
    const int yes = slip_regalloc_load(h, act->read[asked]), no = slip_regalloc_load(h, act->read[asked + 1]);
    const int a = act->condition ? slip_regalloc_load(h, act->read[0]) : 2;
    const slip_operand_location b = slip_regalloc_locate(h, act->read[asked - 1]);
    const int to = result_register(s, act);
    if (!act->condition) slip_scalar_operate(&s->out, PACKED, OP_XOR, 2, 2, 2);
    emit_compare(s, 2, a, b,
                 act->condition ? comparisons[act->condition - SLIP_TAPE_LT] : IS_NE); // NaN is true
    emit_blend(s, to, 2, yes, no);
    return to;
}

// By jumps as well: mostly a friction sticks, or slips, for long, and the processor that guesses which waits
// for one of limit and trial alone
static int emit_saturation(slip_assembler *s, const slip_block_op *act)
{
    const int Z = slip_regalloc_load(&s->holding, act->read[0]),
              x = slip_regalloc_load(&s->holding, act->read[1]);
    const int to = result_register(s, act);
    if (s->failed ||
        !slip_array_grow((void **)&s->asides, &s->aside_capacity, s->aside_count, sizeof *s->asides)) {
        s->failed = true;
        return to;
    }
    slip_cold_path *aside = &s->asides[s->aside_count++];
    *aside = (slip_cold_path){ .to = to, .limit = Z, .value = x };
    slip_scalar_flags(&s->out, Z, x);
    aside->high = emit_long_jump(s, IF_BELOW); // Z < x, or one of them is NaN
    slip_scalar_pooled(&s->out, OP_XOR, 2, Z, POOL_SIGN);
    slip_scalar_flags(&s->out, x, 2);
    aside->low = emit_long_jump(s, IF_BELOW); // x < -Z
    if (to != x) slip_scalar_move(&s->out, to, x);
    aside->back = s->out.at;
    return to;
}

static void emit_jump_back(slip_assembler *s, const slip_cold_path *a)
{
    const size_t from = emit_long_jump(s, ALWAYS);
    patch_long_jump(s, from, a->back);
}

// x > Z: Z. x < -Z: -Z, or Z if that is below 0. NaN: min(Z, max(-Z, x)), or Z where that is NaN
static void emit_cold_path(slip_assembler *s, const slip_cold_path *a)
{
    slip_scalar_encoder *out = &s->out;
    patch_long_jump(s, a->high, out->at);
    const size_t to_nan = emit_short_jump(s, IF_NAN);
    if (a->to != a->limit) slip_scalar_move(out, a->to, a->limit);
    emit_jump_back(s, a);
    patch_long_jump(s, a->low, out->at);
    slip_scalar_operate(out, SCALAR, OP_MIN, 0, a->limit, 2);
    slip_scalar_move(out, a->to, 0);
    emit_jump_back(s, a);
    patch_short_jump(s, to_nan);
    slip_scalar_pooled(out, OP_XOR, 2, a->limit, POOL_SIGN);
    slip_scalar_operate(out, SCALAR, OP_MAX, 2, 2, a->value);
    slip_scalar_operate(out, SCALAR, OP_MIN, 0, a->limit, 2);
    slip_scalar_compare(out, 3, a->limit, a->limit, IS_NAN);
    emit_blend(s, a->to, 3, a->limit, 0);
    emit_jump_back(s, a);
}

void slip_x86_cold_paths(slip_assembler *s)
{
    for (size_t k = 0; k < s->aside_count; k++) emit_cold_path(s, &s->asides[k]);
}

int slip_x86_compute(slip_assembler *s, const slip_block_op *act)
{
    const slip_tape_op op = (slip_tape_op)act->op;
    if (op <= SLIP_TAPE_DIV) return emit_arithmetic(s, act);
    if (slip_tape_is_fused(op)) return emit_fused(s, act);
    if (slip_tape_is_comparison(op)) return emit_comparison(s, act);
    if (op >= SLIP_TAPE_AND && op <= SLIP_TAPE_NOT) return emit_logic(s, act);
    if (op == SLIP_TAPE_IF) return emit_selection(s, act);
    if (op == SLIP_TAPE_MIN || op == SLIP_TAPE_MAX) return emit_min_max(s, act);
    if (op == SLIP_TAPE_SAT) return emit_saturation(s, act);
    return emit_unary(s, act);
}

#endif
