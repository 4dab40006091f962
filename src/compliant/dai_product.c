/// compliant/dai_product.c: a term taken apart into factor*sgn(theta) (Xiong 2013, section 4.4).
#include <math.h>

#include "compliant/dai_walk.h"
#include "formula/build.h"

// SLIP_NONE stands for 1.
static slip_ref times(slip_dai_walk *w, slip_ref a, slip_ref b)
{
    if (a < 0) return b;
    return b < 0 ? a : slip_walk_remembered(w, slip_op2(w->graph, SLIP_OP_MUL, a, b));
}

static double value_of(slip_dai_walk *w, slip_ref constant)
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
        slip_walk_refuse(w, constant, "this factor of a sgn is not a number");
    slip_tape_destroy(tape);
    return value;
}

// one more factor beside the sgn, in the order written: `before` the others or behind them
static void collect(slip_dai_walk *w, slip_sgn_product *p, slip_ref factor, bool before)
{
    if (slip_walk_varies(w, factor))
        p->varying = before ? times(w, factor, p->varying) : times(w, p->varying, factor);
    else
        p->scale *= value_of(w, factor);
    p->factor = before ? times(w, factor, p->factor) : times(w, p->factor, factor);
}

static void divide(slip_dai_walk *w, slip_sgn_product *p, slip_ref divisor)
{
    if (slip_walk_varies(w, divisor))
        p->varying_over = times(w, divisor, p->varying_over);
    else
        p->scale /= value_of(w, divisor);
    p->over = times(w, divisor, p->over);
}

static slip_ref quotient(slip_dai_walk *w, slip_ref a, slip_ref b)
{
    if (b < 0) return a;
    return slip_walk_remembered(
        w, slip_op2(w->graph, SLIP_OP_DIV, a < 0 ? slip_graph_constant(w->graph, 1.0) : a, b));
}

static void negate(slip_dai_walk *w, slip_sgn_product *p)
{
    p->scale = -p->scale;
    p->factor = slip_walk_remembered(w, p->factor < 0 ? slip_graph_constant(w->graph, -1.0)
                                                      : slip_op1(w->graph, SLIP_OP_NEG, p->factor));
}

// c*f where f is a definition: f is the element and c, a constant, stays outside
bool slip_sgn_product_is_defined(const slip_dai_walk *w, slip_ref start, const slip_sgn_product *p)
{
    return p->rest != start && p->rest < w->original_count && w->definition[p->rest] && p->varying < 0 &&
           p->varying_over < 0 && !slip_op_is_sgn(slip_walk_node(w, p->rest).op);
}

// goes down the factors of a product to its sgn, collecting what stands beside it
static slip_sgn_product go_down(slip_dai_walk *w, slip_ref ref)
{
    slip_sgn_product p = { SLIP_NONE, ref, SLIP_NONE, SLIP_NONE, 1.0, SLIP_NONE, SLIP_NONE };
    while (w->status == SLIP_OK && !slip_sgn_product_is_defined(w, ref, &p)) {
        slip_node node = slip_walk_node(w, p.rest);
        if (slip_op_is_sgn(node.op)) {
            p.sgn = p.rest;
            return p;
        }
        if (node.op == SLIP_OP_NEG) {
            negate(w, &p);
            p.rest = node.arg[0];
        } else if (node.op == SLIP_OP_MUL) {
            bool left = slip_walk_holds(w, node.arg[0], SLIP_HOLDS_SGN),
                 right = slip_walk_holds(w, node.arg[1], SLIP_HOLDS_SGN);
            if (left && right) {
                slip_walk_refuse(w, p.rest, "a product of two sgn is not of the form factor*sgn(theta)");
                return p;
            }
            collect(w, &p, left ? node.arg[1] : node.arg[0], !left);
            p.rest = left ? node.arg[0] : node.arg[1];
        } else if (node.op == SLIP_OP_DIV && !slip_walk_holds(w, node.arg[1], SLIP_HOLDS_SGN)) {
            divide(w, &p, node.arg[1]);
            p.rest = node.arg[0];
        } else {
            return p;
        }
    }
    return p;
}

slip_sgn_product slip_sgn_product_of(slip_dai_walk *w, slip_ref ref)
{
    slip_sgn_product p = go_down(w, ref);
    p.factor = quotient(w, p.factor, p.over);
    p.varying = quotient(w, p.varying, p.varying_over);
    return p;
}

// a product inside another: also through definitions, which no longer stand for themselves there
slip_sgn_product slip_sgn_product_within(slip_dai_walk *w, const slip_sgn_product *outer, slip_ref ref)
{
    slip_sgn_product all = *outer;
    slip_ref start;
    do {
        start = ref;
        slip_sgn_product inner = slip_sgn_product_of(w, ref);
        all.factor = times(w, all.factor, inner.factor);
        all.varying = times(w, all.varying, inner.varying);
        all.scale *= inner.scale;
        all.sgn = inner.sgn;
        all.rest = ref = inner.rest;
    } while (w->status == SLIP_OK && all.sgn < 0 && ref != start &&
             (slip_walk_node(w, ref).op == SLIP_OP_MUL || slip_walk_node(w, ref).op == SLIP_OP_DIV ||
              slip_walk_node(w, ref).op == SLIP_OP_NEG));
    return all;
}
