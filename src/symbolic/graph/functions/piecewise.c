/// symbolic/graph/functions/piecewise.c: functions that bend or jump: abs, sign, floor, min, max, if.
#include "symbolic/graph/function.h"

// -------------------------------------------------------------------------------------------- abs

static slip_ref abs_partial(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
{
    (void)self, (void)k;
    return slip_graph_product(g, s, slip_unary(g, SLIP_OP_SIGN, n->arg[0]));
}

static slip_interval abs_range(const slip_interval *a)
{
    return slip_interval_abs(*a);
}

// |-x| is |x|, ||x|| too
static slip_ref abs_simplify(slip_graph *g, const slip_ref *a)
{
    slip_node n = *slip_graph_at(g, a[0]);
    if (n.op == SLIP_OP_NEG) return slip_unary(g, SLIP_OP_ABS, n.arg[0]);
    return n.op == SLIP_OP_ABS ? a[0] : SLIP_NONE;
}

static slip_ref abs_held(slip_graph *g, const slip_node *n, const slip_locked_side *side)
{
    return slip_binary(g, SLIP_OP_MUL, side->sign, n->arg[0]);
}

SLIP_FUNCTION_OF_ONE(abs, fabs, .info = { "abs", "x", "absolute value" }, .units = SLIP_UNITS_KEPT,
                     .partial = abs_partial, .range = abs_range, .simplify = abs_simplify, .held = abs_held,
                     .cost = 1, .latex_around = { "\\left|", "\\right|" });

// ------------------------------------------------------------------------------------------- sign

static slip_interval sign_range(const slip_interval *a)
{
    return slip_interval_increasing(slip_sign, *a, -INFINITY, INFINITY);
}

static slip_ref sign_held(slip_graph *g, const slip_node *n, const slip_locked_side *side)
{
    (void)g, (void)n;
    return side->sign;
}

SLIP_FUNCTION_OF_ONE(sign, slip_sign, .info = { "sign", "x", "-1, 0 or 1 (a single number, also at 0)" },
                     .units = SLIP_UNITS_SIGN, .range = sign_range, .jumps = true, .held = sign_held,
                     .cost = 1);

// ------------------------------------------------------------------------------------------ floor

static slip_interval floor_range(const slip_interval *a)
{
    return slip_interval_increasing(floor, *a, -INFINITY, INFINITY);
}

static slip_ref floor_held(slip_graph *g, const slip_node *n, const slip_locked_side *side)
{
    (void)g, (void)n;
    return side->number;
}

SLIP_FUNCTION_OF_ONE(floor, floor, .info = { "floor", "x", "largest whole number not above x" },
                     .units = SLIP_UNITS_KEPT, .range = floor_range, .jumps = true, .held = floor_held,
                     .levels = true, .cost = 1, .latex_around = { "\\left\\lfloor ", "\\right\\rfloor " });

// --------------------------------------------------------------------------------------- min, max

static slip_ref same_simplify(slip_graph *g, const slip_ref *a)
{
    (void)g;
    return a[0] == a[1] ? a[0] : SLIP_NONE;
}

static slip_ref min_partial(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
{
    (void)self;
    return slip_graph_mask(g, slip_binary(g, SLIP_OP_LE, n->arg[0], n->arg[1]), k == 0, s);
}

static slip_interval min_range(const slip_interval *a)
{
    return slip_interval_of(fmin(a[0].low, a[1].low), fmin(a[0].high, a[1].high));
}

static slip_ref min_held(slip_graph *g, const slip_node *n, const slip_locked_side *side)
{
    return slip_graph_op(g, SLIP_OP_IF, side->positive, n->arg[1], n->arg[0]);
}

SLIP_FUNCTION_OF_TWO(min, slip_min, .info = { "min", "a, b, ...", "smallest" }, .units = SLIP_UNITS_SAME,
                     .chains = true, .partial = min_partial, .range = min_range, .simplify = same_simplify,
                     .held = min_held, .cost = 1, .latex = "\\min");

static slip_ref max_partial(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
{
    (void)self;
    return slip_graph_mask(g, slip_binary(g, SLIP_OP_LE, n->arg[1], n->arg[0]), k == 0, s);
}

static slip_interval max_range(const slip_interval *a)
{
    return slip_interval_of(fmax(a[0].low, a[1].low), fmax(a[0].high, a[1].high));
}

static slip_ref max_held(slip_graph *g, const slip_node *n, const slip_locked_side *side)
{
    return slip_graph_op(g, SLIP_OP_IF, side->positive, n->arg[0], n->arg[1]);
}

SLIP_FUNCTION_OF_TWO(max, slip_max, .info = { "max", "a, b, ...", "largest" }, .units = SLIP_UNITS_SAME,
                     .chains = true, .partial = max_partial, .range = max_range, .simplify = same_simplify,
                     .held = max_held, .cost = 1, .latex = "\\max");

// --------------------------------------------------------------------------------------------- if

static double if_value(double condition, double a, double b)
{
    return condition != 0.0 ? a : b;
}

static slip_ref if_partial(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
{
    (void)self;
    return k == 0 ? SLIP_ZERO_DERIVATIVE : slip_graph_mask(g, n->arg[0], k == 1, s);
}

static slip_interval if_range(const slip_interval *a)
{
    if (a[0].low > 0.0 || a[0].high < 0.0) return a[1];
    if (a[0].low == 0.0 && a[0].high == 0.0) return a[2];
    return slip_interval_of(fmin(a[1].low, a[2].low), fmax(a[1].high, a[2].high));
}

SLIP_FUNCTION_OF_THREE(if, if_value, .info = { "if", "c, a, b", "a where c is true (not 0), else b" },
                       .units = SLIP_UNITS_CHOICE, .partial = if_partial, .range = if_range, .jumps = true,
                       .cost = 1);
