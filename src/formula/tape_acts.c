/// tape_acts.c: operations of a tape as scalar machine code.
#include "formula/tape_native.h"

#if defined(__x86_64__) && defined(__unix__) && !defined(SLIP_NO_NATIVE_TAPE)

#include <assert.h>

static const int simple_ops[] = { OP_ADD, OP_SUB, OP_MUL, OP_DIV };
static const int comparisons[] = { IS_LT, IS_LE, IS_EQ, IS_NE };

// A register for the result of an act, whose reads are held.
static int result_room(slip_assembler *s, const slip_act *act)
{
    if (s->out.avx) slip_hold_release(&s->holding, act); // other instructions overwrite an operand
    return slip_hold_room(&s->holding);
}

// to := a op b
static void operate(slip_assembler *s, int op, int to, int a, slip_spot b)
{
    if (b.held >= 0) {
        slip_scalar_operate(&s->out, SCALAR, op, to, a, b.held);
        return;
    }
    if (!s->out.avx && to != a) slip_scalar_move(&s->out, to, a);
    slip_scalar_memory(&s->out, op, to, a, slip_register_at(s, b.place));
}

static void compare(slip_assembler *s, int to, int a, slip_spot b, int how)
{
    operate(s, OP_COMPARE, to, a, b);
    slip_scalar_byte(&s->out, how);
}

static slip_spot held(int k)
{
    return (slip_spot){ k, SLIP_NOWHERE };
}

// a of a symmetric operation is the one that a register holds
static void pair(slip_assembler *s, const slip_act *act, bool symmetric, int *a, slip_spot *b)
{
    slip_holding *h = &s->holding;
    const bool turn = symmetric && !slip_is_held(h, act->read[0]) && slip_is_held(h, act->read[1]);
    *a = slip_hold_value(h, act->read[turn]);
    *b = slip_spot_of(h, act->read[!turn]);
}

// ----------------------------------------------------------------------------------------- arithmetic

typedef struct slip_outer {
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

static void put_fused(slip_assembler *s, slip_tape_op op, int to, int a, slip_spot b, slip_spot c)
{
    const outer o = outer_of(op);
    operate(s, simple_ops[(op - SLIP_TAPE_ADD_ADD) % 3], 0, a, b);
    operate(s, o.op, to, o.second ? c.held : 0, o.second ? held(0) : c);
}

static int fused(slip_assembler *s, const slip_act *act)
{
    const slip_tape_op op = (slip_tape_op)act->op;
    const bool second = outer_of(op).second;
    int a;
    slip_spot b, c = { -1, -1 };
    if (second) c = held(slip_hold_value(&s->holding, act->read[2]));
    pair(s, act, (op - SLIP_TAPE_ADD_ADD) % 3 != 1, &a, &b);
    if (!second) c = slip_spot_of(&s->holding, act->read[2]);
    const int to = result_room(s, act);
    put_fused(s, op, to, a, b, c);
    return to;
}

static int simple(slip_assembler *s, const slip_act *act)
{
    int a;
    slip_spot b;
    pair(s, act, act->op == SLIP_TAPE_ADD || act->op == SLIP_TAPE_MUL, &a, &b);
    const int to = result_room(s, act);
    operate(s, simple_ops[act->op], to, a, b);
    return to;
}

// a with its sign bit changed or cleared, or its root
static int of_one(slip_assembler *s, const slip_act *act)
{
    const int a = slip_hold_value(&s->holding, act->read[0]), to = result_room(s, act);
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
static void choose(slip_assembler *s, int to, int mask, int yes, int no)
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

static int extreme(slip_assembler *s, const slip_act *act)
{
    const int op = act->op == SLIP_TAPE_MIN ? OP_MIN : OP_MAX;
    const bool sure = slip_tape_is_number(s->tape, s->stretches.values[act->read[0].value].given);
    const int a = slip_hold_value(&s->holding, act->read[0]);
    const slip_spot b = slip_spot_of(&s->holding, act->read[1]);
    const int to = result_room(s, act);
    operate(s, op, sure ? to : 2, a, b); // b when either is NaN
    if (sure) return to;
    slip_scalar_compare(&s->out, 3, a, a, IS_NAN);
    choose(s, to, 3, a, 2);
    return to;
}

// a comparison as 0 or 1
static int question(slip_assembler *s, const slip_act *act)
{
    int a;
    slip_spot b;
    pair(s, act, false, &a, &b);
    const int to = result_room(s, act);
    compare(s, 2, a, b, comparisons[act->op - SLIP_TAPE_LT]);
    slip_scalar_pooled(&s->out, OP_AND, to, 2, POOL_ONE);
    return to;
}

// AND, OR (of what is not 0) and NOT
static int logic(slip_assembler *s, const slip_act *act)
{
    const bool turned = act->op == SLIP_TAPE_NOT;
    const int a = slip_hold_value(&s->holding, act->read[0]),
              b = turned ? a : slip_hold_value(&s->holding, act->read[1]);
    const int to = result_room(s, act), how = turned ? IS_EQ : IS_NE;
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

// a short jump to be filled in by land_here
static size_t leap(slip_assembler *s, int op)
{
    slip_scalar_byte(&s->out, op), slip_scalar_byte(&s->out, 0);
    return s->out.at;
}

// the distance of a short jump to here, into the byte before `from`
static void land_here(slip_assembler *s, size_t from)
{
    assert(s->out.at - from < 128);
    s->out.code[from - 1] = (unsigned char)(s->out.at - from);
}

// a jump to anywhere, to be filled in by land_at
static size_t far_leap(slip_assembler *s, int op)
{
    if (op == ALWAYS)
        slip_scalar_byte(&s->out, 0xE9);
    else
        slip_scalar_byte(&s->out, 0x0F), slip_scalar_byte(&s->out, op + 0x10);
    slip_scalar_four(&s->out, 0);
    return s->out.at;
}

static void land_at(slip_assembler *s, size_t from, size_t target)
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
    for (int j = 0; j < *count; j++) e.x[j] = slip_hold_value(&s->holding, read[j]);
    return e;
}

static void take_side(slip_assembler *s, int to, side e)
{
    if (e.op == 0) {
        if (to != e.x[0]) slip_scalar_move(&s->out, to, e.x[0]);
    } else if (e.op == SLIP_TAPE_SQRT) {
        slip_scalar_operate(&s->out, SCALAR, OP_SQRT, to, e.x[0], e.x[0]);
    } else if (slip_tape_is_fused((slip_tape_op)e.op)) {
        put_fused(s, (slip_tape_op)e.op, to, e.x[0], held(e.x[1]), held(e.x[2]));
    } else {
        slip_scalar_operate(&s->out, SCALAR, simple_ops[e.op], to, e.x[0], e.x[1]);
    }
}

// jumps where the condition does not hold: behind them, and how many there are
static int unless(slip_assembler *s, int condition, int a, int b, size_t *jumps)
{
    const bool less = condition == SLIP_TAPE_LT || condition == SLIP_TAPE_LE;
    slip_scalar_flags(&s->out, less ? b : a, less ? a : b); // b > a, b >= a; with a NaN neither
    int count = 0;
    if (less) {
        jumps[count++] = leap(s, condition == SLIP_TAPE_LT ? IF_NOT_ABOVE : IF_BELOW);
    } else if (condition == SLIP_TAPE_EQ) {
        jumps[count++] = leap(s, IF_NAN);
        jumps[count++] = leap(s, IF_NOT_EQUAL);
    } else {
        const size_t over = leap(s, IF_NAN); // NaN is true
        jumps[count++] = leap(s, IF_EQUAL);
        land_here(s, over);
    }
    return count;
}

// An `if` with a side that takes long: by jumps, after all operands are in registers, so that these are the
// same on both ways
static int parting(slip_assembler *s, const slip_act *act)
{
    size_t jumps[2];
    int at = 0, count, b = 0;
    const int a = slip_hold_value(&s->holding, act->read[at++]);
    if (act->condition) b = slip_hold_value(&s->holding, act->read[at++]);
    const side yes = hold_side(s, act->side[0], act->read + at, &count);
    const side no = hold_side(s, act->side[1], act->read + at + count, &count);
    const int to = result_room(s, act);
    if (!act->condition) slip_scalar_operate(&s->out, PACKED, OP_XOR, 0, 0, 0);
    count = unless(s, act->condition ? act->condition : SLIP_TAPE_NE, a, b, jumps);
    take_side(s, to, yes);
    const size_t over = leap(s, ALWAYS);
    for (int k = 0; k < count; k++) land_here(s, jumps[k]);
    take_side(s, to, no);
    land_here(s, over);
    return to;
}

static int selection(slip_assembler *s, const slip_act *act)
{
    if (act->side[0] || act->side[1]) return parting(s, act);
    slip_holding *h = &s->holding;
    const int asked = act->condition ? 2 : 1;
    const int yes = slip_hold_value(h, act->read[asked]), no = slip_hold_value(h, act->read[asked + 1]);
    const int a = act->condition ? slip_hold_value(h, act->read[0]) : 2;
    const slip_spot b = slip_spot_of(h, act->read[asked - 1]);
    const int to = result_room(s, act);
    if (!act->condition) slip_scalar_operate(&s->out, PACKED, OP_XOR, 2, 2, 2);
    compare(s, 2, a, b, act->condition ? comparisons[act->condition - SLIP_TAPE_LT] : IS_NE); // NaN is true
    choose(s, to, 2, yes, no);
    return to;
}

// By jumps as well: mostly a friction sticks, or slips, for long, and the processor that guesses which waits
// for one of limit and trial alone
static int saturation(slip_assembler *s, const slip_act *act)
{
    const int Z = slip_hold_value(&s->holding, act->read[0]), x = slip_hold_value(&s->holding, act->read[1]);
    const int to = result_room(s, act);
    if (s->failed || !slip_grow((void **)&s->asides, &s->aside_capacity, s->aside_count, sizeof *s->asides)) {
        s->failed = true;
        return to;
    }
    slip_aside *aside = &s->asides[s->aside_count++];
    *aside = (slip_aside){ .to = to, .limit = Z, .value = x };
    slip_scalar_flags(&s->out, Z, x);
    aside->high = far_leap(s, IF_BELOW); // Z < x, or one of them is NaN
    slip_scalar_pooled(&s->out, OP_XOR, 2, Z, POOL_SIGN);
    slip_scalar_flags(&s->out, x, 2);
    aside->low = far_leap(s, IF_BELOW); // x < -Z
    if (to != x) slip_scalar_move(&s->out, to, x);
    aside->back = s->out.at;
    return to;
}

static void go_back(slip_assembler *s, const slip_aside *a)
{
    const size_t from = far_leap(s, ALWAYS);
    land_at(s, from, a->back);
}

// x > Z: Z. x < -Z: -Z, or Z if that is below 0. NaN: min(Z, max(-Z, x)), or Z where that is NaN
static void put_aside(slip_assembler *s, const slip_aside *a)
{
    slip_scalar_encoder *out = &s->out;
    land_at(s, a->high, out->at);
    const size_t to_nan = leap(s, IF_NAN);
    if (a->to != a->limit) slip_scalar_move(out, a->to, a->limit);
    go_back(s, a);
    land_at(s, a->low, out->at);
    slip_scalar_operate(out, SCALAR, OP_MIN, 0, a->limit, 2);
    slip_scalar_move(out, a->to, 0);
    go_back(s, a);
    land_here(s, to_nan);
    slip_scalar_pooled(out, OP_XOR, 2, a->limit, POOL_SIGN);
    slip_scalar_operate(out, SCALAR, OP_MAX, 2, 2, a->value);
    slip_scalar_operate(out, SCALAR, OP_MIN, 0, a->limit, 2);
    slip_scalar_compare(out, 3, a->limit, a->limit, IS_NAN);
    choose(s, a->to, 3, a->limit, 0);
    go_back(s, a);
}

void slip_act_asides(slip_assembler *s)
{
    for (size_t k = 0; k < s->aside_count; k++) put_aside(s, &s->asides[k]);
}

int slip_act_compute(slip_assembler *s, const slip_act *act)
{
    const slip_tape_op op = (slip_tape_op)act->op;
    if (op <= SLIP_TAPE_DIV) return simple(s, act);
    if (slip_tape_is_fused(op)) return fused(s, act);
    if (slip_tape_is_comparison(op)) return question(s, act);
    if (op >= SLIP_TAPE_AND && op <= SLIP_TAPE_NOT) return logic(s, act);
    if (op == SLIP_TAPE_IF) return selection(s, act);
    if (op == SLIP_TAPE_MIN || op == SLIP_TAPE_MAX) return extreme(s, act);
    if (op == SLIP_TAPE_SAT) return saturation(s, act);
    return of_one(s, act);
}

#endif
