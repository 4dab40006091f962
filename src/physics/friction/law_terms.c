/// physics/friction/law_terms.c: expressions that several laws share.
#include "physics/friction/law_terms.h"

slip_ref slip_law_speed(const slip_law_terms *in)
{
    slip_graph *g = in->graph;
    if (in->count == 1) return slip_op1(g, SLIP_OP_ABS, in->velocity[0]);
    slip_ref x = slip_op2(g, SLIP_OP_MUL, in->velocity[0], in->velocity[0]);
    slip_ref y = slip_op2(g, SLIP_OP_MUL, in->velocity[1], in->velocity[1]);
    return slip_op1(g, SLIP_OP_SQRT, slip_op2(g, SLIP_OP_ADD, x, y));
}

slip_ref slip_law_direction(const slip_law_terms *in, int k)
{
    slip_graph *g = in->graph;
    if (in->count == 1) return slip_op1(g, SLIP_OP_SIGN, in->velocity[0]);
    slip_ref speed = slip_law_speed(in), zero = slip_graph_constant(g, 0.0);
    slip_ref moving = slip_op2(g, SLIP_OP_LT, zero, speed);
    return slip_graph_op(g, SLIP_OP_IF, moving, slip_op2(g, SLIP_OP_DIV, in->velocity[k], speed), zero);
}

void slip_law_along_slip(const slip_law_terms *in, slip_ref magnitude, slip_ref viscous, slip_law_result *out)
{
    slip_graph *g = in->graph;
    for (int k = 0; k < in->count; k++) {
        out->force[k] = slip_op2(g, SLIP_OP_MUL, magnitude, slip_law_direction(in, k));
        if (viscous >= 0)
            out->force[k] =
                slip_op2(g, SLIP_OP_ADD, out->force[k], slip_op2(g, SLIP_OP_MUL, viscous, in->velocity[k]));
    }
}

slip_ref slip_law_stribeck_factor(const slip_law_terms *in, slip_ref ratio_at_rest, slip_ref speed,
                                  slip_ref exponent)
{
    slip_graph *g = in->graph;
    slip_ref one = slip_graph_constant(g, 1.0);
    slip_ref ratio = slip_op2(g, SLIP_OP_DIV, slip_law_speed(in), speed);
    slip_ref power =
        exponent < 0 ? slip_op2(g, SLIP_OP_MUL, ratio, ratio) : slip_op2(g, SLIP_OP_POW, ratio, exponent);
    slip_ref fall = slip_op1(g, SLIP_OP_EXP, slip_op1(g, SLIP_OP_NEG, power));
    slip_ref excess = slip_op2(g, SLIP_OP_MUL, slip_op2(g, SLIP_OP_SUB, ratio_at_rest, one), fall);
    return slip_op2(g, SLIP_OP_ADD, one, excess);
}

slip_ref slip_law_bristle_force(const slip_law_terms *in, slip_ref rate, int k)
{
    slip_graph *g = in->graph;
    slip_ref spring = slip_op2(g, SLIP_OP_MUL, in->parameter[0], in->state[0][k]);
    slip_ref damper = slip_op2(g, SLIP_OP_MUL, in->parameter[1], rate);
    slip_ref sum = slip_op2(g, SLIP_OP_ADD, spring, damper);
    return slip_op2(g, SLIP_OP_ADD, sum, slip_op2(g, SLIP_OP_MUL, in->parameter[2], in->velocity[k]));
}
