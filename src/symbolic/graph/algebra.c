/// symbolic/graph/algebra.c: sums and products as derivatives need them: constants in front, like terms together.
#include <math.h>

#include "symbolic/graph/graph.h"

enum { PRODUCT_SEARCH_DEPTH = 8, UNIT_FACTOR = -2 }; // UNIT_FACTOR: the factor 1, which needs no node

/// number * top / bottom
typedef struct term {
    double number;
    slip_ref top, bottom; // UNIT_FACTOR when missing
} term;

// a*b where either may be UNIT_FACTOR
static slip_ref factor_product(slip_graph *g, slip_ref a, slip_ref b)
{
    if (a == UNIT_FACTOR) return b;
    if (b == UNIT_FACTOR) return a;
    return slip_binary(g, SLIP_OP_MUL, a, b);
}

// takes the leading number off a product, PRODUCT_SEARCH_DEPTH factors deep, and multiplies it into *number
static slip_ref without_number(slip_graph *g, slip_ref r, int depth, double *number)
{
    slip_node n = *slip_graph_at(g, r);
    if (n.op == SLIP_OP_CONSTANT) {
        *number *= n.value;
        return UNIT_FACTOR;
    }
    if (n.op == SLIP_OP_NEG) {
        *number = -*number;
        return without_number(g, n.arg[0], depth, number);
    }
    if ((n.op != SLIP_OP_MUL && n.op != SLIP_OP_DIV) || depth == 0) return r;
    slip_ref left = without_number(g, n.arg[0], depth - 1, number);
    if (left == n.arg[0] || left == SLIP_NONE) return left == SLIP_NONE ? left : r;
    if (n.op == SLIP_OP_MUL) return factor_product(g, left, n.arg[1]);
    return slip_binary(g, SLIP_OP_DIV, left == UNIT_FACTOR ? slip_graph_constant(g, 1.0) : left, n.arg[1]);
}

static bool ratio_is_exact(double a, double b)
{
    double q = a / b;
    return isfinite(q) && fma(q, b, -a) == 0.0;
}

// number / (below * rest) for the denominator of a quotient whose top is a number
static slip_ref split_bottom(slip_graph *g, slip_ref bottom, double *number)
{
    double below = 1.0;
    slip_ref rest = without_number(g, bottom, PRODUCT_SEARCH_DEPTH, &below);
    if (!ratio_is_exact(*number, below)) return bottom;
    *number /= below;
    return rest;
}

// false when memory ran out
static bool split_term(slip_graph *g, slip_ref r, term *t)
{
    slip_node n = *slip_graph_at(g, r);
    *t = (term){ 1.0, UNIT_FACTOR, UNIT_FACTOR };
    if (n.op == SLIP_OP_DIV && slip_is_constant(g, n.arg[0])) {
        t->number = slip_graph_at(g, n.arg[0])->value;
        t->bottom = split_bottom(g, n.arg[1], &t->number);
    } else {
        t->top = without_number(g, r, PRODUCT_SEARCH_DEPTH, &t->number);
    }
    return t->top != SLIP_NONE && t->bottom != SLIP_NONE;
}

static slip_ref join_term(slip_graph *g, term t)
{
    slip_ref top = t.top;
    if (top == UNIT_FACTOR)
        top = slip_graph_constant(g, t.number);
    else if (t.number != 1.0)
        top = slip_binary(g, SLIP_OP_MUL, slip_graph_constant(g, t.number), top);
    return t.bottom == UNIT_FACTOR ? top : slip_binary(g, SLIP_OP_DIV, top, t.bottom);
}

// ------------------------------------------------------------------------------------------- masks

/// if(condition, value, 0) or, with side 2, if(condition, 0, value)
typedef struct mask {
    slip_ref condition, value;
    int side;
} mask;

static bool is_mask(const slip_graph *g, slip_ref r, mask *m)
{
    const slip_node *n = slip_graph_at(g, r);
    if (n->op != SLIP_OP_IF) return false;
    m->condition = n->arg[0];
    m->side = slip_is_value(g, n->arg[2], 0.0) ? 1 : 2;
    m->value = n->arg[m->side];
    return m->side == 1 || slip_is_value(g, n->arg[1], 0.0);
}

static slip_ref make_mask(slip_graph *g, slip_ref condition, int side, slip_ref value)
{
    slip_ref zero = slip_graph_constant(g, 0.0);
    if (side == 1) return slip_graph_op(g, SLIP_OP_IF, condition, value, zero);
    return slip_graph_op(g, SLIP_OP_IF, condition, zero, value);
}

slip_ref slip_graph_mask(slip_graph *g, slip_ref condition, bool wanted, slip_ref a)
{
    mask m;
    if (condition < 0 || a < 0) return SLIP_NONE;
    if (!is_mask(g, a, &m)) return make_mask(g, condition, wanted ? 1 : 2, a);
    if (m.condition == condition) // the same question twice
        return (m.side == 1) == wanted ? a : slip_graph_constant(g, 0.0);
    slip_ref outer = wanted ? condition : slip_unary(g, SLIP_OP_NOT, condition);
    slip_ref inner = m.side == 1 ? m.condition : slip_unary(g, SLIP_OP_NOT, m.condition);
    return make_mask(g, slip_binary(g, SLIP_OP_AND, outer, inner), 1, m.value);
}

// ------------------------------------------------------------------------------------ the algebra

slip_ref slip_graph_negative(slip_graph *g, slip_ref a)
{
    mask m;
    if (a < 0) return SLIP_NONE;
    if (is_mask(g, a, &m)) return make_mask(g, m.condition, m.side, slip_unary(g, SLIP_OP_NEG, m.value));
    return slip_unary(g, SLIP_OP_NEG, a);
}

static slip_ref plain_product(slip_graph *g, slip_ref a, slip_ref b)
{
    term x, y;
    if (slip_is_value(g, a, 0.0) || slip_is_value(g, b, 0.0)) return slip_graph_constant(g, 0.0);
    if (!split_term(g, a, &x) || !split_term(g, b, &y)) return SLIP_NONE;
    double number = x.number * y.number;
    bool in_order = y.number == 1.0 && x.bottom == UNIT_FACTOR && y.bottom == UNIT_FACTOR;
    if (in_order || !isfinite(number) || number == 0.0) return slip_binary(g, SLIP_OP_MUL, a, b);
    term t = { number, factor_product(g, x.top, y.top), factor_product(g, x.bottom, y.bottom) };
    if (t.top == SLIP_NONE || t.bottom == SLIP_NONE) return SLIP_NONE;
    if (t.top == t.bottom) t.top = t.bottom = UNIT_FACTOR;
    return join_term(g, t);
}

slip_ref slip_graph_product(slip_graph *g, slip_ref scale, slip_ref b)
{
    mask m;
    if (scale < 0 || b < 0) return SLIP_NONE;
    if (!is_mask(g, scale, &m)) return plain_product(g, scale, b);
    return make_mask(g, m.condition, m.side, plain_product(g, m.value, b));
}

slip_ref slip_graph_factor(slip_graph *g, slip_ref factor, slip_ref scale)
{
    mask m;
    if (scale < 0 || factor < 0) return SLIP_NONE;
    if (!is_mask(g, scale, &m)) return plain_product(g, factor, scale);
    return make_mask(g, m.condition, m.side, plain_product(g, factor, m.value));
}

static slip_ref plain_quotient(slip_graph *g, slip_ref a, slip_ref b)
{
    term x;
    if (slip_is_value(g, a, 0.0)) return a;
    if (!split_term(g, a, &x)) return SLIP_NONE;
    slip_ref rest = slip_is_constant(g, b) ? b : split_bottom(g, b, &x.number);
    if (rest == SLIP_NONE) return SLIP_NONE;
    if (rest == b && x.bottom == UNIT_FACTOR) return slip_binary(g, SLIP_OP_DIV, a, b);
    x.bottom = factor_product(g, rest, x.bottom); // 1/p/q is 1/(q p)
    if (x.top == x.bottom) x.top = x.bottom = UNIT_FACTOR;
    return x.bottom == SLIP_NONE ? SLIP_NONE : join_term(g, x);
}

slip_ref slip_graph_quotient(slip_graph *g, slip_ref scale, slip_ref b)
{
    mask m;
    if (scale < 0 || b < 0) return SLIP_NONE;
    if (!is_mask(g, scale, &m)) return plain_quotient(g, scale, b);
    return make_mask(g, m.condition, m.side, plain_quotient(g, m.value, b));
}

// number and rest of a term, looking at its first factor only, so that nothing is made
static slip_ref leading_number(const slip_graph *g, slip_ref r, double *number)
{
    const slip_node *n = slip_graph_at(g, r);
    *number = 1.0;
    if (n->op == SLIP_OP_NEG) {
        slip_ref rest = leading_number(g, n->arg[0], number);
        *number = -*number;
        return rest;
    }
    if (n->op != SLIP_OP_MUL || !slip_is_constant(g, n->arg[0])) return r;
    *number = slip_graph_at(g, n->arg[0])->value;
    return n->arg[1];
}

// a + b as one term when they are multiples of the same; SLIP_NONE when they are not
static slip_ref like_terms(slip_graph *g, slip_ref a, slip_ref b)
{
    double p, q;
    slip_ref rest = leading_number(g, a, &p);
    if (rest != leading_number(g, b, &q) || slip_is_constant(g, rest)) return SLIP_NONE;
    return slip_binary(g, SLIP_OP_MUL, slip_graph_constant(g, p + q), rest);
}

// if(c, a, b) + if(c, p, q) when that fills a zero; SLIP_NONE otherwise
static slip_ref like_masks(slip_graph *g, slip_ref a, slip_ref b)
{
    mask m;
    slip_node x = *slip_graph_at(g, a), y = *slip_graph_at(g, b);
    if (x.op != SLIP_OP_IF || y.op != SLIP_OP_IF || x.arg[0] != y.arg[0]) return SLIP_NONE;
    if (!is_mask(g, a, &m) && !is_mask(g, b, &m)) return SLIP_NONE;
    slip_ref first = slip_binary(g, SLIP_OP_ADD, x.arg[1], y.arg[1]);
    slip_ref second = slip_binary(g, SLIP_OP_ADD, x.arg[2], y.arg[2]);
    return slip_graph_op(g, SLIP_OP_IF, x.arg[0], first, second);
}

slip_ref slip_graph_sum(slip_graph *g, slip_ref a, slip_ref b)
{
    if (a < 0 || b < 0) return SLIP_NONE;
    slip_ref merged = like_terms(g, a, b);
    if (merged == SLIP_NONE) merged = like_masks(g, a, b);
    if (merged != SLIP_NONE) return merged;
    slip_node n = *slip_graph_at(g, a);
    if (n.op == SLIP_OP_ADD) merged = like_terms(g, n.arg[1], b);
    if (merged != SLIP_NONE) return slip_binary(g, SLIP_OP_ADD, n.arg[0], merged);
    return slip_binary(g, SLIP_OP_ADD, a, b);
}

slip_ref slip_graph_difference(slip_graph *g, slip_ref a, slip_ref b)
{
    return slip_graph_sum(g, a, slip_graph_negative(g, b));
}
