/// law/coulomb.c: Coulomb friction as a function of the slip velocity alone.
#include "law/terms.h"

static void write(const slip_law_terms *in, slip_law_answer *out)
{
    slip_law_along(in, in->limit, SLIP_NONE, out);
}

const slip_law slip_law_coulomb = {
    .info = { "coulomb", "F sgn(v), zero at rest: chatters where it should stick", "1 or 2 components",
              "Kikuuwe 2008, eq 1" },
    .components = 2,
    .jumps = true,
    .rigid = true,
    .write = write,
};
