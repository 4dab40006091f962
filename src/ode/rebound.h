/// ode/rebound.h: what rigid contacts would make of an impact with friction, beside what compliant ones did.
///
/// Constants of a compliant contact are chosen for its normal direction alone. Where slip and gap act on one
/// another through the masses (a rod that lands on its tip), friction changes the restitution while an impact
/// lasts, and the spring that sticks gives back what it has stored. Newton's law for one contact,
///     v_n+ = -e v_n-,   v_t+ = 0 where |P_t| <= mu P_n,   else P_t = -mu P_n sgn(v_t+)
/// (Moreau 1988; Kane, Levinson 1985), with W = w' M^-1 w where the impact begins, says what was asked for.
#ifndef SLIP_ODE_REBOUND_H
#define SLIP_ODE_REBOUND_H

#include "ode/ode.h"

typedef struct slip_rebound slip_rebound;

/// Rates of a contact: of its gap, and of up to two directions of slip.
typedef struct slip_rates {
    double gap, slip[2];
} slip_rates;

/// Of `count` contacts; `element` has their numbers in the ODE. *rebound is NULL when none is of that kind.
/// SLIP_OK or SLIP_NO_MEMORY.
slip_status slip_rebound_create(const slip_ode *ode, int count, const int *element, slip_rebound **rebound);
void slip_rebound_destroy(slip_rebound *rebound);

/// The rates of contact k at (t, x), and those after a strike there with restitution e. False when that is
/// not one contact with dry friction alone, or has no answer, or more than one.
bool slip_rebound_strike(slip_rebound *rebound, int k, double t, const double *x, double e,
                         slip_rates *before, slip_rates *after);
slip_rates slip_rebound_rates(slip_rebound *rebound, int k, double t, const double *x);

/// Whether forces close the gap of contact k again.
bool slip_rebound_is_pressed(slip_rebound *rebound, int k, double t, const double *x);

#endif
