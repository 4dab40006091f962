/// lanes_native.c: stretches of a tape as machine code for all lanes.
///
/// A stretch is a run of plain operations: no calls, no jumps, none of them a target. Its code goes through
/// the lanes, four or eight at a time, and does for each part what the interpreter does row by row, with the
/// same instructions and bits; but what an operation leaves stays in a vector register until the one that is
/// needed last of all has to make room, and is stored only if somebody comes back to it. Everything else, and
/// what lanes do not agree on, is left to the interpreter (lanes_body.h).
#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#include <limits.h>
#include <stdlib.h>

#include "formula/lanes_kernel.h"

#if defined(SLIP_LANES_X86) && defined(__unix__) && !defined(SLIP_NO_NATIVE_TAPE)

#include <assert.h>
#include <sys/mman.h>

#include "formula/lanes_encode.h"

enum {
    FIRST_KEPT = 4, // vector registers before are for work
    MOST_KEPT = 32,
    MAX_BYTES = 128,  // of one operation, generously: three loads, three stores, six instructions
    WORTH_A_CALL = 3, // operations
    LONGEST = 50000,  // operations of a tape: beyond, the code would not stay in any cache
    NEVER = INT_MAX,
    ROW = SLIP_LANES * 8,
};

/// Numbers before the code, eight times each.
enum { POOL_SIGN, POOL_SIZE, POOL_ONE, POOL_COUNT, POOL_ENTRY = 64 };
static const uint64_t pool[POOL_COUNT] = { 0x8000000000000000u, 0x7FFFFFFFFFFFFFFFu, 0x3FF0000000000000u };

typedef struct stretch {
    int begin, end; // operations
    size_t at;      // of its code
} stretch;

/// When the operands and the result of an operation are read next in its stretch.
typedef struct outlook {
    int a, b, c, to;
} outlook;

typedef struct kept {
    int tape_register; // -1 none
    int next;          // operation that reads it
    bool dirty;        // memory does not have it
} kept;

typedef struct assembler {
    slip_encoder out;
    const slip_tape *tape;
    int count; // of vector registers
    kept kept[MOST_KEPT];
    outlook *outlook; // per operation
    int *next;        // per tape register, scratch of the outlook
    int *reader;      // per tape register: the one stretch that reads it, after writing it; else -1
    stretch *stretches;
    int stretch_count;
} assembler;

// ------------------------------------------------------------------------------------------- stretches

static int operands(slip_tape_op op)
{
    switch (op) {
    case SLIP_TAPE_NEG:
    case SLIP_TAPE_NOT:
    case SLIP_TAPE_ABS:
    case SLIP_TAPE_SQRT:
    case SLIP_TAPE_MOVE:
        return 1;
    case SLIP_TAPE_IF:
        return 3;
    default:
        return op >= SLIP_TAPE_ADD_ADD && op <= SLIP_TAPE_DIV_BY_MUL ? 3 : 2;
    }
}

static bool is_plain(slip_tape_op op)
{
    switch (op) {
    case SLIP_TAPE_NEG:
    case SLIP_TAPE_AND:
    case SLIP_TAPE_OR:
    case SLIP_TAPE_NOT:
    case SLIP_TAPE_IF:
    case SLIP_TAPE_MIN:
    case SLIP_TAPE_MAX:
    case SLIP_TAPE_ABS:
    case SLIP_TAPE_SQRT:
    case SLIP_TAPE_SAT:
    case SLIP_TAPE_MOVE:
        return true;
    default:
        return op <= SLIP_TAPE_DIV || (op >= SLIP_TAPE_LT && op <= SLIP_TAPE_NE) ||
               (op >= SLIP_TAPE_ADD_ADD && op <= SLIP_TAPE_DIV_BY_MUL);
    }
}

static void find_stretches(assembler *s, const bool *target)
{
    const slip_tape *t = s->tape;
    for (int k = 0; k < t->length; k++) {
        const int begin = k;
        while (k < t->length && is_plain((slip_tape_op)t->code[k].op) && (k == begin || !target[k])) k++;
        if (k - begin >= WORTH_A_CALL) s->stretches[s->stretch_count++] = (stretch){ begin, k, 0 };
        if (k > begin && k < t->length && target[k]) k--; // the next one begins here
    }
}

// `in` reads a register that it has not written (or has): -1 for operations outside of all stretches
static void note_read(assembler *s, uint32_t tape_register, int in, const int *written)
{
    int *reader = &s->reader[tape_register];
    const bool own = in >= 0 && written[tape_register] == in;
    if (!own || (*reader != NEVER && *reader != in)) *reader = -1;
    if (*reader == NEVER) *reader = in;
}

// who reads what; `written` is the last stretch that wrote a register
static void find_readers(assembler *s, int *written)
{
    const slip_tape *t = s->tape;
    int in = 0;
    for (int r = 0; r < t->registers; r++) s->reader[r] = NEVER, written[r] = -1;
    for (int k = 0; k < t->length; k++) {
        const slip_instruction *i = &t->code[k];
        const slip_tape_op op = (slip_tape_op)i->op;
        while (in < s->stretch_count && s->stretches[in].end <= k) in++;
        const int here = in < s->stretch_count && s->stretches[in].begin <= k ? in : -1;
        const int count = here >= 0 ? operands(op) : slip_tape_is_jump(op) ? 2 : 3;
        note_read(s, i->a, here, written);
        if (count > 1) note_read(s, i->b, here, written);
        if (count > 2) note_read(s, i->c, here, written);
        if (!slip_tape_is_jump(op) && op != SLIP_TAPE_END) written[i->to] = here;
        if (op == SLIP_TAPE_SINCOS) written[i->c] = here;
    }
    for (int k = 0; k < t->result_count; k++) s->reader[t->results[k]] = -1;
}

static int look(assembler *s, uint32_t tape_register, int now)
{
    const int next = s->next[tape_register];
    s->next[tape_register] = now;
    return next;
}

// backwards through a stretch; at its end a register is needed if others read it
static void find_outlook(assembler *s, const stretch *of)
{
    for (int k = of->begin; k < of->end; k++) {
        const slip_instruction *i = &s->tape->code[k];
        s->next[i->to] = s->next[i->a] = s->next[i->b] = s->next[i->c] = NEVER;
    }
    for (int k = of->end - 1; k >= of->begin; k--) {
        const slip_instruction *i = &s->tape->code[k];
        const int count = operands((slip_tape_op)i->op);
        outlook *o = &s->outlook[k];
        o->to = look(s, i->to, NEVER);
        o->a = s->next[i->a], o->b = s->next[i->b], o->c = s->next[i->c];
        s->next[i->a] = k;
        if (count > 1) s->next[i->b] = k;
        if (count > 2) s->next[i->c] = k;
    }
}

// ----------------------------------------------------------------------------------- what is kept where

static void row(assembler *s, int op, int reg, int tape_register)
{
    slip_encode_memory(&s->out, op, reg, (uint32_t)tape_register * ROW);
}

// makes room: of those not in `busy`, an empty register, else the one that is needed last
static int take(assembler *s, uint32_t busy)
{
    int best = -1;
    for (int k = FIRST_KEPT; k < s->count; k++) {
        if (busy >> k & 1) continue;
        if (best < 0 || s->kept[k].next > s->kept[best].next) best = k;
    }
    kept *room = &s->kept[best];
    if (room->dirty && room->next != NEVER) row(s, SLIP_X86_STORE, best, room->tape_register);
    *room = (kept){ -1, NEVER, false };
    return best;
}

// the vector register that has an operand, which is read again at `next`; added to *busy
static int fetch(assembler *s, uint32_t tape_register, int next, uint32_t *busy)
{
    int found = -1;
    for (int k = FIRST_KEPT; k < s->count; k++)
        if (s->kept[k].tape_register == (int)tape_register) found = k;
    if (found < 0) {
        found = take(s, *busy);
        row(s, SLIP_X86_LOAD, found, (int)tape_register);
        s->kept[found] = (kept){ (int)tape_register, next, false };
    }
    s->kept[found].next = next;
    *busy |= 1u << found;
    return found;
}

// The result of operation k. It is stored now if it is the last one in its place and others read it
static void keep(assembler *s, int reg, int k, int in, bool last)
{
    const int tape_register = (int)s->tape->code[k].to;
    for (int j = FIRST_KEPT; j < s->count; j++)
        if (s->kept[j].tape_register == tape_register) s->kept[j] = (kept){ -1, NEVER, false };
    const bool stored = last && s->reader[tape_register] != in;
    if (stored) row(s, SLIP_X86_STORE, reg, tape_register);
    s->kept[reg] = (kept){ tape_register, s->outlook[k].to, !stored };
}

// ------------------------------------------------------------------------------------------- operations

enum {
    ZERO = 0,
    MASK = 1,
    WORK = 2,
    MORE = 3
}; // vector registers; MASK and WORK are masks of AVX-512 as well

static void pooled(assembler *s, int op, int to, int a, int which)
{
    slip_encode_pooled(&s->out, op, to, a, (size_t)which * POOL_ENTRY, 0);
}

// to := 1 where the mask holds, 0 elsewhere
static void truth(assembler *s, int to)
{
    if (s->out.wide)
        slip_encode_pooled(&s->out, SLIP_X86_MOVE, to, 0, (size_t)POOL_ONE * POOL_ENTRY, MASK);
    else
        pooled(s, SLIP_X86_AND, to, MASK, POOL_ONE);
}

static void compare(assembler *s, int a, int b, int how)
{
    slip_encode_compare(&s->out, MASK, a, b, how, 0);
}

static void choose(assembler *s, int to, int yes, int no)
{
    slip_encode_choose(&s->out, to, MASK, yes, no);
}

static void clear(assembler *s)
{
    slip_encode(&s->out, SLIP_X86_XOR, ZERO, ZERO, ZERO);
}

// a and b, or a or b, of what is not 0
static void logic(assembler *s, slip_tape_op op, int to, int a, int b)
{
    slip_encoder *out = &s->out;
    const bool both = op == SLIP_TAPE_AND;
    clear(s);
    compare(s, a, ZERO, SLIP_IS_NE);
    if (!out->wide) {
        slip_encode_compare(out, WORK, b, ZERO, SLIP_IS_NE, 0);
        slip_encode(out, both ? SLIP_X86_AND : SLIP_X86_OR, MASK, MASK, WORK);
    } else if (both) {
        slip_encode_compare(out, MASK, b, ZERO, SLIP_IS_NE, MASK);
    } else {
        slip_encode_compare(out, WORK, b, ZERO, SLIP_IS_NE, 0);
        slip_encode_either(out);
    }
    truth(s, to);
}

// a where that is NaN, else what is in WORK
static void minding(assembler *s, int to, int a)
{
    compare(s, a, a, SLIP_IS_NAN);
    choose(s, to, a, WORK);
}

static void saturation(assembler *s, int to, int Z, int x)
{
    pooled(s, SLIP_X86_XOR, MORE, Z, POOL_SIGN);
    slip_encode(&s->out, SLIP_X86_MAX, MORE, MORE, x); // x < -Z ? -Z : x
    slip_encode(&s->out, SLIP_X86_MIN, WORK, Z, MORE); // raised > Z ? Z : raised
    minding(s, to, Z);
}

static void fused(assembler *s, slip_tape_op op, int to, int a, int b, int c)
{
    static const int inner[] = { SLIP_X86_ADD, SLIP_X86_SUB, SLIP_X86_MUL };
    static const struct {
        int outer;
        bool second;
    } outers[] = { { SLIP_X86_ADD, false }, { SLIP_X86_SUB, false }, { SLIP_X86_SUB, true },
                   { SLIP_X86_MUL, false }, { SLIP_X86_DIV, false }, { SLIP_X86_DIV, true } };
    const int n = (int)op - SLIP_TAPE_ADD_ADD;
    const bool second = outers[n / 3].second;
    slip_encode(&s->out, inner[n % 3], WORK, a, b);
    slip_encode(&s->out, outers[n / 3].outer, to, second ? c : WORK, second ? WORK : c);
}

static void operate(assembler *s, slip_tape_op op, int to, int a, int b, int c)
{
    static const int simple[] = { SLIP_X86_ADD, SLIP_X86_SUB, SLIP_X86_MUL, SLIP_X86_DIV };
    static const int how[] = { SLIP_IS_LT, SLIP_IS_LE, SLIP_IS_EQ, SLIP_IS_NE };
    slip_encoder *out = &s->out;
    if (op <= SLIP_TAPE_DIV) {
        slip_encode(out, simple[op], to, a, b);
    } else if (op >= SLIP_TAPE_ADD_ADD && op <= SLIP_TAPE_DIV_BY_MUL) {
        fused(s, op, to, a, b, c);
    } else if (op >= SLIP_TAPE_LT && op <= SLIP_TAPE_NE) {
        compare(s, a, b, how[op - SLIP_TAPE_LT]);
        truth(s, to);
    } else if (op == SLIP_TAPE_AND || op == SLIP_TAPE_OR) {
        logic(s, op, to, a, b);
    } else if (op == SLIP_TAPE_NOT) {
        clear(s);
        compare(s, a, ZERO, SLIP_IS_EQ);
        truth(s, to);
    } else if (op == SLIP_TAPE_IF) {
        clear(s);
        compare(s, a, ZERO, SLIP_IS_NE); // also when a is NaN
        choose(s, to, b, c);
    } else if (op == SLIP_TAPE_MIN || op == SLIP_TAPE_MAX) {
        slip_encode(out, op == SLIP_TAPE_MIN ? SLIP_X86_MIN : SLIP_X86_MAX, WORK, a, b);
        minding(s, to, a); // WORK is b when either is NaN
    } else if (op == SLIP_TAPE_SAT) {
        saturation(s, to, a, b);
    } else if (op == SLIP_TAPE_NEG) {
        pooled(s, SLIP_X86_XOR, to, a, POOL_SIGN);
    } else if (op == SLIP_TAPE_ABS) {
        pooled(s, SLIP_X86_AND, to, a, POOL_SIZE);
    } else {
        assert(op == SLIP_TAPE_SQRT || op == SLIP_TAPE_MOVE);
        slip_encode(out, op == SLIP_TAPE_SQRT ? SLIP_X86_SQRT : SLIP_X86_MOVE, to, 0, a);
    }
}

static void translate(assembler *s, int k, int in, bool last)
{
    const slip_instruction *i = &s->tape->code[k];
    const slip_tape_op op = (slip_tape_op)i->op;
    const outlook *o = &s->outlook[k];
    const int count = operands(op);
    uint32_t busy = 0;
    const int a = fetch(s, i->a, o->a, &busy);
    const int b = count > 1 ? fetch(s, i->b, o->b, &busy) : 0;
    const int c = count > 2 ? fetch(s, i->c, o->c, &busy) : 0;
    const int to = take(s, busy);
    operate(s, op, to, a, b, c);
    keep(s, to, k, in, last);
}

// ------------------------------------------------------------------------------------------------ code

// a loop over the parts: rdi goes on by one of them
static void assemble_stretch(assembler *s, int which, bool *last)
{
    slip_encoder *out = &s->out;
    stretch *of = &s->stretches[which];
    const int part = out->wide ? 64 : 32;
    find_outlook(s, of);
    for (int k = of->end - 1; k >= of->begin;
         k--) { // from here on `next` is -1 where a later result was seen
        int *seen = &s->next[s->tape->code[k].to];
        last[k] = *seen != -1;
        *seen = -1;
    }
    for (int k = 0; k < MOST_KEPT; k++) s->kept[k] = (kept){ -1, NEVER, false };
    of->at = out->at;
    slip_encode_byte(out, 0xB9), slip_encode_four(out, (uint32_t)(ROW / part)); // mov ecx, parts
    const size_t loop = out->at;
    for (int k = of->begin; k < of->end; k++) translate(s, k, which, last[k]);
    slip_encode_byte(out, 0x48), slip_encode_byte(out, 0x83), slip_encode_byte(out, 0xC7); // add rdi, part
    slip_encode_byte(out, part);
    slip_encode_byte(out, 0xFF), slip_encode_byte(out, 0xC9); // dec ecx
    slip_encode_byte(out, 0x0F), slip_encode_byte(out, 0x85); // jnz loop
    slip_encode_four(out, (uint32_t)loop - (uint32_t)(out->at + 4));
    slip_encode_byte(out, 0xC5), slip_encode_byte(out, 0xF8), slip_encode_byte(out, 0x77); // vzeroupper
    slip_encode_byte(out, 0xC3);
}

static void assemble(assembler *s, bool *last)
{
    for (int k = 0; k < POOL_COUNT; k++)
        for (int j = 0; j < POOL_ENTRY; j += 8) memcpy(s->out.code + k * POOL_ENTRY + j, &pool[k], 8);
    s->out.at = (size_t)POOL_COUNT * POOL_ENTRY;
    for (int k = 0; k < s->stretch_count; k++) assemble_stretch(s, k, last);
}

// writable or executable, never both
static bool make_executable(slip_lanes_code *c, const assembler *s)
{
    unsigned char *pages = mmap(NULL, s->out.at, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return false;
    c->pages = pages;
    c->page_bytes = s->out.at;
    memcpy(pages, s->out.code, s->out.at);
    if (mprotect(pages, s->out.at, PROT_READ | PROT_EXEC) != 0) return false;
    for (int k = 0; k < s->stretch_count; k++) {
        const unsigned char *entry = pages + s->stretches[k].at;
        memcpy(&c->run[k], &entry, sizeof entry);
    }
    return true;
}

// the operations of the tape, with stretches as one
static void cut(slip_lanes_code *c, const assembler *s)
{
    memcpy(c->code, s->tape->code, (size_t)s->tape->length * sizeof *c->code);
    for (int k = 0; k < s->stretch_count; k++)
        c->code[s->stretches[k].begin] = (slip_instruction){ .op = SLIP_TAPE_STRETCH,
                                                             .a = (uint32_t)k,
                                                             .c = (uint32_t)s->stretches[k].end };
}

static bool make(slip_lanes_code *c, assembler *s, bool *flags, int *numbers)
{
    const slip_tape *t = s->tape;
    const size_t length = (size_t)t->length + 1;
    bool *target = flags, *last = flags + length;
    s->next = numbers;
    s->reader = numbers + t->registers;
    for (int k = 0; k < t->length; k++)
        if (slip_tape_is_jump((slip_tape_op)t->code[k].op)) target[t->code[k].c] = true;
    find_stretches(s, target);
    if (s->stretch_count == 0) return false;
    find_readers(s, s->next);
    assemble(s, last);
    c->code = malloc(length * sizeof *c->code);
    c->run = malloc((size_t)s->stretch_count * sizeof *c->run);
    if (!c->code || !c->run || !make_executable(c, s)) return false;
    cut(c, s);
    return true;
}

slip_lanes_code *slip_lanes_code_create(const slip_tape *t, slip_packing packing)
{
    if (packing == SLIP_PACKING_2 || t->length > LONGEST) return NULL;
    const size_t length = (size_t)t->length + 1;
    const bool wide = packing == SLIP_PACKING_8;
    assembler s = { .tape = t, .count = wide ? 32 : 16, .out = { .wide = wide } };
    s.out.code = malloc((size_t)POOL_COUNT * POOL_ENTRY + length * MAX_BYTES);
    s.outlook = malloc(length * sizeof *s.outlook);
    s.stretches = malloc(length * sizeof *s.stretches);
    bool *flags = calloc(2 * length, sizeof *flags);
    int *numbers = malloc(2 * ((size_t)t->registers + 1) * sizeof *numbers);
    slip_lanes_code *c = calloc(1, sizeof *c);
    const bool memory = s.out.code && s.outlook && s.stretches && flags && numbers && c;
    if (!memory || !make(c, &s, flags, numbers)) {
        slip_lanes_code_destroy(c);
        c = NULL;
    }
    free(s.out.code);
    free(s.outlook);
    free(s.stretches);
    free(flags);
    free(numbers);
    return c;
}

void slip_lanes_code_destroy(slip_lanes_code *c)
{
    if (!c) return;
    if (c->pages) munmap(c->pages, c->page_bytes);
    free(c->code);
    free(c->run);
    free(c);
}

#else

slip_lanes_code *slip_lanes_code_create(const slip_tape *t, slip_packing packing)
{
    (void)t, (void)packing;
    return NULL;
}
void slip_lanes_code_destroy(slip_lanes_code *c)
{
    free(c);
}

#endif
