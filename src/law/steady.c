/// law/steady.c: laws that are functions of the slip velocity alone.
#include "formula/build.h"
#include "law/law.h"

static slip_ref zero(const slip_law_terms *in)
{
    return slip_graph_constant(in->graph, 0.0);
}

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
    slip_ref speed = slip_law_speed(in), moving = slip_op2(g, SLIP_OP_LT, zero(in), speed);
    return slip_graph_op(g, SLIP_OP_IF, moving, slip_op2(g, SLIP_OP_DIV, in->velocity[k], speed), zero(in));
}

// magnitude v/|v| + D v
static void along(const slip_law_terms *in, slip_ref magnitude, slip_ref viscous, slip_law_answer *out)
{
    slip_graph *g = in->graph;
    for (int k = 0; k < in->count; k++) {
        out->force[k] = slip_op2(g, SLIP_OP_MUL, magnitude, slip_law_direction(in, k));
        if (viscous >= 0)
            out->force[k] =
                slip_op2(g, SLIP_OP_ADD, out->force[k], slip_op2(g, SLIP_OP_MUL, viscous, in->velocity[k]));
    }
}

void slip_law_write_coulomb(const slip_law_terms *in, slip_law_answer *out)
{
    along(in, in->limit, SLIP_NONE, out);
}

void slip_law_write_coulomb_viscous(const slip_law_terms *in, slip_law_answer *out)
{
    along(in, in->limit, in->parameter[0], out);
}

// F (1 + (s - 1) exp(-(|v|/v_s)^n)) v/|v| + D v
void slip_law_write_stribeck(const slip_law_terms *in, slip_law_answer *out)
{
    slip_graph *g = in->graph;
    slip_ref one = slip_graph_constant(g, 1.0);
    slip_ref ratio = slip_op2(g, SLIP_OP_DIV, slip_law_speed(in), in->parameter[1]);
    slip_ref fall =
        slip_op1(g, SLIP_OP_EXP, slip_op1(g, SLIP_OP_NEG, slip_op2(g, SLIP_OP_POW, ratio, in->parameter[2])));
    slip_ref excess = slip_op2(g, SLIP_OP_MUL, slip_op2(g, SLIP_OP_SUB, in->parameter[0], one), fall);
    slip_ref magnitude = slip_op2(g, SLIP_OP_MUL, in->limit, slip_op2(g, SLIP_OP_ADD, one, excess));
    along(in, magnitude, in->parameter[3], out);
}

void slip_law_write_tanh(const slip_law_terms *in, slip_law_answer *out)
{
    slip_graph *g = in->graph;
    if (in->count == 1) { // smooth through rest
        slip_ref x = slip_op2(g, SLIP_OP_DIV, in->velocity[0], in->parameter[0]);
        out->force[0] = slip_op2(g, SLIP_OP_MUL, in->limit, slip_op1(g, SLIP_OP_TANH, x));
        return;
    }
    slip_ref x = slip_op2(g, SLIP_OP_DIV, slip_law_speed(in), in->parameter[0]);
    along(in, slip_op2(g, SLIP_OP_MUL, in->limit, slip_op1(g, SLIP_OP_TANH, x)), SLIP_NONE, out);
}

void slip_law_write_piecewise_linear(const slip_law_terms *in, slip_law_answer *out)
{
    slip_graph *g = in->graph;
    slip_ref one = slip_graph_constant(g, 1.0), x[2] = { SLIP_NONE, SLIP_NONE };
    for (int k = 0; k < in->count; k++) x[k] = slip_op2(g, SLIP_OP_DIV, in->velocity[k], in->parameter[0]);
    for (int k = 0; k < in->count; k++) {
        slip_ref held = in->count == 1 ? slip_op2(g, SLIP_OP_SAT, one, x[0])
                                       : slip_graph_op(g, k ? SLIP_OP_SAT_Y : SLIP_OP_SAT_X, one, x[0], x[1]);
        out->force[k] = slip_op2(g, SLIP_OP_MUL, in->limit, held);
    }
}

// What pushes is balanced up to s F; here nothing is known to push, models have law_rest.c. The speed itself
// is left as it is: within the band the body glides on.
void slip_law_write_karnopp(const slip_law_terms *in, slip_law_answer *out)
{
    slip_graph *g = in->graph;
    slip_ref at_rest = slip_op2(g, SLIP_OP_LE, slip_law_speed(in), in->parameter[0]);
    slip_ref sliding = slip_op2(g, SLIP_OP_MUL, in->limit, slip_law_direction(in, 0));
    out->force[0] = slip_graph_op(g, SLIP_OP_IF, at_rest, zero(in), sliding);
    out->stick = at_rest;
}
