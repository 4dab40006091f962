/// symbolic/graph/simplify.c: what an operation reduces to without changing the value it has in a run.
///
/// Every rule here is exact in floating point for finite operands (the sign of a zero aside). Two
/// deliberate ones: 0*x is 0 and x - x is 0, also where x would be infinite or NaN at run time. A
/// constant that would come out infinite or NaN (1/0) is kept as written and left to the run.
///
/// The rules are also the normal form that printed text is read back to: a minus sign stands in
/// front of a product, never inside it, and a term with a leading negative number is subtracted.
#include <math.h>

#include "symbolic/graph/function.h"

enum { PRODUCT_SEARCH_DEPTH = 8 }; // how far down a product a leading number is looked for

typedef struct context {
    slip_graph *g;
    bool *failed;
} context;

// passes a made node on, remembering when making it failed
static slip_ref note_failure(context *c, slip_ref r)
{
    if (r == SLIP_NONE) *c->failed = true;
    return r;
}

static slip_ref make_constant(context *c, double value)
{
    return note_failure(c, slip_graph_constant(c->g, value));
}
static slip_ref make_unary(context *c, slip_op op, slip_ref a)
{
    return note_failure(c, slip_unary(c->g, op, a));
}
static slip_ref make_binary(context *c, slip_op op, slip_ref a, slip_ref b)
{
    return note_failure(c, slip_binary(c->g, op, a, b));
}

static bool is_negation(const slip_graph *g, slip_ref r)
{
    return slip_graph_at(g, r)->op == SLIP_OP_NEG;
}
static slip_ref negated_operand(const slip_graph *g, slip_ref r)
{
    return slip_graph_at(g, r)->arg[0];
}

// -r when r is a negation, a negative number or a product that begins with one; else SLIP_NONE
static slip_ref without_sign(context *c, slip_ref r, int depth)
{
    slip_node n = *slip_graph_at(c->g, r);
    if (n.op == SLIP_OP_NEG) return n.arg[0];
    if (n.op == SLIP_OP_CONSTANT) return n.value < 0.0 ? make_constant(c, -n.value) : SLIP_NONE;
    if ((n.op != SLIP_OP_MUL && n.op != SLIP_OP_DIV) || depth == 0) return SLIP_NONE;
    slip_ref left = without_sign(c, n.arg[0], depth - 1);
    return left == SLIP_NONE ? SLIP_NONE : make_binary(c, n.op, left, n.arg[1]);
}

static slip_ref simplify_add(context *c, slip_ref a, slip_ref b)
{
    if (slip_is_value(c->g, a, 0.0)) return b;
    if (slip_is_value(c->g, b, 0.0)) return a;
    slip_ref positive = without_sign(c, b, PRODUCT_SEARCH_DEPTH);
    if (*c->failed) return SLIP_NONE;
    if (positive != SLIP_NONE) return make_binary(c, SLIP_OP_SUB, a, positive);
    if (c->g->for_tape && is_negation(c->g, a))
        return make_binary(c, SLIP_OP_SUB, b, negated_operand(c->g, a));
    return SLIP_NONE;
}

static slip_ref simplify_sub(context *c, slip_ref a, slip_ref b)
{
    if (slip_is_value(c->g, b, 0.0)) return a;
    if (slip_is_value(c->g, a, 0.0)) return make_unary(c, SLIP_OP_NEG, b);
    if (a == b) return make_constant(c, 0.0);
    slip_ref positive = without_sign(c, b, PRODUCT_SEARCH_DEPTH);
    if (*c->failed || positive == SLIP_NONE) return SLIP_NONE;
    return make_binary(c, SLIP_OP_ADD, a, positive);
}

// -(op(a, b)) for the operands without their signs
static slip_ref hoist_sign(context *c, slip_op op, slip_ref a, slip_ref b)
{
    bool first = is_negation(c->g, a), second = is_negation(c->g, b);
    if (!first && !second) return SLIP_NONE;
    slip_ref inner =
        make_binary(c, op, first ? negated_operand(c->g, a) : a, second ? negated_operand(c->g, b) : b);
    if (inner == SLIP_NONE || first == second) return inner;
    return make_unary(c, SLIP_OP_NEG, inner);
}

static slip_ref simplify_mul(context *c, slip_ref a, slip_ref b)
{
    if (slip_is_value(c->g, a, 0.0) || slip_is_value(c->g, b, 0.0)) return make_constant(c, 0.0);
    if (slip_is_value(c->g, a, 1.0)) return b;
    if (slip_is_value(c->g, b, 1.0)) return a;
    if (slip_is_value(c->g, a, -1.0)) return make_unary(c, SLIP_OP_NEG, b);
    if (slip_is_value(c->g, b, -1.0)) return make_unary(c, SLIP_OP_NEG, a);
    return hoist_sign(c, SLIP_OP_MUL, a, b);
}

static slip_ref simplify_div(context *c, slip_ref a, slip_ref b)
{
    if (slip_is_value(c->g, b, 1.0)) return a;
    if (slip_is_value(c->g, b, -1.0)) return make_unary(c, SLIP_OP_NEG, a);
    return hoist_sign(c, SLIP_OP_DIV, a, b);
}

// a^n by multiplications, in the order of slip_power_whole
static slip_ref power_chain(context *c, slip_ref a, int n)
{
    int half = 1;
    while (2 * half <= n) half *= 2;
    slip_ref p = a;
    for (half /= 2; half >= 1 && p != SLIP_NONE; half /= 2) {
        p = make_binary(c, SLIP_OP_MUL, p, p);
        if ((n & half) && p != SLIP_NONE) p = make_binary(c, SLIP_OP_MUL, p, a);
    }
    return p;
}

static slip_ref times_chain(context *c, slip_ref a, int n, slip_ref b)
{
    slip_ref p = power_chain(c, a, n);
    return p == SLIP_NONE ? SLIP_NONE : make_binary(c, SLIP_OP_MUL, p, b);
}

static slip_ref one_over(context *c, slip_ref a)
{
    slip_ref one = make_constant(c, 1.0);
    return a == SLIP_NONE || one == SLIP_NONE ? SLIP_NONE : make_binary(c, SLIP_OP_DIV, one, a);
}

static slip_ref simplify_pow(context *c, slip_ref a, slip_ref b)
{
    if (slip_is_value(c->g, b, 1.0)) return a;
    if (slip_is_value(c->g, b, 0.0) || slip_is_value(c->g, a, 1.0)) return make_constant(c, 1.0);
    if (!c->g->for_tape || !slip_is_constant(c->g, b)) return SLIP_NONE;
    double exponent = slip_graph_at(c->g, b)->value;
    int n;
    if (slip_power_is_chain(exponent, &n))
        return n > 0 ? power_chain(c, a, n) : one_over(c, power_chain(c, a, -n));
    if (!slip_power_is_root(exponent, &n)) return SLIP_NONE;
    slip_ref p = make_unary(c, SLIP_OP_SQRT, a);
    if (n > 1 && p != SLIP_NONE) p = times_chain(c, a, n / 2, p);
    return exponent > 0.0 ? p : one_over(c, p);
}

static slip_ref simplify_neg(context *c, slip_ref a)
{
    slip_node n = *slip_graph_at(c->g, a);
    if (n.op == SLIP_OP_NEG) return n.arg[0];
    if ((n.op == SLIP_OP_MUL || n.op == SLIP_OP_DIV) && slip_is_constant(c->g, n.arg[0])) {
        slip_ref number = make_constant(c, -slip_graph_at(c->g, n.arg[0])->value);
        return number == SLIP_NONE ? SLIP_NONE : make_binary(c, n.op, number, n.arg[1]);
    }
    if (c->g->for_tape && n.op == SLIP_OP_SUB) return make_binary(c, SLIP_OP_SUB, n.arg[1], n.arg[0]);
    return without_sign(c, a, PRODUCT_SEARCH_DEPTH);
}

// 0 or 1, whatever its operands are
static bool is_truth(const slip_graph *g, slip_ref r)
{
    const slip_node *n = slip_graph_at(g, r);
    if (n->op == SLIP_OP_CONSTANT) return n->value == 0.0 || n->value == 1.0;
    return n->op >= SLIP_OP_LT && n->op <= SLIP_OP_NOT;
}

// AND (decides = 0) and OR (decides = 1)
static slip_ref simplify_logic(context *c, slip_ref a, slip_ref b, bool decides)
{
    for (int k = 0; k < 2; k++) {
        slip_ref one = k ? b : a, other = k ? a : b;
        if (!slip_is_constant(c->g, one)) continue;
        if ((slip_graph_at(c->g, one)->value != 0.0) == decides) return make_constant(c, decides);
        if (is_truth(c->g, other)) return other;
    }
    return a == b && is_truth(c->g, a) ? a : SLIP_NONE;
}

static slip_ref simplify_if(context *c, slip_ref condition, slip_ref a, slip_ref b)
{
    const slip_node *n = slip_graph_at(c->g, condition);
    if (n->op == SLIP_OP_CONSTANT) return n->value != 0.0 ? a : b;
    if (a == b) return a;
    if (c->g->for_tape && n->op == SLIP_OP_NOT)
        return note_failure(c, slip_graph_op(c->g, SLIP_OP_IF, n->arg[0], b, a));
    return SLIP_NONE;
}

static bool is_commutative(slip_op op)
{
    return op == SLIP_OP_ADD || op == SLIP_OP_MUL || op == SLIP_OP_EQ || op == SLIP_OP_NE ||
           op == SLIP_OP_AND || op == SLIP_OP_OR;
}

// the value when all operands are numbers
static slip_ref fold_constants(context *c, slip_op op, const slip_ref *arg)
{
    double v[3] = { 0 };
    for (int k = 0; k < slip_op_arity(op); k++) {
        if (!slip_is_constant(c->g, arg[k])) return SLIP_NONE;
        v[k] = slip_graph_at(c->g, arg[k])->value;
    }
    if (slip_op_arity(op) == 0 || slip_op_is_set_valued(op)) return SLIP_NONE;
    double value = slip_op_apply(op, v[0], v[1], v[2]);
    if (!isfinite(value) && !c->g->for_tape) return SLIP_NONE;
    return make_constant(c, value);
}

// what its record knows; memory that ran out is noted in the graph
static slip_ref simplify_function(context *c, slip_op op, const slip_ref *arg)
{
    const slip_function *f = slip_function_of(op);
    if (!f || !f->simplify) return SLIP_NONE;
    slip_ref simpler = f->simplify(c->g, arg);
    if (simpler == SLIP_NONE && c->g->failed) *c->failed = true;
    return simpler;
}

slip_ref slip_graph_simplify(slip_graph *g, slip_op op, slip_ref a, slip_ref b, slip_ref third, bool *failed)
{
    context c = { g, failed };
    slip_ref folded = fold_constants(&c, op, (slip_ref[]){ a, b, third });
    if (folded != SLIP_NONE || *failed) return folded;
    slip_ref simpler = SLIP_NONE;
    switch (op) {
    case SLIP_OP_ADD:
        simpler = simplify_add(&c, a, b);
        break;
    case SLIP_OP_SUB:
        simpler = simplify_sub(&c, a, b);
        break;
    case SLIP_OP_MUL:
        simpler = simplify_mul(&c, a, b);
        break;
    case SLIP_OP_DIV:
        simpler = simplify_div(&c, a, b);
        break;
    case SLIP_OP_POW:
        simpler = simplify_pow(&c, a, b);
        break;
    case SLIP_OP_NEG:
        simpler = simplify_neg(&c, a);
        break;
    case SLIP_OP_AND:
        simpler = simplify_logic(&c, a, b, false);
        break;
    case SLIP_OP_OR:
        simpler = simplify_logic(&c, a, b, true);
        break;
    case SLIP_OP_IF:
        simpler = simplify_if(&c, a, b, third);
        break;
    default:
        simpler = simplify_function(&c, op, (slip_ref[]){ a, b, third });
        break;
    }
    if (simpler != SLIP_NONE || *failed) return simpler;
    if (g->for_tape && is_commutative(op) && b < a)
        return note_failure(&c, slip_graph_intern(g, op, b, a, SLIP_NONE));
    return SLIP_NONE;
}
