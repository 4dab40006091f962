/// symbolic/graph/interval_arithmetic.c: bounds of an expression from its form, whether it jumps, whether it has one value.
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "symbolic/graph/function.h"

static const slip_interval everything = { -INFINITY, INFINITY };

static slip_interval make_interval(double low, double high)
{
    if (!(low <= high)) return everything; // NaN: nothing is known
    return (slip_interval){ low, high };
}

slip_interval slip_interval_of(double low, double high)
{
    return make_interval(low, high);
}

// 0 * inf is 0 here: the infinite bound is a limit that is not reached
static double bound_product(double a, double b)
{
    return a == 0.0 || b == 0.0 ? 0.0 : a * b;
}

static slip_interval hull_of(const double *v, int count)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < count; k++) {
        if (v[k] != v[k]) return everything;
        low = fmin(low, v[k]);
        high = fmax(high, v[k]);
    }
    return make_interval(low, high);
}

static slip_interval range_mul(slip_interval a, slip_interval b)
{
    double v[4] = { bound_product(a.low, b.low), bound_product(a.low, b.high), bound_product(a.high, b.low),
                    bound_product(a.high, b.high) };
    return hull_of(v, 4);
}

static slip_interval range_square(slip_interval a)
{
    double l = bound_product(a.low, a.low), h = bound_product(a.high, a.high);
    return make_interval(a.low <= 0.0 && a.high >= 0.0 ? 0.0 : fmin(l, h), fmax(l, h));
}

static slip_interval range_div(slip_interval a, slip_interval b)
{
    if (b.low < 0.0 && b.high > 0.0) return everything;
    if (b.low == 0.0 && b.high == 0.0) return everything;
    // one-sided denominators: 1/0 is the infinity of that side
    double p = b.low == 0.0 ? INFINITY : 1.0 / b.low, q = b.high == 0.0 ? -INFINITY : 1.0 / b.high;
    return range_mul(a, make_interval(fmin(p, q), fmax(p, q)));
}

static slip_interval range_pow(slip_interval a, slip_interval b)
{
    if (b.low == b.high && b.low == floor(b.low) && fabs(b.low) < 1e9) {
        double n = b.low;
        bool even = fmod(n, 2.0) == 0.0;
        if (n < 0.0) return range_div(make_interval(1.0, 1.0), range_pow(a, make_interval(-n, -n)));
        double l = slip_pow(a.low, n), h = slip_pow(a.high, n);
        if (!even) return make_interval(l, h);
        return make_interval(a.low <= 0.0 && a.high >= 0.0 ? 0.0 : fmin(l, h), fmax(l, h));
    }
    if (a.low < 0.0) return everything; // a negative base with a broken exponent is NaN
    double v[4] = { slip_pow(a.low, b.low), slip_pow(a.low, b.high), slip_pow(a.high, b.low),
                    slip_pow(a.high, b.high) };
    slip_interval r = hull_of(v, 4);
    return make_interval(fmax(r.low, 0.0), r.high);
}

slip_interval slip_interval_abs(slip_interval a)
{
    if (a.low >= 0.0) return a;
    if (a.high <= 0.0) return make_interval(-a.high, -a.low);
    return make_interval(0.0, fmax(-a.low, a.high));
}

slip_interval slip_interval_increasing(double (*f)(double), slip_interval a, double from, double to)
{
    return make_interval(f(fmin(fmax(a.low, from), to)), f(fmax(fmin(a.high, to), from)));
}

slip_interval slip_interval_of_node(const slip_graph *g, const slip_node *n, const slip_interval *r)
{
    slip_interval a = r[0], b = r[1];
    const slip_function *f = slip_function_of(n->op);
    if (f) return f->range ? f->range(r) : everything;
    switch (n->op) {
    case SLIP_OP_CONSTANT:
    case SLIP_OP_PARAMETER:
        return make_interval(slip_graph_leaf_value(g, n), slip_graph_leaf_value(g, n));
    case SLIP_OP_ADD:
        return make_interval(a.low + b.low, a.high + b.high);
    case SLIP_OP_SUB:
        return make_interval(a.low - b.high, a.high - b.low);
    case SLIP_OP_MUL:
        return n->arg[0] == n->arg[1] ? range_square(a) : range_mul(a, b);
    case SLIP_OP_DIV:
        return range_div(a, b);
    case SLIP_OP_POW:
        return range_pow(a, b);
    case SLIP_OP_NEG:
        return make_interval(-a.high, -a.low);
    case SLIP_OP_LT:
        return make_interval(a.high < b.low, a.low < b.high);
    case SLIP_OP_LE:
        return make_interval(a.high <= b.low, a.low <= b.high);
    case SLIP_OP_EQ:
    case SLIP_OP_NE:
    case SLIP_OP_AND:
    case SLIP_OP_OR:
    case SLIP_OP_NOT:
        return make_interval(0.0, 1.0);
    default:
        return everything; // an input
    }
}

// whether a node has no finite value at finite operands in the ranges r
static bool node_may_fail(const slip_graph *g, const slip_node *n, const slip_interval *r)
{
    bool whole = r[1].low == r[1].high && r[1].low == floor(r[1].low);
    const slip_function *f = slip_function_of(n->op);
    if (f) return f->fails && f->fails(r);
    switch (n->op) {
    case SLIP_OP_CONSTANT:
    case SLIP_OP_PARAMETER:
        return !isfinite(slip_graph_leaf_value(g, n));
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
static slip_interval sweep_ranges(const slip_graph *g, slip_ref root, bool *failing)
{
    slip_traversal s;
    slip_interval result = { NAN, NAN };
    *failing = true;
    if (root < 0 || !slip_traversal_create(&s, g, &root, 1)) return result;
    slip_interval *known = malloc((size_t)s.count * sizeof *known);
    if (known) *failing = false;
    for (int k = 0; known && k < s.count; k++) {
        const slip_node *n = slip_graph_at(g, s.refs[k]);
        slip_interval r[3] = { { 0 } };
        for (int j = 0; j < slip_op_arity(n->op); j++) r[j] = known[slip_traversal_find(&s, n->arg[j])];
        known[k] = result = slip_interval_of_node(g, n, r);
        *failing = *failing || node_may_fail(g, n, r);
    }
    free(known);
    slip_traversal_destroy(&s);
    return result;
}

slip_interval slip_graph_interval(const slip_graph *g, slip_ref root)
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

bool slip_graph_is_discontinuous(const slip_graph *g, slip_ref root, slip_ref *where)
{
    slip_traversal s;
    *where = SLIP_NONE;
    if (root < 0 || !slip_traversal_create(&s, g, &root, 1)) return true;
    slip_ref jump = SLIP_NONE, question = SLIP_NONE;
    for (int k = 0; k < s.count; k++) {
        slip_op op = slip_graph_at(g, s.refs[k])->op;
        bool asks = op >= SLIP_OP_LT && op <= SLIP_OP_NOT;
        const slip_function *f = slip_function_of(op);
        bool steps = f && f->jumps;
        if (asks && question == SLIP_NONE) question = s.refs[k];
        if (steps && jump == SLIP_NONE) jump = s.refs[k];
    }
    slip_traversal_destroy(&s);
    if (jump == SLIP_NONE) jump = question; // the `if` says more than the comparison inside it
    if (jump != SLIP_NONE) *where = jump;
    return jump != SLIP_NONE;
}

bool slip_graph_is_set_valued(const slip_graph *g, slip_ref root, slip_ref *where)
{
    slip_traversal s;
    *where = SLIP_NONE;
    if (root < 0 || !slip_traversal_create(&s, g, &root, 1)) return true;
    for (int k = 0; k < s.count && *where == SLIP_NONE; k++)
        if (slip_op_is_set_valued(slip_graph_at(g, s.refs[k])->op)) *where = s.refs[k];
    slip_traversal_destroy(&s);
    return *where != SLIP_NONE;
}
