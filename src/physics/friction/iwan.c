/// physics/friction/iwan.c: fricK elements in parallel.
#include "physics/friction/law_terms.h"

enum { STIFFNESS, DAMPING };
static const slip_option options[] = {
    { "stiffness", "N/m", SLIP_POSITIVE, SLIP_CHOSEN_BY_PROGRAM("from mass and step"),
      "stiffness of all elements together K" },
    { "damping", "N s/m", SLIP_POSITIVE, SLIP_CHOSEN_BY_PROGRAM("from mass and step"),
      "damping of all elements together B" },
};

// equal stiffness K/n, limits F_i = 2 F i/(n (n + 1)): the elements yield one after the other
static void iwan_write(const slip_law_terms *in, slip_law_result *out)
{
    slip_graph *g = in->graph;
    enum { n = SLIP_LAW_MAX_STATES };
    slip_ref count = slip_graph_constant(g, n);
    slip_ref K = slip_op2(g, SLIP_OP_DIV, in->parameter[STIFFNESS], count),
             B = slip_op2(g, SLIP_OP_DIV, in->parameter[DAMPING], count);
    for (int i = 0; i < n; i++) {
        slip_ref share = slip_graph_constant(g, 2.0 * (i + 1) / (n * (n + 1)));
        slip_law_add_frick(
            in, (slip_frick_element){ i, K, B, slip_op2(g, SLIP_OP_MUL, share, in->limit), in->stage }, out);
    }
}

const slip_law slip_law_iwan = {
    .info = { "iwan", "eight fricK elements in parallel, limits in equal steps: hysteresis at rest",
              "1 or 2 components", "Kikuuwe 2008, section V and reference 10" },
    .components = 2,
    .states = 8,
    SLIP_OPTIONS(options),
    .choose = slip_law_choose_spring_damper,
    .write = iwan_write,
};
