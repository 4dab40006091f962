/// formulation/ode/contact_response.h: how the contacts of an ODE answer to impulses at one state: W = w' M^-1 w
/// with bilateral constraints held.
#ifndef SLIP_FORMULATION_ODE_CONTACT_RESPONSE_H
#define SLIP_FORMULATION_ODE_CONTACT_RESPONSE_H

#include "formulation/ode/ode.h"

/// Models with more coordinates pay too much for looking at every impact.
enum { SLIP_CONTACT_RESPONSE_MAX = 40 };

typedef struct slip_contact_response slip_contact_response;

/// Of `count` contacts; `element` has their numbers in the ODE, and is borrowed. *response is NULL for models
/// too large to be looked at with every impact. SLIP_OK or SLIP_NO_MEMORY.
slip_status slip_contact_response_create(const slip_ode *ode, int count, const int *element,
                                         slip_contact_response **response);
void slip_contact_response_destroy(slip_contact_response *response);

/// Evaluates masses, constraints and rows at (t, x). False when the mass matrix is not positive definite
/// there.
bool slip_contact_response_evaluate(slip_contact_response *response, double t, const double *x);

/// At that state, direction 0 being the normal of contact k and 1, 2 its slip: the rate; the velocities
/// y = M^-1 w' that a unit impulse gives, n numbers; and what velocities y amount to along it.
double slip_contact_response_rate(const slip_contact_response *response, int k, int direction);
void slip_contact_response_velocities(slip_contact_response *response, int k, int direction, double *y);
double slip_contact_response_along(const slip_contact_response *response, int k, int direction,
                                   const double *y);

/// Its coefficient of friction, at least 0; 0 where it has none that an impact can be computed with.
double slip_contact_response_friction(const slip_contact_response *response, int k);

/// How many directions of slip rub in an impact.
int slip_contact_response_slips(const slip_contact_response *response, int k);

/// Velocities per second that the forces of the model give, n numbers; no contact pushes.
void slip_contact_response_forces(slip_contact_response *response, double *y);

#endif
