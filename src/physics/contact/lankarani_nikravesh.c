/// physics/contact/lankarani_nikravesh.c: Lankarani and Nikravesh's damping, from the energy that a nearly elastic impact loses.
#include "physics/contact/damping_law.h"

static double factor(double e)
{
    return 0.75 * (1.0 - e * e);
}

const slip_damping_law slip_damping_lankarani_nikravesh = {
    .info = { "lankarani-nikravesh", "x = 3 (1 - e^2)/4", "restitution near 1", "Lankarani, Nikravesh 1990" },
    .factor = factor,
};
