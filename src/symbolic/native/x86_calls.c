/// symbolic/native/x86_calls.c: calls of functions in scalar machine code, and their last values remembered.
#include "symbolic/native/native_code.h"

#if defined(__x86_64__) && defined(__unix__) && !defined(SLIP_NO_NATIVE_TAPE)

#include <assert.h>
#include <stdlib.h>

#include "base/elementary.h"

// ------------------------------------------------------------------------------------------- remembering

// one more than the operations that a program may have copies of
static size_t origin_count(const slip_tape *t)
{
    int last = 0;
    for (int k = 0; k < t->length && t->origin; k++)
        if (t->origin[k] > last) last = t->origin[k];
    return (size_t)last + 1;
}

static bool is_worth_memoizing(slip_tape_op op)
{
    const slip_function *f = slip_tape_called(op);
    return op == SLIP_TAPE_SINCOS || (f && f->arity == 1 && slip_function_cost(f) >= SLIP_CALL_COST);
}

// Unused operands are 0, the time itself. What an earlier branch wrote counts as well: a guess that is wrong
// costs a comparison, never the result.
static void propagate_time_dependence(bool *timely, const slip_instruction *i)
{
    const slip_tape_op op = (slip_tape_op)i->op;
    if (slip_tape_is_jump(op) || op == SLIP_TAPE_END) return;
    const bool known = timely[i->a] && timely[i->b] && (op == SLIP_TAPE_SINCOS || timely[i->c]);
    timely[i->to] = known;
    if (op == SLIP_TAPE_SINCOS) timely[i->c] = known;
}

// Stages of a step share their times, so a function of the time is asked for the same value again and again:
// the last argument and result are kept, and the call is left out where all bits of the argument are the
// same. Copies of one operation share a place.
static void find_memos(slip_assembler *s, bool *timely, uint32_t *shared)
{
    const slip_tape *t = s->tape;
    for (int k = 0; k < t->time_count; k++) timely[t->time[k]] = true;
    for (int k = 0; k < t->constant_count; k++) timely[t->first_constant + k] = true;
    for (int k = 0; k < t->length; k++) {
        const slip_instruction *i = &t->code[k];
        uint32_t *place = t->origin && t->origin[k] >= 0 ? &shared[t->origin[k]] : NULL;
        if (is_worth_memoizing((slip_tape_op)i->op) && timely[i->a]) {
            if (!place || *place == 0) {
                s->memo[k] = (uint32_t)t->first_memo + s->memo_count;
                s->memo_count += i->op == SLIP_TAPE_SINCOS ? 3 : 2;
            } else {
                s->memo[k] = *place;
            }
            if (place) *place = s->memo[k];
        }
        propagate_time_dependence(timely, i);
    }
}

bool slip_x86_find_memos(slip_assembler *s)
{
    const slip_tape *t = s->tape;
    bool *timely = calloc((size_t)t->registers + 1, sizeof *timely);
    uint32_t *shared = calloc(origin_count(t), sizeof *shared);
    s->memo = calloc((size_t)t->length + 1, sizeof *s->memo);
    const bool fine = timely && shared && s->memo;
    if (fine) find_memos(s, timely, shared);
    free(timely);
    free(shared);
    return fine;
}

// ----------------------------------------------------------------------------------------------- calling

bool slip_x86_is_call(slip_tape_op op)
{
    return op >= SLIP_TAPE_CALL || op == SLIP_TAPE_SINCOS || op == SLIP_TAPE_POW;
}

// what is called, as a number
static uint64_t address_of(slip_tape_op op)
{
    uint64_t address;
    const slip_function *f = slip_tape_called(op);
    if (f) {
        memcpy(&address, &f->value, sizeof address); // a union of pointers to functions
    } else if (op == SLIP_TAPE_SINCOS) {
        void (*both)(double, double *, double *) = slip_sincos;
        memcpy(&address, &both, sizeof address);
    } else {
        assert(op == SLIP_TAPE_POW && "all other operators are instructions");
        double (*power)(double, double) = slip_power;
        memcpy(&address, &power, sizeof address);
    }
    return address;
}

static void emit_call(slip_assembler *s, uint64_t address)
{
    slip_scalar_byte(&s->out, 0x48), slip_scalar_byte(&s->out, 0xB8); // mov rax
    slip_scalar_u64(&s->out, address);
    slip_scalar_byte(&s->out, 0xFF), slip_scalar_byte(&s->out, 0xD0); // call rax
}

// an instruction with a register of the tape as its second operand
static void with_register(slip_assembler *s, int op, int first, uint32_t tape_register)
{
    slip_scalar_byte(&s->out, 0x48), slip_scalar_byte(&s->out, op);
    slip_scalar_address(&s->out, first, tape_register);
}

enum { RAX = 0, RSI = 6, RDI = 7, LEA = 0x8D, CMP = 0x3B, MOV_TO = 0x89 };

// the addresses of two registers of the tape as second and third argument
static void point_at(slip_assembler *s, uint32_t sine, uint32_t cosine)
{
    with_register(s, LEA, RDI, sine);
    with_register(s, LEA, RSI, cosine);
}

static void hold_memory(slip_assembler *s, int xmm, uint32_t tape_register, int value)
{
    slip_scalar_memory(&s->out, 0x10, xmm, 0, tape_register);
    slip_regalloc_assign(&s->holding, xmm, value);
}

static void call_or_remember(slip_assembler *s, const slip_block_op *act)
{
    const slip_tape_op op = (slip_tape_op)act->op;
    const uint32_t memo = s->memo[act->at];
    const bool pair = op == SLIP_TAPE_SINCOS;
    slip_scalar_byte(&s->out, 0x66), slip_scalar_byte(&s->out, 0x48), slip_scalar_byte(&s->out, 0x0F),
        slip_scalar_byte(&s->out, 0x7E), slip_scalar_byte(&s->out, 0xC0); // movq rax, xmm0
    with_register(s, CMP, RAX, memo);
    slip_scalar_byte(&s->out, 0x74), slip_scalar_byte(&s->out, 0); // je to behind the call
    const size_t from = s->out.at;
    with_register(s, MOV_TO, RAX, memo);
    if (pair) point_at(s, memo + 1, memo + 2);
    emit_call(s, address_of(op));
    if (!pair) slip_scalar_memory(&s->out, 0x11, 0, 0, memo + 1);
    s->out.code[from - 1] = (unsigned char)(s->out.at - from);
    hold_memory(s, SLIP_XMM_FIRST, memo + 1, act->to);
    if (pair) hold_memory(s, SLIP_XMM_FIRST + 1, memo + 2, act->second);
}

void slip_x86_call(slip_assembler *s, const slip_block_op *act)
{
    const slip_tape_op op = (slip_tape_op)act->op;
    int argument[3];
    for (int j = 0; j < act->reads; j++) argument[j] = slip_regalloc_load(&s->holding, act->read[j]);
    for (int j = 0; j < act->reads; j++) slip_scalar_move(&s->out, j, argument[j]);
    slip_regalloc_spill_all(&s->holding); // all xmm registers are the callee's
    if (s->memo[act->at]) {
        call_or_remember(s, act);
        return;
    }
    if (op == SLIP_TAPE_SINCOS)
        point_at(s, slip_x86_tape_register(s, slip_regalloc_assign_slot(&s->holding, act->to)),
                 slip_x86_tape_register(s, slip_regalloc_assign_slot(&s->holding, act->second)));
    emit_call(s, address_of(op));
    if (op == SLIP_TAPE_SINCOS) return;
    slip_scalar_move(&s->out, SLIP_XMM_FIRST, 0);
    slip_regalloc_assign(&s->holding, SLIP_XMM_FIRST, act->to);
}

#endif
