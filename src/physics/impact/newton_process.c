/// physics/impact/newton_process.c: Newton's law at the end of an impulse process.
#include "physics/impact/impulse_process.h"

// v_n+ = e |v_n-|
static void newton_process_end(double e, double approach, slip_impulse_process *p)
{
    p->goal = SLIP_UNTIL_RATE;
    p->value = e * approach;
}

const slip_impact_law slip_impact_newton_process = {
    .info = { "newton-process", "the same with friction that follows the slip during the impact",
              "one contact at a time", "Routh 1905; Keller 1986; Wang, Mason 1992" },
    .process = true,
    .strike = slip_impact_sequence,
    .end = newton_process_end,
};
