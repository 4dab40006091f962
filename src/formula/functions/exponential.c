/// functions/exponential.c: exp, log, sqrt and the hyperbolic functions.
#include "core/elementary.h"
#include "formula/function.h"

// ------------------------------------------------------------------------------------------- sqrt

static slip_ref sqrt_partial(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
{
    (void)n, (void)k;
    return slip_quotient(g, s, slip_binary(g, SLIP_OP_MUL, slip_graph_constant(g, 2.0), self));
}

static slip_range sqrt_range(const slip_range *a)
{
    return slip_range_rising(sqrt, *a, 0.0, INFINITY);
}

static bool sqrt_fails(const slip_range *x)
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

static slip_range exp_range(const slip_range *a)
{
    return slip_range_rising(slip_exp, *a, -INFINITY, INFINITY);
}

SLIP_FUNCTION_OF_ONE(exp, slip_exp, .info = { "exp", "x", "e to the x" }, .units = SLIP_UNITS_NUMBER,
                     .partial = exp_partial, .range = exp_range, .narrow = true, .latex = "\\exp");

// -------------------------------------------------------------------------------------------- log

static slip_ref log_partial(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
{
    (void)self, (void)k;
    return slip_quotient(g, s, n->arg[0]);
}

static slip_range log_range(const slip_range *a)
{
    return slip_range_rising(slip_ln, *a, 0.0, INFINITY);
}

static bool log_fails(const slip_range *x)
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

static slip_range sinh_range(const slip_range *a)
{
    return slip_range_rising(slip_sinh, *a, -INFINITY, INFINITY);
}

SLIP_FUNCTION_OF_ONE(sinh, slip_sinh, .info = { "sinh", "x", "hyperbolic sine" }, .units = SLIP_UNITS_NUMBER,
                     .partial = sinh_partial, .range = sinh_range, .latex = "\\sinh");

// ------------------------------------------------------------------------------------------- cosh

static slip_ref cosh_partial(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
{
    (void)self, (void)k;
    return slip_graph_product(g, s, slip_unary(g, SLIP_OP_SINH, n->arg[0]));
}

static slip_range cosh_range(const slip_range *a)
{
    return slip_range_rising(slip_cosh, slip_range_abs(*a), 0.0, INFINITY);
}

SLIP_FUNCTION_OF_ONE(cosh, slip_cosh, .info = { "cosh", "x", "hyperbolic cosine" },
                     .units = SLIP_UNITS_NUMBER, .partial = cosh_partial, .range = cosh_range,
                     .latex = "\\cosh");

// ------------------------------------------------------------------------------------------- tanh

static slip_ref tanh_partial(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
{
    (void)n, (void)k;
    slip_ref one = slip_graph_constant(g, 1.0);
    return slip_graph_product(g, s, slip_binary(g, SLIP_OP_SUB, one, slip_square(g, self)));
}

static slip_range tanh_range(const slip_range *a)
{
    return slip_range_rising(slip_tanh, *a, -INFINITY, INFINITY);
}

SLIP_FUNCTION_OF_ONE(tanh, slip_tanh, .info = { "tanh", "x", "hyperbolic tangent" },
                     .units = SLIP_UNITS_NUMBER, .partial = tanh_partial, .range = tanh_range, .narrow = true,
                     .latex = "\\tanh");
