/// symbolic/native/register_allocator.c: see register_allocator.h.
#include "symbolic/native/register_allocator.h"

#include <stdlib.h>
#include <string.h>

bool slip_regalloc_create(slip_regalloc *h, const slip_basic_blocks *s)
{
    const size_t most = s->most_values, sets = 2;
    h->stretches = s;
    h->at = malloc((4 * most + sets * (size_t)s->tape->registers + 1) * sizeof *h->at);
    if (!h->at) return false;
    h->place = h->at + most;
    h->next = h->place + most;
    h->free_slots = h->next + most;
    h->given = h->free_slots + most;
    return true;
}

void slip_regalloc_destroy(slip_regalloc *h)
{
    free(h->at); // the block of all
    h->at = NULL;
}

void slip_regalloc_begin_block(slip_regalloc *h)
{
    const slip_basic_blocks *s = h->stretches;
    memset(h->held, 0xff, sizeof h->held);
    h->busy = 0;
    h->free_count = 0;
    for (int k = h->slots - 1; k >= 0; k--) h->free_slots[h->free_count++] = k; // the lowest goes first
    for (int k = 0; k < s->act_count; k++)
        if (s->acts[k].op == SLIP_BLOCK_OP_STORE) h->given[s->acts[k].target] = -1;
    for (int v = 0; v < s->value_count; v++) {
        h->at[v] = -1;
        h->place[v] = s->values[v].given; // -1: SLIP_NO_LOCATION
        h->next[v] = s->values[v].first;
        if (s->values[v].given >= 0) h->given[s->values[v].given] = v;
    }
}

static int take_slot(slip_regalloc *h)
{
    return SLIP_FIRST_SPILL_SLOT + (h->free_count > 0 ? h->free_slots[--h->free_count] : h->slots++);
}

static void free_slot(slip_regalloc *h, int value)
{
    if (h->place[value] < SLIP_FIRST_SPILL_SLOT) return;
    h->free_slots[h->free_count++] = h->place[value] - SLIP_FIRST_SPILL_SLOT;
    h->place[value] = SLIP_NO_LOCATION;
}

// The next operation that needs the value in a register.
static int next_read_of(const slip_regalloc *h, int k)
{
    return h->held[k] < 0 ? SLIP_NEVER_READ : h->next[h->held[k]];
}

static void spill_register(slip_regalloc *h, int k)
{
    const int value = h->held[k];
    if (value < 0) return;
    if (h->next[value] != SLIP_NEVER_READ && h->place[value] == SLIP_NO_LOCATION) {
        h->place[value] = take_slot(h);
        h->store(h, k, h->place[value]);
    }
    h->at[value] = -1;
    h->held[k] = -1;
}

// Of the registers not in use: one whose value is no longer needed, else the one whose value is needed last.
static int eviction_candidate(const slip_regalloc *h)
{
    int best = -1, latest = -1;
    for (int k = h->first; k < h->end && latest != SLIP_NEVER_READ; k++) {
        if (h->busy >> k & 1) continue;
        const int next = next_read_of(h, k);
        if (next > latest) best = k, latest = next;
    }
    return best;
}

int slip_regalloc_take(slip_regalloc *h)
{
    const int k = eviction_candidate(h);
    spill_register(h, k);
    h->busy |= (uint32_t)1 << k;
    return k;
}

void slip_regalloc_assign(slip_regalloc *h, int held, int value)
{
    h->held[held] = value;
    h->at[value] = held;
}

int slip_regalloc_assign_slot(slip_regalloc *h, int value)
{
    return h->place[value] = take_slot(h);
}

static int load_value(slip_regalloc *h, int value)
{
    const int k = slip_regalloc_take(h);
    h->load(h, k, h->place[value]);
    slip_regalloc_assign(h, k, value);
    return k;
}

bool slip_regalloc_in_register(const slip_regalloc *h, slip_read read)
{
    return h->at[read.value] >= 0;
}

int slip_regalloc_load(slip_regalloc *h, slip_read read)
{
    const int k = slip_regalloc_in_register(h, read) ? h->at[read.value] : load_value(h, read.value);
    h->next[read.value] = read.next;
    h->busy |= (uint32_t)1 << k;
    return k;
}

slip_operand_location slip_regalloc_locate(slip_regalloc *h, slip_read read)
{
    if (slip_regalloc_in_register(h, read) ||
        (read.next != SLIP_NEVER_READ && next_read_of(h, eviction_candidate(h)) > read.next))
        return (slip_operand_location){ slip_regalloc_load(h, read), SLIP_NO_LOCATION };
    h->next[read.value] = read.next;
    return (slip_operand_location){ -1, h->place[read.value] };
}

void slip_regalloc_release(slip_regalloc *h, const slip_block_op *act)
{
    for (int j = 0; j < act->reads; j++) {
        const int k = h->at[act->read[j].value];
        if (k >= 0 && act->read[j].next == SLIP_NEVER_READ) h->busy &= ~((uint32_t)1 << k);
    }
}

void slip_regalloc_end_op(slip_regalloc *h, const slip_block_op *act)
{
    for (int j = 0; j < act->reads; j++)
        if (act->read[j].next == SLIP_NEVER_READ) free_slot(h, act->read[j].value);
    h->busy = 0;
}

// The initial value of the tape register may still be needed.
static void save_initial_value(slip_regalloc *h, int tape_register)
{
    const int value = h->given[tape_register];
    if (value < 0 || h->place[value] != tape_register) return;
    if (h->next[value] != SLIP_NEVER_READ && h->at[value] < 0) load_value(h, value);
    h->place[value] = SLIP_NO_LOCATION;
}

void slip_regalloc_store(slip_regalloc *h, const slip_block_op *act)
{
    const int value = act->read[0].value, target = (int)act->target;
    const int k = slip_regalloc_load(h, act->read[0]);
    save_initial_value(h, target);
    h->store(h, k, target);
    if (h->place[value] != SLIP_NO_LOCATION && h->place[value] < SLIP_FIRST_SPILL_SLOT) return;
    free_slot(h, value);
    h->place[value] = target;
}

void slip_regalloc_spill_all(slip_regalloc *h)
{
    for (int k = h->first; k < h->end; k++) spill_register(h, k);
}
