/// symbolic/compiler/tape_cache.c: see tape_cache.h. A cached tape fits if the lowered graphs agree except for
/// their numbers: then only these are replaced.
#include "symbolic/compiler/tape_cache.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "symbolic/tape/tape.h"

enum { CACHE_CAPACITY = 64 };

typedef struct item {
    const void *key;
    void *thing;
    void (*destroy)(void *thing);
} item;

struct slip_tape_cache {
    int count;
    item items[CACHE_CAPACITY]; // oldest first
    int tape_count;
    slip_tape *tapes[CACHE_CAPACITY];
    slip_read_log read_log;
};

slip_tape_cache *slip_tape_cache_create(void)
{
    return calloc(1, sizeof(slip_tape_cache));
}

void slip_tape_cache_destroy(slip_tape_cache *tape_cache)
{
    if (!tape_cache) return;
    while (tape_cache->count > 0) { // entries that are destroyed may put their parts here
        const item last = tape_cache->items[--tape_cache->count];
        last.destroy(last.thing);
    }
    for (int k = 0; k < tape_cache->tape_count; k++) slip_tape_release(tape_cache->tapes[k]);
    free(tape_cache);
}

void slip_graph_use_cache(slip_graph *graph, slip_tape_cache *tape_cache)
{
    graph->tape_cache = tape_cache;
    graph->read_log = tape_cache ? &tape_cache->read_log : NULL;
}

slip_tape_cache *slip_graph_cache(const slip_graph *graph)
{
    return graph->tape_cache;
}

// ---------------------------------------------------------------------------------------------- things

static item take_item(slip_tape_cache *s, int at)
{
    const item taken = s->items[at];
    s->count--;
    memmove(s->items + at, s->items + at + 1, (size_t)(s->count - at) * sizeof *s->items);
    return taken;
}

void slip_tape_cache_put(slip_tape_cache *s, const void *key, void *thing, void (*destroy)(void *))
{
    if (s->count == CACHE_CAPACITY) {
        const item oldest = take_item(s, 0);
        oldest.destroy(oldest.thing);
    }
    s->items[s->count++] = (item){ key, thing, destroy };
}

void *slip_tape_cache_take(slip_tape_cache *s, const void *key)
{
    for (int k = s->count - 1; k >= 0; k--)
        if (s->items[k].key == key) return take_item(s, k).thing;
    return NULL;
}

// ----------------------------------------------------------------------------------------------- reads

void slip_parameter_reads_open(slip_parameter_reads *r, slip_tape_cache *tape_cache)
{
    r->outer = tape_cache->read_log.innermost;
    tape_cache->read_log.innermost = r;
}

void slip_parameter_reads_close(slip_parameter_reads *r, slip_tape_cache *tape_cache)
{
    assert(tape_cache->read_log.innermost == r);
    tape_cache->read_log.innermost = r->outer;
    r->outer = NULL;
}

// ----------------------------------------------------------------------------------------------- tapes

static slip_tape *take_tape(slip_tape_cache *s, int at)
{
    slip_tape *taken = s->tapes[at];
    s->tape_count--;
    memmove(s->tapes + at, s->tapes + at + 1, (size_t)(s->tape_count - at) * sizeof *s->tapes);
    return taken;
}

void slip_tape_cache_put_tape(slip_tape_cache *s, slip_tape *tape)
{
    if (s->tape_count == CACHE_CAPACITY) slip_tape_release(take_tape(s, 0));
    s->tapes[s->tape_count++] = tape;
}

// Machine code depends on a number only through whether it is NaN.
static bool same_but_for_numbers(const slip_node *a, const slip_node *b)
{
    if (a->op != b->op || memcmp(a->arg, b->arg, sizeof a->arg) != 0) return false;
    return a->op != SLIP_OP_CONSTANT || !isnan(a->value) == !isnan(b->value);
}

static bool tape_fits(const slip_tape *t, const slip_graph *low, const slip_ref *roots, int count, int inputs)
{
    if (!t->low || t->low->count != low->count || t->result_count != count || t->first_constant != inputs)
        return false;
    if (memcmp(t->roots, roots, (size_t)count * sizeof *roots) != 0) return false;
    for (size_t k = 0; k < low->count; k++)
        if (!same_but_for_numbers(&t->low->nodes[k], &low->nodes[k])) return false;
    return true;
}

slip_tape *slip_tape_cache_take_tape(slip_tape_cache *s, const slip_graph *low, const slip_ref *roots,
                                     int count, int inputs)
{
    for (int k = 0; k < s->tape_count; k++) {
        if (!tape_fits(s->tapes[k], low, roots, count, inputs)) continue;
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

slip_tape *slip_tape_cache_take_program(slip_tape_cache *s, const slip_tape *like)
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
