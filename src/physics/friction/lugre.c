/// physics/friction/lugre.c: bristles with damping and Stribeck effect.
#include "physics/friction/law_terms.h"

enum { STIFFNESS, DAMPING, VISCOUS, STATIC, SPEED };
static const slip_option options[] = {
    { "stiffness", "N/m", SLIP_POSITIVE, SLIP_REQUIRED, "stiffness of the bristles K" },
    { "damping", "N s/m", SLIP_NONNEGATIVE, SLIP_DEFAULT(0), "damping of the bristles B" },
    { "viscous", "N s/m", SLIP_NONNEGATIVE, SLIP_DEFAULT(0), "viscous friction D" },
    { "static", "", SLIP_POSITIVE, SLIP_DEFAULT(1), "largest friction at rest over the limit" },
    { "speed", "m/s", SLIP_POSITIVE, SLIP_DEFAULT(0.01), "speed at which the excess has fallen to 1/e" },
};

// z' = v - |v| z/z_ss. With two components |v| and v/|v| are those of the vector, so that the force turns
// with the slip.
static slip_ref bristle_rate(const slip_law_terms *in, slip_ref steady, int k)
{
    slip_graph *g = in->graph;
    slip_ref decay =
        slip_op2(g, SLIP_OP_DIV, slip_op2(g, SLIP_OP_MUL, slip_law_speed(in), in->state[0][k]), steady);
    return slip_op2(g, SLIP_OP_SUB, in->velocity[k], decay);
}

// (12), errata K6; g(v) = F (1 + (s - 1) exp(-(v/v_s)^2))/K as in reference 3, F/K for s = 1
static void lugre_write(const slip_law_terms *in, slip_law_result *out)
{
    slip_graph *g = in->graph;
    slip_ref fall = slip_law_stribeck_factor(in, in->parameter[STATIC], in->parameter[SPEED], SLIP_NONE);
    slip_ref sliding = slip_op2(g, SLIP_OP_MUL, in->limit, fall);
    slip_ref steady = slip_op2(g, SLIP_OP_DIV, sliding, in->parameter[STIFFNESS]);
    for (int k = 0; k < in->count; k++) {
        out->rate[0][k] = bristle_rate(in, steady, k);
        out->decay = slip_op2(g, SLIP_OP_DIV, slip_law_speed(in), steady);
        out->force[k] = slip_law_bristle_force(in, out->rate[0][k], k);
    }
}

const slip_law slip_law_lugre = {
    .info = { "lugre", "bristles with damping, Stribeck effect and a force D v: drifts under a shaking load",
              "1 or 2 components", "Kikuuwe 2008, eq 12" },
    .components = 2,
    .states = 1,
    SLIP_OPTIONS(options),
    .scales_with_load = true,
    .write = lugre_write,
};
