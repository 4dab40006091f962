/// physics/contact/exact.c: the damping with which the stated restitution comes out.
///
/// The first integral of the impact, x - log(1 + x), is the same at touch-down and at release, where x is -e x.
#include "physics/contact/damping_law.h"
#include "slipstick/design.h"

static double factor(double e)
{
    return slip_hunt_crossley_x(e);
}

const slip_damping_law slip_damping_exact = {
    .info = { "exact", "x - log(1 + x) = -e x - log(1 - e x): the stated restitution comes out",
              "restitution > 0", "Gonthier, McPhee, Lange, Piedboeuf 2004, without their approximation" },
    .factor = factor,
};
