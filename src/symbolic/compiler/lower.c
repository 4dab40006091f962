/// symbolic/compiler/lower.c: lowers the graph that the user wrote to the operations of a tape.
#include <math.h>
#include <stdlib.h>

#include "symbolic/graph/function.h"
#include "symbolic/tape/tape.h"

// 1/c where it is exact, so that x/c and x * 1/c have the same bits and the product takes a fifth of the
// time; otherwise 0.
static double exact_reciprocal(const slip_graph *g, slip_ref r)
{
    int exponent;
    if (!slip_is_constant(g, r)) return 0.0;
    const double c = slip_graph_leaf_value(g, slip_graph_at(g, r));
    return isfinite(1.0 / c) && fabs(frexp(c, &exponent)) == 0.5 ? 1.0 / c : 0.0;
}

static slip_ref lower_node(const slip_graph *from, slip_graph *to, const bool *tunable, const slip_node *n,
                           const slip_ref *arg)
{
    switch (n->op) {
    case SLIP_OP_PARAMETER:
        if (tunable && tunable[n->index])
            return slip_graph_intern(to, SLIP_OP_INPUT, slip_graph_input_count(from) + n->index, SLIP_NONE,
                                     SLIP_NONE);
        return slip_graph_constant(to, slip_graph_leaf_value(from, n));
    case SLIP_OP_CONSTANT:
        return slip_graph_constant(to, n->value);
    case SLIP_OP_INPUT:
        return slip_graph_intern(to, SLIP_OP_INPUT, n->index, SLIP_NONE, SLIP_NONE);
    default:
        break;
    }
    const double factor = n->op == SLIP_OP_DIV ? exact_reciprocal(to, arg[1]) : 0.0;
    if (factor != 0.0)
        return slip_graph_op(to, SLIP_OP_MUL, arg[0], slip_graph_constant(to, factor), SLIP_NONE);
    const slip_function *f = slip_function_of(n->op);
    if (f && f->set_valued) return slip_graph_constant(to, NAN);
    return f && f->lower ? f->lower(to, arg) : slip_graph_op(to, n->op, arg[0], arg[1], arg[2]);
}

static bool lower_all(const slip_graph *from, slip_graph *to, const bool *tunable, const slip_traversal *s,
                      slip_ref *now)
{
    for (int k = 0; k < s->count; k++) {
        const slip_node *n = slip_graph_at(from, s->refs[k]);
        slip_ref arg[3] = { SLIP_NONE, SLIP_NONE, SLIP_NONE };
        for (int j = 0; j < slip_op_arity(n->op); j++) arg[j] = now[slip_traversal_find(s, n->arg[j])];
        now[k] = lower_node(from, to, tunable, n, arg);
        if (now[k] == SLIP_NONE) return false;
    }
    return true;
}

slip_graph *slip_graph_lower_tunable(const slip_graph *from, const bool *tunable, const slip_ref *roots,
                                     slip_ref *lowered, int count)
{
    slip_traversal s;
    if (!slip_traversal_create(&s, from, roots, count)) return NULL;
    slip_graph *to = slip_graph_create();
    slip_ref *now = malloc((size_t)(s.count + 1) * sizeof *now);
    if (to) to->for_tape = true;
    bool fine = to && now && lower_all(from, to, tunable, &s, now);
    for (int k = 0; k < count && fine; k++) lowered[k] = now[slip_traversal_find(&s, roots[k])];
    free(now);
    slip_traversal_destroy(&s);
    if (fine) return to;
    slip_graph_destroy(to);
    return NULL;
}

slip_graph *slip_graph_lower(const slip_graph *from, const slip_ref *roots, slip_ref *lowered, int count)
{
    return slip_graph_lower_tunable(from, NULL, roots, lowered, count);
}
