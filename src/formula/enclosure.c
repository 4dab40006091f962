/// formula/enclosure.c: what values expressions can take while their inputs stay within bounds.
#include "formula/enclosure.h"

#include <math.h>
#include <stdlib.h>

#include "core/elementary.h"
#include "formula/function.h"

static const double FLAT = 1e-12; // what changes by less is constant

// ---------------------------------------------------------------------------------------------- nodes

// powers that are flat but near an end of their base
static bool is_steep_power(const slip_graph *g, const slip_node *n)
{
    double exponent = slip_graph_evaluate(g, n->arg[1]);
    return !(exponent >= 0.0 && exponent < 4.0);
}

// whether a node by itself may change a lot on a short way of what is below it
static bool is_narrow(const slip_graph *g, const slip_node *n, const unsigned char *below)
{
    const slip_function *f = slip_function_of(n->op);
    if (f) return f->narrow && below[0] != SLIP_STILL;
    if (n->op == SLIP_OP_DIV) return below[1] != SLIP_STILL;
    return n->op == SLIP_OP_POW &&
           (below[1] != SLIP_STILL || (below[0] != SLIP_STILL && is_steep_power(g, n)));
}

// ----------------------------------------------------------------------------------------- enclosures

// what the operands of a node follow from
static void look_below(const slip_walk *s, const slip_node *n, const unsigned char *motion,
                       unsigned char below[3])
{
    for (int j = 0; j < 3; j++)
        below[j] =
            j < slip_op_arity(n->op) ? motion[slip_walk_find(s, n->arg[j])] : (unsigned char)SLIP_STILL;
}

static bool list_narrow(slip_enclosure *b, const slip_walk *s)
{
    unsigned char *motion = slip_walk_motion(s, b->graph);
    b->narrow = malloc(((size_t)s->count + 1) * sizeof *b->narrow);
    for (int k = 0; motion && b->narrow && k < s->count; k++) {
        const slip_node *n = slip_at(b->graph, s->refs[k]);
        unsigned char below[3];
        look_below(s, n, motion, below);
        if (is_narrow(b->graph, n, below)) b->narrow[b->narrow_count++] = k;
    }
    bool fine = motion && b->narrow;
    free(motion);
    return fine;
}

// the narrow nodes and what they follow from; few, where all that is narrow is the length of a quaternion
static bool list_below(slip_enclosure *b)
{
    b->below = calloc((size_t)b->count + 1, sizeof *b->below);
    if (!b->below) return false;
    int *wanted = b->below; // per node, until the list takes its place
    for (int k = 0; k < b->narrow_count; k++) wanted[b->narrow[k]] = 1;
    for (int k = b->count - 1; k >= 0; k--) {
        int arity = wanted[k] ? slip_op_arity(slip_at(b->graph, b->node[k])->op) : 0;
        for (int j = 0; j < arity; j++) wanted[b->operand[3 * k + j]] = 1;
    }
    for (int k = 0; k < b->count; k++)
        if (wanted[k]) b->below[b->below_count++] = k;
    return true;
}

bool slip_enclosure_create(slip_enclosure *b, const slip_graph *g, const slip_ref *roots, int count)
{
    slip_walk s;
    *b = (slip_enclosure){ .graph = g, .root_count = count };
    if (!slip_walk_create(&s, g, roots, count)) return false;
    b->count = s.count;
    b->operand = calloc(3 * (size_t)s.count + 1, sizeof *b->operand);
    b->root = calloc((size_t)count + 1, sizeof *b->root);
    b->value = calloc((size_t)s.count + 1, sizeof *b->value);
    bool fine = b->operand && b->root && b->value;
    for (int k = 0; fine && k < s.count; k++) {
        const slip_node *n = slip_at(g, s.refs[k]);
        for (int j = 0; j < slip_op_arity(n->op); j++) b->operand[3 * k + j] = slip_walk_find(&s, n->arg[j]);
    }
    for (int k = 0; fine && k < count; k++) b->root[k] = slip_walk_find(&s, roots[k]);
    fine = fine && list_narrow(b, &s);
    b->node = s.refs;
    s.refs = NULL;
    slip_walk_destroy(&s);
    return fine && list_below(b);
}

void slip_enclosure_destroy(slip_enclosure *b)
{
    free(b->node);
    free(b->narrow);
    free(b->below);
    free(b->operand);
    free(b->root);
    free(b->value);
    *b = (slip_enclosure){ 0 };
}

static void run_node(slip_enclosure *b, int k, const slip_range *input)
{
    const slip_node *n = slip_at(b->graph, b->node[k]);
    slip_range r[3] = { { 0 } };
    for (int j = 0; j < slip_op_arity(n->op); j++) r[j] = b->value[b->operand[3 * k + j]];
    b->value[k] = n->op == SLIP_OP_INPUT ? input[n->index] : slip_range_of_node(b->graph, n, r);
}

void slip_enclosure_run(slip_enclosure *b, const slip_range *input)
{
    for (int k = 0; k < b->count; k++) run_node(b, k, input);
}

void slip_enclosure_run_narrow(slip_enclosure *b, const slip_range *input)
{
    for (int k = 0; k < b->below_count; k++) run_node(b, b->below[k], input);
}

static double ratio(slip_range r)
{
    r = slip_range_abs(r);
    return r.high / r.low; // infinite or not a number where it may be zero
}

static bool is_tame(const slip_enclosure *b, int k)
{
    const slip_node *n = slip_at(b->graph, b->node[k]);
    slip_range value = b->value[k], first = b->value[b->operand[3 * k]],
               second = b->value[b->operand[3 * k + 1]];
    if (value.high - value.low <= FLAT * fmax(1.0, fmax(fabs(value.low), fabs(value.high)))) return true;
    if (n->op == SLIP_OP_DIV) return ratio(second) <= 2.0;
    if (n->op == SLIP_OP_POW)
        return second.low == second.high && slip_pow(ratio(first), fabs(second.low)) <= 2.0;
    return first.high - first.low <= 1.0;
}

bool slip_enclosure_is_tame(const slip_enclosure *b)
{
    for (int i = 0; i < b->narrow_count; i++)
        if (!is_tame(b, b->narrow[i])) return false;
    return true;
}

// --------------------------------------------------------------------------------------- narrow parts

enum { HOLDS = 1, STARTS = 2, UNKNOWN = 4 };

static bool is_unknown(const slip_node *n, int inputs)
{
    const slip_function *f = slip_function_of(n->op);
    return (f && !f->range) || (n->op == SLIP_OP_INPUT && n->index >= inputs);
}

// HOLDS: a narrow part is at or below the node; STARTS: there is one at it, or there are several below
static void mark(const slip_graph *g, const slip_walk *s, const unsigned char *motion, int inputs,
                 unsigned char *flags)
{
    for (int k = 0; k < s->count; k++) {
        const slip_node *n = slip_at(g, s->refs[k]);
        unsigned char below[3];
        int holding = 0;
        look_below(s, n, motion, below);
        flags[k] = motion[k] != SLIP_STILL && is_unknown(n, inputs) ? UNKNOWN : 0;
        for (int j = 0; j < slip_op_arity(n->op); j++) {
            int at = slip_walk_find(s, n->arg[j]);
            holding += (flags[at] & HOLDS) != 0;
            flags[k] |= flags[at] & UNKNOWN;
        }
        if (is_narrow(g, n, below) || holding > 1) flags[k] |= STARTS;
        if ((flags[k] & STARTS) || holding) flags[k] |= HOLDS;
    }
}

// From the top down: the first nodes that start one, of which the bounds are known. `wanted` is of the nodes
// to look at
static int list_parts(const slip_graph *g, const slip_walk *s, unsigned char *flags, unsigned char *wanted,
                      slip_ref *list)
{
    int found = 0;
    for (int k = s->count - 1; k >= 0; k--) {
        const slip_node *n = slip_at(g, s->refs[k]);
        if (!wanted[k] || !(flags[k] & HOLDS)) continue;
        if ((flags[k] & STARTS) && !(flags[k] & UNKNOWN)) {
            list[found++] = s->refs[k];
            continue;
        }
        for (int j = 0; j < slip_op_arity(n->op); j++) wanted[slip_walk_find(s, n->arg[j])] = 1;
    }
    return found;
}

static void hold_still(const slip_walk *s, const slip_ref *still, int count, unsigned char *motion)
{
    for (int k = 0; k < count; k++) {
        int at = still[k] >= 0 ? slip_walk_find(s, still[k]) : -1;
        if (at >= 0) motion[at] = SLIP_STILL;
    }
}

slip_ref *slip_graph_narrow_parts(const slip_graph *g, const slip_ref *roots, int count, int inputs,
                                  const slip_ref *still, int still_count, int *found)
{
    slip_walk s;
    *found = 0;
    if (!slip_walk_create(&s, g, roots, count)) return NULL;
    unsigned char *motion = slip_walk_motion(&s, g), *flags = calloc(2 * (size_t)s.count + 1, 1);
    slip_ref *list = malloc(((size_t)s.count + 1) * sizeof *list);
    bool fine = motion && flags && list;
    if (fine) {
        unsigned char *wanted = flags + s.count;
        hold_still(&s, still, still_count, motion);
        mark(g, &s, motion, inputs, flags);
        for (int k = 0; k < count; k++)
            if (roots[k] >= 0) wanted[slip_walk_find(&s, roots[k])] = 1;
        *found = list_parts(g, &s, flags, wanted, list);
    }
    free(motion);
    free(flags);
    slip_walk_destroy(&s);
    if (!fine) free(list);
    return fine ? list : NULL;
}
