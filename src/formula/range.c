/// range.c: bounds of an expression from its form, whether it jumps, whether it has one value.
#include <math.h>
#include <stdlib.h>

#include "core/elementary.h"
#include "formula/function.h"

static const slip_range everything = { -INFINITY, INFINITY };

static slip_range range(double low, double high)
{
    if (!(low <= high)) return everything; // NaN: nothing is known
    return (slip_range){ low, high };
}

slip_range slip_range_of(double low, double high)
{
    return range(low, high);
}

// 0 * inf is 0 here: the infinite bound is a limit that is not reached
static double times(double a, double b)
{
    return a == 0.0 || b == 0.0 ? 0.0 : a * b;
}

static slip_range smallest_around(const double *v, int count)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < count; k++) {
        if (v[k] != v[k]) return everything;
        low = fmin(low, v[k]);
        high = fmax(high, v[k]);
    }
    return range(low, high);
}

static slip_range range_mul(slip_range a, slip_range b)
{
    double v[4] = { times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high) };
    return smallest_around(v, 4);
}

static slip_range range_square(slip_range a)
{
    double l = times(a.low, a.low), h = times(a.high, a.high);
    return range(a.low <= 0.0 && a.high >= 0.0 ? 0.0 : fmin(l, h), fmax(l, h));
}

static slip_range range_div(slip_range a, slip_range b)
{
    if (b.low < 0.0 && b.high > 0.0) return everything;
    if (b.low == 0.0 && b.high == 0.0) return everything;
    // one-sided denominators: 1/0 is the infinity of that side
    double p = b.low == 0.0 ? INFINITY : 1.0 / b.low, q = b.high == 0.0 ? -INFINITY : 1.0 / b.high;
    return range_mul(a, range(fmin(p, q), fmax(p, q)));
}

static slip_range range_pow(slip_range a, slip_range b)
{
    if (b.low == b.high && b.low == floor(b.low) && fabs(b.low) < 1e9) {
        double n = b.low;
        bool even = fmod(n, 2.0) == 0.0;
        if (n < 0.0) return range_div(range(1.0, 1.0), range_pow(a, range(-n, -n)));
        double l = slip_pow(a.low, n), h = slip_pow(a.high, n);
        if (!even) return range(l, h);
        return range(a.low <= 0.0 && a.high >= 0.0 ? 0.0 : fmin(l, h), fmax(l, h));
    }
    if (a.low < 0.0) return everything; // a negative base with a broken exponent is NaN
    double v[4] = { slip_pow(a.low, b.low), slip_pow(a.low, b.high), slip_pow(a.high, b.low),
                    slip_pow(a.high, b.high) };
    slip_range r = smallest_around(v, 4);
    return range(fmax(r.low, 0.0), r.high);
}

slip_range slip_range_abs(slip_range a)
{
    if (a.low >= 0.0) return a;
    if (a.high <= 0.0) return range(-a.high, -a.low);
    return range(0.0, fmax(-a.low, a.high));
}

slip_range slip_range_rising(double (*f)(double), slip_range a, double from, double to)
{
    return range(f(fmin(fmax(a.low, from), to)), f(fmax(fmin(a.high, to), from)));
}

slip_range slip_range_of_node(const slip_graph *g, const slip_node *n, const slip_range *r)
{
    slip_range a = r[0], b = r[1];
    const slip_function *f = slip_function_of(n->op);
    if (f) return f->range ? f->range(r) : everything;
    switch (n->op) {
    case SLIP_OP_CONSTANT:
    case SLIP_OP_PARAMETER:
        return range(slip_leaf_value(g, n), slip_leaf_value(g, n));
    case SLIP_OP_ADD:
        return range(a.low + b.low, a.high + b.high);
    case SLIP_OP_SUB:
        return range(a.low - b.high, a.high - b.low);
    case SLIP_OP_MUL:
        return n->arg[0] == n->arg[1] ? range_square(a) : range_mul(a, b);
    case SLIP_OP_DIV:
        return range_div(a, b);
    case SLIP_OP_POW:
        return range_pow(a, b);
    case SLIP_OP_NEG:
        return range(-a.high, -a.low);
    case SLIP_OP_LT:
        return range(a.high < b.low, a.low < b.high);
    case SLIP_OP_LE:
        return range(a.high <= b.low, a.low <= b.high);
    case SLIP_OP_EQ:
    case SLIP_OP_NE:
    case SLIP_OP_AND:
    case SLIP_OP_OR:
    case SLIP_OP_NOT:
        return range(0.0, 1.0);
    default:
        return everything; // an input
    }
}

// whether a node has no finite value at finite operands in the ranges r
static bool fails(const slip_graph *g, const slip_node *n, const slip_range *r)
{
    bool whole = r[1].low == r[1].high && r[1].low == floor(r[1].low);
    const slip_function *f = slip_function_of(n->op);
    if (f) return f->fails && f->fails(r);
    switch (n->op) {
    case SLIP_OP_CONSTANT:
    case SLIP_OP_PARAMETER:
        return !isfinite(slip_leaf_value(g, n));
    case SLIP_OP_DIV:
        return r[1].low <= 0.0 && r[1].high >= 0.0;
    case SLIP_OP_POW:
        return whole && r[1].low >= 0.0 ? false
               : whole                  ? r[0].low <= 0.0 && r[0].high >= 0.0
                                        : !(r[0].low > 0.0);
    default:
        return false;
    }
}

// the range of the root; *failing: whether a node below it may have no value
static slip_range sweep_ranges(const slip_graph *g, slip_ref root, bool *failing)
{
    slip_walk s;
    slip_range result = { NAN, NAN };
    *failing = true;
    if (root < 0 || !slip_walk_create(&s, g, &root, 1)) return result;
    slip_range *known = malloc((size_t)s.count * sizeof *known);
    if (known) *failing = false;
    for (int k = 0; known && k < s.count; k++) {
        const slip_node *n = slip_at(g, s.refs[k]);
        slip_range r[3] = { { 0 } };
        for (int j = 0; j < slip_op_arity(n->op); j++) r[j] = known[slip_walk_find(&s, n->arg[j])];
        known[k] = result = slip_range_of_node(g, n, r);
        *failing = *failing || fails(g, n, r);
    }
    free(known);
    slip_walk_destroy(&s);
    return result;
}

slip_range slip_graph_range(const slip_graph *g, slip_ref root)
{
    bool failing;
    return sweep_ranges(g, root, &failing);
}

bool slip_graph_may_fail(const slip_graph *g, slip_ref root)
{
    bool failing;
    sweep_ranges(g, root, &failing);
    return failing;
}

bool slip_graph_jumps(const slip_graph *g, slip_ref root, slip_ref *where)
{
    slip_walk s;
    *where = SLIP_NONE;
    if (root < 0 || !slip_walk_create(&s, g, &root, 1)) return true;
    slip_ref jump = SLIP_NONE, question = SLIP_NONE;
    for (int k = 0; k < s.count; k++) {
        slip_op op = slip_at(g, s.refs[k])->op;
        bool asks = op >= SLIP_OP_LT && op <= SLIP_OP_NOT;
        const slip_function *f = slip_function_of(op);
        bool steps = f && f->jumps;
        if (asks && question == SLIP_NONE) question = s.refs[k];
        if (steps && jump == SLIP_NONE) jump = s.refs[k];
    }
    slip_walk_destroy(&s);
    if (jump == SLIP_NONE) jump = question; // the `if` says more than the comparison inside it
    if (jump != SLIP_NONE) *where = jump;
    return jump != SLIP_NONE;
}

bool slip_graph_is_set_valued(const slip_graph *g, slip_ref root, slip_ref *where)
{
    slip_walk s;
    *where = SLIP_NONE;
    if (root < 0 || !slip_walk_create(&s, g, &root, 1)) return true;
    for (int k = 0; k < s.count && *where == SLIP_NONE; k++)
        if (slip_op_is_set_valued(slip_at(g, s.refs[k])->op)) *where = s.refs[k];
    slip_walk_destroy(&s);
    return *where != SLIP_NONE;
}
