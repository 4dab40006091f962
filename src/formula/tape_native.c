/// tape_native.c: a tape as machine code, on x86-64 with the System V calling convention.
///
/// One straight translation per instruction, with the scalar SSE2 operations that a C compiler uses,
/// so the bits are those of the interpreter. Every result is stored to its register in memory and
/// kept in an xmm register as well until that is needed for something else: loads are mostly saved,
/// and there is nothing to write back at calls and jumps. Where the system does not allow memory to
/// be made executable, the interpreter runs the tape.
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
} assembler;

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
    sse(s, PACKED, OP_MOVE, to, from);
}

static void compare(assembler *s, int to, int from, int how)
{
    sse(s, SCALAR, OP_COMPARE, to, from);
    byte(s, how);
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

// a number (or a mask) into xmm, by way of rax
static void number(assembler *s, int xmm, uint64_t bits)
{
    byte(s, 0x48), byte(s, 0xB8);
    eight(s, bits);
    byte(s, 0x66), byte(s, xmm > 7 ? 0x4C : 0x48), byte(s, 0x0F), byte(s, 0x6E);
    byte(s, 0xC0 | (xmm & 7) << 3);
}

#define SIGN_BIT 0x8000000000000000u
#define ONE_BITS 0x3FF0000000000000u

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

// the xmm register that keeps a tape register, loaded when none does; added to *busy
static int fetch(assembler *s, uint32_t tape_register, unsigned *busy)
{
    int found = -1;
    for (int k = FIRST_KEPT; k < XMMS; k++)
        if (s->held[k] == (int32_t)tape_register) found = k;
    if (found < 0) {
        found = take(s, *busy);
        memory(s, 0x10, found, tape_register);
        s->held[found] = (int32_t)tape_register;
    }
    *busy |= 1u << found;
    return found;
}

static void keep(assembler *s, int xmm, uint32_t tape_register)
{
    memory(s, 0x11, xmm, tape_register);
    forget(s, tape_register);
    s->held[xmm] = (int32_t)tape_register;
}

// ------------------------------------------------------------------------------------ instructions

static void arithmetic(assembler *s, const slip_instruction *i, int op)
{
    unsigned busy = 0;
    int a = fetch(s, i->a, &busy), b = fetch(s, i->b, &busy), to = take(s, busy);
    move(s, to, a);
    sse(s, SCALAR, op, to, b);
    keep(s, to, i->to);
}

// outer(inner(a, b), c), or outer(c, inner(a, b)) when `second`
static void fused(assembler *s, const slip_instruction *i, int inner, int outer, bool second)
{
    unsigned busy = 0;
    int a = fetch(s, i->a, &busy), b = fetch(s, i->b, &busy), c = fetch(s, i->c, &busy), to = take(s, busy);
    int work = second ? 0 : to;
    move(s, work, a);
    sse(s, SCALAR, inner, work, b);
    if (second) move(s, to, c);
    sse(s, SCALAR, outer, to, second ? work : c);
    keep(s, to, i->to);
}

// to := mask ? yes : no, for a mask of all ones or zeros; xmm1 is used up
static void choose(assembler *s, int to, int mask, int yes, int no)
{
    move(s, 1, mask);
    sse(s, PACKED, OP_ANDN, 1, no);
    move(s, to, mask);
    sse(s, PACKED, OP_AND, to, yes);
    sse(s, PACKED, OP_OR, to, 1);
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
    move(s, work, a);
    sse(s, SCALAR, op, work, b); // b when either is NaN
    if (work != to) {
        move(s, 3, a);
        compare(s, 3, a, IS_NAN);
        choose(s, to, 3, a, work);
    }
    keep(s, to, i->to);
}

static void saturation(assembler *s, const slip_instruction *i)
{
    unsigned busy = 0;
    int Z = fetch(s, i->a, &busy), x = fetch(s, i->b, &busy), to = take(s, busy);
    number(s, 2, SIGN_BIT);
    sse(s, PACKED, OP_XOR, 2, Z);
    sse(s, SCALAR, OP_MAX, 2, x); // x < -Z ? -Z : x
    int work = never_nan(s, i->a) ? to : 0;
    move(s, work, Z);
    sse(s, SCALAR, OP_MIN, work, 2); // raised > Z ? Z : raised
    if (work != to) {
        move(s, 3, Z);
        compare(s, 3, Z, IS_NAN);
        choose(s, to, 3, Z, work);
    }
    keep(s, to, i->to);
}

// a comparison as 0 or 1
static void question(assembler *s, const slip_instruction *i, int how)
{
    unsigned busy = 0;
    int a = fetch(s, i->a, &busy), b = fetch(s, i->b, &busy), to = take(s, busy);
    number(s, 0, ONE_BITS);
    move(s, to, a);
    compare(s, to, b, how);
    sse(s, PACKED, OP_AND, to, 0);
    keep(s, to, i->to);
}

// AND, OR (of what is not 0) and NOT
static void logic(assembler *s, const slip_instruction *i, slip_tape_op op)
{
    unsigned busy = 0;
    int a = fetch(s, i->a, &busy), b = op == SLIP_TAPE_NOT ? a : fetch(s, i->b, &busy), to = take(s, busy);
    sse(s, PACKED, OP_XOR, 0, 0);
    move(s, to, a);
    compare(s, to, 0, op == SLIP_TAPE_NOT ? IS_EQ : IS_NE);
    move(s, 1, b);
    compare(s, 1, 0, op == SLIP_TAPE_NOT ? IS_EQ : IS_NE);
    sse(s, PACKED, op == SLIP_TAPE_OR ? OP_OR : OP_AND, to, 1);
    number(s, 0, ONE_BITS);
    sse(s, PACKED, OP_AND, to, 0);
    keep(s, to, i->to);
}

static void selection(assembler *s, const slip_instruction *i)
{
    unsigned busy = 0;
    int a = fetch(s, i->a, &busy), b = fetch(s, i->b, &busy), c = fetch(s, i->c, &busy), to = take(s, busy);
    sse(s, PACKED, OP_XOR, 2, 2);
    compare(s, 2, a, IS_NE); // also when a is NaN
    choose(s, to, 2, b, c);
    keep(s, to, i->to);
}

// a with its sign bit changed (op XOR) or cleared (op AND), its root, or itself
static void one_operand(assembler *s, const slip_instruction *i)
{
    unsigned busy = 0;
    int a = fetch(s, i->a, &busy), to = take(s, busy);
    switch ((slip_tape_op)i->op) {
    case SLIP_TAPE_NEG:
        number(s, to, SIGN_BIT);
        sse(s, PACKED, OP_XOR, to, a);
        break;
    case SLIP_TAPE_ABS:
        number(s, to, ~SIGN_BIT);
        sse(s, PACKED, OP_AND, to, a);
        break;
    case SLIP_TAPE_SQRT:
        sse(s, SCALAR, OP_SQRT, to, a);
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
    memory(s, 0x10, xmm, tape_register);
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
        sse(s, PACKED, OP_XOR, 0, 0);
        sse(s, PACKED, 0x2E, 0, a);   // ucomisd
        byte(s, 0x7A), byte(s, 6);    // NaN is true: over the jump
        byte(s, 0x0F), byte(s, 0x84); // je
    } else {
        int a = fetch(s, i->a, &busy), b = fetch(s, i->b, &busy);
        sse(s, PACKED, 0x2E, b, a); // b > a, b >= a; with a NaN neither
        byte(s, 0x0F), byte(s, op == SLIP_TAPE_UNLESS_LT ? 0x86 : 0x82);
    }
    four(s, 0);
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

static size_t assemble(assembler *s, const slip_tape *t, size_t *start, bool *target)
{
    for (int k = 0; k < t->length; k++)
        if (slip_tape_is_jump((slip_tape_op)t->code[k].op)) target[t->code[k].c] = true;
    forget_all(s);
    byte(s, 0x53);                               // push rbx, which also aligns the stack for calls
    byte(s, 0x48), byte(s, 0x89), byte(s, 0xFB); // mov rbx, rdi
    for (int k = 0; k < t->length; k++) {
        if (target[k]) forget_all(s);
        start[k] = s->at;
        s->origin = t->origin ? t->origin[k] : -1;
        translate(s, &t->code[k]);
        follow_time(s, &t->code[k]);
    }
    start[t->length] = s->at;
    land_all(s, t, start);
    return s->at;
}

// one more than the operations that a program may have copies of
static size_t origins(const slip_tape *t)
{
    int last = 0;
    for (int k = 0; k < t->length && t->origin; k++)
        if (t->origin[k] > last) last = t->origin[k];
    return (size_t)last + 1;
}

void slip_tape_make_native(slip_tape *t)
{
    if (t->length > LONGEST) return;
    size_t bytes = (size_t)(t->length + 1) * MAX_BYTES,
           *start = malloc((size_t)(t->length + 1) * sizeof *start);
    bool *target = calloc((size_t)t->length + 1, sizeof *target);
    assembler s = { .tape = t, .code = malloc(bytes), .victim = XMMS - 1, .memo = (uint32_t)t->registers };
    s.timely = calloc((size_t)t->registers + 1, sizeof *s.timely);
    s.shared = calloc(origins(t), sizeof *s.shared);
    if (start && target && s.code && s.timely && s.shared) {
        for (int k = 0; k < t->time_count; k++) s.timely[t->time[k]] = true;
        for (int k = 0; k < t->constant_count; k++) s.timely[t->first_constant + k] = true;
        size_t used = assemble(&s, t, start, target);
        t->registers = (int)s.memo;
        void *pages = mmap(NULL, used, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages != MAP_FAILED) {
            memcpy(pages, s.code, used);
            t->pages = pages;
            t->page_bytes = used;
            // writable or executable, never both
            if (mprotect(pages, used, PROT_READ | PROT_EXEC) == 0)
                memcpy(&t->native, &pages, sizeof t->native);
        }
    }
    free(start);
    free(target);
    free(s.timely);
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

void slip_tape_make_native(slip_tape *t)
{
    (void)t;
}
void slip_tape_drop_native(slip_tape *t)
{
    (void)t;
}

#endif
