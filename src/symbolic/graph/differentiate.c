/// symbolic/graph/differentiate.c: exact derivatives.
///
/// Both directions use one table: scaled_partial(node, k, s) is s * d node / d operand k. Backwards
/// s is the derivative of the root with respect to the node, forwards that of the operand along the
/// direction. Each node is visited once, so a derivative is at most a few times as large as what it
/// is taken of, however much is shared.
///
/// Nodes are made one call after the other, never two in one list of arguments, whose order is the
/// compiler's choice: the numbers of nodes decide the order of sums in derivatives, and so their last bit.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "symbolic/graph/function.h"

enum {
    ZERO = SLIP_ZERO_DERIVATIVE
}; // in the tables of derivatives: nothing there yet (SLIP_NONE is a failure)

static slip_ref constant_node(slip_graph *g, double value)
{
    return slip_graph_constant(g, value);
}
slip_ref slip_graph_square(slip_graph *g, slip_ref a)
{
    return slip_binary(g, SLIP_OP_POW, a, constant_node(g, 2.0));
}

slip_ref slip_graph_sum_of_squares(slip_graph *g, slip_ref a, slip_ref b)
{
    slip_ref first = slip_graph_square(g, a), second = slip_graph_square(g, b);
    return slip_binary(g, SLIP_OP_ADD, first, second);
}

static slip_ref partial_pow(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
{
    slip_ref a = n->arg[0], b = n->arg[1];
    if (k == 1) return slip_graph_product(g, slip_graph_product(g, s, slip_unary(g, SLIP_OP_LOG, a)), self);
    slip_ref lower = slip_binary(g, SLIP_OP_POW, a, slip_binary(g, SLIP_OP_SUB, b, constant_node(g, 1.0)));
    return slip_graph_product(g, s, slip_graph_product(g, b, lower));
}

// s * d self / d operand k; ZERO where the operation is constant in it
static slip_ref scaled_partial(slip_graph *g, slip_ref self, int k, slip_ref s)
{
    slip_node n = *slip_graph_at(g, self);
    slip_ref a = n.arg[0], b = n.arg[1];
    const slip_function *f = slip_function_of(n.op);
    if (f) return f->partial ? f->partial(g, self, &n, k, s) : ZERO;
    switch (n.op) {
    case SLIP_OP_ADD:
        return s;
    case SLIP_OP_SUB:
        return k == 0 ? s : slip_graph_negative(g, s);
    case SLIP_OP_NEG:
        return slip_graph_negative(g, s);
    case SLIP_OP_MUL:
        return slip_graph_factor(g, k == 0 ? b : a, s); // keeps the order of a long product
    case SLIP_OP_DIV:
        if (k == 0) return slip_graph_quotient(g, s, b);
        return slip_graph_negative(g, slip_graph_product(g, slip_graph_quotient(g, s, b), self)); // -(a/b)/b
    case SLIP_OP_POW:
        return partial_pow(g, self, &n, k, s);
    default:
        break;
    }
    bool question = n.op >= SLIP_OP_LT && n.op <= SLIP_OP_NOT; // constant between its jumps
    assert(question && "an operator without a derivative");
    return question ? ZERO : SLIP_NONE;
}

// *into += amount; false when memory ran out
static bool add_derivative(slip_graph *g, slip_ref *into, slip_ref amount)
{
    if (amount == ZERO) return true;
    *into = *into == ZERO ? amount : slip_graph_sum(g, *into, amount);
    return *into != SLIP_NONE;
}

// ---------------------------------------------------------------------------------------- backwards

// which nodes of the walk depend on an input at all
static void mark_input_dependent(const slip_graph *g, const slip_traversal *s, bool *moving)
{
    for (int k = 0; k < s->count; k++) {
        const slip_node *n = slip_graph_at(g, s->refs[k]);
        moving[k] = n->op == SLIP_OP_INPUT;
        for (int j = 0; j < slip_op_arity(n->op); j++) moving[k] |= moving[slip_traversal_find(s, n->arg[j])];
    }
}

static bool reverse_sweep(slip_graph *g, const slip_traversal *s, const bool *moving, slip_ref *adjoint)
{
    adjoint[s->count - 1] = constant_node(g, 1.0);
    if (adjoint[s->count - 1] == SLIP_NONE) return false;
    for (int k = s->count - 1; k >= 0; k--) {
        if (adjoint[k] == ZERO || slip_is_value(g, adjoint[k], 0.0)) continue;
        slip_ref self = s->refs[k];
        for (int j = 0; j < slip_op_arity(slip_graph_at(g, self)->op); j++) {
            int operand = slip_traversal_find(s, slip_graph_at(g, self)->arg[j]);
            if (!moving[operand]) continue;
            if (!add_derivative(g, &adjoint[operand], scaled_partial(g, self, j, adjoint[k]))) return false;
        }
    }
    return true;
}

static int by_input(const void *a, const void *b)
{
    return ((const slip_partial *)a)->input - ((const slip_partial *)b)->input;
}

// the nonzero adjoints of inputs, in input order
static int gather_gradient(const slip_graph *g, const slip_traversal *s, const slip_ref *adjoint,
                           slip_partial *out)
{
    int count = 0;
    for (int k = 0; k < s->count; k++) {
        const slip_node *n = slip_graph_at(g, s->refs[k]);
        if (n->op != SLIP_OP_INPUT || adjoint[k] == ZERO || slip_is_value(g, adjoint[k], 0.0)) continue;
        out[count++] = (slip_partial){ n->index, adjoint[k] };
    }
    if (count > 1) qsort(out, (size_t)count, sizeof *out, by_input);
    return count;
}

static int count_inputs(const slip_graph *g, const slip_traversal *s)
{
    int count = 0;
    for (int k = 0; k < s->count; k++) count += slip_graph_at(g, s->refs[k])->op == SLIP_OP_INPUT;
    return count;
}

void slip_graph_differentiate_narrow(slip_graph *g, bool narrow)
{
    g->narrow = narrow;
}

int slip_graph_gradient(slip_graph *g, slip_ref root, slip_partial **out)
{
    slip_traversal s;
    *out = NULL;
    if (root < 0 || !slip_traversal_create(&s, g, &root, 1)) return -1;
    int result = -1;
    slip_ref *adjoint = malloc((size_t)s.count * sizeof *adjoint);
    bool *moving = malloc((size_t)s.count * sizeof *moving);
    slip_partial *list = malloc((size_t)(count_inputs(g, &s) + 1) * sizeof *list);
    if (adjoint && moving && list) {
        for (int k = 0; k < s.count; k++) adjoint[k] = ZERO;
        mark_input_dependent(g, &s, moving);
        if (reverse_sweep(g, &s, moving, adjoint)) result = gather_gradient(g, &s, adjoint, list);
    }
    if (result < 0)
        free(list);
    else
        *out = list;
    free(adjoint);
    free(moving);
    slip_traversal_destroy(&s);
    return result;
}

// ----------------------------------------------------------------------------------------- forwards

typedef struct motion {
    const slip_ref *direction;
    int count;
    const slip_known_derivative *known;
    int known_count;
} motion;

static const slip_known_derivative *find_known(const motion *m, slip_ref node)
{
    int low = 0, high = m->known_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (m->known[middle].node < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low < m->known_count && m->known[low].node == node ? &m->known[low] : NULL;
}

static bool sweep_forward(slip_graph *g, const slip_traversal *s, const motion *m, slip_ref *tangent)
{
    const slip_ref *direction = m->direction;
    const int count = m->count;
    for (int k = 0; k < s->count; k++) {
        slip_ref self = s->refs[k];
        slip_node n = *slip_graph_at(g, self);
        const slip_known_derivative *known = find_known(m, self);
        tangent[k] = known ? known->rate : ZERO;
        if (known) continue;
        if (n.op == SLIP_OP_INPUT && n.index < count && direction[n.index] != SLIP_NONE)
            tangent[k] = direction[n.index];
        for (int j = 0; j < slip_op_arity(n.op); j++) {
            slip_ref inner = tangent[slip_traversal_find(s, n.arg[j])];
            if (inner == ZERO || slip_is_value(g, inner, 0.0)) continue;
            if (!add_derivative(g, &tangent[k], scaled_partial(g, self, j, inner))) return false;
        }
    }
    return true;
}

slip_ref slip_graph_directional(slip_graph *g, slip_ref root, const slip_ref *direction, int count)
{
    return slip_graph_directional_known(g, root, direction, count, NULL, 0);
}

slip_ref slip_graph_directional_known(slip_graph *g, slip_ref root, const slip_ref *direction, int count,
                                      const slip_known_derivative *known, int known_count)
{
    const motion m = { direction, count, known, known_count };
    slip_traversal s;
    if (root < 0) return SLIP_NONE;
    if (!slip_traversal_create(&s, g, &root, 1)) {
        g->failed = true;
        return SLIP_NONE;
    }
    slip_ref *tangent = malloc((size_t)s.count * sizeof *tangent), result = SLIP_NONE;
    if (tangent && sweep_forward(g, &s, &m, tangent)) {
        result = tangent[s.count - 1];
        if (result == ZERO) result = constant_node(g, 0.0);
    }
    g->failed |= !tangent;
    free(tangent);
    slip_traversal_destroy(&s);
    return result;
}
