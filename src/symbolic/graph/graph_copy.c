/// symbolic/graph/graph_copy.c: a graph of one's own, so that a model can serve many simulations at once; and one that shares the
/// nodes of another and has values of its own.
#include <stdlib.h>
#include <string.h>

#include "symbolic/graph/caches.h"
#include "symbolic/graph/graph.h"

static void *copy_array(const void *items, size_t count, size_t capacity, size_t size)
{
    void *copy = calloc(capacity ? capacity : 1, size);
    if (copy && count) memcpy(copy, items, count * size);
    return copy;
}

static const char **copy_names(slip_pool *pool, const char *const *names, size_t count, size_t capacity)
{
    const char **copy = copy_array(names, 0, capacity, sizeof *copy);
    for (size_t k = 0; copy && k < count; k++) {
        copy[k] = slip_pool_text(pool, names[k], strlen(names[k]));
        if (!copy[k]) {
            free((void *)copy);
            return NULL;
        }
    }
    return copy;
}

slip_graph *slip_graph_copy(const slip_graph *g)
{
    slip_graph *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    *c = *g;
    c->borrowed = false;
    c->pool = slip_pool_create();
    c->nodes = copy_array(g->nodes, g->count, g->capacity, sizeof *g->nodes);
    c->places = copy_array(g->places, g->place_count, g->place_capacity, sizeof *g->places);
    c->table = copy_array(g->table, g->table_size, g->table_size, sizeof *g->table);
    c->inputs = copy_array(g->inputs, g->input_count, g->input_capacity, sizeof *g->inputs);
    c->values = copy_array(g->values, g->parameter_count, g->values_capacity, sizeof *g->values);
    c->input_names = c->parameter_names = NULL;
    if (c->pool) {
        c->input_names = copy_names(c->pool, g->input_names, g->input_count, g->names_capacity);
        c->parameter_names =
            copy_names(c->pool, g->parameter_names, g->parameter_count, g->parameter_capacity);
    }
    if (!c->pool || !c->nodes || !c->places || !c->table || !c->inputs || !c->values || !c->input_names ||
        !c->parameter_names) {
        slip_graph_destroy(c);
        return NULL;
    }
    return c;
}

slip_graph *slip_graph_share(const slip_graph *g)
{
    slip_graph *s = malloc(sizeof *s);
    if (!s) return NULL;
    *s = *g;
    s->borrowed = true;
    s->tape_cache = NULL;
    s->read_log = NULL;
    s->values = copy_array(g->values, g->parameter_count, g->parameter_count, sizeof *g->values);
    s->values_capacity = g->parameter_count;
    if (s->values) return s;
    free(s);
    return NULL;
}

void slip_graph_leave_out(slip_graph *g, unsigned caches)
{
    g->left_out |= caches;
}

bool slip_graph_keeps(const slip_graph *g, slip_cache cache)
{
    return !(g->left_out & (unsigned)cache);
}

slip_graph_mark slip_graph_set_mark(const slip_graph *g)
{
    return (slip_graph_mark){ g->count, g->input_count, g->parameter_count, slip_pool_set_mark(g->pool) };
}

void slip_graph_take_values(slip_graph *g, const slip_graph *from)
{
    assert(g->parameter_count >= from->parameter_count);
    if (from->parameter_count) memcpy(g->values, from->values, from->parameter_count * sizeof *g->values);
}
