/// physics/friction/elasto_plastic.c: bristles that are purely elastic up to breakaway.
#include "physics/friction/law_terms.h"

enum { STIFFNESS, DAMPING, VISCOUS, BREAKAWAY };
static const slip_option options[] = {
    { "stiffness", "N/m", SLIP_POSITIVE, SLIP_REQUIRED, "stiffness of the bristles K" },
    { "damping", "N s/m", SLIP_NONNEGATIVE, SLIP_DEFAULT(0), "damping of the bristles B" },
    { "viscous", "N s/m", SLIP_NONNEGATIVE, SLIP_DEFAULT(0), "viscous friction D" },
    { "breakaway", "", SLIP_FRACTION, SLIP_DEFAULT(0.7),
      "deflection up to which it is elastic, over that of sliding" },
};

// Reference 4: z' = v (1 - alpha(z, v) sgn(v) z/z_ss), z_ss = F/K. alpha is 0 up to breakaway and against the
// deflection, 1 from z_ss on, and half a sine in between, so that below breakaway nothing decays.
static void elasto_plastic_write(const slip_law_terms *in, slip_law_result *out)
{
    slip_graph *g = in->graph;
    slip_ref z = in->state[0][0], v = in->velocity[0], zero = slip_graph_constant(g, 0.0);
    slip_ref one = slip_graph_constant(g, 1.0), half = slip_graph_constant(g, 0.5);
    slip_ref steady = slip_op2(g, SLIP_OP_DIV, in->limit, in->parameter[STIFFNESS]);
    slip_ref size = slip_op1(g, SLIP_OP_ABS, z),
             away = slip_op2(g, SLIP_OP_MUL, in->parameter[BREAKAWAY], steady);
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
    slip_ref decay =
        slip_op2(g, SLIP_OP_DIV,
                 slip_op2(g, SLIP_OP_MUL, alpha, slip_op2(g, SLIP_OP_MUL, slip_law_speed(in), z)), steady);
    out->rate[0][0] = slip_op2(g, SLIP_OP_SUB, v, decay);
    out->decay = slip_op2(g, SLIP_OP_DIV, slip_law_speed(in), steady);
    out->force[0] = slip_law_bristle_force(in, out->rate[0][0], 0);
    out->stick = slip_op1(g, SLIP_OP_NOT, slip_op2(g, SLIP_OP_AND, past, outward));
}

const slip_law slip_law_elasto_plastic = {
    .info = { "elasto-plastic", "bristles that are purely elastic up to breakaway: no drift below it",
              "1 component", "Kikuuwe 2008, reference 4" },
    .components = 1,
    .states = 1,
    SLIP_OPTIONS(options),
    .scales_with_load = true,
    .write = elasto_plastic_write,
};
