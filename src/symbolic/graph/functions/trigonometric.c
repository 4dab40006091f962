/// symbolic/graph/functions/trigonometric.c: sin, cos, tan and their inverses.
#include "base/elementary.h"
#include "symbolic/graph/function.h"
#include "symbolic/graph/functions/function_tolerances.h"

static const double PI = 3.14159265358979323846;

// Of sin or cos, which has its extrema at multiples of pi after `phase`: 1 or -1 where one lies within, else
// what it is at both ends
static slip_interval wave_range(double (*f)(double), const slip_interval *a, double phase)
{
    if (!(a->high - a->low < 2.0 * PI) || fmax(fabs(a->low), fabs(a->high)) > EXTREMA_RESOLVED_BELOW)
        return slip_interval_of(-1.0, 1.0);
    const long first = (long)ceil((a->low - phase) / PI - EXTREMUM_SLACK),
               last = (long)floor((a->high - phase) / PI + EXTREMUM_SLACK);
    double p = f(a->low), q = f(a->high), low = fmin(p, q), high = fmax(p, q);
    for (long k = first; k <= last; k++) {
        if (k % 2 == 0)
            high = 1.0;
        else
            low = -1.0;
    }
    return slip_interval_of(low, high);
}

static slip_interval sin_range(const slip_interval *a)
{
    return wave_range(slip_sin, a, 0.5 * PI);
}

static slip_interval cos_range(const slip_interval *a)
{
    return wave_range(slip_cos, a, 0.0);
}

// ------------------------------------------------------------------------------------------- sin

static slip_ref sin_partial(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
{
    (void)self, (void)k;
    return slip_graph_product(g, s, slip_unary(g, SLIP_OP_COS, n->arg[0]));
}

SLIP_FUNCTION_OF_ONE(sin, slip_sin, .info = { "sin", "x", "sine, x in rad" }, .units = SLIP_UNITS_ANGLE,
                     .partial = sin_partial, .range = sin_range, .latex = "\\sin");

// ------------------------------------------------------------------------------------------- cos

static slip_ref cos_partial(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
{
    (void)self, (void)k;
    return slip_graph_negative(g, slip_graph_product(g, s, slip_unary(g, SLIP_OP_SIN, n->arg[0])));
}

SLIP_FUNCTION_OF_ONE(cos, slip_cos, .info = { "cos", "x", "cosine, x in rad" }, .units = SLIP_UNITS_ANGLE,
                     .partial = cos_partial, .range = cos_range, .latex = "\\cos");

// ------------------------------------------------------------------------------------------- tan

static slip_ref tan_partial(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
{
    (void)n, (void)k;
    slip_ref one = slip_graph_constant(g, 1.0);
    return slip_graph_product(g, s, slip_binary(g, SLIP_OP_ADD, one, slip_graph_square(g, self)));
}

static bool tan_fails(const slip_interval *x)
{
    return !(x->low > -1.57 && x->high < 1.57);
}

SLIP_FUNCTION_OF_ONE(tan, slip_tan, .info = { "tan", "x", "tangent, x in rad" }, .units = SLIP_UNITS_ANGLE,
                     .partial = tan_partial, .fails = tan_fails, .latex = "\\tan");

// ------------------------------------------------------------------------------------ asin, acos

// s / sqrt(1 - a^2)
static slip_ref asin_partial(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
{
    (void)self, (void)k;
    slip_ref one = slip_graph_constant(g, 1.0);
    slip_ref rest = slip_binary(g, SLIP_OP_SUB, one, slip_graph_square(g, n->arg[0]));
    return slip_graph_quotient(g, s, slip_unary(g, SLIP_OP_SQRT, rest));
}

static slip_interval asin_range(const slip_interval *a)
{
    return slip_interval_increasing(slip_asin, *a, -1.0, 1.0);
}

static bool leaves_unit(const slip_interval *x)
{
    return x->low < -1.0 || x->high > 1.0;
}

SLIP_FUNCTION_OF_ONE(asin, slip_asin, .info = { "asin", "x", "inverse sine, -pi/2 to pi/2" },
                     .units = SLIP_UNITS_INVERSE_ANGLE, .partial = asin_partial, .range = asin_range,
                     .fails = leaves_unit, .latex = "\\arcsin");

static slip_ref acos_partial(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
{
    return slip_graph_negative(g, asin_partial(g, self, n, k, s));
}

static slip_interval acos_range(const slip_interval *a)
{
    return slip_interval_of(slip_acos(fmin(fmax(a->high, -1.0), 1.0)),
                            slip_acos(fmax(fmin(a->low, 1.0), -1.0)));
}

SLIP_FUNCTION_OF_ONE(acos, slip_acos, .info = { "acos", "x", "inverse cosine, 0 to pi" },
                     .units = SLIP_UNITS_INVERSE_ANGLE, .partial = acos_partial, .range = acos_range,
                     .fails = leaves_unit, .latex = "\\arccos");

// ------------------------------------------------------------------------------------------- atan

static slip_ref atan_partial(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
{
    (void)self, (void)k;
    slip_ref one = slip_graph_constant(g, 1.0);
    return slip_graph_quotient(g, s, slip_binary(g, SLIP_OP_ADD, one, slip_graph_square(g, n->arg[0])));
}

static slip_interval atan_range(const slip_interval *a)
{
    return slip_interval_increasing(slip_atan, *a, -INFINITY, INFINITY);
}

SLIP_FUNCTION_OF_ONE(atan, slip_atan, .info = { "atan", "x", "inverse tangent, -pi/2 to pi/2" },
                     .units = SLIP_UNITS_INVERSE_ANGLE, .partial = atan_partial, .range = atan_range,
                     .narrow = true, .latex = "\\arctan");

// ------------------------------------------------------------------------------------------ atan2

// (x dy - y dx)/(x^2 + y^2)
static slip_ref atan2_partial(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
{
    (void)self;
    slip_ref y = n->arg[0], x = n->arg[1];
    slip_ref r2 = slip_graph_sum_of_squares(g, x, y);
    slip_ref scaled = slip_graph_product(g, slip_graph_quotient(g, s, r2), k == 0 ? x : y);
    return k == 0 ? scaled : slip_graph_negative(g, scaled);
}

static slip_interval atan2_range(const slip_interval *a)
{
    (void)a;
    return slip_interval_of(-3.14159265358979323846, 3.14159265358979323846);
}

SLIP_FUNCTION_OF_TWO(atan2, slip_atan2, .info = { "atan2", "y, x", "angle of the point (x, y), -pi to pi" },
                     .units = SLIP_UNITS_INVERSE_ANGLE, .partial = atan2_partial, .range = atan2_range);
