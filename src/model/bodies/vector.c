/// model/bodies/vector.c: two components at a time, as nodes of the model's graph.
#include "model/bodies/bodies.h"

// m^2: below any distance that matters; 1 m + this is 1 m, and its root has a derivative at 0
static const double TINY = 1e-30;

#define SLIP_ARITY(name, arity, text) arity,
static const unsigned char arity[] = { SLIP_OPS(SLIP_ARITY) };

// nothing came of operands that were there: there is no memory. What a mistake left out stays left out.
static slip_ref made(slip_reader *r, slip_ref ref, bool whole)
{
    if (ref == SLIP_NONE && whole) slip_reader_no_memory(r);
    return ref;
}

slip_ref slip_node_op(slip_reader *r, slip_op op, slip_ref a, slip_ref b)
{
    bool whole = a != SLIP_NONE && (b != SLIP_NONE || arity[op] == 1);
    return made(r, slip_graph_op(r->model->graph, op, a, b, SLIP_NONE), whole);
}

slip_ref slip_node_number(slip_reader *r, double value)
{
    return made(r, slip_graph_constant(r->model->graph, value), true);
}

slip_ref slip_node_if(slip_reader *r, slip_ref condition, slip_ref then, slip_ref otherwise)
{
    bool whole = condition != SLIP_NONE && then != SLIP_NONE && otherwise != SLIP_NONE;
    return made(r, slip_graph_op(r->model->graph, SLIP_OP_IF, condition, then, otherwise), whole);
}

bool slip_node_is(slip_reader *r, slip_ref ref, double value)
{
    if (ref == SLIP_NONE) return false;
    slip_node node = slip_graph_node(r->model->graph, ref);
    return node.op == SLIP_OP_CONSTANT && node.value == value;
}

slip_vec slip_vec_add(slip_reader *r, slip_vec a, slip_vec b)
{
    return (slip_vec){ slip_node_op(r, SLIP_OP_ADD, a.x, b.x), slip_node_op(r, SLIP_OP_ADD, a.y, b.y) };
}

slip_vec slip_vec_sub(slip_reader *r, slip_vec a, slip_vec b)
{
    return (slip_vec){ slip_node_op(r, SLIP_OP_SUB, a.x, b.x), slip_node_op(r, SLIP_OP_SUB, a.y, b.y) };
}

slip_vec slip_vec_scale(slip_reader *r, slip_ref scale, slip_vec a)
{
    return (slip_vec){ slip_node_op(r, SLIP_OP_MUL, scale, a.x), slip_node_op(r, SLIP_OP_MUL, scale, a.y) };
}

slip_vec slip_vec_if(slip_reader *r, slip_ref condition, slip_vec then, slip_vec otherwise)
{
    return (slip_vec){ slip_node_if(r, condition, then.x, otherwise.x),
                       slip_node_if(r, condition, then.y, otherwise.y) };
}

slip_ref slip_vec_dot(slip_reader *r, slip_vec a, slip_vec b)
{
    slip_ref x = slip_node_op(r, SLIP_OP_MUL, a.x, b.x), y = slip_node_op(r, SLIP_OP_MUL, a.y, b.y);
    return slip_node_op(r, SLIP_OP_ADD, x, y);
}

slip_vec slip_vec_turned(slip_reader *r, slip_vec a)
{
    return (slip_vec){ slip_node_op(r, SLIP_OP_NEG, a.y, SLIP_NONE), a.x };
}

slip_vec slip_vec_rotate(slip_reader *r, slip_ref cos, slip_ref sin, slip_vec a)
{
    slip_ref xc = slip_node_op(r, SLIP_OP_MUL, a.x, cos), ys = slip_node_op(r, SLIP_OP_MUL, a.y, sin);
    slip_ref xs = slip_node_op(r, SLIP_OP_MUL, a.x, sin), yc = slip_node_op(r, SLIP_OP_MUL, a.y, cos);
    slip_ref x = slip_node_op(r, SLIP_OP_SUB, xc, ys);
    return (slip_vec){ x, slip_node_op(r, SLIP_OP_ADD, xs, yc) };
}

slip_vec slip_vec_unrotate(slip_reader *r, slip_ref cos, slip_ref sin, slip_vec a)
{
    return slip_vec_rotate(r, cos, slip_node_op(r, SLIP_OP_NEG, sin, SLIP_NONE), a);
}

slip_ref slip_vec_length(slip_reader *r, slip_vec a)
{
    slip_ref square = slip_node_op(r, SLIP_OP_ADD, slip_vec_dot(r, a, a), slip_node_number(r, TINY));
    return slip_node_op(r, SLIP_OP_SQRT, square, SLIP_NONE);
}

slip_ref slip_time_derivative(slip_reader *r, slip_ref f)
{
    if (f == SLIP_NONE) return SLIP_NONE;
    return made(r, slip_graph_along(r->model->graph, f, r->bodies->along, r->bodies->along_count), true);
}
