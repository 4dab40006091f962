/// A friction law: F sat(1, v/width), and nothing else.
#include "physics/friction/law_terms.h"

enum { WIDTH };
static const slip_option options[] = {
    { "width", "m/s", SLIP_POSITIVE, SLIP_DEFAULT(0.001), "width of the smoothing" },
};

static void write(const slip_law_terms *in, slip_law_result *out)
{
    slip_graph *g = in->graph;
    slip_ref x = slip_op2(g, SLIP_OP_DIV, in->velocity[0], in->parameter[WIDTH]);
    slip_ref held = slip_op2(g, SLIP_OP_SAT, slip_graph_constant(g, 1.0), x);
    out->force[0] = slip_op2(g, SLIP_OP_MUL, in->limit, held);
}

const slip_law slip_law_toy = {
    .info = { "toy", "a toy: rises linearly through rest", "1 component", "" },
    .components = 1,
    SLIP_OPTIONS(options),
    .write = write,
};
