/// physics/impact/newton.c: Newton's law on the rates at the end, for any number of contacts.
///
///     0 <= P_n _|_ v_n+ + e v_n- >= 0,   P_t in -mu P_n Sgn(v_t+ + e_t v_t-)
/// (Moreau 1988; Kane, Levinson 1985 for one contact.) With friction it can create energy.
#include "physics/impact/impact_law.h"

static bool newton_strike(slip_multi_impact *c)
{
    const int d = c->d, size = d * c->contacts;
    double *q = c->scratch, *w = q + size, *spare = w + size;
    for (int i = 0; i < size; i++) q[i] = c->before[i] * (1.0 + (i % d ? c->e_t : c->e)[i / d]);
    if (!slip_multi_impact_solve(c, q, c->impulse, w, spare)) return false;
    slip_multi_impact_finish(c);
    for (int k = 0; k < c->contacts; k++)
        c->work[k] = 0.5 * c->impulse[k * d] * (c->before[k * d] + c->after[k * d]);
    return true;
}

const slip_impact_law slip_impact_newton = {
    .info = { "newton", "leaves with e times the approach; friction follows the slip at the end",
              "any number of contacts, restitution_t", "Moreau 1988; Flores 2010, eqs 42, 43" },
    .in_step = true,
    .tangential = true,
    .strike = newton_strike,
};
