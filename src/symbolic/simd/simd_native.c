/// symbolic/simd/simd_native.c: basic blocks of a tape as machine code for all lanes.
///
/// A block here is a sequence of plain operations: no calls, no jumps, no jump targets. Its code iterates
/// over the lanes, four or eight at a time, and does for each part what the interpreter does row by row, with
/// the same instructions and bits; but values that are used only within the block stay in vector registers
/// and in slots, which all parts share. All other operations, and branches on which lanes disagree, are left
/// to the interpreter (simd_interpreter.h).
#include <stdlib.h>

#include "symbolic/simd/simd_kernels.h"

#if defined(SLIP_LANES_X86) && defined(__unix__) && !defined(SLIP_NO_NATIVE_TAPE)

#include <assert.h>

#include "platform/platform.h"
#include "symbolic/native/register_allocator.h"
#include "symbolic/simd/x86_vector_encode.h"

enum {
    FIRST_VALUE_REGISTER = 4,    // the vector registers before it are scratch
    OP_MAX_BYTES = 128,          // of one act, generously: three loads, three stores, six instructions
    MIN_OPERATIONS_FOR_CALL = 3, // shorter blocks do not pay for a call
    DOUBLED_MAX_OPERATIONS =
        200, // operations: of more, two parts at once would only go in and out of registers
    TAPE_MAX_OPERATIONS = 50000, // of a tape: beyond, the code would not fit into any cache
    ROW_BYTES = SLIP_LANES * 8,
};

/// Numbers before the code, eight times each.
enum { POOL_SIGN, POOL_SIZE, POOL_ONE, POOL_COUNT, POOL_ENTRY = 64 };
static const uint64_t pool[POOL_COUNT] = { 0x8000000000000000u, 0x7FFFFFFFFFFFFFFFu, 0x3FF0000000000000u };

typedef struct assembler {
    slip_regalloc holding; // first member, so that its address is that of the whole
    slip_vector_encoder out;
    slip_basic_blocks stretches;
    size_t *at; // code of each block
    size_t capacity;
    bool failed;
} assembler;

// ------------------------------------------------------------------------------------------- basic blocks

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

static bool ends_before(slip_tape_op op)
{
    (void)op;
    return false;
}

// ---------------------------------------------------------------------------------------------- memory

static slip_memory memory_at(const assembler *s, int place)
{
    const int part = s->out.wide ? 64 : 32;
    if (place >= SLIP_FIRST_SPILL_SLOT)
        return (slip_memory){ true, (uint32_t)((place - SLIP_FIRST_SPILL_SLOT) * part) };
    const int registers = s->stretches.tape->registers;
    if (place >= registers) return (slip_memory){ false, (uint32_t)((place - registers) * ROW_BYTES + part) };
    return (slip_memory){ false, (uint32_t)(place * ROW_BYTES) };
}

static void emit_load(slip_regalloc *h, int held, int place)
{
    assembler *s = (assembler *)h;
    slip_encode_memory(&s->out, SLIP_X86_LOAD, held, 0, memory_at(s, place));
}

static void emit_store(slip_regalloc *h, int held, int place)
{
    assembler *s = (assembler *)h;
    slip_encode_memory(&s->out, SLIP_X86_STORE, held, 0, memory_at(s, place));
}

// ------------------------------------------------------------------------------------------- operations

enum {
    ZERO = 0,
    MASK = 1,
    WORK = 2,
    WORK_2 = 3
}; // vector registers; MASK and WORK are masks of AVX-512 as well

// to := a op b
static void emit_binary(assembler *s, int op, int to, int a, slip_operand_location b)
{
    if (b.held >= 0)
        slip_encode(&s->out, op, to, a, b.held);
    else
        slip_encode_memory(&s->out, op, to, a, memory_at(s, b.place));
}

static void compare_into(assembler *s, int mask, int a, slip_operand_location b, int how, int within)
{
    const slip_memory memory = b.held >= 0 ? (slip_memory){ 0 } : memory_at(s, b.place);
    slip_encode_compare(&s->out, mask, a, b.held, b.held >= 0 ? NULL : &memory, how, within);
}

static void emit_compare(assembler *s, int a, slip_operand_location b, int how)
{
    compare_into(s, MASK, a, b, how, 0);
}

static void emit_blend(assembler *s, int to, slip_operand_location yes, int no)
{
    const slip_memory memory = yes.held >= 0 ? (slip_memory){ 0 } : memory_at(s, yes.place);
    slip_encode_blend(&s->out, to, MASK, yes.held, yes.held >= 0 ? NULL : &memory, no);
}

static slip_operand_location in_register(int k)
{
    return (slip_operand_location){ k, SLIP_NO_LOCATION };
}

static void emit_pooled(assembler *s, int op, int to, int a, int which)
{
    slip_encode_pooled(&s->out, op, to, a, (size_t)which * POOL_ENTRY, 0);
}

static int take_result_register(assembler *s, const slip_block_op *act)
{
    slip_regalloc_release(&s->holding, act);
    return slip_regalloc_take(&s->holding);
}

// to := 1 where the mask holds, 0 elsewhere
static void emit_truth(assembler *s, int to)
{
    if (s->out.wide)
        slip_encode_pooled(&s->out, SLIP_X86_MOVE, to, 0, (size_t)POOL_ONE * POOL_ENTRY, MASK);
    else
        emit_pooled(s, SLIP_X86_AND, to, MASK, POOL_ONE);
}

// a of a symmetric operation is the one that a register holds
static void locate_operands(assembler *s, const slip_block_op *act, bool symmetric, int *a,
                            slip_operand_location *b)
{
    slip_regalloc *h = &s->holding;
    const bool turn = symmetric && !slip_regalloc_in_register(h, act->read[0]) &&
                      slip_regalloc_in_register(h, act->read[1]);
    *a = slip_regalloc_load(h, act->read[turn]);
    *b = slip_regalloc_locate(h, act->read[!turn]);
}

// a and b, or a or b, of what is not 0
static int emit_logic(assembler *s, const slip_block_op *act)
{
    slip_vector_encoder *out = &s->out;
    const bool both = act->op == SLIP_TAPE_AND;
    const int a = slip_regalloc_load(&s->holding, act->read[0]),
              b = slip_regalloc_load(&s->holding, act->read[1]);
    const int to = take_result_register(s, act);
    emit_compare(s, a, in_register(ZERO), SLIP_IS_NE);
    if (out->wide && both) {
        compare_into(s, MASK, b, in_register(ZERO), SLIP_IS_NE, MASK);
    } else {
        compare_into(s, WORK, b, in_register(ZERO), SLIP_IS_NE, 0);
        if (out->wide)
            slip_encode_mask_or(out);
        else
            slip_encode(out, both ? SLIP_X86_AND : SLIP_X86_OR, MASK, MASK, WORK);
    }
    emit_truth(s, to);
    return to;
}

static bool is_number(const assembler *s, slip_read read)
{
    const slip_tape *t = s->stretches.tape;
    const int given = s->stretches.values[read.value].given;
    return slip_tape_is_number(t, given < t->registers ? given : given - t->registers);
}

// a where that is NaN, else what is in WORK
static void keep_nan(assembler *s, int to, int a)
{
    emit_compare(s, a, in_register(a), SLIP_IS_NAN);
    emit_blend(s, to, in_register(a), WORK);
}

static int emit_min_max(assembler *s, const slip_block_op *act)
{
    const int op = act->op == SLIP_TAPE_MIN ? SLIP_X86_MIN : SLIP_X86_MAX;
    const bool sure = is_number(s, act->read[0]);
    const int a = slip_regalloc_load(&s->holding, act->read[0]);
    const slip_operand_location b = slip_regalloc_locate(&s->holding, act->read[1]);
    const int to = take_result_register(s, act);
    emit_binary(s, op, sure ? to : WORK, a, b); // b when either is NaN
    if (!sure) keep_nan(s, to, a);
    return to;
}

static int emit_saturation(assembler *s, const slip_block_op *act)
{
    const bool sure = is_number(s, act->read[0]);
    const int Z = slip_regalloc_load(&s->holding, act->read[0]);
    const slip_operand_location x = slip_regalloc_locate(&s->holding, act->read[1]);
    const int to = take_result_register(s, act);
    emit_pooled(s, SLIP_X86_XOR, WORK_2, Z, POOL_SIGN);
    emit_binary(s, SLIP_X86_MAX, WORK_2, WORK_2, x);                 // x < -Z ? -Z : x
    slip_encode(&s->out, SLIP_X86_MIN, sure ? to : WORK, Z, WORK_2); // raised > Z ? Z : raised
    if (!sure) keep_nan(s, to, Z);
    return to;
}

static int emit_selection(assembler *s, const slip_block_op *act)
{
    static const int how[] = { SLIP_IS_LT, SLIP_IS_LE, SLIP_IS_EQ, SLIP_IS_NE };
    slip_regalloc *h = &s->holding;
    const int asked = act->condition ? 2 : 1;
    const int no = slip_regalloc_load(h, act->read[asked + 1]);
    const int a = act->condition ? slip_regalloc_load(h, act->read[0]) : ZERO;
    const slip_operand_location b = slip_regalloc_locate(h, act->read[asked - 1]),
                                yes = slip_regalloc_locate(h, act->read[asked]);
    const int to = take_result_register(s, act);
    emit_compare(s, a, b, act->condition ? how[act->condition - SLIP_TAPE_LT] : SLIP_IS_NE); // NaN is true
    emit_blend(s, to, yes, no);
    return to;
}

static int emit_fused(assembler *s, const slip_block_op *act)
{
    static const int inner[] = { SLIP_X86_ADD, SLIP_X86_SUB, SLIP_X86_MUL };
    static const struct {
        int outer;
        bool second;
    } outers[] = { { SLIP_X86_ADD, false }, { SLIP_X86_SUB, false }, { SLIP_X86_SUB, true },
                   { SLIP_X86_MUL, false }, { SLIP_X86_DIV, false }, { SLIP_X86_DIV, true } };
    const int n = (int)act->op - SLIP_TAPE_ADD_ADD, outer = outers[n / 3].outer;
    const bool second = outers[n / 3].second;
    int a;
    slip_operand_location b, c = { -1, -1 };
    if (second) c = in_register(slip_regalloc_load(&s->holding, act->read[2]));
    locate_operands(s, act, n % 3 != 1, &a, &b);
    if (!second) c = slip_regalloc_locate(&s->holding, act->read[2]);
    const int to = take_result_register(s, act);
    emit_binary(s, inner[n % 3], WORK, a, b);
    emit_binary(s, outer, to, second ? c.held : WORK, second ? in_register(WORK) : c);
    return to;
}

static int emit_arithmetic(assembler *s, const slip_block_op *act)
{
    static const int ops[] = { SLIP_X86_ADD, SLIP_X86_SUB, SLIP_X86_MUL, SLIP_X86_DIV };
    int a;
    slip_operand_location b;
    locate_operands(s, act, act->op == SLIP_TAPE_ADD || act->op == SLIP_TAPE_MUL, &a, &b);
    const int to = take_result_register(s, act);
    emit_binary(s, ops[act->op], to, a, b);
    return to;
}

static int emit_comparison(assembler *s, const slip_block_op *act)
{
    static const int how[] = { SLIP_IS_LT, SLIP_IS_LE, SLIP_IS_EQ, SLIP_IS_NE };
    int a;
    slip_operand_location b;
    locate_operands(s, act, false, &a, &b);
    const int to = take_result_register(s, act);
    emit_compare(s, a, b, how[act->op - SLIP_TAPE_LT]);
    emit_truth(s, to);
    return to;
}

static int emit_unary(assembler *s, const slip_block_op *act)
{
    const int a = slip_regalloc_load(&s->holding, act->read[0]), to = take_result_register(s, act);
    if (act->op == SLIP_TAPE_NOT) {
        emit_compare(s, a, in_register(ZERO), SLIP_IS_EQ);
        emit_truth(s, to);
    } else if (act->op == SLIP_TAPE_NEG) {
        emit_pooled(s, SLIP_X86_XOR, to, a, POOL_SIGN);
    } else if (act->op == SLIP_TAPE_ABS) {
        emit_pooled(s, SLIP_X86_AND, to, a, POOL_SIZE);
    } else {
        assert(act->op == SLIP_TAPE_SQRT);
        slip_encode(&s->out, SLIP_X86_SQRT, to, 0, a);
    }
    return to;
}

static int emit_op(assembler *s, const slip_block_op *act)
{
    const slip_tape_op op = (slip_tape_op)act->op;
    if (op <= SLIP_TAPE_DIV) return emit_arithmetic(s, act);
    if (slip_tape_is_fused(op)) return emit_fused(s, act);
    if (slip_tape_is_comparison(op)) return emit_comparison(s, act);
    if (op == SLIP_TAPE_AND || op == SLIP_TAPE_OR) return emit_logic(s, act);
    if (op == SLIP_TAPE_IF) return emit_selection(s, act);
    if (op == SLIP_TAPE_MIN || op == SLIP_TAPE_MAX) return emit_min_max(s, act);
    if (op == SLIP_TAPE_SAT) return emit_saturation(s, act);
    return emit_unary(s, act);
}

static void translate_op(assembler *s, const slip_block_op *act)
{
    if (act->op == SLIP_BLOCK_OP_NONE) return;
    if (act->op == SLIP_BLOCK_OP_STORE)
        slip_regalloc_store(&s->holding, act);
    else
        slip_regalloc_assign(&s->holding, emit_op(s, act), act->to);
    slip_regalloc_end_op(&s->holding, act);
}

// ------------------------------------------------------------------------------------------------ code

// Reserves memory for the code of a block, with its prologue and epilogue.
static bool make_room(assembler *s)
{
    const size_t wanted = s->out.at + ((size_t)s->stretches.act_count + 2) * OP_MAX_BYTES;
    if (wanted <= s->capacity) return true;
    unsigned char *more = realloc(s->out.code, 2 * wanted);
    if (!more) return false;
    s->out.code = more;
    s->capacity = 2 * wanted;
    return true;
}

// a loop over the parts, or pairs of them: rdi goes on by one
static void assemble_stretch(assembler *s, int which)
{
    slip_vector_encoder *out = &s->out;
    const int part = (slip_basic_block_is_doubled(&s->stretches, which) ? 2 : 1) * (out->wide ? 64 : 32);
    slip_basic_block_read(&s->stretches, which);
    if (!make_room(s)) {
        s->failed = true;
        return;
    }
    slip_regalloc_begin_block(&s->holding);
    s->at[which] = out->at;
    slip_encode_byte(out, 0xB9), slip_encode_u32(out, (uint32_t)(ROW_BYTES / part)); // mov ecx, parts
    slip_encode(out, SLIP_X86_XOR, ZERO, ZERO, ZERO);
    const size_t loop = out->at;
    for (int k = 0; k < s->stretches.act_count; k++) translate_op(s, &s->stretches.acts[k]);
    slip_encode_byte(out, 0x48), slip_encode_byte(out, 0x81), slip_encode_byte(out, 0xC7); // add rdi, part
    slip_encode_u32(out, (uint32_t)part);
    slip_encode_byte(out, 0xFF), slip_encode_byte(out, 0xC9); // dec ecx
    slip_encode_byte(out, 0x0F), slip_encode_byte(out, 0x85); // jnz loop
    slip_encode_u32(out, (uint32_t)loop - (uint32_t)(out->at + 4));
    slip_encode_byte(out, 0xC5), slip_encode_byte(out, 0xF8), slip_encode_byte(out, 0x77); // vzeroupper
    slip_encode_byte(out, 0xC3);
}

static bool is_worth_a_call(const slip_basic_blocks *s, int which)
{
    return s->end[which] - s->begin[which] >= MIN_OPERATIONS_FOR_CALL;
}

static bool assemble_blocks(assembler *s)
{
    if (!make_room(s)) return false;
    for (int k = 0; k < POOL_COUNT; k++)
        for (int j = 0; j < POOL_ENTRY; j += 8) memcpy(s->out.code + k * POOL_ENTRY + j, &pool[k], 8);
    s->out.at = (size_t)POOL_COUNT * POOL_ENTRY;
    for (int k = 0; k < s->stretches.count && !s->failed; k++)
        if (is_worth_a_call(&s->stretches, k)) assemble_stretch(s, k);
    return !s->failed;
}

static bool make_executable(slip_lanes_code *c, const assembler *s)
{
    const unsigned char *pages = c->pages = slip_executable_memory(s->out.code, s->out.at);
    if (!pages) return false;
    c->page_bytes = s->out.at;
    for (int k = 0; k < s->stretches.count; k++) {
        const unsigned char *entry = pages + s->at[k];
        memcpy(&c->run[k], &entry, sizeof entry);
    }
    return true;
}

// The operations of the tape, with each block as one.
static void insert_blocks(slip_lanes_code *c, const slip_basic_blocks *s)
{
    memcpy(c->code, s->tape->code, (size_t)s->tape->length * sizeof *c->code);
    for (int k = 0; k < s->count; k++)
        if (is_worth_a_call(s, k))
            c->code[s->begin[k]] =
                (slip_instruction){ .op = SLIP_TAPE_BLOCK, .a = (uint32_t)k, .c = (uint32_t)s->end[k] };
}

static bool allocate_slots(slip_lanes_code *c, const assembler *s)
{
    const size_t bytes = ((size_t)s->holding.slots + 1) * POOL_ENTRY;
    c->slots = slip_aligned_memory(bytes);
    return c->slots;
}

static bool make_code(slip_lanes_code *c, assembler *s)
{
    const slip_tape *t = s->stretches.tape;
    const size_t count = (size_t)s->stretches.count;
    bool any = false;
    for (int k = 0; k < s->stretches.count; k++) any = any || is_worth_a_call(&s->stretches, k);
    s->at = any ? calloc(count, sizeof *s->at) : NULL;
    if (!s->at || !slip_regalloc_create(&s->holding, &s->stretches) || !assemble_blocks(s)) return false;
    c->code = malloc(((size_t)t->length + 1) * sizeof *c->code);
    c->run = malloc(count * sizeof *c->run);
    if (!c->code || !c->run || !allocate_slots(c, s) || !make_executable(c, s)) return false;
    insert_blocks(c, &s->stretches);
    return true;
}

slip_lanes_code *slip_lanes_code_create(const slip_tape *t, slip_simd_width packing)
{
    if (packing == SLIP_SIMD_WIDTH_2 || t->length > TAPE_MAX_OPERATIONS || t->interpreted) return NULL;
    const bool wide = packing == SLIP_SIMD_WIDTH_8;
    const slip_basic_block_rules kind = { is_plain, ends_before, .twice = DOUBLED_MAX_OPERATIONS };
    assembler s = { .holding = { .load = emit_load,
                                 .store = emit_store,
                                 .first = FIRST_VALUE_REGISTER,
                                 .end = wide ? 32 : 16 },
                    .out = { .wide = wide } };
    slip_lanes_code *c = calloc(1, sizeof *c);
    if (!slip_basic_blocks_find(&s.stretches, t, kind) || !c || !make_code(c, &s)) {
        slip_lanes_code_destroy(c);
        c = NULL;
    }
    slip_basic_blocks_destroy(&s.stretches);
    slip_regalloc_destroy(&s.holding);
    free(s.at);
    free(s.out.code);
    return c;
}

void slip_lanes_code_destroy(slip_lanes_code *c)
{
    if (!c) return;
    slip_executable_free(c->pages, c->page_bytes);
    free(c->code);
    free(c->run);
    free(c->slots);
    free(c);
}

#else

slip_lanes_code *slip_lanes_code_create(const slip_tape *t, slip_simd_width packing)
{
    (void)t, (void)packing;
    return NULL;
}
void slip_lanes_code_destroy(slip_lanes_code *c)
{
    free(c);
}

#endif
