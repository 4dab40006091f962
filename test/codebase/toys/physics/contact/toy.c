/// contact/toy.c: the shortest damping law: none, whatever the restitution.
#include "physics/contact/damping_law.h"

static double factor(double restitution)
{
    (void)restitution;
    return 0.0;
}

const slip_damping_law slip_damping_toy = {
    .info = { "toy", "no damping", "any restitution", "" },
    .factor = factor,
};
