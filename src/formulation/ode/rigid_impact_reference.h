/// formulation/ode/rigid_impact_reference.h: what rigid contacts would make of an impact with friction, beside what compliant ones did.
///
/// Constants of a compliant contact are chosen for its normal direction alone. Where slip and gap act on one
/// another through the masses (a rod that lands on its tip), friction changes the restitution while an impact
/// lasts, and the spring that sticks gives back what it has stored. Newton's law for one contact,
///     v_n+ = -e v_n-,   v_t+ = 0 where |P_t| <= mu P_n,   else P_t = -mu P_n sgn(v_t+)
/// (Moreau 1988; Kane, Levinson 1985), with W = w' M^-1 w where the impact begins, says what was asked for.
#ifndef SLIP_FORMULATION_ODE_RIGID_IMPACT_REFERENCE_H
#define SLIP_FORMULATION_ODE_RIGID_IMPACT_REFERENCE_H

#include "formulation/ode/contact_response.h"

typedef struct slip_impact_reference slip_impact_reference;

/// Rates of a contact: of its gap, and of up to two directions of slip.
typedef struct slip_contact_rates {
    double gap, slip[2];
} slip_contact_rates;

/// Of `count` contacts whose `response` is borrowed, and may be NULL. *rebound is NULL when none is of that
/// kind. SLIP_OK or SLIP_NO_MEMORY.
slip_status slip_impact_reference_create(const slip_ode *ode, int count, slip_contact_response *response,
                                         slip_impact_reference **rebound);
void slip_impact_reference_destroy(slip_impact_reference *rebound);

/// The rates of contact k at (t, x), and those after a strike there with restitution e. False when that is
/// not one contact with dry friction alone, or has no answer, or more than one.
bool slip_impact_reference_solve(slip_impact_reference *rebound, int k, double t, const double *x, double e,
                                 slip_contact_rates *before, slip_contact_rates *after);
slip_contact_rates slip_impact_reference_rates(slip_impact_reference *rebound, int k, double t,
                                               const double *x);

/// Whether forces close the gap of contact k again.
bool slip_impact_reference_is_pressed(slip_impact_reference *rebound, int k, double t, const double *x);

#endif
