/// physics/friction/frick_element.c: the element of laws with exact sticking: a spring and damper in series with set-valued Coulomb friction.
///
///     f in F sgn(v - e'),   f = K e + B e'                                        Kikuuwe 2008, eq 17
/// Solved for f over one stage step tau by the implicit Euler method this is fricK (19); with tau = 0 it is
/// the ODE of Xiong 2013, eq 18. In stick e' = v exactly, so e - p is constant.
#include "physics/friction/law_terms.h"

static slip_ref add_terms(const slip_law_terms *in, slip_ref a, slip_ref b)
{
    return a < 0 ? b : slip_op2(in->graph, SLIP_OP_ADD, a, b);
}

static slip_ref logical_and(const slip_law_terms *in, slip_ref a, slip_ref b)
{
    return a < 0 ? b : slip_op2(in->graph, SLIP_OP_AND, a, b);
}

// |trial| <= F
static slip_ref is_within_limit(const slip_law_terms *in, const slip_ref *trial, slip_ref limit)
{
    slip_graph *g = in->graph;
    slip_ref size = slip_op1(g, SLIP_OP_ABS, trial[0]);
    if (in->count == 2) {
        slip_ref xx = slip_op2(g, SLIP_OP_MUL, trial[0], trial[0]);
        slip_ref yy = slip_op2(g, SLIP_OP_MUL, trial[1], trial[1]);
        size = slip_op1(g, SLIP_OP_SQRT, slip_op2(g, SLIP_OP_ADD, xx, yy));
    }
    return slip_op2(g, SLIP_OP_LE, size, limit);
}

// (19b), (19c): f = gsat(F, (B + tau K) v + K e), e' = (f - K e)/(B + tau K); adds f to the force
void slip_law_add_frick(const slip_law_terms *in, slip_frick_element e, slip_law_result *out)
{
    slip_graph *g = in->graph;
    slip_ref gain = e.stage < 0 ? e.B : slip_op2(g, SLIP_OP_ADD, e.B, slip_op2(g, SLIP_OP_MUL, e.stage, e.K));
    slip_ref elastic[2] = { SLIP_NONE, SLIP_NONE }, trial[2] = { SLIP_NONE, SLIP_NONE };
    for (int k = 0; k < in->count; k++) {
        elastic[k] = slip_op2(g, SLIP_OP_MUL, e.K, in->state[e.state][k]);
        trial[k] = slip_op2(g, SLIP_OP_ADD, slip_op2(g, SLIP_OP_MUL, gain, in->velocity[k]), elastic[k]);
    }
    for (int k = 0; k < in->count; k++) {
        slip_ref f = in->count == 1
                         ? slip_op2(g, SLIP_OP_SAT, e.limit, trial[0])
                         : slip_graph_op(g, k ? SLIP_OP_SAT_Y : SLIP_OP_SAT_X, e.limit, trial[0], trial[1]);
        out->hold[out->hold_count].node = f;
        out->hold[out->hold_count++].operand = 1 + k;
        out->force[k] = add_terms(in, out->force[k], f);
        out->rate[e.state][k] = slip_op2(g, SLIP_OP_DIV, slip_op2(g, SLIP_OP_SUB, f, elastic[k]), gain);
    }
    out->stick = logical_and(in, out->stick, is_within_limit(in, trial, e.limit));
}

void slip_law_choose_spring_damper(double K, double B, double *parameter)
{
    if (isnan(parameter[0])) parameter[0] = K;
    if (isnan(parameter[1])) parameter[1] = B;
}
