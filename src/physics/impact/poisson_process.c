/// physics/impact/poisson_process.c: Poisson's law at the end of an impulse process.
#include "physics/impact/impulse_process.h"

// P = (1 + e) P_c
static void poisson_process_end(double e, double approach, slip_impulse_process *p)
{
    (void)approach;
    p->goal = SLIP_UNTIL_IMPULSE;
    p->value = (1.0 + e) * p->P;
}

const slip_impact_law slip_impact_poisson_process = {
    .info = { "poisson-process",
              "expansion gives back e times the impulse of compression, friction follows the slip",
              "one contact at a time", "Routh 1905; Wang, Mason 1992" },
    .process = true,
    .strike = slip_impact_sequence,
    .end = poisson_process_end,
};
