/// symbolic/source/formula_source.c: formulas for C99: what follows from parameters alone, and what does not.
#include "symbolic/source/formula_source.h"

#include <stdlib.h>
#include <string.h>

#include "symbolic/source/formula_source_internal.h"

// Of each node of the lowered graph: whether it follows from constants and parameters alone
static bool *find_prepared(const slip_formula_source *s)
{
    const int nodes = slip_graph_node_count(s->low);
    bool *known = malloc(((size_t)nodes + 1) * sizeof *known);
    for (int k = 0; known && k < nodes; k++) {
        const slip_node *n = slip_graph_at(s->low, k);
        known[k] = n->op == SLIP_OP_INPUT ? n->arg[0] >= s->inputs : true;
        for (int j = 0; j < slip_op_arity(n->op); j++) known[k] = known[k] && known[n->arg[j]];
    }
    return known;
}

static bool is_leaf(const slip_graph *g, slip_ref r)
{
    const slip_op op = slip_graph_at(g, r)->op;
    return op == SLIP_OP_CONSTANT || op == SLIP_OP_INPUT;
}

/// Nodes of the lowered graph on the way into that of the motion.
typedef struct splitter {
    slip_formula_source *s;
    const bool *known;
    slip_ref *now; // per node of `low`: that of `motion`; SLIP_NONE when not yet there
} splitter;

// the place of a node that follows from parameters: an input behind all parameters
static slip_ref keep_prepared(splitter *p, slip_ref node)
{
    slip_formula_source *s = p->s;
    s->prepared[s->prepared_count] = node;
    return slip_graph_intern(s->motion, SLIP_OP_INPUT, s->inputs + s->parameters + s->prepared_count++,
                             SLIP_NONE, SLIP_NONE);
}

// A node as an operand of the motion, or as a root of it
static slip_ref split_operand(splitter *p, slip_ref node)
{
    if (p->now[node] == SLIP_NONE && p->known[node] && !is_leaf(p->s->low, node))
        p->now[node] = keep_prepared(p, node);
    return p->now[node];
}

static bool split_node(splitter *p, slip_ref k)
{
    const slip_node n = *slip_graph_at(p->s->low, k);
    if (n.op == SLIP_OP_CONSTANT) {
        p->now[k] = slip_graph_constant(p->s->motion, n.value);
    } else if (n.op == SLIP_OP_INPUT) {
        p->now[k] = slip_graph_intern(p->s->motion, SLIP_OP_INPUT, n.arg[0], SLIP_NONE, SLIP_NONE);
    } else if (!p->known[k]) {
        slip_ref arg[3] = { SLIP_NONE, SLIP_NONE, SLIP_NONE };
        for (int j = 0; j < slip_op_arity(n.op); j++)
            if ((arg[j] = split_operand(p, n.arg[j])) == SLIP_NONE) return false;
        p->now[k] = slip_graph_intern(p->s->motion, n.op, arg[0], arg[1], arg[2]);
    } else
        return true; // made where it is asked for
    return p->now[k] != SLIP_NONE;
}

static bool split_graph(slip_formula_source *s)
{
    const int nodes = slip_graph_node_count(s->low);
    bool *known = find_prepared(s);
    splitter p = { s, known, malloc(((size_t)nodes + 1) * sizeof *p.now) };
    s->prepared = malloc(((size_t)nodes + 1) * sizeof *s->prepared);
    s->motion = slip_graph_create();
    bool fine = known && p.now && s->prepared && s->motion;
    for (int k = 0; fine && k < nodes; k++) p.now[k] = SLIP_NONE;
    if (fine) s->motion->for_tape = true;
    for (int k = 0; fine && k < nodes; k++) fine = split_node(&p, k);
    for (int k = 0; fine && k < s->count; k++) {
        s->is_prepared[k] = known[s->root[k]];
        s->root[k] = split_operand(&p, s->root[k]);
        fine = s->root[k] != SLIP_NONE;
    }
    free(known);
    free(p.now);
    return fine;
}

slip_formula_source *slip_formula_source_create(const slip_graph *graph, const bool *tunable,
                                                const slip_ref *roots, int count)
{
    slip_formula_source *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->count = count;
    s->inputs = slip_graph_input_count(graph);
    s->parameters = slip_graph_parameter_count(graph);
    s->root = malloc(((size_t)count + 1) * sizeof *s->root);
    s->is_prepared = calloc((size_t)count + 1, sizeof *s->is_prepared);
    if (s->root && s->is_prepared) s->low = slip_graph_lower_tunable(graph, tunable, roots, s->root, count);
    if (s->low && split_graph(s)) return s;
    slip_formula_source_destroy(s);
    return NULL;
}

void slip_formula_source_destroy(slip_formula_source *s)
{
    if (!s) return;
    slip_graph_destroy(s->low);
    slip_graph_destroy(s->motion);
    free(s->root);
    free(s->prepared);
    free(s->is_prepared);
    free(s);
}

int slip_formula_source_prepared_count(const slip_formula_source *s)
{
    return s->prepared_count;
}

bool slip_formula_source_is_prepared(const slip_formula_source *s, int root)
{
    return s->is_prepared[root];
}

bool slip_formula_source_uses(const slip_formula_source *s, int first, int count, int input)
{
    slip_traversal walk;
    bool uses = true;
    if (!slip_traversal_create(&walk, s->motion, s->root + first, count)) return uses;
    uses = false;
    for (int k = 0; k < walk.count; k++) {
        const slip_node *n = slip_graph_at(s->motion, walk.refs[k]);
        uses = uses || (n->op == SLIP_OP_INPUT && n->arg[0] == input);
    }
    slip_traversal_destroy(&walk);
    return uses;
}
