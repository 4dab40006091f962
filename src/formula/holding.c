/// holding.c: see holding.h.
#include "formula/holding.h"

#include <stdlib.h>
#include <string.h>

bool slip_holding_create(slip_holding *h, const slip_stretches *s)
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

void slip_holding_destroy(slip_holding *h)
{
    free(h->at); // the block of all
    h->at = NULL;
}

void slip_hold_nothing(slip_holding *h)
{
    const slip_stretches *s = h->stretches;
    memset(h->held, 0xff, sizeof h->held);
    h->busy = 0;
    h->free_count = 0;
    for (int k = h->slots - 1; k >= 0; k--) h->free_slots[h->free_count++] = k; // the lowest goes first
    for (int k = 0; k < s->act_count; k++)
        if (s->acts[k].op == SLIP_ACT_STORE) h->given[s->acts[k].target] = -1;
    for (int v = 0; v < s->value_count; v++) {
        h->at[v] = -1;
        h->place[v] = s->values[v].given; // -1: SLIP_NOWHERE
        h->next[v] = s->values[v].first;
        if (s->values[v].given >= 0) h->given[s->values[v].given] = v;
    }
}

static int take_slot(slip_holding *h)
{
    return SLIP_FIRST_SLOT + (h->free_count > 0 ? h->free_slots[--h->free_count] : h->slots++);
}

static void leave_slot(slip_holding *h, int value)
{
    if (h->place[value] < SLIP_FIRST_SLOT) return;
    h->free_slots[h->free_count++] = h->place[value] - SLIP_FIRST_SLOT;
    h->place[value] = SLIP_NOWHERE;
}

// the act that needs what a register holds, next
static int next_of(const slip_holding *h, int k)
{
    return h->held[k] < 0 ? SLIP_NEVER : h->next[h->held[k]];
}

static void make_empty(slip_holding *h, int k)
{
    const int value = h->held[k];
    if (value < 0) return;
    if (h->next[value] != SLIP_NEVER && h->place[value] == SLIP_NOWHERE) {
        h->place[value] = take_slot(h);
        h->store(h, k, h->place[value]);
    }
    h->at[value] = -1;
    h->held[k] = -1;
}

// of those not in use: one with nothing that is needed, else the one whose value is needed last
static int candidate(const slip_holding *h)
{
    int best = -1, latest = -1;
    for (int k = h->first; k < h->end && latest != SLIP_NEVER; k++) {
        if (h->busy >> k & 1) continue;
        const int next = next_of(h, k);
        if (next > latest) best = k, latest = next;
    }
    return best;
}

int slip_hold_room(slip_holding *h)
{
    const int k = candidate(h);
    make_empty(h, k);
    h->busy |= (uint32_t)1 << k;
    return k;
}

void slip_hold_result(slip_holding *h, int held, int value)
{
    h->held[held] = value;
    h->at[value] = held;
}

int slip_hold_in_slot(slip_holding *h, int value)
{
    return h->place[value] = take_slot(h);
}

static int load(slip_holding *h, int value)
{
    const int k = slip_hold_room(h);
    h->load(h, k, h->place[value]);
    slip_hold_result(h, k, value);
    return k;
}

bool slip_is_held(const slip_holding *h, slip_read read)
{
    return h->at[read.value] >= 0;
}

int slip_hold_value(slip_holding *h, slip_read read)
{
    const int k = slip_is_held(h, read) ? h->at[read.value] : load(h, read.value);
    h->next[read.value] = read.next;
    h->busy |= (uint32_t)1 << k;
    return k;
}

slip_spot slip_spot_of(slip_holding *h, slip_read read)
{
    if (slip_is_held(h, read) || (read.next != SLIP_NEVER && next_of(h, candidate(h)) > read.next))
        return (slip_spot){ slip_hold_value(h, read), SLIP_NOWHERE };
    h->next[read.value] = read.next;
    return (slip_spot){ -1, h->place[read.value] };
}

void slip_hold_release(slip_holding *h, const slip_act *act)
{
    for (int j = 0; j < act->reads; j++) {
        const int k = h->at[act->read[j].value];
        if (k >= 0 && act->read[j].next == SLIP_NEVER) h->busy &= ~((uint32_t)1 << k);
    }
}

void slip_hold_end(slip_holding *h, const slip_act *act)
{
    for (int j = 0; j < act->reads; j++)
        if (act->read[j].next == SLIP_NEVER) leave_slot(h, act->read[j].value);
    h->busy = 0;
}

// what the register of the tape had from the start may be needed again
static void rescue(slip_holding *h, int tape_register)
{
    const int value = h->given[tape_register];
    if (value < 0 || h->place[value] != tape_register) return;
    if (h->next[value] != SLIP_NEVER && h->at[value] < 0) load(h, value);
    h->place[value] = SLIP_NOWHERE;
}

void slip_hold_store(slip_holding *h, const slip_act *act)
{
    const int value = act->read[0].value, target = (int)act->target;
    const int k = slip_hold_value(h, act->read[0]);
    rescue(h, target);
    h->store(h, k, target);
    if (h->place[value] != SLIP_NOWHERE && h->place[value] < SLIP_FIRST_SLOT) return;
    leave_slot(h, value);
    h->place[value] = target;
}

void slip_hold_leave(slip_holding *h)
{
    for (int k = h->first; k < h->end; k++) make_empty(h, k);
}
