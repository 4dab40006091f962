/// physics/friction/sat.c: fricK without the stage step, as in formulation dai.
#include "physics/friction/law_terms.h"

enum { STIFFNESS, BETA };
static const slip_option options[] = {
    { "stiffness", "N/m", SLIP_POSITIVE, SLIP_CHOSEN_BY_PROGRAM("from mass and step"),
      "stiffness at rest K" },
    { "beta", "s", SLIP_POSITIVE, SLIP_CHOSEN_BY_PROGRAM("from mass and step"), "damping over stiffness" },
};

static void sat_write(const slip_law_terms *in, slip_law_result *out)
{
    slip_ref B = slip_op2(in->graph, SLIP_OP_MUL, in->parameter[STIFFNESS], in->parameter[BETA]);
    slip_law_add_frick(in, (slip_frick_element){ 0, in->parameter[STIFFNESS], B, in->limit, SLIP_NONE }, out);
}

static void sat_choose(double K, double B, double *parameter)
{
    if (isnan(parameter[STIFFNESS])) parameter[STIFFNESS] = K;
    if (isnan(parameter[BETA])) parameter[BETA] = B / parameter[STIFFNESS];
}

const slip_law slip_law_sat = {
    .info = { "sat", "the same without the stage step, as formulation dai has it; holds exactly",
              "1 or 2 components", "Xiong 2013, eq 18" },
    .components = 2,
    .states = 1,
    SLIP_OPTIONS(options),
    .choose = sat_choose,
    .write = sat_write,
};
