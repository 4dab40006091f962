/// impact/toy.c: the shortest impact law: all that was compressed is given back, whatever e is.
#include "physics/impact/impulse_process.h"

static void end(double e, double approach, slip_impulse_process *p)
{
    (void)e, (void)approach;
    p->goal = SLIP_UNTIL_IMPULSE;
    p->value = 2.0 * p->P;
}

const slip_impact_law slip_impact_toy = {
    .info = { "toy", "gives back what it took", "one contact at a time", "" },
    .process = true,
    .strike = slip_impact_sequence,
    .end = end,
};
