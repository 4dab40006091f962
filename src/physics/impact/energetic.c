/// physics/impact/energetic.c: Stronge's law.
#include "physics/impact/impulse_process.h"

// the normal impulse gives back e^2 of the work that it took: W - W_c = -e^2 W_c
static void energetic_end(double e, double approach, slip_impulse_process *p)
{
    (void)approach;
    p->goal = SLIP_UNTIL_WORK;
    p->value = (1.0 - e * e) * p->work;
}

const slip_impact_law slip_impact_energetic = {
    .info = { "energetic", "expansion gives back e^2 of the work of compression; creates no energy",
              "one contact at a time", "Stronge 1990" },
    .process = true,
    .strike = slip_impact_sequence,
    .end = energetic_end,
};
