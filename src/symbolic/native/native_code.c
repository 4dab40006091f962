/// symbolic/native/native_code.c: a tape as machine code, on x86-64 with the System V calling convention.
///
/// Operations are the scalar ones that a C compiler uses, so the bits are those of the interpreter: SSE2, or
/// the non-destructive AVX form if the processor has it. Basic blocks are translated from their values
/// (basic_block.h), which stay in xmm registers as long as there is room (register_allocator.h); between
/// blocks all values are in the registers of the tape. If the system does not allow executable memory, the
/// interpreter runs the tape.
#include "symbolic/native/native_code.h"

#if defined(__x86_64__) && defined(__unix__) && !defined(SLIP_NO_NATIVE_TAPE)

#include <stdlib.h>

#include "platform/platform.h"

enum { TAPE_MAX_INSTRUCTIONS = 200000 }; // beyond, the code would not fit into any cache

static const uint64_t pool[POOL_COUNT] = { 0x8000000000000000u, 0x7FFFFFFFFFFFFFFFu, 0x3FF0000000000000u };

// --------------------------------------------------------------------------------------------- memory

uint32_t slip_x86_tape_register(const slip_assembler *s, int place)
{
    if (place < SLIP_FIRST_SPILL_SLOT) return (uint32_t)place;
    return (uint32_t)(s->tape->first_memo + place - SLIP_FIRST_SPILL_SLOT) + s->memo_count;
}

static void emit_load(slip_regalloc *h, int held, int place)
{
    slip_assembler *s = (slip_assembler *)h;
    slip_scalar_memory(&s->out, 0x10, held, 0, slip_x86_tape_register(s, place));
}

static void emit_store(slip_regalloc *h, int held, int place)
{
    slip_assembler *s = (slip_assembler *)h;
    slip_scalar_memory(&s->out, 0x11, held, 0, slip_x86_tape_register(s, place));
}

// Reserves memory for the code of so many operations.
static bool make_room(slip_assembler *s, size_t acts)
{
    const size_t wanted = s->out.at + acts * SLIP_X86_OP_MAX_BYTES;
    if (wanted <= s->capacity) return true;
    unsigned char *more = realloc(s->out.code, 2 * wanted);
    if (!more) return false;
    s->out.code = more;
    s->capacity = 2 * wanted;
    return true;
}

// ------------------------------------------------------------------------------------------- basic blocks

static bool belongs_to_block(slip_tape_op op)
{
    return !slip_tape_is_jump(op) && op != SLIP_TAPE_END;
}

static bool ends_block(slip_tape_op op)
{
    return !belongs_to_block(op);
}

// Leaves four bytes for the distance, which patch_jumps fills in.
static void emit_jump(slip_assembler *s, const slip_block_op *act)
{
    slip_scalar_encoder *out = &s->out;
    const int a = act->reads > 0 ? slip_regalloc_load(&s->holding, act->read[0]) : 0,
              b = act->reads > 1 ? slip_regalloc_load(&s->holding, act->read[1]) : 0;
    if (act->op == SLIP_TAPE_JUMP) {
        slip_scalar_byte(out, 0xE9);
    } else if (act->op == SLIP_TAPE_UNLESS) {
        slip_scalar_operate(out, PACKED, OP_XOR, 0, 0, 0);
        slip_scalar_flags(out, 0, a);
        slip_scalar_byte(out, 0x7A), slip_scalar_byte(out, 6);    // NaN is true: over the jump
        slip_scalar_byte(out, 0x0F), slip_scalar_byte(out, 0x84); // je
    } else {
        slip_scalar_flags(out, b, a); // b > a, b >= a; with a NaN neither
        slip_scalar_byte(out, 0x0F), slip_scalar_byte(out, act->op == SLIP_TAPE_UNLESS_LT ? 0x86 : 0x82);
    }
    slip_scalar_u32(out, 0);
    s->leap[act->at] = out->at;
}

static void emit_epilogue(slip_assembler *s)
{
    slip_scalar_byte(&s->out, 0x5B); // pop rbx
    slip_scalar_byte(&s->out, 0xC3);
}

static void translate_op(slip_assembler *s, const slip_block_op *act)
{
    const slip_tape_op op = (slip_tape_op)act->op;
    if (act->op == SLIP_BLOCK_OP_NONE) return;
    if (act->op == SLIP_BLOCK_OP_STORE)
        slip_regalloc_store(&s->holding, act);
    else if (op == SLIP_TAPE_END)
        emit_epilogue(s);
    else if (slip_tape_is_jump(op))
        emit_jump(s, act);
    else if (slip_x86_is_call(op))
        slip_x86_call(s, act);
    else
        slip_regalloc_assign(&s->holding, slip_x86_compute(s, act), act->to);
    slip_regalloc_end_op(&s->holding, act);
}

static void patch_jumps(slip_assembler *s)
{
    const slip_tape *t = s->tape;
    for (int k = 0; k < t->length; k++) {
        if (!slip_tape_is_jump((slip_tape_op)t->code[k].op)) continue;
        const int32_t distance = (int32_t)((long)s->start[t->code[k].c] - (long)s->leap[k]);
        memcpy(s->out.code + s->leap[k] - 4, &distance, sizeof distance);
    }
}

static void emit_prologue(slip_assembler *s)
{
    slip_scalar_encoder *out = &s->out;
    for (int k = 0; k < POOL_COUNT; k++)
        for (int half = 0; half < 2; half++) memcpy(out->code + 16 * k + 8 * half, &pool[k], sizeof pool[k]);
    out->at = POOL_BYTES;
    slip_scalar_byte(out, 0x53); // push rbx, which also aligns the stack for calls
    slip_scalar_byte(out, 0x48), slip_scalar_byte(out, 0x8D), slip_scalar_byte(out, 0x9F),
        slip_scalar_u32(out, SLIP_SCALAR_BASE_OFFSET); // lea rbx, [rdi + ahead]
}

static bool assemble_tape(slip_assembler *s)
{
    slip_basic_blocks *all = &s->stretches;
    if (!make_room(s, 2)) return false;
    emit_prologue(s);
    for (int k = 0; k < all->count; k++) {
        slip_basic_block_read(all, k);
        if (!make_room(s, (size_t)all->act_count + 1)) return false;
        s->start[all->begin[k]] = s->out.at;
        slip_regalloc_begin_block(&s->holding);
        for (int j = 0; j < all->act_count; j++) translate_op(s, &all->acts[j]);
    }
    if (s->failed || !make_room(s, s->aside_count + 1)) return false;
    slip_x86_cold_paths(s);
    patch_jumps(s);
    return true;
}

// ------------------------------------------------------------------------------------------------ life

static void make_executable(slip_tape *t, const slip_assembler *s)
{
    unsigned char *pages = slip_executable_memory(s->out.code, s->out.at);
    if (!pages) return;
    t->pages = pages;
    t->page_bytes = s->out.at;
    pages += POOL_BYTES;
    memcpy(&t->native, &pages, sizeof t->native);
}

bool slip_tape_has_avx(void)
{
    return __builtin_cpu_supports("avx");
}

bool slip_tape_can_be_native(void)
{
    const unsigned char ret = 0xC3;
    void *pages = slip_executable_memory(&ret, sizeof ret);
    slip_executable_free(pages, sizeof ret);
    return pages != NULL;
}

void slip_tape_make_native(slip_tape *t, bool avx)
{
    t->registers = t->first_memo;
    if (t->length > TAPE_MAX_INSTRUCTIONS) return;
    const slip_basic_block_rules kind = { belongs_to_block, ends_block, .waits = true };
    slip_assembler s = {
        .holding = { .load = emit_load, .store = emit_store, .first = SLIP_XMM_FIRST, .end = SLIP_XMM_END },
        .out = { .avx = avx },
        .tape = t
    };
    s.start = calloc(2 * ((size_t)t->length + 1), sizeof *s.start);
    s.leap = s.start ? s.start + t->length + 1 : NULL;
    if (slip_basic_blocks_find(&s.stretches, t, kind) && slip_regalloc_create(&s.holding, &s.stretches) &&
        s.start && slip_x86_find_memos(&s) && assemble_tape(&s)) {
        t->registers = t->first_memo + (int)s.memo_count + s.holding.slots;
        make_executable(t, &s);
    }
    slip_basic_blocks_destroy(&s.stretches);
    slip_regalloc_destroy(&s.holding);
    free(s.start);
    free(s.memo);
    free(s.asides);
    free(s.out.code);
}

void slip_tape_drop_native(slip_tape *t)
{
    slip_executable_free(t->pages, t->page_bytes);
    t->pages = NULL;
    t->native = NULL;
}

#else

bool slip_tape_has_avx(void)
{
    return false;
}
bool slip_tape_can_be_native(void)
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
