/// physics/friction/coulomb_viscous.c: Coulomb friction in parallel with viscous friction.
#include "physics/friction/law_terms.h"

enum { VISCOUS };
static const slip_option options[] = {
    { "viscous", "N s/m", SLIP_NONNEGATIVE, SLIP_DEFAULT(0), "viscous friction D" },
};

static void coulomb_viscous_write(const slip_law_terms *in, slip_law_result *out)
{
    slip_law_along_slip(in, in->limit, in->parameter[VISCOUS], out);
}

const slip_law slip_law_coulomb_viscous = {
    .info = { "coulomb-viscous", "Coulomb friction and a force D v", "1 or 2 components",
              "Armstrong-Helouvry, Dupont, Canudas de Wit 1994" },
    .components = 2,
    .jumps = true,
    SLIP_OPTIONS(options),
    .write = coulomb_viscous_write,
    .viscous = 1 + VISCOUS,
};
