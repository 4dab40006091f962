/// formulation/ode/impact_masses.h: the mass that falls to each of the compliant contacts that strike together.
///
/// Stiffness K = m w^2 and damping C = 2 zeta m w of a contact make its restitution with the mass m that it
/// meets. Contacts of one mechanism that strike together share that mass. With P the impulses of Newton's law
/// for all contacts that are closed,
///     v+ = v- + W P,   0 <= P _|_ v_n+ + e v_n- >= 0,   |P_t| <= mu P_n              (Moreau 1988)
/// the mass of contact i is m_i = P_i/((1 + e) v_i). Where all have the same e, forces that are proportional
/// to P at every instant solve the equations of motion with d_i(t) = v_i s(t), the same s for all, so every
/// contact has its restitution and the impulses are P. A contact at rest that takes part is held by a damper
/// that is slow against the impact: in Newton's law it does not give way.
#ifndef SLIP_FORMULATION_ODE_IMPACT_MASSES_H
#define SLIP_FORMULATION_ODE_IMPACT_MASSES_H

#include "formulation/ode/contact_response.h"

typedef struct slip_impact_masses slip_impact_masses;

/// Of `count` contacts whose `response` is borrowed, and may be NULL. *masses is NULL where no contact asks
/// for them. SLIP_OK or SLIP_NO_MEMORY.
slip_status slip_impact_masses_create(const slip_ode *ode, int count, const int *element,
                                      slip_contact_response *response, slip_impact_masses **masses);
void slip_impact_masses_destroy(slip_impact_masses *masses);

/// Contacts that are `touched` strike at (t, x) beside others that are closed by their `gap`, all with the
/// `rate` of their gaps: sets the states that keep their masses. `touched` becomes those whose impact begins
/// here: with those that will close while it lasts, without those that take part in one already. `masses` may
/// be NULL.
void slip_impact_masses_update(slip_impact_masses *masses, double t, double *x, unsigned char *touched,
                               const double *gap, const double *rate);

#endif
