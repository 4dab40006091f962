/// tape_native.c: a tape as machine code, on x86-64 with the System V calling convention.
///
/// One straight translation per instruction, with the scalar operations that a C compiler uses, so the
/// bits are those of the interpreter: SSE2, or where the processor has it the form of AVX that leaves the
/// operands alone. Every result is kept in an xmm register until that is needed for something else, and
/// stored to its register in memory: loads are mostly saved, and there is nothing to write back at calls
/// and jumps. The code is made twice, and the second time without the stores that no load came back to.
/// Where the system does not allow memory to be made executable, the interpreter runs the tape.
#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#include "core/elementary.h"
#include "formula/tape.h"

#if defined(__x86_64__) && defined(__unix__) && !defined(SLIP_NO_NATIVE_TAPE)

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "formula/tape_encode.h"

enum {
    FIRST_KEPT = 4, // xmm0 to xmm3 are for work, the others keep tape registers
    XMMS = 16,
    MAX_BYTES = 160,  // of one instruction, generously
    LONGEST = 200000, // instructions: beyond, the code would not stay in any cache
};

typedef struct assembler {
    const slip_tape *tape;
    slip_scalar_encoder out; // MAX_BYTES are free behind `at` when an instruction begins
    int32_t held[XMMS];      // tape register that an xmm register keeps, -1 none
    int victim;
    bool *timely;     // per tape register: what it holds follows from one of the times and constants alone
    uint32_t memo;    // next register to remember a function value in
    uint32_t *shared; // of each operation of the tape that a program copies: where its value is; 0 not yet
    int origin;       // of the operation in hand, -1 none
    slip_waiting waiting;
    struct {
        bool known;   // the code was made once: what follows is complete
        int count;    // so far
        bool *needed; // per store: it was loaded again
        bool *always; // per tape register: a result, or loaded where it is not known who stored it
        int *last;    // per tape register: the last store, -1 none
        int *since;   // and the stretch of code without jumps in which it was
        int stretch;
    } stores;
} assembler;

enum { POOL_SIGN, POOL_SIZE, POOL_ONE, POOL_COUNT, POOL_BYTES = 64 };
static const uint64_t pool[POOL_COUNT] = { 0x8000000000000000u, 0x7FFFFFFFFFFFFFFFu, 0x3FF0000000000000u };

// --------------------------------------------------------------------------------- what is kept where

static void forget_all(assembler *s)
{
    memset(s->held, 0xff, sizeof s->held);
}

static void forget(assembler *s, uint32_t tape_register)
{
    for (int k = FIRST_KEPT; k < XMMS; k++)
        if (s->held[k] == (int32_t)tape_register) s->held[k] = -1;
}

// an xmm register to overwrite, none of those in `busy`
static int take(assembler *s, unsigned busy)
{
    for (int k = FIRST_KEPT; k < XMMS; k++)
        if (s->held[k] < 0 && !(busy >> k & 1)) return k;
    do s->victim = s->victim + 1 < XMMS ? s->victim + 1 : FIRST_KEPT;
    while (busy >> s->victim & 1);
    s->held[s->victim] = -1;
    return s->victim;
}

// a store that this load comes back to is needed
static void load(assembler *s, int xmm, uint32_t tape_register)
{
    slip_scalar_memory(&s->out, 0x10, xmm, tape_register);
    int last = s->stores.last[tape_register];
    if (last >= 0 && s->stores.since[tape_register] == s->stores.stretch)
        s->stores.needed[last] = true;
    else
        s->stores.always[tape_register] = true;
}

// the xmm register that keeps a tape register, loaded when none does; added to *busy
static int fetch(assembler *s, uint32_t tape_register, unsigned *busy)
{
    int found = -1;
    for (int k = FIRST_KEPT; k < XMMS; k++)
        if (s->held[k] == (int32_t)tape_register) found = k;
    if (found < 0) {
        found = take(s, *busy);
        load(s, found, tape_register);
        s->held[found] = (int32_t)tape_register;
    }
    *busy |= 1u << found;
    return found;
}

static void keep(assembler *s, int xmm, uint32_t tape_register)
{
    int store = s->stores.count++;
    if (!s->stores.known || s->stores.needed[store] || s->stores.always[tape_register])
        slip_scalar_memory(&s->out, 0x11, xmm, tape_register);
    s->stores.last[tape_register] = store;
    s->stores.since[tape_register] = s->stores.stretch;
    forget(s, tape_register);
    s->held[xmm] = (int32_t)tape_register;
}

// ------------------------------------------------------------------------------------ instructions

static const int simple[] = { OP_ADD, OP_SUB, OP_MUL, OP_DIV };

static bool is_fused(slip_tape_op op)
{
    return op >= SLIP_TAPE_ADD_ADD && op <= SLIP_TAPE_DIV_BY_MUL;
}

// outer(inner(a, b), c), or outer(c, inner(a, b)) when `second`
static void fused(assembler *s, slip_tape_op op, int to, int a, int b, int c)
{
    static const struct {
        int outer;
        bool second;
    } outers[] = { { OP_ADD, false }, { OP_SUB, false }, { OP_SUB, true },
                   { OP_MUL, false }, { OP_DIV, false }, { OP_DIV, true } };
    const int n = (int)op - SLIP_TAPE_ADD_ADD;
    const bool second = outers[n / 3].second;
    const int work = second ? 0 : to;
    slip_scalar_operate(&s->out, SCALAR, simple[n % 3], work, a, b);
    slip_scalar_operate(&s->out, SCALAR, outers[n / 3].outer, to, second ? c : work, second ? work : c);
}

// +, -, *, /, two of them in one, and the root
static void arithmetic(assembler *s, slip_tape_op op, int to, int a, int b, int c)
{
    if (is_fused(op))
        fused(s, op, to, a, b, c);
    else if (op == SLIP_TAPE_SQRT)
        slip_scalar_operate(&s->out, SCALAR, OP_SQRT, to, a, a);
    else
        slip_scalar_operate(&s->out, SCALAR, simple[op], to, a, b);
}

static void compute(assembler *s, const slip_instruction *i)
{
    const slip_tape_op op = (slip_tape_op)i->op;
    unsigned busy = 0;
    int a = fetch(s, i->a, &busy), b = fetch(s, i->b, &busy), c = is_fused(op) ? fetch(s, i->c, &busy) : 0;
    int to = take(s, busy);
    arithmetic(s, op, to, a, b, c);
    keep(s, to, i->to);
}

// to := mask ? yes : no, for a mask of all ones or zeros; xmm1 is used up
static void choose(assembler *s, int to, int mask, int yes, int no)
{
    if (s->out.avx) { // vblendvpd
        slip_scalar_byte(&s->out, 0xC4),
            slip_scalar_byte(&s->out, (to > 7 ? 0 : 0x80) | (yes > 7 ? 0 : 0x20) | 0x43),
            slip_scalar_byte(&s->out, (~no & 15) << 3 | 1);
        slip_scalar_byte(&s->out, 0x4B), slip_scalar_byte(&s->out, 0xC0 | (to & 7) << 3 | (yes & 7)),
            slip_scalar_byte(&s->out, mask << 4);
        return;
    }
    slip_scalar_operate(&s->out, PACKED, OP_ANDN, 1, mask, no);
    slip_scalar_operate(&s->out, PACKED, OP_AND, to, mask, yes);
    slip_scalar_operate(&s->out, PACKED, OP_OR, to, to, 1);
}

static bool never_nan(const assembler *s, uint32_t tape_register)
{
    int k = (int)tape_register - s->tape->first_constant;
    return k >= 0 && k < s->tape->constant_count && !isnan(s->tape->constants[k]);
}

static void extreme(assembler *s, const slip_instruction *i, int op)
{
    unsigned busy = 0;
    int a = fetch(s, i->a, &busy), b = fetch(s, i->b, &busy), to = take(s, busy);
    int work = never_nan(s, i->a) ? to : 2;
    slip_scalar_operate(&s->out, SCALAR, op, work, a, b); // b when either is NaN
    if (work != to) {
        slip_scalar_compare(&s->out, 3, a, a, IS_NAN);
        choose(s, to, 3, a, work);
    }
    keep(s, to, i->to);
}

// a comparison as 0 or 1
static void question(assembler *s, const slip_instruction *i, int how)
{
    unsigned busy = 0;
    int a = fetch(s, i->a, &busy), b = fetch(s, i->b, &busy), to = take(s, busy);
    slip_scalar_compare(&s->out, to, a, b, how);
    slip_scalar_pooled(&s->out, OP_AND, to, to, POOL_ONE);
    keep(s, to, i->to);
}

// AND, OR (of what is not 0) and NOT
static void logic(assembler *s, const slip_instruction *i, slip_tape_op op)
{
    unsigned busy = 0;
    int a = fetch(s, i->a, &busy), b = op == SLIP_TAPE_NOT ? a : fetch(s, i->b, &busy), to = take(s, busy);
    slip_scalar_operate(&s->out, PACKED, OP_XOR, 0, 0, 0);
    slip_scalar_compare(&s->out, to, a, 0, op == SLIP_TAPE_NOT ? IS_EQ : IS_NE);
    slip_scalar_compare(&s->out, 1, b, 0, op == SLIP_TAPE_NOT ? IS_EQ : IS_NE);
    slip_scalar_operate(&s->out, PACKED, op == SLIP_TAPE_OR ? OP_OR : OP_AND, to, to, 1);
    slip_scalar_pooled(&s->out, OP_AND, to, to, POOL_ONE);
    keep(s, to, i->to);
}

/// One side of an `if`: a register, or an operation that waits for it, with its operands.
typedef struct side {
    const slip_instruction *late; // NULL: none
    int a, b, c;
} side;

static side fetch_side(assembler *s, int32_t waiting, uint32_t tape_register, unsigned *busy)
{
    if (waiting < 0) return (side){ NULL, fetch(s, tape_register, busy), 0, 0 };
    const slip_instruction *late = &s->tape->code[waiting];
    const slip_tape_op op = (slip_tape_op)late->op;
    side x = { late, fetch(s, late->a, busy), 0, 0 };
    if (op != SLIP_TAPE_SQRT) x.b = fetch(s, late->b, busy);
    if (is_fused(op)) x.c = fetch(s, late->c, busy);
    return x;
}

static void take_side(assembler *s, int to, side x)
{
    if (x.late)
        arithmetic(s, (slip_tape_op)x.late->op, to, x.a, x.b, x.c);
    else
        slip_scalar_move(&s->out, to, x.a);
}

// the distance of a short jump to here, into the byte before `from`
static void land_here(assembler *s, size_t from)
{
    assert(s->out.at - from < 128);
    s->out.code[from - 1] = (unsigned char)(s->out.at - from);
}

// An `if` with a side that takes long: by jumps, after all operands are in registers, so that these are the
// same on both ways
static void parting(assembler *s, const slip_instruction *i, const int32_t *waiting)
{
    unsigned busy = 0;
    const int a = fetch(s, i->a, &busy);
    const side yes = fetch_side(s, waiting[0], i->b, &busy), no = fetch_side(s, waiting[1], i->c, &busy);
    const int to = take(s, busy);
    slip_scalar_operate(&s->out, PACKED, OP_XOR, 0, 0, 0);
    slip_scalar_sse(&s->out, PACKED, 0x2E, 0, a);                  // ucomisd
    slip_scalar_byte(&s->out, 0x7A), slip_scalar_byte(&s->out, 2); // NaN is true: over the jump
    slip_scalar_byte(&s->out, 0x74), slip_scalar_byte(&s->out, 0); // je
    const size_t to_no = s->out.at;
    take_side(s, to, yes);
    slip_scalar_byte(&s->out, 0xEB), slip_scalar_byte(&s->out, 0); // jmp
    const size_t to_end = s->out.at;
    land_here(s, to_no);
    take_side(s, to, no);
    land_here(s, to_end);
    keep(s, to, i->to);
}

// min(Z, max(-Z, x)), Z where that is NaN; -Z is in xmm2
static void clamp(assembler *s, int to, int Z, int x)
{
    slip_scalar_operate(&s->out, SCALAR, OP_MAX, 1, 2, x); // x < -Z ? -Z : x
    slip_scalar_operate(&s->out, SCALAR, OP_MIN, 0, Z, 1); // raised > Z ? Z : raised
    slip_scalar_compare(&s->out, 3, Z, Z, IS_NAN);
    choose(s, to, 3, Z, 0);
}

// a short jump to be filled in by land_here
static size_t leap(assembler *s, int op)
{
    slip_scalar_byte(&s->out, op), slip_scalar_byte(&s->out, 0);
    return s->out.at;
}

// By jumps as well: mostly a friction sticks, or slips, for long, and the processor that guesses which waits
// for one of limit and trial alone
static void saturation(assembler *s, const slip_instruction *i)
{
    enum { UCOMISD = 0x2E, IF_ABOVE = 0x77, IF_NAN = 0x7A, ALWAYS = 0xEB };
    unsigned busy = 0;
    const int Z = fetch(s, i->a, &busy), x = fetch(s, i->b, &busy), to = take(s, busy);
    slip_scalar_pooled(&s->out, OP_XOR, 2, Z, POOL_SIGN);
    slip_scalar_sse(&s->out, PACKED, UCOMISD, x, Z);
    const size_t to_nan = leap(s, IF_NAN), to_high = leap(s, IF_ABOVE); // x > Z
    slip_scalar_sse(&s->out, PACKED, UCOMISD, 2, x);
    const size_t to_low = leap(s, IF_ABOVE); // -Z > x
    slip_scalar_move(&s->out, to, x);
    const size_t from_middle = leap(s, ALWAYS);
    land_here(s, to_high);
    slip_scalar_move(&s->out, to, Z);
    const size_t from_high = leap(s, ALWAYS);
    land_here(s, to_low);
    slip_scalar_operate(&s->out, SCALAR, OP_MIN, to, Z, 2); // Z may be below 0
    const size_t from_low = leap(s, ALWAYS);
    land_here(s, to_nan);
    clamp(s, to, Z, x);
    land_here(s, from_middle);
    land_here(s, from_high);
    land_here(s, from_low);
    keep(s, to, i->to);
}

static void selection(assembler *s, const slip_instruction *i)
{
    const int32_t *waiting = s->waiting.at + 2 * (i - s->tape->code);
    if (waiting[0] >= 0 || waiting[1] >= 0) {
        parting(s, i, waiting);
        return;
    }
    unsigned busy = 0;
    int a = fetch(s, i->a, &busy), b = fetch(s, i->b, &busy), c = fetch(s, i->c, &busy), to = take(s, busy);
    slip_scalar_operate(&s->out, PACKED, OP_XOR, 2, 2, 2);
    slip_scalar_compare(&s->out, 2, 2, a, IS_NE); // also when a is NaN
    choose(s, to, 2, b, c);
    keep(s, to, i->to);
}

// a with its sign bit changed or cleared, its root, or itself
static void one_operand(assembler *s, const slip_instruction *i)
{
    unsigned busy = 0;
    int a = fetch(s, i->a, &busy), to = take(s, busy);
    switch ((slip_tape_op)i->op) {
    case SLIP_TAPE_NEG:
        slip_scalar_pooled(&s->out, OP_XOR, to, a, POOL_SIGN);
        break;
    case SLIP_TAPE_ABS:
        slip_scalar_pooled(&s->out, OP_AND, to, a, POOL_SIZE);
        break;
    case SLIP_TAPE_SQRT:
        slip_scalar_operate(&s->out, SCALAR, OP_SQRT, to, a, a);
        break;
    default:
        assert(i->op == SLIP_TAPE_MOVE);
        slip_scalar_move(&s->out, to, a);
        break;
    }
    keep(s, to, i->to);
}

// ------------------------------------------------------------------------------------------- calls

static void call(assembler *s, uint64_t address)
{
    slip_scalar_byte(&s->out, 0x48), slip_scalar_byte(&s->out, 0xB8);
    slip_scalar_eight(&s->out, address);
    slip_scalar_byte(&s->out, 0xFF), slip_scalar_byte(&s->out, 0xD0);
    forget_all(s); // all xmm registers are the callee's
}

static void argument(assembler *s, int xmm, uint32_t tape_register)
{
    for (int k = FIRST_KEPT; k < XMMS; k++) {
        if (s->held[k] != (int32_t)tape_register) continue;
        slip_scalar_move(&s->out, xmm, k);
        return;
    }
    load(s, xmm, tape_register);
}

// what is called, as a number, and how many arguments it takes
static uint64_t address_of(slip_tape_op op, int *arity)
{
    uint64_t address;
    const slip_function *f = slip_tape_called(op);
    if (f) {
        *arity = f->arity;
        memcpy(&address, &f->value, sizeof address); // a union of pointers to functions
    } else if (op == SLIP_TAPE_SINCOS) {
        void (*both)(double, double *, double *) = slip_sincos;
        *arity = 1;
        memcpy(&address, &both, sizeof address);
    } else {
        assert(op == SLIP_TAPE_POW && "all other operators are instructions");
        double (*power)(double, double) = slip_power;
        *arity = 2;
        memcpy(&address, &power, sizeof address);
    }
    return address;
}

// the addresses of two tape registers as second and third argument
static void point_at(assembler *s, uint32_t sine, uint32_t cosine)
{
    slip_scalar_byte(&s->out, 0x48), slip_scalar_byte(&s->out, 0x8D), slip_scalar_byte(&s->out, 0xBB),
        slip_scalar_four(&s->out, 8 * sine); // lea rdi
    slip_scalar_byte(&s->out, 0x48), slip_scalar_byte(&s->out, 0x8D), slip_scalar_byte(&s->out, 0xB3),
        slip_scalar_four(&s->out, 8 * cosine); // lea rsi
}

// where to remember the value of an operation: copies of one share a place
static uint32_t memo_of(assembler *s, uint32_t size)
{
    uint32_t *shared = s->origin >= 0 ? &s->shared[s->origin] : NULL;
    if (shared && *shared) return *shared;
    uint32_t memo = s->memo;
    s->memo += size;
    if (shared) *shared = memo;
    return memo;
}

// Stages of a step share their times, so a function of the time is asked for the same value again and again:
// the last argument and result are kept, and the call is left out where all bits of the argument are the
// same.
static void call_or_remember(assembler *s, const slip_instruction *i)
{
    slip_tape_op op = (slip_tape_op)i->op;
    uint32_t memo = memo_of(s, op == SLIP_TAPE_SINCOS ? 3 : 2);
    argument(s, 0, i->a);
    slip_scalar_byte(&s->out, 0x66), slip_scalar_byte(&s->out, 0x48), slip_scalar_byte(&s->out, 0x0F),
        slip_scalar_byte(&s->out, 0x7E), slip_scalar_byte(&s->out, 0xC0); // movq rax, xmm0
    slip_scalar_byte(&s->out, 0x48), slip_scalar_byte(&s->out, 0x3B), slip_scalar_byte(&s->out, 0x83),
        slip_scalar_four(&s->out, 8 * memo);                       // cmp rax, [rbx + memo]
    slip_scalar_byte(&s->out, 0x74), slip_scalar_byte(&s->out, 0); // je to behind the call
    size_t from = s->out.at;
    slip_scalar_byte(&s->out, 0x48), slip_scalar_byte(&s->out, 0x89), slip_scalar_byte(&s->out, 0x83),
        slip_scalar_four(&s->out, 8 * memo); // mov [rbx + memo], rax
    if (op == SLIP_TAPE_SINCOS) point_at(s, memo + 1, memo + 2);
    call(s, address_of(op, &(int){ 0 }));
    if (op != SLIP_TAPE_SINCOS) slip_scalar_memory(&s->out, 0x11, 0, memo + 1);
    s->out.code[from - 1] = (unsigned char)(s->out.at - from);
    slip_scalar_memory(&s->out, 0x10, FIRST_KEPT, memo + 1);
    keep(s, FIRST_KEPT, i->to);
    if (op != SLIP_TAPE_SINCOS) return;
    slip_scalar_memory(&s->out, 0x10, FIRST_KEPT + 1, memo + 2);
    keep(s, FIRST_KEPT + 1, i->c);
}

static bool worth_remembering(const assembler *s, const slip_instruction *i)
{
    slip_tape_op op = (slip_tape_op)i->op;
    const slip_function *f = slip_tape_called(op);
    bool slow = op == SLIP_TAPE_SINCOS || (f && f->arity == 1 && slip_function_cost(f) >= SLIP_CALL_COST);
    return s->timely[i->a] && slow;
}

static void call_function(assembler *s, const slip_instruction *i)
{
    slip_tape_op op = (slip_tape_op)i->op;
    if (worth_remembering(s, i)) {
        call_or_remember(s, i);
        return;
    }
    int arity;
    uint64_t address = address_of(op, &arity);
    argument(s, 0, i->a);
    if (op == SLIP_TAPE_SINCOS) point_at(s, i->to, i->c);
    if (arity > 1) argument(s, 1, i->b);
    if (arity > 2) argument(s, 2, i->c);
    call(s, address);
    if (op == SLIP_TAPE_SINCOS) s->stores.last[i->to] = s->stores.last[i->c] = -1; // both are in memory
    if (op == SLIP_TAPE_SINCOS) return;
    slip_scalar_move(&s->out, FIRST_KEPT, 0);
    keep(s, FIRST_KEPT, i->to);
}

// ------------------------------------------------------------------------------------------- jumps

// leaves the four bytes of the distance to be filled in by land_all
static void jump(assembler *s, const slip_instruction *i)
{
    unsigned busy = 0;
    slip_tape_op op = (slip_tape_op)i->op;
    if (op == SLIP_TAPE_JUMP) {
        slip_scalar_byte(&s->out, 0xE9);
    } else if (op == SLIP_TAPE_UNLESS) {
        int a = fetch(s, i->a, &busy);
        slip_scalar_operate(&s->out, PACKED, OP_XOR, 0, 0, 0);
        slip_scalar_sse(&s->out, PACKED, 0x2E, 0, a);                     // ucomisd
        slip_scalar_byte(&s->out, 0x7A), slip_scalar_byte(&s->out, 6);    // NaN is true: over the jump
        slip_scalar_byte(&s->out, 0x0F), slip_scalar_byte(&s->out, 0x84); // je
    } else {
        int a = fetch(s, i->a, &busy), b = fetch(s, i->b, &busy);
        slip_scalar_sse(&s->out, PACKED, 0x2E, b, a); // b > a, b >= a; with a NaN neither
        slip_scalar_byte(&s->out, 0x0F), slip_scalar_byte(&s->out, op == SLIP_TAPE_UNLESS_LT ? 0x86 : 0x82);
    }
    slip_scalar_four(&s->out, 0);
    s->stores.stretch++;
}

static void finish(assembler *s)
{
    slip_scalar_byte(&s->out, 0x5B); // pop rbx
    slip_scalar_byte(&s->out, 0xC3);
}

static void translate(assembler *s, const slip_instruction *i)
{
    slip_tape_op op = (slip_tape_op)i->op;
    if (op <= SLIP_TAPE_DIV || is_fused(op)) {
        compute(s, i);
    } else if (op >= SLIP_TAPE_LT && op <= SLIP_TAPE_NE) {
        static const int how[] = { IS_LT, IS_LE, IS_EQ, IS_NE };
        question(s, i, how[op - SLIP_TAPE_LT]);
    } else if (op >= SLIP_TAPE_AND && op <= SLIP_TAPE_NOT) {
        logic(s, i, op);
    } else if (op == SLIP_TAPE_IF) {
        selection(s, i);
    } else if (op == SLIP_TAPE_MIN || op == SLIP_TAPE_MAX) {
        extreme(s, i, op == SLIP_TAPE_MIN ? OP_MIN : OP_MAX);
    } else if (op == SLIP_TAPE_SAT) {
        saturation(s, i);
    } else if (op == SLIP_TAPE_NEG || op == SLIP_TAPE_ABS || op == SLIP_TAPE_SQRT || op == SLIP_TAPE_MOVE) {
        one_operand(s, i);
    } else if (slip_tape_is_jump(op)) {
        jump(s, i);
    } else if (op == SLIP_TAPE_END) {
        finish(s);
    } else {
        call_function(s, i);
    }
}

// start[k] is where instruction k begins; the distance of a jump stands in its last four bytes
static void land_all(assembler *s, const slip_tape *t, const size_t *start)
{
    for (int k = 0; k < t->length; k++) {
        if (!slip_tape_is_jump((slip_tape_op)t->code[k].op)) continue;
        int32_t distance = (int32_t)((long)start[t->code[k].c] - (long)start[k + 1]);
        memcpy(s->out.code + start[k + 1] - 4, &distance, sizeof distance);
    }
}

// Unused operands are 0, the time itself. What an earlier branch wrote counts as well: a guess that is wrong
// costs a comparison, never the result.
static void follow_time(assembler *s, const slip_instruction *i)
{
    slip_tape_op op = (slip_tape_op)i->op;
    if (slip_tape_is_jump(op) || op == SLIP_TAPE_END) return;
    bool timely = s->timely[i->a] && s->timely[i->b] && (op == SLIP_TAPE_SINCOS || s->timely[i->c]);
    s->timely[i->to] = timely;
    if (op == SLIP_TAPE_SINCOS) s->timely[i->c] = timely;
}

// one more than the operations that a program may have copies of
static size_t origins(const slip_tape *t)
{
    int last = 0;
    for (int k = 0; k < t->length && t->origin; k++)
        if (t->origin[k] > last) last = t->origin[k];
    return (size_t)last + 1;
}

// the whole tape, from nothing
static void assemble(assembler *s, size_t *start, const bool *target)
{
    const slip_tape *t = s->tape;
    memset(s->timely, 0, (size_t)t->registers * sizeof *s->timely);
    for (int k = 0; k < t->time_count; k++) s->timely[t->time[k]] = true;
    for (int k = 0; k < t->constant_count; k++) s->timely[t->first_constant + k] = true;
    for (int k = 0; k < t->registers; k++) s->stores.last[k] = -1;
    memset(s->shared, 0, origins(t) * sizeof *s->shared);
    s->memo = (uint32_t)t->registers;
    s->out.at = POOL_BYTES;
    s->victim = XMMS - 1;
    s->stores.count = s->stores.stretch = 0;
    forget_all(s);
    slip_scalar_byte(&s->out, 0x53); // push rbx, which also aligns the stack for calls
    slip_scalar_byte(&s->out, 0x48), slip_scalar_byte(&s->out, 0x89),
        slip_scalar_byte(&s->out, 0xFB); // mov rbx, rdi
    for (int k = 0; k < t->length; k++) {
        if (target[k]) forget_all(s), s->stores.stretch++;
        start[k] = s->out.at;
        s->origin = t->origin ? t->origin[k] : -1;
        if (!s->waiting.waits[k]) translate(s, &t->code[k]);
        follow_time(s, &t->code[k]);
    }
    start[t->length] = s->out.at;
    land_all(s, t, start);
}

// once to see which stores are needed, then without the others
static void assemble_twice(assembler *s, size_t *start, const bool *target)
{
    const slip_tape *t = s->tape;
    for (int k = 0; k < POOL_COUNT; k++)
        for (int half = 0; half < 2; half++)
            memcpy(s->out.code + 16 * k + 8 * half, &pool[k], sizeof pool[k]);
    for (int k = 0; k < t->result_count; k++) s->stores.always[t->results[k]] = true;
    assemble(s, start, target);
    s->stores.known = true;
    assemble(s, start, target);
}

static void mark_targets(const slip_tape *t, bool *target)
{
    for (int k = 0; k < t->length; k++)
        if (slip_tape_is_jump((slip_tape_op)t->code[k].op)) target[t->code[k].c] = true;
}

static void make_executable(slip_tape *t, const assembler *s)
{
    unsigned char *pages = mmap(NULL, s->out.at, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return;
    memcpy(pages, s->out.code, s->out.at);
    t->pages = pages;
    t->page_bytes = s->out.at;
    pages += POOL_BYTES;
    // writable or executable, never both
    if (mprotect(t->pages, s->out.at, PROT_READ | PROT_EXEC) == 0)
        memcpy(&t->native, &pages, sizeof t->native);
}

bool slip_tape_has_avx(void)
{
    return __builtin_cpu_supports("avx");
}

void slip_tape_make_native(slip_tape *t, bool avx)
{
    t->registers = t->first_memo;
    if (t->length > LONGEST) return;
    size_t length = (size_t)t->length + 1, registers = (size_t)t->registers + 1;
    size_t *start = malloc(length * sizeof *start);
    bool *flags = calloc(3 * length + 2 * registers, sizeof *flags);
    int *last = malloc(2 * registers * sizeof *last);
    assembler s = { .tape = t, .out = { .code = malloc(POOL_BYTES + length * MAX_BYTES), .avx = avx } };
    s.shared = malloc(origins(t) * sizeof *s.shared);
    if (flags) mark_targets(t, flags);
    if (start && flags && slip_waiting_find(t, flags, &s.waiting) && last && s.out.code && s.shared) {
        s.stores.needed = flags + length; // an operation stores two results at the most
        s.stores.always = flags + 3 * length;
        s.timely = s.stores.always + registers;
        s.stores.last = last;
        s.stores.since = last + registers;
        assemble_twice(&s, start, flags);
        t->registers = (int)s.memo;
        make_executable(t, &s);
    }
    free(s.waiting.at);
    free(s.waiting.waits);
    free(start);
    free(flags);
    free(last);
    free(s.shared);
    free(s.out.code);
}

void slip_tape_drop_native(slip_tape *t)
{
    if (t->pages) munmap(t->pages, t->page_bytes);
    t->pages = NULL;
    t->native = NULL;
}

#else

bool slip_tape_has_avx(void)
{
    return false;
}
void slip_tape_make_native(slip_tape *t, bool avx)
{
    (void)t, (void)avx;
}
void slip_tape_drop_native(slip_tape *t)
{
    (void)t;
}

#endif
