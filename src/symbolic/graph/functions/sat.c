/// symbolic/graph/functions/sat.c: the nearest number in an interval, or the nearest point in a disc, Xiong 2013 eq 2.
#include "symbolic/graph/function.h"

static slip_interval range_within(slip_interval Z, slip_interval x)
{
    double most = fmax(fabs(Z.low), fabs(Z.high));
    if (Z.low < 0.0) return slip_interval_of(-most, most);
    return slip_interval_of(slip_sat(x.low > 0.0 ? Z.low : most, x.low),
                            slip_sat(x.high < 0.0 ? Z.low : most, x.high));
}

// s where the point is free to move: in a disc of radius 0 it is not, though |x| <= Z may hold there
static slip_ref where_free(slip_graph *g, slip_ref free, slip_ref Z, slip_ref s)
{
    if (!g->narrow) return slip_graph_mask(g, free, true, s);
    slip_ref wide = slip_binary(g, SLIP_OP_LT, slip_graph_constant(g, 0.0), Z);
    return slip_graph_mask(g, wide, true, slip_graph_mask(g, free, true, s));
}

// ------------------------------------------------------------------------------------- one number

static slip_ref sat_partial(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
{
    (void)self;
    slip_ref Z = n->arg[0], x = n->arg[1];
    slip_ref free = slip_binary(g, SLIP_OP_LE, slip_unary(g, SLIP_OP_ABS, x), Z);
    if (k == 1) return where_free(g, free, Z, s);
    return slip_graph_mask(g, free, false, slip_graph_product(g, s, slip_unary(g, SLIP_OP_SIGN, x)));
}

static slip_interval sat_range(const slip_interval *a)
{
    return range_within(a[0], a[1]);
}

// in the form that derivatives of it have
static slip_ref sat_pieces(slip_graph *g, const slip_node *n)
{
    slip_ref Z = n->arg[0], x = n->arg[1];
    slip_ref held = slip_binary(g, SLIP_OP_MUL, Z, slip_unary(g, SLIP_OP_SIGN, x));
    slip_ref free = slip_binary(g, SLIP_OP_LE, slip_unary(g, SLIP_OP_ABS, x), Z);
    return slip_graph_op(g, SLIP_OP_IF, free, x, held);
}

SLIP_FUNCTION_OF_TWO(sat, slip_sat,
                     .info = { "sat", "Z, x",
                               "x limited to [-Z, Z]; sat(Z, x, y): (x, y) limited to the disc of radius Z" },
                     .units = SLIP_UNITS_SAME, .pair = { SLIP_OP_SAT_X, SLIP_OP_SAT_Y },
                     .partial = sat_partial, .range = sat_range, .pieces = sat_pieces, .cost = 1);

// ----------------------------------------------------------------------------- components of a pair

// p is the component taken, q the other. Outside the disc it is Z p / r.
static slip_ref part_partial(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
{
    (void)self;
    bool first = n->op == SLIP_OP_SAT_X;
    slip_ref Z = n->arg[0], p = n->arg[first ? 1 : 2], q = n->arg[first ? 2 : 1];
    slip_ref r2 = slip_graph_sum_of_squares(g, n->arg[1], n->arg[2]);
    slip_ref r = slip_unary(g, SLIP_OP_SQRT, r2), free = slip_binary(g, SLIP_OP_LE, r, Z);
    if (k == 0)
        return slip_graph_mask(g, free, false, slip_graph_product(g, s, slip_binary(g, SLIP_OP_DIV, p, r)));
    slip_ref pull = slip_binary(g, SLIP_OP_DIV, Z, slip_binary(g, SLIP_OP_MUL, r, r2)); // Z / r^3
    if ((k == 1) != first) // with respect to q: -Z p q / r^3
        return slip_graph_mask(
            g, free, false,
            slip_graph_negative(
                g, slip_graph_product(g, slip_graph_product(g, slip_graph_product(g, s, pull), q), p)));
    slip_ref pulled = slip_graph_product(g, s, pull), q2 = slip_graph_square(g, q);
    slip_ref inside = where_free(g, free, Z, s);
    slip_ref outside = slip_graph_mask(g, free, false, slip_graph_product(g, pulled, q2));
    return slip_graph_sum(g, inside, outside);
}

// between 0 and the component, and in [-Z, Z]
static slip_interval part_range(slip_interval Z, slip_interval p)
{
    return range_within(Z, slip_interval_of(fmin(p.low, 0.0), fmax(p.high, 0.0)));
}

static slip_ref part_pieces(slip_graph *g, const slip_node *n)
{
    slip_ref Z = n->arg[0], two = slip_graph_constant(g, 2.0);
    slip_ref x2 = slip_binary(g, SLIP_OP_POW, n->arg[1], two),
             y2 = slip_binary(g, SLIP_OP_POW, n->arg[2], two);
    slip_ref r = slip_unary(g, SLIP_OP_SQRT, slip_binary(g, SLIP_OP_ADD, x2, y2));
    slip_ref part = n->arg[n->op == SLIP_OP_SAT_X ? 1 : 2];
    slip_ref held = slip_binary(g, SLIP_OP_DIV, slip_binary(g, SLIP_OP_MUL, Z, part), r);
    return slip_graph_op(g, SLIP_OP_IF, slip_binary(g, SLIP_OP_LE, r, Z), part, held);
}

// p * min(1, Z/|(x, y)|), as in slip_sat_part
static slip_ref part_lower(slip_graph *to, const slip_ref *a, slip_ref p)
{
    slip_ref Z = a[0], xx = slip_binary(to, SLIP_OP_MUL, a[1], a[1]),
             yy = slip_binary(to, SLIP_OP_MUL, a[2], a[2]);
    slip_ref n = slip_unary(to, SLIP_OP_SQRT, slip_binary(to, SLIP_OP_ADD, xx, yy));
    slip_ref pulled = slip_binary(to, SLIP_OP_DIV, slip_binary(to, SLIP_OP_MUL, Z, p), n);
    return slip_graph_op(to, SLIP_OP_IF, slip_binary(to, SLIP_OP_LE, n, Z), p, pulled);
}

static slip_interval x_range(const slip_interval *a)
{
    return part_range(a[0], a[1]);
}

static slip_ref x_lower(slip_graph *to, const slip_ref *a)
{
    return part_lower(to, a, a[1]);
}

SLIP_FUNCTION_OF_THREE(sat_x, slip_sat_part, .info = { "sat", "Z, x, y", "first component of sat(Z, x, y)" },
                       .component = 1, .partial = part_partial, .range = x_range, .pieces = part_pieces,
                       .lower = x_lower);

static double y_value(double Z, double x, double y)
{
    return slip_sat_part(Z, y, x);
}

static slip_interval y_range(const slip_interval *a)
{
    return part_range(a[0], a[2]);
}

static slip_ref y_lower(slip_graph *to, const slip_ref *a)
{
    return part_lower(to, a, a[2]);
}

SLIP_FUNCTION_OF_THREE(sat_y, y_value, .info = { "sat", "Z, x, y", "second component of sat(Z, x, y)" },
                       .component = 2, .partial = part_partial, .range = y_range, .pieces = part_pieces,
                       .lower = y_lower);
