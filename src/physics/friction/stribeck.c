/// physics/friction/stribeck.c: static friction above kinetic friction, falling with speed.
#include "physics/friction/law_terms.h"

enum { STATIC, SPEED, EXPONENT, VISCOUS };
static const slip_option options[] = {
    { "static", "", SLIP_POSITIVE, SLIP_DEFAULT(1.25), "largest friction at rest over the limit" },
    { "speed", "m/s", SLIP_POSITIVE, SLIP_DEFAULT(0.01), "speed at which the excess has fallen to 1/e" },
    { "exponent", "", SLIP_POSITIVE, SLIP_DEFAULT(2), "exponent of the fall" },
    { "viscous", "N s/m", SLIP_NONNEGATIVE, SLIP_DEFAULT(0), "viscous friction D" },
};

// F (1 + (s - 1) exp(-(|v|/v_s)^n)) v/|v| + D v
static void stribeck_write(const slip_law_terms *in, slip_law_result *out)
{
    slip_ref fall =
        slip_law_stribeck_factor(in, in->parameter[STATIC], in->parameter[SPEED], in->parameter[EXPONENT]);
    slip_law_along_slip(in, slip_op2(in->graph, SLIP_OP_MUL, in->limit, fall), in->parameter[VISCOUS], out);
}

// 1 + (s - 1) exp(-(|v|^2/v_s^2)^(n/2)), without the corner of |v|
static slip_ref stribeck_share(const slip_law_terms *in)
{
    slip_graph *g = in->graph;
    slip_ref square = slip_op2(g, SLIP_OP_MUL, in->velocity[0], in->velocity[0]),
             one = slip_graph_constant(g, 1.0), half = slip_graph_constant(g, 0.5),
             speed = in->parameter[SPEED];
    if (in->count == 2)
        square = slip_op2(g, SLIP_OP_ADD, square, slip_op2(g, SLIP_OP_MUL, in->velocity[1], in->velocity[1]));
    slip_ref ratio = slip_op2(g, SLIP_OP_DIV, square, slip_op2(g, SLIP_OP_MUL, speed, speed)),
             power = slip_op2(g, SLIP_OP_POW, ratio, slip_op2(g, SLIP_OP_MUL, half, in->parameter[EXPONENT])),
             fall = slip_op1(g, SLIP_OP_EXP, slip_op1(g, SLIP_OP_NEG, power)),
             excess = slip_op2(g, SLIP_OP_SUB, in->parameter[STATIC], one);
    return slip_op2(g, SLIP_OP_ADD, one, slip_op2(g, SLIP_OP_MUL, excess, fall));
}

const slip_law slip_law_stribeck = {
    .info = { "stribeck", "static above kinetic friction, falling with speed, and a force D v",
              "1 or 2 components", "Bo and Pavelescu 1982" },
    .components = 2,
    .jumps = true,
    SLIP_OPTIONS(options),
    .write = stribeck_write,
    .share = stribeck_share,
    .viscous = 1 + VISCOUS,
};
