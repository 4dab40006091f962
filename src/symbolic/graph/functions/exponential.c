/// symbolic/graph/functions/exponential.c: exp, log, sqrt and the hyperbolic functions.
#include "base/elementary.h"
#include "symbolic/graph/function.h"

// ------------------------------------------------------------------------------------------- sqrt

static slip_ref sqrt_partial(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
{
    (void)n, (void)k;
    return slip_graph_quotient(g, s, slip_binary(g, SLIP_OP_MUL, slip_graph_constant(g, 2.0), self));
}

static slip_interval sqrt_range(const slip_interval *a)
{
    return slip_interval_increasing(sqrt, *a, 0.0, INFINITY);
}

static bool sqrt_fails(const slip_interval *x)
{
    return x->low < 0.0;
}

SLIP_FUNCTION_OF_ONE(sqrt, sqrt, .info = { "sqrt", "x", "square root" }, .units = SLIP_UNITS_ROOT,
                     .partial = sqrt_partial, .range = sqrt_range, .fails = sqrt_fails, .cost = 4,
                     .latex_around = { "\\sqrt{", "}" });

// -------------------------------------------------------------------------------------------- exp

static slip_ref exp_partial(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
{
    (void)n, (void)k;
    return slip_graph_product(g, s, self);
}

static slip_interval exp_range(const slip_interval *a)
{
    return slip_interval_increasing(slip_exp, *a, -INFINITY, INFINITY);
}

SLIP_FUNCTION_OF_ONE(exp, slip_exp, .info = { "exp", "x", "e to the x" }, .units = SLIP_UNITS_NUMBER,
                     .partial = exp_partial, .range = exp_range, .narrow = true, .latex = "\\exp");

// -------------------------------------------------------------------------------------------- log

static slip_ref log_partial(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
{
    (void)self, (void)k;
    return slip_graph_quotient(g, s, n->arg[0]);
}

static slip_interval log_range(const slip_interval *a)
{
    return slip_interval_increasing(slip_ln, *a, 0.0, INFINITY);
}

static bool log_fails(const slip_interval *x)
{
    return x->low <= 0.0;
}

SLIP_FUNCTION_OF_ONE(log, slip_ln, .info = { "log", "x", "natural logarithm" }, .units = SLIP_UNITS_NUMBER,
                     .partial = log_partial, .range = log_range, .fails = log_fails, .latex = "\\ln");

// ------------------------------------------------------------------------------------------- sinh

static slip_ref sinh_partial(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
{
    (void)self, (void)k;
    return slip_graph_product(g, s, slip_unary(g, SLIP_OP_COSH, n->arg[0]));
}

static slip_interval sinh_range(const slip_interval *a)
{
    return slip_interval_increasing(slip_sinh, *a, -INFINITY, INFINITY);
}

SLIP_FUNCTION_OF_ONE(sinh, slip_sinh, .info = { "sinh", "x", "hyperbolic sine" }, .units = SLIP_UNITS_NUMBER,
                     .partial = sinh_partial, .range = sinh_range, .latex = "\\sinh");

// ------------------------------------------------------------------------------------------- cosh

static slip_ref cosh_partial(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
{
    (void)self, (void)k;
    return slip_graph_product(g, s, slip_unary(g, SLIP_OP_SINH, n->arg[0]));
}

static slip_interval cosh_range(const slip_interval *a)
{
    return slip_interval_increasing(slip_cosh, slip_interval_abs(*a), 0.0, INFINITY);
}

SLIP_FUNCTION_OF_ONE(cosh, slip_cosh, .info = { "cosh", "x", "hyperbolic cosine" },
                     .units = SLIP_UNITS_NUMBER, .partial = cosh_partial, .range = cosh_range,
                     .latex = "\\cosh");

// ------------------------------------------------------------------------------------------- tanh

static slip_ref tanh_partial(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
{
    (void)n, (void)k;
    slip_ref one = slip_graph_constant(g, 1.0);
    return slip_graph_product(g, s, slip_binary(g, SLIP_OP_SUB, one, slip_graph_square(g, self)));
}

static slip_interval tanh_range(const slip_interval *a)
{
    return slip_interval_increasing(slip_tanh, *a, -INFINITY, INFINITY);
}

SLIP_FUNCTION_OF_ONE(tanh, slip_tanh, .info = { "tanh", "x", "hyperbolic tangent" },
                     .units = SLIP_UNITS_NUMBER, .partial = tanh_partial, .range = tanh_range, .narrow = true,
                     .latex = "\\tanh");
