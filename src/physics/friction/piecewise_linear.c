/// physics/friction/piecewise_linear.c: friction that rises linearly through rest.
#include "physics/friction/law_terms.h"

enum { SPEED };
static const slip_option options[] = {
    { "speed", "m/s", SLIP_POSITIVE, SLIP_DEFAULT(0.001), "width of the smoothing" },
};

static void piecewise_linear_write(const slip_law_terms *in, slip_law_result *out)
{
    slip_graph *g = in->graph;
    slip_ref one = slip_graph_constant(g, 1.0), x[2] = { SLIP_NONE, SLIP_NONE };
    for (int k = 0; k < in->count; k++)
        x[k] = slip_op2(g, SLIP_OP_DIV, in->velocity[k], in->parameter[SPEED]);
    for (int k = 0; k < in->count; k++) {
        slip_ref held = in->count == 1 ? slip_op2(g, SLIP_OP_SAT, one, x[0])
                                       : slip_graph_op(g, k ? SLIP_OP_SAT_Y : SLIP_OP_SAT_X, one, x[0], x[1]);
        out->force[k] = slip_op2(g, SLIP_OP_MUL, in->limit, held);
    }
}

const slip_law slip_law_piecewise_linear = {
    .info = { "piecewise-linear", "F sat(1, v/speed): creeps under any load", "1 or 2 components",
              "Xiong 2013, section 5" },
    .components = 2,
    SLIP_OPTIONS(options),
    .write = piecewise_linear_write,
};
