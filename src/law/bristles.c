/// law/bristles.c: laws with an elastic deflection z that sliding wears off: Dahl, LuGre, elasto-plastic.
///
/// With two components |v| and v/|v| are those of the vector, so that the force turns with the slip.
#include "formula/build.h"
#include "law/law.h"

// z' = v - |v| z/z_ss
static slip_ref bristle_rate(const slip_law_terms *in, slip_ref steady, int k)
{
    slip_graph *g = in->graph;
    slip_ref worn =
        slip_op2(g, SLIP_OP_DIV, slip_op2(g, SLIP_OP_MUL, slip_law_speed(in), in->state[0][k]), steady);
    return slip_op2(g, SLIP_OP_SUB, in->velocity[k], worn);
}

// (11), errata K6: f = K e, e' = v - |v| K e/F
void slip_law_write_dahl(const slip_law_terms *in, slip_law_answer *out)
{
    slip_graph *g = in->graph;
    slip_ref K = in->parameter[0];
    for (int k = 0; k < in->count; k++) {
        slip_ref elastic = slip_op2(g, SLIP_OP_MUL, K, in->state[0][k]);
        slip_ref worn =
            slip_op2(g, SLIP_OP_DIV, slip_op2(g, SLIP_OP_MUL, slip_law_speed(in), elastic), in->limit);
        out->force[k] = elastic;
        out->rate[0][k] = slip_op2(g, SLIP_OP_SUB, in->velocity[k], worn);
        out->decay = slip_op2(g, SLIP_OP_DIV, slip_op2(g, SLIP_OP_MUL, slip_law_speed(in), K), in->limit);
    }
}

// K e + B e' + D v
static slip_ref bristle_force(const slip_law_terms *in, slip_ref rate, int k)
{
    slip_graph *g = in->graph;
    slip_ref spring = slip_op2(g, SLIP_OP_MUL, in->parameter[0], in->state[0][k]);
    slip_ref damper = slip_op2(g, SLIP_OP_MUL, in->parameter[1], rate);
    slip_ref sum = slip_op2(g, SLIP_OP_ADD, spring, damper);
    return slip_op2(g, SLIP_OP_ADD, sum, slip_op2(g, SLIP_OP_MUL, in->parameter[2], in->velocity[k]));
}

// (12), errata K6; g(v) = F (1 + (s - 1) exp(-(v/v_s)^2))/K as in reference 3, F/K for s = 1
void slip_law_write_lugre(const slip_law_terms *in, slip_law_answer *out)
{
    slip_graph *g = in->graph;
    slip_ref one = slip_graph_constant(g, 1.0);
    slip_ref ratio = slip_op2(g, SLIP_OP_DIV, slip_law_speed(in), in->parameter[4]);
    slip_ref fall =
        slip_op1(g, SLIP_OP_EXP, slip_op1(g, SLIP_OP_NEG, slip_op2(g, SLIP_OP_MUL, ratio, ratio)));
    slip_ref excess = slip_op2(g, SLIP_OP_MUL, slip_op2(g, SLIP_OP_SUB, in->parameter[3], one), fall);
    slip_ref sliding = slip_op2(g, SLIP_OP_MUL, in->limit, slip_op2(g, SLIP_OP_ADD, one, excess));
    slip_ref steady = slip_op2(g, SLIP_OP_DIV, sliding, in->parameter[0]);
    for (int k = 0; k < in->count; k++) {
        out->rate[0][k] = bristle_rate(in, steady, k);
        out->decay = slip_op2(g, SLIP_OP_DIV, slip_law_speed(in), steady);
        out->force[k] = bristle_force(in, out->rate[0][k], k);
    }
}

// Reference 4: z' = v (1 - alpha(z, v) sgn(v) z/z_ss), z_ss = F/K. alpha is 0 up to breakaway and against the
// deflection, 1 from z_ss on, and half a sine in between, so that below breakaway nothing is worn off.
void slip_law_write_elasto_plastic(const slip_law_terms *in, slip_law_answer *out)
{
    slip_graph *g = in->graph;
    slip_ref z = in->state[0][0], v = in->velocity[0], zero = slip_graph_constant(g, 0.0);
    slip_ref one = slip_graph_constant(g, 1.0), half = slip_graph_constant(g, 0.5);
    slip_ref steady = slip_op2(g, SLIP_OP_DIV, in->limit, in->parameter[0]);
    slip_ref size = slip_op1(g, SLIP_OP_ABS, z), away = slip_op2(g, SLIP_OP_MUL, in->parameter[3], steady);
    slip_ref past = slip_op2(g, SLIP_OP_LT, away, size);
    slip_ref outward = slip_op2(g, SLIP_OP_LT, zero, slip_op2(g, SLIP_OP_MUL, v, z));
    slip_ref middle = slip_op2(g, SLIP_OP_MUL, half, slip_op2(g, SLIP_OP_ADD, steady, away));
    slip_ref angle = slip_op2(g, SLIP_OP_MUL, slip_graph_constant(g, 3.14159265358979323846),
                              slip_op2(g, SLIP_OP_SUB, size, middle));
    slip_ref phase = slip_op2(g, SLIP_OP_DIV, angle, slip_op2(g, SLIP_OP_SUB, steady, away));
    slip_ref blend =
        slip_op2(g, SLIP_OP_MUL, half, slip_op2(g, SLIP_OP_ADD, one, slip_op1(g, SLIP_OP_SIN, phase)));
    slip_ref full = slip_graph_op(g, SLIP_OP_IF, slip_op2(g, SLIP_OP_LE, steady, size), one, blend);
    slip_ref alpha = slip_graph_op(g, SLIP_OP_IF, slip_op2(g, SLIP_OP_AND, past, outward), full, zero);
    slip_ref worn =
        slip_op2(g, SLIP_OP_DIV,
                 slip_op2(g, SLIP_OP_MUL, alpha, slip_op2(g, SLIP_OP_MUL, slip_law_speed(in), z)), steady);
    out->rate[0][0] = slip_op2(g, SLIP_OP_SUB, v, worn);
    out->decay = slip_op2(g, SLIP_OP_DIV, slip_law_speed(in), steady);
    out->force[0] = bristle_force(in, out->rate[0][0], 0);
    out->stick = slip_op1(g, SLIP_OP_NOT, slip_op2(g, SLIP_OP_AND, past, outward));
}
