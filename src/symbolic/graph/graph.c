/// symbolic/graph/graph.c: nodes, each distinct one once.
#include "symbolic/graph/graph.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INITIAL_TABLE_SIZE = 256, MAX_NODES = 1 << 30 };

slip_graph *slip_graph_create(void)
{
    slip_graph *g = calloc(1, sizeof *g);
    if (!g) return NULL;
    g->pool = slip_pool_create();
    g->table = malloc(INITIAL_TABLE_SIZE * sizeof *g->table);
    if (!g->pool || !g->table) {
        slip_graph_destroy(g);
        return NULL;
    }
    g->table_size = INITIAL_TABLE_SIZE;
    memset(g->table, 0xff, INITIAL_TABLE_SIZE * sizeof *g->table);
    return g;
}

void slip_graph_destroy(slip_graph *g)
{
    if (!g) return;
    free(g->values);
    if (g->borrowed) {
        free(g);
        return;
    }
    slip_pool_destroy(g->pool);
    free(g->nodes);
    free(g->places);
    free(g->table);
    free((void *)g->input_names);
    free((void *)g->parameter_names);
    free(g->inputs);
    free(g);
}

slip_node slip_graph_node(const slip_graph *g, slip_ref ref)
{
    assert(slip_is_node(g, ref));
    slip_node node = g->nodes[ref];
    node.value = slip_graph_leaf_value(g, &node);
    return node;
}

int slip_graph_node_count(const slip_graph *g)
{
    return (int)g->count;
}
bool slip_graph_failed(const slip_graph *g)
{
    return g->failed;
}
int slip_graph_input_count(const slip_graph *g)
{
    return (int)g->input_count;
}
int slip_graph_parameter_count(const slip_graph *g)
{
    return (int)g->parameter_count;
}
const char *slip_graph_input_name(const slip_graph *g, int index)
{
    assert(index >= 0 && (size_t)index < g->input_count);
    return g->input_names[index];
}
slip_ref slip_graph_input_ref(const slip_graph *g, int index)
{
    assert(index >= 0 && (size_t)index < g->input_count);
    return g->inputs[index];
}
slip_span slip_graph_place(const slip_graph *g, slip_ref ref)
{
    if (ref < 0 || !g->nodes[ref].place) return (slip_span){ 0 };
    return g->places[g->nodes[ref].place - 1].at;
}

// Without memory for it a message has no place, and that is all
void slip_graph_set_place(slip_graph *g, slip_ref ref, slip_span place)
{
    if (ref < 0 || !place.source || g->nodes[ref].place) return;
    assert(!g->borrowed);
    if (!slip_array_grow((void **)&g->places, &g->place_capacity, g->place_count, sizeof *g->places)) return;
    g->places[g->place_count++] = (slip_graph_place_entry){ place, ref };
    g->nodes[ref].place = (int)g->place_count;
}

// --------------------------------------------------------------------------------- storing a node

static bool grow_nodes(slip_graph *g)
{
    if (g->count < g->capacity) return true;
    if (g->count >= MAX_NODES) return false;
    size_t wanted = g->capacity ? 2 * g->capacity : 128;
    slip_node *nodes = realloc(g->nodes, wanted * sizeof *nodes);
    if (!nodes) return false;
    g->nodes = nodes;
    g->capacity = wanted;
    return true;
}

static slip_ref out_of_memory(slip_graph *g)
{
    g->failed = true;
    return SLIP_NONE;
}

static slip_ref add_node(slip_graph *g, slip_node node)
{
    assert(!g->borrowed);
    if (!grow_nodes(g)) return out_of_memory(g);
    g->nodes[g->count] = node;
    return (slip_ref)g->count++;
}

static uint64_t hash_mix(uint64_t h, uint64_t k)
{
    h = (h ^ k) * 0x9E3779B97F4A7C15u;
    return h ^ (h >> 29);
}

static uint64_t hash_node(const slip_node *n)
{
    uint64_t bits;
    memcpy(&bits, &n->value, sizeof bits);
    uint64_t h = hash_mix((uint64_t)n->op + 1, bits);
    h = hash_mix(h, (uint64_t)(uint32_t)n->arg[0] << 32 | (uint32_t)n->arg[1]);
    return hash_mix(h, (uint32_t)n->arg[2]);
}

static bool same_node(const slip_node *a, const slip_node *b)
{
    return a->op == b->op && a->arg[0] == b->arg[0] && a->arg[1] == b->arg[1] && a->arg[2] == b->arg[2] &&
           memcmp(&a->value, &b->value, sizeof a->value) == 0;
}

static bool grow_table(slip_graph *g)
{
    if (2 * g->table_used < g->table_size) return true;
    size_t size = 2 * g->table_size;
    int32_t *table = malloc(size * sizeof *table);
    if (!table) return false;
    memset(table, 0xff, size * sizeof *table);
    for (size_t k = 0; k < g->table_size; k++) {
        if (g->table[k] < 0) continue;
        size_t at = hash_node(&g->nodes[g->table[k]]) & (size - 1);
        while (table[at] >= 0) at = (at + 1) & (size - 1);
        table[at] = g->table[k];
    }
    free(g->table);
    g->table = table;
    g->table_size = size;
    return true;
}

static slip_ref find_or_add(slip_graph *g, slip_node node)
{
    if (!grow_table(g)) return out_of_memory(g);
    size_t at = hash_node(&node) & (g->table_size - 1);
    for (; g->table[at] >= 0; at = (at + 1) & (g->table_size - 1))
        if (same_node(&g->nodes[g->table[at]], &node)) return g->table[at];
    slip_ref made = add_node(g, node);
    if (made == SLIP_NONE) return SLIP_NONE;
    g->table[at] = made;
    g->table_used++;
    return made;
}

slip_ref slip_graph_intern(slip_graph *g, slip_op op, slip_ref a, slip_ref b, slip_ref c)
{
    assert(slip_op_arity(op) < 1 || slip_is_node(g, a));
    assert(slip_op_arity(op) < 2 || slip_is_node(g, b));
    assert(slip_op_arity(op) < 3 || slip_is_node(g, c));
    return find_or_add(g, (slip_node){ .op = op, .arg = { a, b, c } });
}

// inputs and parameters are made, not found
static bool is_interned(const slip_node *n)
{
    return n->op != SLIP_OP_INPUT && n->op != SLIP_OP_PARAMETER;
}

void slip_graph_rewind(slip_graph *g, slip_graph_mark mark)
{
    assert(!g->borrowed && !g->for_tape && mark.nodes <= g->count);
    g->count = mark.nodes;
    while (g->place_count && (size_t)g->places[g->place_count - 1].node >= g->count) g->place_count--;
    g->input_count = mark.inputs;
    g->parameter_count = mark.parameters;
    g->failed = false;
    slip_pool_rewind(g->pool, mark.names);
    memset(g->table, 0xff, g->table_size * sizeof *g->table);
    g->table_used = 0;
    for (size_t k = 0; k < g->count; k++) {
        if (!is_interned(&g->nodes[k])) continue;
        size_t at = hash_node(&g->nodes[k]) & (g->table_size - 1);
        while (g->table[at] >= 0) at = (at + 1) & (g->table_size - 1);
        g->table[at] = (int32_t)k;
        g->table_used++;
    }
}

// ----------------------------------------------------------------------------------------- leaves

slip_ref slip_graph_constant(slip_graph *g, double value)
{
    if (value == 0.0) value = 0.0;   // one zero: the sign of zero is not part of the algebra
    if (value != value) value = NAN; // one NaN, so that it is found again
    slip_node node = { .op = SLIP_OP_CONSTANT, .arg = { SLIP_NONE, SLIP_NONE, SLIP_NONE }, .value = value };
    return find_or_add(g, node);
}

// `name` at the end of a list of names
static bool add_name(const char ***names, size_t *capacity, size_t count, const char *name)
{
    if (!name || !slip_array_grow((void **)names, capacity, count, sizeof **names)) return false;
    (*names)[count] = name;
    return true;
}

slip_ref slip_graph_input(slip_graph *g, const char *name)
{
    return slip_graph_input_named(g, slip_pool_text(g->pool, name, strlen(name)));
}

const char *const *slip_graph_input_names(const slip_graph *g)
{
    return g->input_names;
}

slip_ref slip_graph_input_named(slip_graph *g, const char *name)
{
    if (!add_name(&g->input_names, &g->names_capacity, g->input_count, name)) return out_of_memory(g);
    if (!slip_array_grow((void **)&g->inputs, &g->input_capacity, g->input_count, sizeof *g->inputs))
        return out_of_memory(g);
    slip_node node = { .op = SLIP_OP_INPUT, .arg = { SLIP_NONE, SLIP_NONE, SLIP_NONE } };
    node.index = (int)g->input_count;
    slip_ref made = add_node(g, node);
    if (made != SLIP_NONE) g->inputs[g->input_count++] = made;
    return made;
}

slip_ref slip_graph_parameter(slip_graph *g, const char *name, double value)
{
    name = slip_pool_text(g->pool, name, strlen(name));
    if (!add_name(&g->parameter_names, &g->parameter_capacity, g->parameter_count, name))
        return out_of_memory(g);
    if (!slip_array_grow((void **)&g->values, &g->values_capacity, g->parameter_count, sizeof *g->values))
        return out_of_memory(g);
    slip_node node = { .op = SLIP_OP_PARAMETER, .arg = { SLIP_NONE, SLIP_NONE, SLIP_NONE } };
    node.index = (int)g->parameter_count;
    slip_ref made = add_node(g, node);
    if (made != SLIP_NONE) g->values[g->parameter_count++] = value;
    return made;
}

void slip_graph_set_parameter(slip_graph *g, slip_ref parameter, double value)
{
    assert(g->nodes[parameter].op == SLIP_OP_PARAMETER);
    g->values[g->nodes[parameter].index] = value;
}

// ------------------------------------------------------------------------------------- operations

slip_ref slip_graph_op(slip_graph *g, slip_op op, slip_ref a, slip_ref b, slip_ref c)
{
    int arity = slip_op_arity(op);
    if (arity >= 1 && a < 0) return SLIP_NONE;
    if (arity >= 2 && b < 0) return SLIP_NONE;
    if (arity >= 3 && c < 0) return SLIP_NONE;
    bool failed = false;
    slip_ref simpler =
        slip_graph_simplify(g, op, a, arity >= 2 ? b : SLIP_NONE, arity >= 3 ? c : SLIP_NONE, &failed);
    if (simpler != SLIP_NONE || failed) return simpler;
    return slip_graph_intern(g, op, a, arity >= 2 ? b : SLIP_NONE, arity >= 3 ? c : SLIP_NONE);
}
