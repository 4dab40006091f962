/// symbolic/analysis/interval_bounds.c: bounds of expressions whose inputs stay within bounds.
#include "symbolic/analysis/interval_bounds.h"

#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "symbolic/graph/function.h"
#include "symbolic/analysis/analysis_tolerances.h"

// ---------------------------------------------------------------------------------------------- nodes

// Powers that are flat except near an end of the range of their base.
static bool is_steep_power(const slip_graph *g, const slip_node *n)
{
    double exponent = slip_graph_evaluate(g, n->arg[1]);
    return !(exponent >= 0.0 && exponent < 4.0);
}

// Whether a node by itself may change much over a short range of its operands.
static bool is_narrow(const slip_graph *g, const slip_node *n, const unsigned char *below)
{
    const slip_function *f = slip_function_of(n->op);
    if (f) return f->narrow && below[0] != SLIP_DEPENDS_ON_NOTHING;
    if (n->op == SLIP_OP_DIV) return below[1] != SLIP_DEPENDS_ON_NOTHING;
    return n->op == SLIP_OP_POW && (below[1] != SLIP_DEPENDS_ON_NOTHING ||
                                    (below[0] != SLIP_DEPENDS_ON_NOTHING && is_steep_power(g, n)));
}

// ----------------------------------------------------------------------------------------- enclosures

// The inputs that the operands of a node depend on.
static void operand_dependence(const slip_traversal *s, const slip_node *n, const unsigned char *motion,
                               unsigned char below[3])
{
    for (int j = 0; j < 3; j++)
        below[j] = j < slip_op_arity(n->op) ? motion[slip_traversal_find(s, n->arg[j])]
                                            : (unsigned char)SLIP_DEPENDS_ON_NOTHING;
}

static bool list_narrow(slip_interval_bounds *b, const slip_traversal *s)
{
    unsigned char *motion = slip_traversal_dependence(s, b->graph);
    b->narrow = malloc(((size_t)s->count + 1) * sizeof *b->narrow);
    for (int k = 0; motion && b->narrow && k < s->count; k++) {
        const slip_node *n = slip_graph_at(b->graph, s->refs[k]);
        unsigned char below[3];
        operand_dependence(s, n, motion, below);
        if (is_narrow(b->graph, n, below)) b->narrow[b->narrow_count++] = k;
    }
    bool fine = motion && b->narrow;
    free(motion);
    return fine;
}

// Lists the narrow nodes and those that they depend on; these are few if the only narrow node is the norm of
// a quaternion.
static bool list_below(slip_interval_bounds *b)
{
    b->below = calloc((size_t)b->count + 1, sizeof *b->below);
    if (!b->below) return false;
    int *wanted = b->below; // per node, until the list takes its place
    for (int k = 0; k < b->narrow_count; k++) wanted[b->narrow[k]] = 1;
    for (int k = b->count - 1; k >= 0; k--) {
        int arity = wanted[k] ? slip_op_arity(slip_graph_at(b->graph, b->node[k])->op) : 0;
        for (int j = 0; j < arity; j++) wanted[b->operand[3 * k + j]] = 1;
    }
    for (int k = 0; k < b->count; k++)
        if (wanted[k]) b->below[b->below_count++] = k;
    return true;
}

bool slip_interval_bounds_create(slip_interval_bounds *b, const slip_graph *g, const slip_ref *roots,
                                 int count)
{
    slip_traversal s;
    *b = (slip_interval_bounds){ .graph = g, .root_count = count };
    if (!slip_traversal_create(&s, g, roots, count)) return false;
    b->count = s.count;
    b->operand = calloc(3 * (size_t)s.count + 1, sizeof *b->operand);
    b->root = calloc((size_t)count + 1, sizeof *b->root);
    b->value = calloc((size_t)s.count + 1, sizeof *b->value);
    bool fine = b->operand && b->root && b->value;
    for (int k = 0; fine && k < s.count; k++) {
        const slip_node *n = slip_graph_at(g, s.refs[k]);
        for (int j = 0; j < slip_op_arity(n->op); j++)
            b->operand[3 * k + j] = slip_traversal_find(&s, n->arg[j]);
    }
    for (int k = 0; fine && k < count; k++) b->root[k] = slip_traversal_find(&s, roots[k]);
    fine = fine && list_narrow(b, &s);
    b->node = s.refs;
    s.refs = NULL;
    slip_traversal_destroy(&s);
    return fine && list_below(b);
}

void slip_interval_bounds_destroy(slip_interval_bounds *b)
{
    free(b->node);
    free(b->narrow);
    free(b->below);
    free(b->operand);
    free(b->root);
    free(b->value);
    *b = (slip_interval_bounds){ 0 };
}

static void run_node(slip_interval_bounds *b, int k, const slip_interval *input)
{
    const slip_node *n = slip_graph_at(b->graph, b->node[k]);
    slip_interval r[3] = { { 0 } };
    for (int j = 0; j < slip_op_arity(n->op); j++) r[j] = b->value[b->operand[3 * k + j]];
    b->value[k] = n->op == SLIP_OP_INPUT ? input[n->index] : slip_interval_of_node(b->graph, n, r);
}

void slip_interval_bounds_run(slip_interval_bounds *b, const slip_interval *input)
{
    for (int k = 0; k < b->count; k++) run_node(b, k, input);
}

void slip_interval_bounds_run_narrow(slip_interval_bounds *b, const slip_interval *input)
{
    for (int k = 0; k < b->below_count; k++) run_node(b, b->below[k], input);
}

static double width_ratio(slip_interval r)
{
    r = slip_interval_abs(r);
    return r.high / r.low; // infinite or NaN if it may be zero
}

static bool is_smooth_node(const slip_interval_bounds *b, int k)
{
    const slip_node *n = slip_graph_at(b->graph, b->node[k]);
    slip_interval value = b->value[k], first = b->value[b->operand[3 * k]],
                  second = b->value[b->operand[3 * k + 1]];
    if (value.high - value.low <= CONSTANT_TOLERANCE * fmax(1.0, fmax(fabs(value.low), fabs(value.high))))
        return true;
    if (n->op == SLIP_OP_DIV) return width_ratio(second) <= 2.0;
    if (n->op == SLIP_OP_POW)
        return second.low == second.high && slip_pow(width_ratio(first), fabs(second.low)) <= 2.0;
    return first.high - first.low <= 1.0;
}

bool slip_interval_bounds_is_smooth(const slip_interval_bounds *b)
{
    for (int i = 0; i < b->narrow_count; i++)
        if (!is_smooth_node(b, b->narrow[i])) return false;
    return true;
}

// --------------------------------------------------------------------------------------- narrow parts

enum { HOLDS_NARROW = 1, STARTS_NARROW = 2, BOUNDS_UNKNOWN = 4 };

static bool is_unknown(const slip_node *n, int inputs)
{
    const slip_function *f = slip_function_of(n->op);
    return (f && !f->range) || (n->op == SLIP_OP_INPUT && n->index >= inputs);
}

// HOLDS_NARROW: a narrow part is at or below the node; STARTS_NARROW: there is one at it, or there are several below
static void mark_narrow(const slip_graph *g, const slip_traversal *s, const unsigned char *motion, int inputs,
                        unsigned char *flags)
{
    for (int k = 0; k < s->count; k++) {
        const slip_node *n = slip_graph_at(g, s->refs[k]);
        unsigned char below[3];
        int holding = 0;
        operand_dependence(s, n, motion, below);
        flags[k] = motion[k] != SLIP_DEPENDS_ON_NOTHING && is_unknown(n, inputs) ? BOUNDS_UNKNOWN : 0;
        for (int j = 0; j < slip_op_arity(n->op); j++) {
            int at = slip_traversal_find(s, n->arg[j]);
            holding += (flags[at] & HOLDS_NARROW) != 0;
            flags[k] |= flags[at] & BOUNDS_UNKNOWN;
        }
        if (is_narrow(g, n, below) || holding > 1) flags[k] |= STARTS_NARROW;
        if ((flags[k] & STARTS_NARROW) || holding) flags[k] |= HOLDS_NARROW;
    }
}

// From the top down: the first nodes at which a narrow part starts and whose bounds are known. `wanted` marks
// the nodes to visit.
static int list_parts(const slip_graph *g, const slip_traversal *s, unsigned char *flags,
                      unsigned char *wanted, slip_ref *list)
{
    int found = 0;
    for (int k = s->count - 1; k >= 0; k--) {
        const slip_node *n = slip_graph_at(g, s->refs[k]);
        if (!wanted[k] || !(flags[k] & HOLDS_NARROW)) continue;
        if ((flags[k] & STARTS_NARROW) && !(flags[k] & BOUNDS_UNKNOWN)) {
            list[found++] = s->refs[k];
            continue;
        }
        for (int j = 0; j < slip_op_arity(n->op); j++) wanted[slip_traversal_find(s, n->arg[j])] = 1;
    }
    return found;
}

static void mark_constant(const slip_traversal *s, const slip_ref *still, int count, unsigned char *motion)
{
    for (int k = 0; k < count; k++) {
        int at = still[k] >= 0 ? slip_traversal_find(s, still[k]) : -1;
        if (at >= 0) motion[at] = SLIP_DEPENDS_ON_NOTHING;
    }
}

slip_ref *slip_graph_narrow_parts(const slip_graph *g, const slip_ref *roots, int count, int inputs,
                                  const slip_ref *still, int still_count, int *found)
{
    slip_traversal s;
    *found = 0;
    if (!slip_traversal_create(&s, g, roots, count)) return NULL;
    unsigned char *motion = slip_traversal_dependence(&s, g), *flags = calloc(2 * (size_t)s.count + 1, 1);
    slip_ref *list = malloc(((size_t)s.count + 1) * sizeof *list);
    bool fine = motion && flags && list;
    if (fine) {
        unsigned char *wanted = flags + s.count;
        mark_constant(&s, still, still_count, motion);
        mark_narrow(g, &s, motion, inputs, flags);
        for (int k = 0; k < count; k++)
            if (roots[k] >= 0) wanted[slip_traversal_find(&s, roots[k])] = 1;
        *found = list_parts(g, &s, flags, wanted, list);
    }
    free(motion);
    free(flags);
    slip_traversal_destroy(&s);
    if (!fine) free(list);
    return fine ? list : NULL;
}
