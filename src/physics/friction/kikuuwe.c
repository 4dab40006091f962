/// physics/friction/kikuuwe.c: fricK, a spring and damper in series with set-valued Coulomb friction.
#include "physics/friction/law_terms.h"

enum { STIFFNESS, DAMPING };
static const slip_option options[] = {
    { "stiffness", "N/m", SLIP_POSITIVE, SLIP_CHOSEN_BY_PROGRAM("from mass and step"),
      "stiffness at rest K" },
    { "damping", "N s/m", SLIP_POSITIVE, SLIP_CHOSEN_BY_PROGRAM("from mass and step"), "damping at rest B" },
};

static void kikuuwe_write(const slip_law_terms *in, slip_law_result *out)
{
    slip_law_add_frick(
        in, (slip_frick_element){ 0, in->parameter[STIFFNESS], in->parameter[DAMPING], in->limit, in->stage },
        out);
}

const slip_law slip_law_kikuuwe = {
    .info = { "kikuuwe", "fricK: a spring and damper behind true Coulomb friction; holds exactly",
              "1 or 2 components", "Kikuuwe 2008, eq 19" },
    .components = 2,
    .states = 1,
    SLIP_OPTIONS(options),
    .choose = slip_law_choose_spring_damper,
    .write = kikuuwe_write,
};
