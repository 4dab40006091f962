/// physics/contact/flores.c: Flores' damping, for soft materials.
#include <math.h>

#include "physics/contact/damping_law.h"

static double factor(double e)
{
    return e > 0.0 ? 1.6 * (1.0 - e) / e : INFINITY;
}

const slip_damping_law slip_damping_flores = {
    .info = { "flores", "x = 8 (1 - e)/(5 e)", "restitution > 0", "Flores, Machado, Silva, Martins 2011" },
    .factor = factor,
};
