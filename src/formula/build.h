/// formula/build.h: writing expressions without noise.
#ifndef SLIP_FORMULA_BUILD_H
#define SLIP_FORMULA_BUILD_H

#include "formula/formula.h"

static inline slip_ref slip_op1(slip_graph *g, slip_op op, slip_ref a)
{
    return slip_graph_op(g, op, a, SLIP_NONE, SLIP_NONE);
}

static inline slip_ref slip_op2(slip_graph *g, slip_op op, slip_ref a, slip_ref b)
{
    return slip_graph_op(g, op, a, b, SLIP_NONE);
}

#endif
