/// formula/shelf.c: see shelf.h. A tape fits when the lowered graphs agree in all but their numbers: then it
/// needs no more than these.
#include "formula/shelf.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formula/tape.h"

enum { ROOM = 64 };

typedef struct item {
    const void *key;
    void *thing;
    void (*destroy)(void *thing);
} item;

struct slip_shelf {
    int count;
    item items[ROOM]; // oldest first
    int tape_count;
    slip_tape *tapes[ROOM];
    slip_reads *reads; // that are open, the innermost
};

slip_shelf *slip_shelf_create(void)
{
    return calloc(1, sizeof(slip_shelf));
}

void slip_shelf_destroy(slip_shelf *shelf)
{
    if (!shelf) return;
    while (shelf->count > 0) { // what goes may leave its parts here
        const item last = shelf->items[--shelf->count];
        last.destroy(last.thing);
    }
    for (int k = 0; k < shelf->tape_count; k++) slip_tape_release(shelf->tapes[k]);
    free(shelf);
}

void slip_graph_use_shelf(slip_graph *graph, slip_shelf *shelf)
{
    graph->shelf = shelf;
}

slip_shelf *slip_graph_shelf(const slip_graph *graph)
{
    return graph->shelf;
}

// ---------------------------------------------------------------------------------------------- things

static item take_item(slip_shelf *s, int at)
{
    const item taken = s->items[at];
    s->count--;
    memmove(s->items + at, s->items + at + 1, (size_t)(s->count - at) * sizeof *s->items);
    return taken;
}

void slip_shelf_put(slip_shelf *s, const void *key, void *thing, void (*destroy)(void *))
{
    if (s->count == ROOM) {
        const item oldest = take_item(s, 0);
        oldest.destroy(oldest.thing);
    }
    s->items[s->count++] = (item){ key, thing, destroy };
}

void *slip_shelf_take(slip_shelf *s, const void *key)
{
    for (int k = s->count - 1; k >= 0; k--)
        if (s->items[k].key == key) return take_item(s, k).thing;
    return NULL;
}

// ----------------------------------------------------------------------------------------------- reads

struct slip_read {
    int parameter;
    double value;
};

void slip_reads_open(slip_reads *r, slip_shelf *shelf)
{
    r->outer = shelf->reads;
    shelf->reads = r;
}

void slip_reads_close(slip_reads *r, slip_shelf *shelf)
{
    assert(shelf->reads == r);
    shelf->reads = r->outer;
    r->outer = NULL;
}

void slip_reads_forget(slip_reads *r)
{
    r->count = 0;
    r->failed = false;
    if (r->room) memset(r->seen, 0, r->room * sizeof *r->seen);
}

void slip_reads_destroy(slip_reads *r)
{
    free(r->list);
    free(r->seen);
    *r = (slip_reads){ 0 };
}

static bool see(slip_reads *r, size_t parameter)
{
    if (parameter < r->room) return true;
    const size_t room = 2 * parameter + 16;
    bool *seen = realloc(r->seen, room * sizeof *seen);
    if (!seen) return false;
    memset(seen + r->room, 0, (room - r->room) * sizeof *seen);
    r->seen = seen;
    r->room = room;
    return true;
}

static void note(slip_reads *r, int parameter, double value)
{
    if (!see(r, (size_t)parameter) ||
        !slip_grow((void **)&r->list, &r->capacity, r->count, sizeof *r->list)) {
        r->failed = true;
        return;
    }
    if (r->seen[parameter]) return;
    r->seen[parameter] = true;
    r->list[r->count++] = (struct slip_read){ parameter, value };
}

void slip_shelf_note_read(slip_shelf *shelf, int parameter, double value)
{
    for (slip_reads *r = shelf->reads; r; r = r->outer) note(r, parameter, value);
}

bool slip_reads_hold(const slip_reads *r, const slip_graph *g)
{
    for (size_t k = 0; k < r->count; k++) {
        const struct slip_read *read = &r->list[k];
        if ((size_t)read->parameter >= g->parameter_count ||
            memcmp(&g->values[read->parameter], &read->value, sizeof read->value) != 0)
            return false;
    }
    return !r->failed;
}

// ----------------------------------------------------------------------------------------------- tapes

static slip_tape *take_tape(slip_shelf *s, int at)
{
    slip_tape *taken = s->tapes[at];
    s->tape_count--;
    memmove(s->tapes + at, s->tapes + at + 1, (size_t)(s->tape_count - at) * sizeof *s->tapes);
    return taken;
}

void slip_shelf_put_tape(slip_shelf *s, slip_tape *tape)
{
    if (s->tape_count == ROOM) slip_tape_release(take_tape(s, 0));
    s->tapes[s->tape_count++] = tape;
}

// machine code asks of a number no more than whether it is one
static bool same_but_for_numbers(const slip_node *a, const slip_node *b)
{
    if (a->op != b->op || memcmp(a->arg, b->arg, sizeof a->arg) != 0) return false;
    return a->op != SLIP_OP_CONSTANT || !isnan(a->value) == !isnan(b->value);
}

static bool fits(const slip_tape *t, const slip_graph *low, const slip_ref *roots, int count, int inputs)
{
    if (!t->low || t->low->count != low->count || t->result_count != count || t->first_constant != inputs)
        return false;
    if (memcmp(t->roots, roots, (size_t)count * sizeof *roots) != 0) return false;
    for (size_t k = 0; k < low->count; k++)
        if (!same_but_for_numbers(&t->low->nodes[k], &low->nodes[k])) return false;
    return true;
}

slip_tape *slip_shelf_take_tape(slip_shelf *s, const slip_graph *low, const slip_ref *roots, int count,
                                int inputs)
{
    for (int k = 0; k < s->tape_count; k++) {
        if (!fits(s->tapes[k], low, roots, count, inputs)) continue;
        slip_tape *t = take_tape(s, k);
        for (int c = 0; c < t->constant_count; c++) t->constants[c] = low->nodes[t->constant_node[c]].value;
        return t;
    }
    return NULL;
}

static bool same_program(const slip_tape *a, const slip_tape *b)
{
    if (a->low || a->length != b->length || a->first_memo != b->first_memo ||
        a->result_count != b->result_count || a->first_constant != b->first_constant ||
        a->constant_count != b->constant_count || a->time_count != b->time_count)
        return false;
    for (int k = 0; k < a->constant_count; k++)
        if (isnan(a->constants[k]) != isnan(b->constants[k])) return false;
    return memcmp(a->time, b->time, (size_t)a->time_count * sizeof *a->time) == 0 &&
           memcmp(a->results, b->results, (size_t)a->result_count * sizeof *a->results) == 0 &&
           memcmp(a->code, b->code, (size_t)a->length * sizeof *a->code) == 0 &&
           memcmp(a->origin, b->origin, (size_t)a->length * sizeof *a->origin) == 0;
}

slip_tape *slip_shelf_take_program(slip_shelf *s, const slip_tape *like)
{
    for (int k = 0; k < s->tape_count; k++) {
        if (!same_program(s->tapes[k], like)) continue;
        slip_tape *t = take_tape(s, k);
        if (t->constant_count)
            memcpy(t->constants, like->constants, (size_t)t->constant_count * sizeof *t->constants);
        return t;
    }
    return NULL;
}
