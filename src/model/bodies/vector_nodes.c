/// model/bodies/vector_nodes.c: all components at a time, as nodes of the model's graph.
#include "model/bodies/rigid_bodies.h"
#include "model/model_tolerances.h"

#include <string.h>

// nothing came of operands that were there: there is no memory. What a mistake left out stays left out.
static slip_ref check_made(slip_reader *r, slip_ref ref, bool whole)
{
    if (ref == SLIP_NONE && whole) slip_reader_no_memory(r);
    return ref;
}

slip_ref slip_node_op(slip_reader *r, slip_op op, slip_ref a, slip_ref b)
{
    bool whole = a != SLIP_NONE && (b != SLIP_NONE || slip_op_arity(op) == 1);
    return check_made(r, slip_graph_op(r->model->graph, op, a, b, SLIP_NONE), whole);
}

slip_ref slip_node_number(slip_reader *r, double value)
{
    return check_made(r, slip_graph_constant(r->model->graph, value), true);
}

slip_ref slip_node_if(slip_reader *r, slip_ref condition, slip_ref then, slip_ref otherwise)
{
    bool whole = condition != SLIP_NONE && then != SLIP_NONE && otherwise != SLIP_NONE;
    return check_made(r, slip_graph_op(r->model->graph, SLIP_OP_IF, condition, then, otherwise), whole);
}

bool slip_node_is(slip_reader *r, slip_ref ref, double value)
{
    if (ref == SLIP_NONE) return false;
    slip_node node = slip_graph_node(r->model->graph, ref);
    return node.op == SLIP_OP_CONSTANT && node.value == value;
}

int slip_dimensions(const slip_reader *r)
{
    return r->bodies && r->bodies->space ? 3 : 2;
}

slip_vec slip_vec_none(void)
{
    return (slip_vec){ SLIP_NONE, SLIP_NONE, SLIP_NONE };
}

slip_vec slip_vec_zero(slip_reader *r)
{
    slip_ref zero = slip_node_number(r, 0.0);
    return (slip_vec){ zero, zero, zero };
}

slip_ref slip_vec_part(slip_vec a, int k)
{
    return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

bool slip_vec_is_complete(const slip_reader *r, slip_vec a)
{
    return a.x != SLIP_NONE && a.y != SLIP_NONE && (slip_dimensions(r) == 2 || a.z != SLIP_NONE);
}

// one operation on each component
static slip_vec each_component(slip_reader *r, slip_op op, slip_vec a, slip_vec b)
{
    slip_vec out = { slip_node_op(r, op, a.x, b.x), slip_node_op(r, op, a.y, b.y), SLIP_NONE };
    if (slip_dimensions(r) == 3) out.z = slip_node_op(r, op, a.z, b.z);
    return out;
}

slip_vec slip_vec_add(slip_reader *r, slip_vec a, slip_vec b)
{
    return each_component(r, SLIP_OP_ADD, a, b);
}

slip_vec slip_vec_sub(slip_reader *r, slip_vec a, slip_vec b)
{
    return each_component(r, SLIP_OP_SUB, a, b);
}

slip_vec slip_vec_scale(slip_reader *r, slip_ref scale, slip_vec a)
{
    return each_component(r, SLIP_OP_MUL, (slip_vec){ scale, scale, scale }, a);
}

slip_vec slip_vec_over(slip_reader *r, slip_vec a, slip_ref divisor)
{
    return each_component(r, SLIP_OP_DIV, a, (slip_vec){ divisor, divisor, divisor });
}

slip_vec slip_vec_if(slip_reader *r, slip_ref condition, slip_vec then, slip_vec otherwise)
{
    slip_vec out = { slip_node_if(r, condition, then.x, otherwise.x),
                     slip_node_if(r, condition, then.y, otherwise.y), SLIP_NONE };
    if (slip_dimensions(r) == 3) out.z = slip_node_if(r, condition, then.z, otherwise.z);
    return out;
}

slip_ref slip_vec_dot(slip_reader *r, slip_vec a, slip_vec b)
{
    slip_vec c = each_component(r, SLIP_OP_MUL, a, b);
    slip_ref plane = slip_node_op(r, SLIP_OP_ADD, c.x, c.y);
    return slip_dimensions(r) == 3 ? slip_node_op(r, SLIP_OP_ADD, plane, c.z) : plane;
}

static slip_ref determinant_2x2(slip_reader *r, slip_ref a, slip_ref b, slip_ref c, slip_ref d)
{
    slip_ref first = slip_node_op(r, SLIP_OP_MUL, a, b);
    return slip_node_op(r, SLIP_OP_SUB, first, slip_node_op(r, SLIP_OP_MUL, c, d));
}

slip_vec slip_vec_cross(slip_reader *r, slip_vec a, slip_vec b)
{
    slip_ref x = determinant_2x2(r, a.y, b.z, a.z, b.y), y = determinant_2x2(r, a.z, b.x, a.x, b.z);
    return (slip_vec){ x, y, determinant_2x2(r, a.x, b.y, a.y, b.x) };
}

slip_vec slip_vec_perpendicular(slip_reader *r, slip_vec a)
{
    return (slip_vec){ slip_node_op(r, SLIP_OP_NEG, a.y, SLIP_NONE), a.x, SLIP_NONE };
}

slip_vec slip_vec_rotate(slip_reader *r, slip_ref cos, slip_ref sin, slip_vec a)
{
    slip_ref xc = slip_node_op(r, SLIP_OP_MUL, a.x, cos), ys = slip_node_op(r, SLIP_OP_MUL, a.y, sin);
    slip_ref xs = slip_node_op(r, SLIP_OP_MUL, a.x, sin), yc = slip_node_op(r, SLIP_OP_MUL, a.y, cos);
    slip_ref x = slip_node_op(r, SLIP_OP_SUB, xc, ys);
    return (slip_vec){ x, slip_node_op(r, SLIP_OP_ADD, xs, yc), SLIP_NONE };
}

slip_vec slip_vec_unrotate(slip_reader *r, slip_ref cos, slip_ref sin, slip_vec a)
{
    return slip_vec_rotate(r, cos, slip_node_op(r, SLIP_OP_NEG, sin, SLIP_NONE), a);
}

slip_ref slip_vec_length(slip_reader *r, slip_vec a)
{
    slip_ref square =
        slip_node_op(r, SLIP_OP_ADD, slip_vec_dot(r, a, a), slip_node_number(r, SQUARE_REGULARIZATION));
    return slip_node_op(r, SLIP_OP_SQRT, square, SLIP_NONE);
}

slip_ref slip_time_derivative(slip_reader *r, slip_ref f)
{
    const slip_bodies *b = r->bodies;
    if (f == SLIP_NONE) return SLIP_NONE;
    return check_made(r,
                      slip_graph_directional_known(r->model->graph, f, b->along, b->along_count, b->known,
                                                   (int)b->known_count),
                      true);
}

slip_vec slip_vec_rate(slip_reader *r, slip_vec a)
{
    slip_vec out = { slip_time_derivative(r, a.x), slip_time_derivative(r, a.y), SLIP_NONE };
    if (slip_dimensions(r) == 3) out.z = slip_time_derivative(r, a.z);
    return out;
}

void slip_set_known_rate(slip_reader *r, slip_ref node, slip_ref rate)
{
    slip_bodies *b = r->bodies;
    if (node == SLIP_NONE || rate == SLIP_NONE) return;
    slip_op op = slip_graph_node(r->model->graph, node).op;
    if (op == SLIP_OP_CONSTANT || op == SLIP_OP_PARAMETER || op == SLIP_OP_INPUT) return;
    size_t at = b->known_count;
    while (at > 0 && b->known[at - 1].node > node) at--;
    if (at > 0 && b->known[at - 1].node == node) return;
    if (!slip_array_grow((void **)&b->known, &b->known_capacity, b->known_count, sizeof *b->known)) {
        slip_reader_no_memory(r);
        return;
    }
    memmove(b->known + at + 1, b->known + at, (b->known_count - at) * sizeof *b->known);
    b->known[at] = (slip_known_derivative){ node, rate };
    b->known_count++;
}
