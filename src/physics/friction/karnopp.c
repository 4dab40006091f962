/// physics/friction/karnopp.c: friction that balances the applied force below a threshold speed.
#include "physics/friction/law_terms.h"

enum { SPEED, STATIC };
static const slip_option options[] = {
    { "speed", "m/s", SLIP_POSITIVE, SLIP_DEFAULT(0.001), "speed that counts as rest" },
    { "static", "", SLIP_POSITIVE, SLIP_DEFAULT(1), "largest friction at rest over the limit" },
};

// The applied force is balanced up to s F. Here no applied force is known; models have
// formulation/ode/friction_law_static.c. The velocity itself is not changed: within the band the body drifts
// on.
static void karnopp_write(const slip_law_terms *in, slip_law_result *out)
{
    slip_graph *g = in->graph;
    out->stick = slip_op2(g, SLIP_OP_LE, slip_law_speed(in), in->parameter[SPEED]);
    out->sliding = slip_op2(g, SLIP_OP_MUL, in->limit, slip_law_direction(in, 0));
    out->max_at_rest = slip_op2(g, SLIP_OP_MUL, in->parameter[STATIC], in->limit);
    out->force[0] = slip_graph_op(g, SLIP_OP_IF, out->stick, slip_graph_constant(g, 0.0), out->sliding);
}

const slip_law slip_law_karnopp = {
    .info = { "karnopp", "below a speed, friction balances the applied force up to the static limit",
              "1 component of a model", "Kikuuwe 2008, reference 1" },
    .components = 1,
    SLIP_OPTIONS(options),
    .balances_at_rest = true,
    .write = karnopp_write,
};
