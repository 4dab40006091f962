/// A function of the formula language: half of its argument.
#include "symbolic/graph/function.h"

static double value(double x)
{
    return 0.5 * x;
}

static slip_ref partial(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
{
    (void)self, (void)n, (void)k;
    return slip_graph_product(g, slip_graph_constant(g, 0.5), s);
}

SLIP_FUNCTION_OF_ONE(toy, value, .info = { "toy", "x", "a toy: half of x" }, .partial = partial);
