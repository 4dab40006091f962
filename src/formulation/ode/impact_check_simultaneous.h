/// formulation/ode/impact_check_simultaneous.h: what impacts of compliant contacts amount to where several last at the same time.
///
/// Contacts that strike together share their mass (impact_masses.h), which makes the restitution that the model
/// states as long as they do so at once and have the same one. Where they strike one after another within one
/// impact, or one at rest gives way, it comes out otherwise. So what such impacts begin and end with is
/// compared with what was asked for; and what friction makes of the impact of one contact, with what rigid
/// contacts make of it (rigid_impact_reference.h).
#ifndef SLIP_FORMULATION_ODE_IMPACT_CHECK_SIMULTANEOUS_H
#define SLIP_FORMULATION_ODE_IMPACT_CHECK_SIMULTANEOUS_H

#include "formulation/method.h"
#include "formulation/ode/contact_response.h"

typedef struct slip_simultaneous_check slip_simultaneous_check;

/// Of `count` contacts; `element` has their numbers in the ODE, and `response`, which may be NULL, is borrowed.
/// NULL when out of memory.
slip_simultaneous_check *slip_simultaneous_check_create(const slip_ode *ode, int count, const int *element,
                                                        slip_contact_response *response);
void slip_simultaneous_check_destroy(slip_simultaneous_check *together);
void slip_simultaneous_check_archive(slip_simultaneous_check *together, slip_archive *archive);

/// Steps that leave no trace have no impacts.
void slip_simultaneous_check_pause(slip_simultaneous_check *together, bool paused);

/// Contact k closes at (t, x) with `speed`, to which forces add `load` while the impact lasts, beside others that
/// are closed by their `gap`; it opens again.
void slip_simultaneous_check_begin(slip_simultaneous_check *together, int k, double t, const double *x,
                                   double speed, double load, const double *gap);
void slip_simultaneous_check_end(slip_simultaneous_check *together, int k, double t, const double *x,
                                 const double *gap, const double *rate);

/// Warns of the first impact that was off.
void slip_simultaneous_check_report(slip_simultaneous_check *together, slip_method *method);

#endif
