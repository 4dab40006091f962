/// symbolic/graph/expression_builders.h: writing expressions without noise.
#ifndef SLIP_SYMBOLIC_GRAPH_EXPRESSION_BUILDERS_H
#define SLIP_SYMBOLIC_GRAPH_EXPRESSION_BUILDERS_H

#include "symbolic/graph/formula.h"

static inline slip_ref slip_op1(slip_graph *g, slip_op op, slip_ref a)
{
    return slip_graph_op(g, op, a, SLIP_NONE, SLIP_NONE);
}

static inline slip_ref slip_op2(slip_graph *g, slip_op op, slip_ref a, slip_ref b)
{
    return slip_graph_op(g, op, a, b, SLIP_NONE);
}

#endif
