/// symbolic/graph/traverse.c: the nodes below some roots, and what is found by looking at each of them once.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "symbolic/graph/operations.h"
#include "symbolic/graph/graph.h"

static size_t slot_of(slip_ref ref, size_t size)
{
    uint32_t h = (uint32_t)ref * 0x9E3779B1u;
    return (h ^ h >> 15) & (size - 1);
}

// the table holds positions in refs; while gathering, refs stand in the order they were met
static bool grow_table(slip_traversal *s, int count)
{
    if (s->table && 2 * (size_t)count < s->table_size) return true;
    size_t size = s->table_size ? 4 * s->table_size : 64;
    int32_t *table = malloc(size * sizeof *table);
    if (!table) return false;
    memset(table, 0xff, size * sizeof *table);
    for (int k = 0; k < s->count; k++) {
        size_t at = slot_of(s->refs[k], size);
        while (table[at] >= 0) at = (at + 1) & (size - 1);
        table[at] = k;
    }
    free(s->table);
    s->table = table;
    s->table_size = size;
    return true;
}

int slip_traversal_find(const slip_traversal *s, slip_ref ref)
{
    for (size_t at = slot_of(ref, s->table_size); s->table[at] >= 0; at = (at + 1) & (s->table_size - 1))
        if (s->refs[s->table[at]] == ref) return s->table[at];
    return -1;
}

static bool traversal_add(slip_traversal *s, size_t *capacity, slip_ref ref)
{
    if (!grow_table(s, s->count + 1)) return false;
    size_t at = slot_of(ref, s->table_size);
    for (; s->table[at] >= 0; at = (at + 1) & (s->table_size - 1))
        if (s->refs[s->table[at]] == ref) return true;
    if (!slip_array_grow((void **)&s->refs, capacity, (size_t)s->count, sizeof *s->refs)) return false;
    s->table[at] = s->count;
    s->refs[s->count++] = ref;
    return true;
}

static int by_ref(const void *a, const void *b)
{
    slip_ref x = *(const slip_ref *)a, y = *(const slip_ref *)b;
    return (x > y) - (x < y);
}

bool slip_traversal_create(slip_traversal *s, const slip_graph *g, const slip_ref *roots, int count)
{
    *s = (slip_traversal){ 0 };
    size_t capacity = 0;
    bool fine = grow_table(s, 0);
    for (int k = 0; k < count && fine; k++) fine = roots[k] < 0 || traversal_add(s, &capacity, roots[k]);
    for (int k = 0; k < s->count && fine; k++) { // refs is the queue of what is still to be opened
        const slip_node *n = slip_graph_at(g, s->refs[k]);
        for (int j = 0; j < slip_op_arity(n->op) && fine; j++) fine = traversal_add(s, &capacity, n->arg[j]);
    }
    if (!fine) {
        slip_traversal_destroy(s);
        return false;
    }
    if (s->count > 0)
        qsort(s->refs, (size_t)s->count, sizeof *s->refs, by_ref); // operands have lower numbers
    memset(s->table, 0xff, s->table_size * sizeof *s->table);
    for (int k = 0; k < s->count; k++) {
        size_t at = slot_of(s->refs[k], s->table_size);
        while (s->table[at] >= 0) at = (at + 1) & (s->table_size - 1);
        s->table[at] = k;
    }
    return true;
}

void slip_traversal_destroy(slip_traversal *s)
{
    free(s->refs);
    free(s->table);
    *s = (slip_traversal){ 0 };
}

unsigned char *slip_traversal_dependence(const slip_traversal *s, const slip_graph *g)
{
    unsigned char *motion = malloc((size_t)s->count + 1);
    for (int k = 0; motion && k < s->count; k++) {
        const slip_node *n = slip_graph_at(g, s->refs[k]);
        motion[k] = n->op != SLIP_OP_INPUT ? SLIP_DEPENDS_ON_NOTHING
                    : n->index == 0        ? SLIP_DEPENDS_ON_TIME
                                           : SLIP_DEPENDS_ON_STATE;
        for (int j = 0; j < slip_op_arity(n->op); j++) {
            unsigned char below = motion[slip_traversal_find(s, n->arg[j])];
            if (below > motion[k]) motion[k] = below;
        }
    }
    return motion;
}

bool slip_graph_depends(const slip_graph *g, slip_ref root, slip_ref on)
{
    if (root < on) return false; // made before `on` was
    slip_traversal s;
    if (!slip_traversal_create(&s, g, &root, 1)) return true;
    bool found = slip_traversal_find(&s, on) >= 0;
    slip_traversal_destroy(&s);
    return found;
}

int slip_graph_parameters(const slip_graph *g, const slip_ref *roots, int count, bool *used)
{
    slip_traversal s;
    if (!slip_traversal_create(&s, g, roots, count)) return -1;
    int found = 0;
    for (int k = 0; k < s.count; k++) {
        const slip_node *n = slip_graph_at(g, s.refs[k]);
        if (n->op != SLIP_OP_PARAMETER) continue;
        used[n->index] = true;
        found++;
    }
    slip_traversal_destroy(&s);
    return found;
}

bool slip_graph_depends_on_state(const slip_graph *g, slip_ref root)
{
    slip_traversal s;
    if (root < 0) return false;
    if (!slip_traversal_create(&s, g, &root, 1)) return true;
    unsigned char *motion = slip_traversal_dependence(&s, g);
    bool found = !motion || motion[s.count - 1] == SLIP_DEPENDS_ON_STATE;
    free(motion);
    slip_traversal_destroy(&s);
    return found;
}

double slip_graph_evaluate(const slip_graph *g, slip_ref root)
{
    slip_traversal s;
    if (root < 0) return NAN;
    if (slip_op_arity(slip_graph_at(g, root)->op) == 0 && slip_graph_at(g, root)->op != SLIP_OP_INPUT)
        return slip_graph_leaf_value(g, slip_graph_at(g, root));
    if (!slip_traversal_create(&s, g, &root, 1)) return NAN;
    double *value = calloc((size_t)s.count, sizeof *value), result = NAN;
    bool known = value != NULL;
    for (int k = 0; k < s.count && known; k++) {
        const slip_node *n = slip_graph_at(g, s.refs[k]);
        double v[3] = { 0 };
        for (int j = 0; j < slip_op_arity(n->op); j++) v[j] = value[slip_traversal_find(&s, n->arg[j])];
        known = n->op != SLIP_OP_INPUT && !slip_op_is_set_valued(n->op);
        value[k] =
            slip_op_arity(n->op) == 0 ? slip_graph_leaf_value(g, n) : slip_op_apply(n->op, v[0], v[1], v[2]);
    }
    if (known) result = value[s.count - 1];
    free(value);
    slip_traversal_destroy(&s);
    return result;
}

bool slip_graph_values(const slip_graph *g, const slip_ref *roots, int count, const double *inputs,
                       double *values)
{
    slip_traversal s;
    if (slip_graph_failed(g) || !slip_traversal_create(&s, g, roots, count)) return false;
    double *value = malloc(((size_t)s.count + 1) * sizeof *value);
    for (int k = 0; k < s.count && value; k++) {
        const slip_node *n = slip_graph_at(g, s.refs[k]);
        double v[3] = { 0 };
        for (int j = 0; j < slip_op_arity(n->op); j++) v[j] = value[slip_traversal_find(&s, n->arg[j])];
        value[k] = n->op == SLIP_OP_INPUT         ? inputs[n->index]
                   : slip_op_is_set_valued(n->op) ? NAN
                   : slip_op_arity(n->op) == 0    ? slip_graph_leaf_value(g, n)
                                                  : slip_op_apply(n->op, v[0], v[1], v[2]);
    }
    for (int k = 0; k < count && value; k++) values[k] = value[slip_traversal_find(&s, roots[k])];
    const bool fine = value != NULL;
    free(value);
    slip_traversal_destroy(&s);
    return fine;
}

// the new node for each node of the walk; false when out of memory
static bool rewrite_nodes(slip_graph *g, const slip_traversal *s, slip_rewrite_rule *rule, void *context,
                          slip_ref *now)
{
    for (int k = 0; k < s->count; k++) {
        slip_ref original = s->refs[k], rewritten = original;
        slip_node n = *slip_graph_at(g, original);
        bool changed = false;
        for (int j = 0; j < slip_op_arity(n.op); j++) {
            slip_ref operand = now[slip_traversal_find(s, n.arg[j])];
            changed |= operand != n.arg[j];
            n.arg[j] = operand;
        }
        if (changed) rewritten = slip_graph_op(g, n.op, n.arg[0], n.arg[1], n.arg[2]);
        if (rewritten != SLIP_NONE) slip_graph_set_place(g, rewritten, slip_graph_place(g, original));
        now[k] = rewritten == SLIP_NONE ? SLIP_NONE : rule(context, g, original, rewritten);
        if (now[k] == SLIP_NONE) return false;
    }
    return true;
}

bool slip_graph_rewrite_all(slip_graph *g, slip_ref *roots, int count, slip_rewrite_rule *rule, void *context)
{
    slip_traversal s;
    bool fine = slip_traversal_create(&s, g, roots, count);
    slip_ref *now = fine ? malloc((size_t)(s.count + 1) * sizeof *now) : NULL;
    g->failed |= !now;
    fine = now && rewrite_nodes(g, &s, rule, context, now);
    for (int k = 0; fine && k < count; k++)
        if (roots[k] >= 0) roots[k] = now[slip_traversal_find(&s, roots[k])];
    free(now);
    slip_traversal_destroy(&s);
    return fine;
}

slip_ref slip_graph_rewrite(slip_graph *g, slip_ref root, slip_rewrite_rule *rule, void *context)
{
    if (root < 0) return SLIP_NONE;
    return slip_graph_rewrite_all(g, &root, 1, rule, context) ? root : SLIP_NONE;
}
