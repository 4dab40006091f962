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

enum {
    FIRST_KEPT = 4, // xmm0 to xmm3 are for work, the others keep tape registers
    XMMS = 16,
    MAX_BYTES = 128,  // of one instruction, generously
    LONGEST = 200000, // instructions: beyond, the code would not stay in any cache
};

typedef struct assembler {
    const slip_tape *tape;
    unsigned char *code; // MAX_BYTES are free behind `at` when an instruction begins
    size_t at;
    int32_t held[XMMS]; // tape register that an xmm register keeps, -1 none
    int victim;
    bool *timely;     // per tape register: what it holds follows from one of the times and constants alone
    uint32_t memo;    // next register to remember a function value in
    uint32_t *shared; // of each operation of the tape that a program copies: where its value is; 0 not yet
    int origin;       // of the operation in hand, -1 none
    bool avx;
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

static void byte(assembler *s, int b)
{
    s->code[s->at++] = (unsigned char)b;
}

static void four(assembler *s, uint32_t v)
{
    memcpy(s->code + s->at, &v, 4);
    s->at += 4;
}

static void eight(assembler *s, uint64_t v)
{
    memcpy(s->code + s->at, &v, 8);
    s->at += 8;
}

// prefix 0F op, xmm to xmm
static void sse(assembler *s, int prefix, int op, int to, int from)
{
    byte(s, prefix);
    if (to > 7 || from > 7) byte(s, 0x40 | (to > 7 ? 4 : 0) | (from > 7 ? 1 : 0));
    byte(s, 0x0F);
    byte(s, op);
    byte(s, 0xC0 | (to & 7) << 3 | (from & 7));
}

// the same with three operands: to := a op b
static void vex(assembler *s, int prefix, int op, int to, int a, int b)
{
    int pp = prefix == 0x66 ? 1 : 3, right = to > 7 ? 0 : 0x80;
    if (b > 7) {
        byte(s, 0xC4), byte(s, right | 0x41), byte(s, (~a & 15) << 3 | pp);
    } else {
        byte(s, 0xC5), byte(s, right | (~a & 15) << 3 | pp);
    }
    byte(s, op);
    byte(s, 0xC0 | (to & 7) << 3 | (b & 7));
}

enum {
    SCALAR = 0xF2,
    PACKED = 0x66,
    OP_MOVE = 0x28, // PACKED
    OP_SQRT = 0x51,
    OP_AND = 0x54, // PACKED, as the next three
    OP_ANDN = 0x55,
    OP_OR = 0x56,
    OP_XOR = 0x57,
    OP_ADD = 0x58,
    OP_MUL = 0x59,
    OP_SUB = 0x5C,
    OP_MIN = 0x5D,
    OP_DIV = 0x5E,
    OP_MAX = 0x5F,
    OP_COMPARE = 0xC2,
};
enum { IS_EQ, IS_LT, IS_LE, IS_NAN, IS_NE }; // of OP_COMPARE

static void move(assembler *s, int to, int from)
{
    if (s->avx)
        vex(s, PACKED, OP_MOVE, to, 0, from);
    else
        sse(s, PACKED, OP_MOVE, to, from);
}

// to := a op b; `to` is not b, unless it is a as well
static void operate(assembler *s, int prefix, int op, int to, int a, int b)
{
    if (s->avx) {
        vex(s, prefix, op, to, a, b);
        return;
    }
    if (to != a) move(s, to, a);
    sse(s, prefix, op, to, b);
}

static void compare(assembler *s, int to, int a, int b, int how)
{
    operate(s, SCALAR, OP_COMPARE, to, a, b);
    byte(s, how);
}

// to := a op a number of the pool, which stands before the code
static void pooled(assembler *s, int op, int to, int a, int which)
{
    if (s->avx) {
        byte(s, 0xC5), byte(s, (to > 7 ? 0 : 0x80) | (~a & 15) << 3 | 1);
    } else {
        if (to != a) move(s, to, a);
        byte(s, PACKED);
        if (to > 7) byte(s, 0x44);
        byte(s, 0x0F);
    }
    byte(s, op);
    byte(s, 0x05 | (to & 7) << 3);
    four(s, (uint32_t)(16 * which) - (uint32_t)(s->at + 4)); // from where the instruction ends
}

// movsd between xmm and the register file at rbx; op 0x10 loads, 0x11 stores
static void memory(assembler *s, int op, int xmm, uint32_t tape_register)
{
    byte(s, SCALAR);
    if (xmm > 7) byte(s, 0x44);
    byte(s, 0x0F);
    byte(s, op);
    byte(s, 0x83 | (xmm & 7) << 3);
    four(s, 8 * tape_register);
}

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
    memory(s, 0x10, xmm, tape_register);
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
        memory(s, 0x11, xmm, tape_register);
    s->stores.last[tape_register] = store;
    s->stores.since[tape_register] = s->stores.stretch;
    forget(s, tape_register);
    s->held[xmm] = (int32_t)tape_register;
}

// ------------------------------------------------------------------------------------ instructions

static void arithmetic(assembler *s, const slip_instruction *i, int op)
{
    unsigned busy = 0;
    int a = fetch(s, i->a, &busy), b = fetch(s, i->b, &busy), to = take(s, busy);
    operate(s, SCALAR, op, to, a, b);
    keep(s, to, i->to);
}

// outer(inner(a, b), c), or outer(c, inner(a, b)) when `second`
static void fused(assembler *s, const slip_instruction *i, int inner, int outer, bool second)
{
    unsigned busy = 0;
    int a = fetch(s, i->a, &busy), b = fetch(s, i->b, &busy), c = fetch(s, i->c, &busy), to = take(s, busy);
    int work = second ? 0 : to;
    operate(s, SCALAR, inner, work, a, b);
    operate(s, SCALAR, outer, to, second ? c : work, second ? work : c);
    keep(s, to, i->to);
}

// to := mask ? yes : no, for a mask of all ones or zeros; xmm1 is used up
static void choose(assembler *s, int to, int mask, int yes, int no)
{
    if (s->avx) { // vblendvpd
        byte(s, 0xC4), byte(s, (to > 7 ? 0 : 0x80) | (yes > 7 ? 0 : 0x20) | 0x43),
            byte(s, (~no & 15) << 3 | 1);
        byte(s, 0x4B), byte(s, 0xC0 | (to & 7) << 3 | (yes & 7)), byte(s, mask << 4);
        return;
    }
    operate(s, PACKED, OP_ANDN, 1, mask, no);
    operate(s, PACKED, OP_AND, to, mask, yes);
    operate(s, PACKED, OP_OR, to, to, 1);
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
    operate(s, SCALAR, op, work, a, b); // b when either is NaN
    if (work != to) {
        compare(s, 3, a, a, IS_NAN);
        choose(s, to, 3, a, work);
    }
    keep(s, to, i->to);
}

static void saturation(assembler *s, const slip_instruction *i)
{
    unsigned busy = 0;
    int Z = fetch(s, i->a, &busy), x = fetch(s, i->b, &busy), to = take(s, busy);
    pooled(s, OP_XOR, 2, Z, POOL_SIGN);
    operate(s, SCALAR, OP_MAX, 2, 2, x); // x < -Z ? -Z : x
    int work = never_nan(s, i->a) ? to : 0;
    operate(s, SCALAR, OP_MIN, work, Z, 2); // raised > Z ? Z : raised
    if (work != to) {
        compare(s, 3, Z, Z, IS_NAN);
        choose(s, to, 3, Z, work);
    }
    keep(s, to, i->to);
}

// a comparison as 0 or 1
static void question(assembler *s, const slip_instruction *i, int how)
{
    unsigned busy = 0;
    int a = fetch(s, i->a, &busy), b = fetch(s, i->b, &busy), to = take(s, busy);
    compare(s, to, a, b, how);
    pooled(s, OP_AND, to, to, POOL_ONE);
    keep(s, to, i->to);
}

// AND, OR (of what is not 0) and NOT
static void logic(assembler *s, const slip_instruction *i, slip_tape_op op)
{
    unsigned busy = 0;
    int a = fetch(s, i->a, &busy), b = op == SLIP_TAPE_NOT ? a : fetch(s, i->b, &busy), to = take(s, busy);
    operate(s, PACKED, OP_XOR, 0, 0, 0);
    compare(s, to, a, 0, op == SLIP_TAPE_NOT ? IS_EQ : IS_NE);
    compare(s, 1, b, 0, op == SLIP_TAPE_NOT ? IS_EQ : IS_NE);
    operate(s, PACKED, op == SLIP_TAPE_OR ? OP_OR : OP_AND, to, to, 1);
    pooled(s, OP_AND, to, to, POOL_ONE);
    keep(s, to, i->to);
}

static void selection(assembler *s, const slip_instruction *i)
{
    unsigned busy = 0;
    int a = fetch(s, i->a, &busy), b = fetch(s, i->b, &busy), c = fetch(s, i->c, &busy), to = take(s, busy);
    operate(s, PACKED, OP_XOR, 2, 2, 2);
    compare(s, 2, 2, a, IS_NE); // also when a is NaN
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
        pooled(s, OP_XOR, to, a, POOL_SIGN);
        break;
    case SLIP_TAPE_ABS:
        pooled(s, OP_AND, to, a, POOL_SIZE);
        break;
    case SLIP_TAPE_SQRT:
        operate(s, SCALAR, OP_SQRT, to, a, a);
        break;
    default:
        assert(i->op == SLIP_TAPE_MOVE);
        move(s, to, a);
        break;
    }
    keep(s, to, i->to);
}

// ------------------------------------------------------------------------------------------- calls

static void call(assembler *s, uint64_t address)
{
    byte(s, 0x48), byte(s, 0xB8);
    eight(s, address);
    byte(s, 0xFF), byte(s, 0xD0);
    forget_all(s); // all xmm registers are the callee's
}

static void argument(assembler *s, int xmm, uint32_t tape_register)
{
    for (int k = FIRST_KEPT; k < XMMS; k++) {
        if (s->held[k] != (int32_t)tape_register) continue;
        move(s, xmm, k);
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
    byte(s, 0x48), byte(s, 0x8D), byte(s, 0xBB), four(s, 8 * sine);   // lea rdi
    byte(s, 0x48), byte(s, 0x8D), byte(s, 0xB3), four(s, 8 * cosine); // lea rsi
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
    byte(s, 0x66), byte(s, 0x48), byte(s, 0x0F), byte(s, 0x7E), byte(s, 0xC0); // movq rax, xmm0
    byte(s, 0x48), byte(s, 0x3B), byte(s, 0x83), four(s, 8 * memo);            // cmp rax, [rbx + memo]
    byte(s, 0x74), byte(s, 0);                                                 // je to behind the call
    size_t from = s->at;
    byte(s, 0x48), byte(s, 0x89), byte(s, 0x83), four(s, 8 * memo); // mov [rbx + memo], rax
    if (op == SLIP_TAPE_SINCOS) point_at(s, memo + 1, memo + 2);
    call(s, address_of(op, &(int){ 0 }));
    if (op != SLIP_TAPE_SINCOS) memory(s, 0x11, 0, memo + 1);
    s->code[from - 1] = (unsigned char)(s->at - from);
    memory(s, 0x10, FIRST_KEPT, memo + 1);
    keep(s, FIRST_KEPT, i->to);
    if (op != SLIP_TAPE_SINCOS) return;
    memory(s, 0x10, FIRST_KEPT + 1, memo + 2);
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
    move(s, FIRST_KEPT, 0);
    keep(s, FIRST_KEPT, i->to);
}

// ------------------------------------------------------------------------------------------- jumps

// leaves the four bytes of the distance to be filled in by land_all
static void jump(assembler *s, const slip_instruction *i)
{
    unsigned busy = 0;
    slip_tape_op op = (slip_tape_op)i->op;
    if (op == SLIP_TAPE_JUMP) {
        byte(s, 0xE9);
    } else if (op == SLIP_TAPE_UNLESS) {
        int a = fetch(s, i->a, &busy);
        operate(s, PACKED, OP_XOR, 0, 0, 0);
        sse(s, PACKED, 0x2E, 0, a);   // ucomisd
        byte(s, 0x7A), byte(s, 6);    // NaN is true: over the jump
        byte(s, 0x0F), byte(s, 0x84); // je
    } else {
        int a = fetch(s, i->a, &busy), b = fetch(s, i->b, &busy);
        sse(s, PACKED, 0x2E, b, a); // b > a, b >= a; with a NaN neither
        byte(s, 0x0F), byte(s, op == SLIP_TAPE_UNLESS_LT ? 0x86 : 0x82);
    }
    four(s, 0);
    s->stores.stretch++;
}

static void finish(assembler *s)
{
    byte(s, 0x5B); // pop rbx
    byte(s, 0xC3);
}

static void translate(assembler *s, const slip_instruction *i)
{
    static const int simple[] = { OP_ADD, OP_SUB, OP_MUL, OP_DIV };
    slip_tape_op op = (slip_tape_op)i->op;
    if (op <= SLIP_TAPE_DIV) {
        arithmetic(s, i, simple[op]);
    } else if (op >= SLIP_TAPE_ADD_ADD && op <= SLIP_TAPE_DIV_BY_MUL) {
        static const struct {
            int outer;
            bool second;
        } outers[] = { { OP_ADD, false }, { OP_SUB, false }, { OP_SUB, true },
                       { OP_MUL, false }, { OP_DIV, false }, { OP_DIV, true } };
        int row = (int)(op - SLIP_TAPE_ADD_ADD) / 3;
        fused(s, i, simple[(op - SLIP_TAPE_ADD_ADD) % 3], outers[row].outer, outers[row].second);
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
        memcpy(s->code + start[k + 1] - 4, &distance, sizeof distance);
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
    s->at = POOL_BYTES;
    s->victim = XMMS - 1;
    s->stores.count = s->stores.stretch = 0;
    forget_all(s);
    byte(s, 0x53);                               // push rbx, which also aligns the stack for calls
    byte(s, 0x48), byte(s, 0x89), byte(s, 0xFB); // mov rbx, rdi
    for (int k = 0; k < t->length; k++) {
        if (target[k]) forget_all(s), s->stores.stretch++;
        start[k] = s->at;
        s->origin = t->origin ? t->origin[k] : -1;
        translate(s, &t->code[k]);
        follow_time(s, &t->code[k]);
    }
    start[t->length] = s->at;
    land_all(s, t, start);
}

// once to see which stores are needed, then without the others
static void assemble_twice(assembler *s, size_t *start, bool *target)
{
    const slip_tape *t = s->tape;
    for (int k = 0; k < POOL_COUNT; k++)
        for (int half = 0; half < 2; half++) memcpy(s->code + 16 * k + 8 * half, &pool[k], sizeof pool[k]);
    for (int k = 0; k < t->length; k++)
        if (slip_tape_is_jump((slip_tape_op)t->code[k].op)) target[t->code[k].c] = true;
    for (int k = 0; k < t->result_count; k++) s->stores.always[t->results[k]] = true;
    assemble(s, start, target);
    s->stores.known = true;
    assemble(s, start, target);
}

static void make_executable(slip_tape *t, const assembler *s)
{
    unsigned char *pages = mmap(NULL, s->at, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return;
    memcpy(pages, s->code, s->at);
    t->pages = pages;
    t->page_bytes = s->at;
    pages += POOL_BYTES;
    // writable or executable, never both
    if (mprotect(t->pages, s->at, PROT_READ | PROT_EXEC) == 0) memcpy(&t->native, &pages, sizeof t->native);
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
    assembler s = { .tape = t, .code = malloc(POOL_BYTES + length * MAX_BYTES), .avx = avx };
    s.shared = malloc(origins(t) * sizeof *s.shared);
    if (start && flags && last && s.code && s.shared) {
        s.stores.needed = flags + length; // an operation stores two results at the most
        s.stores.always = flags + 3 * length;
        s.timely = s.stores.always + registers;
        s.stores.last = last;
        s.stores.since = last + registers;
        assemble_twice(&s, start, flags);
        t->registers = (int)s.memo;
        make_executable(t, &s);
    }
    free(start);
    free(flags);
    free(last);
    free(s.shared);
    free(s.code);
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
