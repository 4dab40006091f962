/// physics/friction/coulomb.c: Coulomb friction as a function of the slip velocity alone.
#include "physics/friction/law_terms.h"

static void coulomb_write(const slip_law_terms *in, slip_law_result *out)
{
    slip_law_along_slip(in, in->limit, SLIP_NONE, out);
}

const slip_law slip_law_coulomb = {
    .info = { "coulomb", "F sgn(v), zero at rest: chatters where it should stick", "1 or 2 components",
              "Kikuuwe 2008, eq 1" },
    .components = 2,
    .jumps = true,
    .rigid = true,
    .write = coulomb_write,
};
