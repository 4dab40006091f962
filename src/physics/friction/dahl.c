/// physics/friction/dahl.c: a spring that yields with distance.
#include "physics/friction/law_terms.h"

enum { STIFFNESS };
static const slip_option options[] = {
    { "stiffness", "N/m", SLIP_POSITIVE, SLIP_REQUIRED, "stiffness at rest K" },
};

// (11), errata K6: f = K e, e' = v - |v| K e/F
static void dahl_write(const slip_law_terms *in, slip_law_result *out)
{
    slip_graph *g = in->graph;
    slip_ref K = in->parameter[STIFFNESS];
    for (int k = 0; k < in->count; k++) {
        slip_ref elastic = slip_op2(g, SLIP_OP_MUL, K, in->state[0][k]);
        slip_ref decay =
            slip_op2(g, SLIP_OP_DIV, slip_op2(g, SLIP_OP_MUL, slip_law_speed(in), elastic), in->limit);
        out->force[k] = elastic;
        out->rate[0][k] = slip_op2(g, SLIP_OP_SUB, in->velocity[k], decay);
        out->decay = slip_op2(g, SLIP_OP_DIV, slip_op2(g, SLIP_OP_MUL, slip_law_speed(in), K), in->limit);
    }
}

const slip_law slip_law_dahl = {
    .info = { "dahl", "a spring that yields with distance: drifts under a shaking load", "1 or 2 components",
              "Kikuuwe 2008, eq 11" },
    .components = 2,
    .states = 1,
    SLIP_OPTIONS(options),
    .scales_with_load = true,
    .write = dahl_write,
};
