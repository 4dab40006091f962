/// ode/together.h: what impacts of compliant contacts amount to where several last at the same time.
///
/// Stiffness and damping of a contact make its restitution of an impact of its own, with the mass that it
/// meets alone. Contacts of one body that strike together share that mass: a box that lands flat on two
/// corners comes up with another restitution than the model states, where rigid contacts have it exactly. So
/// what such impacts begin and end with is compared with what was asked for; and what friction makes of the
/// impact of one contact, with what rigid contacts make of it (rebound.h).
#ifndef SLIP_ODE_TOGETHER_H
#define SLIP_ODE_TOGETHER_H

#include "method/method.h"
#include "ode/ode.h"

typedef struct slip_together slip_together;

/// Of `count` contacts; `element` has their numbers in the ODE. NULL when out of memory.
slip_together *slip_together_create(const slip_ode *ode, int count, const int *element);
void slip_together_destroy(slip_together *together);
void slip_together_archive(slip_together *together, slip_archive *archive);

/// Steps that leave no trace have no impacts.
void slip_together_pause(slip_together *together, bool paused);

/// Contact k closes at (t, x) with `speed`, beside others that are closed by their `gap`; it opens again.
void slip_together_begin(slip_together *together, int k, double t, const double *x, double speed,
                         const double *gap);
void slip_together_end(slip_together *together, int k, double t, const double *x, double speed);

/// Warns of the first impact that was off.
void slip_together_tell(slip_together *together, slip_method *method);

#endif
