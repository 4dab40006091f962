/// tape_wait.c: divisions and roots that one side of an `if` needs and nobody else.
///
/// Where both sides are computed and one is selected, the result waits for the slowest of condition and
/// sides. Machine code for one set of numbers does better to jump: the processor guesses which side comes,
/// and goes on with it before the condition is known. That pays for what takes long: an operation that is
/// waited for here is done at its `if`, on the side that asks for it.
#include <stdlib.h>
#include <string.h>

#include "formula/tape.h"

/// What is known of a register at one operation, going forwards.
typedef struct seen {
    int32_t writer; // the last operation that wrote it
    int32_t stretch;
    bool read; // since
} seen;

static bool takes_long(slip_tape_op op)
{
    return op == SLIP_TAPE_DIV || op == SLIP_TAPE_SQRT ||
           (op >= SLIP_TAPE_ADD_DIV && op <= SLIP_TAPE_DIV_BY_MUL);
}

static bool ends_stretch(const slip_tape *t, int k)
{
    const slip_tape_op op = (slip_tape_op)t->code[k].op;
    return slip_tape_is_jump(op) || op == SLIP_TAPE_END;
}

// Backwards: ends[2 k] and ends[2 k + 1] say whether the second and third operand of k are written anew
// before they are read again. `next` is the stretch in which a register is written next; 0: it may be read
// before.
static void find_ends(const slip_tape *t, const bool *target, int32_t *next, bool *ends)
{
    int32_t stretch = 1;
    memset(next, 0, (size_t)t->registers * sizeof *next);
    for (int k = t->length - 1; k >= 0; k--) {
        const slip_instruction *i = &t->code[k];
        if (ends_stretch(t, k)) {
            stretch++;
            continue;
        }
        next[i->to] = stretch;
        ends[2 * k] = next[i->b] == stretch;
        ends[2 * k + 1] = next[i->c] == stretch;
        next[i->a] = next[i->b] = next[i->c] = 0;
        if (target[k]) stretch++;
    }
}

// whether what `p` wrote can be done at k as well: its operands are still there
static bool still_has_operands(const slip_instruction *p, const seen *registers, int32_t at, int32_t stretch)
{
    const uint32_t operands[] = { p->a, p->b, p->c };
    for (int j = 0; j < 3; j++) {
        const seen *r = &registers[operands[j]];
        if (r->stretch == stretch && r->writer > at) return false;
    }
    return true;
}

static void find_waiting(const slip_tape *t, const bool *target, const bool *ends, seen *registers,
                         slip_waiting *w)
{
    int32_t stretch = 1;
    memset(registers, 0, (size_t)t->registers * sizeof *registers);
    for (int k = 0; k < t->length; k++) {
        const slip_instruction *i = &t->code[k];
        const uint32_t side[] = { i->b, i->c };
        if (target[k]) stretch++;
        for (int j = 0; j < 2 && i->op == SLIP_TAPE_IF; j++) {
            const seen *r = &registers[side[j]];
            const slip_instruction *p = &t->code[r->writer];
            if (r->stretch != stretch || r->read || !ends[2 * k + j] || i->b == i->c || i->a == side[j])
                continue;
            if (!takes_long((slip_tape_op)p->op) || !still_has_operands(p, registers, r->writer, stretch))
                continue;
            w->at[2 * k + j] = r->writer;
            w->waits[r->writer] = true;
        }
        if (ends_stretch(t, k)) {
            stretch++;
            continue;
        }
        registers[i->a].read = registers[i->b].read = registers[i->c].read = true;
        registers[i->to] = (seen){ k, stretch, false };
        if (i->op == SLIP_TAPE_SINCOS) registers[i->c] = (seen){ k, stretch, true };
    }
}

bool slip_waiting_find(const slip_tape *t, const bool *target, slip_waiting *w)
{
    const size_t length = (size_t)t->length + 1, registers = (size_t)t->registers + 1;
    bool *ends = calloc(2 * length, sizeof *ends);
    int32_t *next = malloc(registers * sizeof *next);
    seen *found = malloc(registers * sizeof *found);
    w->at = malloc(2 * length * sizeof *w->at);
    w->waits = calloc(length, sizeof *w->waits);
    const bool fine = ends && next && found && w->at && w->waits;
    if (fine) {
        memset(w->at, 0xff, 2 * length * sizeof *w->at);
        find_ends(t, target, next, ends);
        find_waiting(t, target, ends, found, w);
    }
    free(ends);
    free(next);
    free(found);
    return fine;
}
