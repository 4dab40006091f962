/// formulation/regularized/dai_sgn_product.c: a term taken apart into factor*sgn(theta) (Xiong 2013, section 4.4).
#include <math.h>

#include "formulation/regularized/dai_traversal.h"
#include "symbolic/graph/expression_builders.h"

// SLIP_NONE stands for 1.
static slip_ref product_or_one(slip_dai_traversal *w, slip_ref a, slip_ref b)
{
    if (a < 0) return b;
    return b < 0 ? a : slip_dai_traversal_check(w, slip_op2(w->graph, SLIP_OP_MUL, a, b));
}

static double constant_value(slip_dai_traversal *w, slip_ref constant)
{
    double value = slip_graph_evaluate(w->graph, constant);
    if (!isnan(value)) return value;
    // not a number, or not enough memory to know
    slip_tape *tape = slip_tape_create(w->graph, &constant, 1);
    if (!tape) {
        w->status = w->status == SLIP_OK ? SLIP_NO_MEMORY : w->status;
        return NAN;
    }
    if (!slip_tape_result_constant(tape, 0, &value) || isnan(value))
        slip_dai_traversal_fail(w, constant, "this factor of a sgn is not a number");
    slip_tape_destroy(tape);
    return value;
}

// one more factor beside the sgn, in the order written: `before` the others or behind them
static void collect_factor(slip_dai_traversal *w, slip_sgn_product *p, slip_ref factor, bool before)
{
    if (slip_dai_traversal_is_varying(w, factor))
        p->varying = before ? product_or_one(w, factor, p->varying) : product_or_one(w, p->varying, factor);
    else
        p->scale *= constant_value(w, factor);
    p->factor = before ? product_or_one(w, factor, p->factor) : product_or_one(w, p->factor, factor);
}

static void collect_divisor(slip_dai_traversal *w, slip_sgn_product *p, slip_ref divisor)
{
    if (slip_dai_traversal_is_varying(w, divisor))
        p->varying_over = product_or_one(w, divisor, p->varying_over);
    else
        p->scale /= constant_value(w, divisor);
    p->over = product_or_one(w, divisor, p->over);
}

static slip_ref quotient_or_one(slip_dai_traversal *w, slip_ref a, slip_ref b)
{
    if (b < 0) return a;
    return slip_dai_traversal_check(
        w, slip_op2(w->graph, SLIP_OP_DIV, a < 0 ? slip_graph_constant(w->graph, 1.0) : a, b));
}

static void negate_product(slip_dai_traversal *w, slip_sgn_product *p)
{
    p->scale = -p->scale;
    p->factor = slip_dai_traversal_check(w, p->factor < 0 ? slip_graph_constant(w->graph, -1.0)
                                                          : slip_op1(w->graph, SLIP_OP_NEG, p->factor));
}

// c*f where f is a definition: f is the element and c, a constant, stays outside
bool slip_sgn_product_is_defined(const slip_dai_traversal *w, slip_ref start, const slip_sgn_product *p)
{
    return p->rest != start && p->rest < w->original_count && w->definition[p->rest] && p->varying < 0 &&
           p->varying_over < 0 && !slip_op_is_sgn(slip_dai_traversal_node(w, p->rest).op);
}

// goes down the factors of a product to its sgn, collecting what stands beside it
static slip_sgn_product descend_to_sgn(slip_dai_traversal *w, slip_ref ref)
{
    slip_sgn_product p = { SLIP_NONE, ref, SLIP_NONE, SLIP_NONE, 1.0, SLIP_NONE, SLIP_NONE };
    while (w->status == SLIP_OK && !slip_sgn_product_is_defined(w, ref, &p)) {
        slip_node node = slip_dai_traversal_node(w, p.rest);
        if (slip_op_is_sgn(node.op)) {
            p.sgn = p.rest;
            return p;
        }
        if (node.op == SLIP_OP_NEG) {
            negate_product(w, &p);
            p.rest = node.arg[0];
        } else if (node.op == SLIP_OP_MUL) {
            bool left = slip_dai_traversal_contains(w, node.arg[0], SLIP_CONTAINS_SGN),
                 right = slip_dai_traversal_contains(w, node.arg[1], SLIP_CONTAINS_SGN);
            if (left && right) {
                slip_dai_traversal_fail(w, p.rest,
                                        "a product of two sgn is not of the form factor*sgn(theta)");
                return p;
            }
            collect_factor(w, &p, left ? node.arg[1] : node.arg[0], !left);
            p.rest = left ? node.arg[0] : node.arg[1];
        } else if (node.op == SLIP_OP_DIV &&
                   !slip_dai_traversal_contains(w, node.arg[1], SLIP_CONTAINS_SGN)) {
            collect_divisor(w, &p, node.arg[1]);
            p.rest = node.arg[0];
        } else {
            return p;
        }
    }
    return p;
}

slip_sgn_product slip_sgn_product_of(slip_dai_traversal *w, slip_ref ref)
{
    slip_sgn_product p = descend_to_sgn(w, ref);
    p.factor = quotient_or_one(w, p.factor, p.over);
    p.varying = quotient_or_one(w, p.varying, p.varying_over);
    return p;
}

// a product inside another: also through definitions, which no longer stand for themselves there
slip_sgn_product slip_sgn_product_within(slip_dai_traversal *w, const slip_sgn_product *outer, slip_ref ref)
{
    slip_sgn_product all = *outer;
    slip_ref start;
    do {
        start = ref;
        slip_sgn_product inner = slip_sgn_product_of(w, ref);
        all.factor = product_or_one(w, all.factor, inner.factor);
        all.varying = product_or_one(w, all.varying, inner.varying);
        all.scale *= inner.scale;
        all.sgn = inner.sgn;
        all.rest = ref = inner.rest;
    } while (w->status == SLIP_OK && all.sgn < 0 && ref != start &&
             (slip_dai_traversal_node(w, ref).op == SLIP_OP_MUL ||
              slip_dai_traversal_node(w, ref).op == SLIP_OP_DIV ||
              slip_dai_traversal_node(w, ref).op == SLIP_OP_NEG));
    return all;
}
