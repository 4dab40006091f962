/// law/sat.c: fricK without the stage step, as formulation dai has it.
#include "law/terms.h"

enum { STIFFNESS, BETA };
static const slip_option options[] = {
    { "stiffness", "N/m", SLIP_POSITIVE, SLIP_CHOSEN("from mass and step"), "stiffness at rest K" },
    { "beta", "s", SLIP_POSITIVE, SLIP_CHOSEN("from mass and step"), "damping over stiffness" },
};

static void write(const slip_law_terms *in, slip_law_answer *out)
{
    slip_ref B = slip_op2(in->graph, SLIP_OP_MUL, in->parameter[STIFFNESS], in->parameter[BETA]);
    slip_law_hold(in, (slip_law_holder){ 0, in->parameter[STIFFNESS], B, in->limit, SLIP_NONE }, out);
}

static void choose(double K, double B, double *parameter)
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
    .choose = choose,
    .write = write,
};
