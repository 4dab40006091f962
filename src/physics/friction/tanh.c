/// physics/friction/tanh.c: smooth friction.
#include "physics/friction/law_terms.h"

enum { SPEED };
static const slip_option options[] = {
    { "speed", "m/s", SLIP_POSITIVE, SLIP_DEFAULT(0.001), "width of the smoothing" },
};

static void tanh_write(const slip_law_terms *in, slip_law_result *out)
{
    slip_graph *g = in->graph;
    if (in->count == 1) { // smooth through rest
        slip_ref x = slip_op2(g, SLIP_OP_DIV, in->velocity[0], in->parameter[SPEED]);
        out->force[0] = slip_op2(g, SLIP_OP_MUL, in->limit, slip_op1(g, SLIP_OP_TANH, x));
        return;
    }
    slip_ref x = slip_op2(g, SLIP_OP_DIV, slip_law_speed(in), in->parameter[SPEED]);
    slip_law_along_slip(in, slip_op2(g, SLIP_OP_MUL, in->limit, slip_op1(g, SLIP_OP_TANH, x)), SLIP_NONE,
                        out);
}

const slip_law slip_law_tanh = {
    .info = { "tanh", "F tanh(v/speed): smooth, creeps under any load", "1 or 2 components",
              "Song 2001, eq 42" },
    .components = 2,
    SLIP_OPTIONS(options),
    .write = tanh_write,
};
