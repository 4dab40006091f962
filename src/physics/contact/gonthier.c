/// physics/contact/gonthier.c: Gonthier's damping in its explicit form.
#include <math.h>

#include "physics/contact/damping_law.h"

static double factor(double e)
{
    return e > 0.0 ? (1.0 - e * e) / e : INFINITY;
}

const slip_damping_law slip_damping_gonthier = {
    .info = { "gonthier", "x = (1 - e^2)/e", "restitution > 0", "Gonthier, McPhee, Lange, Piedboeuf 2004" },
    .factor = factor,
};
