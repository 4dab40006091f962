/// physics/contact/hunt_crossley.c: Hunt and Crossley's damping, from a restitution of 1 - alpha v.
#include "physics/contact/damping_law.h"

static double factor(double e)
{
    return 1.5 * (1.0 - e);
}

const slip_damping_law slip_damping_hunt_crossley = {
    .info = { "hunt-crossley", "x = 3 (1 - e)/2", "restitution near 1", "Hunt, Crossley 1975" },
    .factor = factor,
};
