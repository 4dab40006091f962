/// formulation/ode/impact_check_forces.h: what forces and the motion make of an impact while a contact of some steps lasts.
///
/// Constants of a contact make the restitution of a free impact. The weight, or any force along the gap, acts
/// all the while: for the linear laws of formulation dai an impact with speed v, under an acceleration a into
/// the contact, ends with e v - a release below the surface (docs/dai.md). And what passes a curved surface
/// has passed it when the contact lasts too long. The first impact of each contact is looked at.
#ifndef SLIP_FORMULATION_ODE_IMPACT_CHECK_FORCES_H
#define SLIP_FORMULATION_ODE_IMPACT_CHECK_FORCES_H

#include "formulation/ode/ode.h"

typedef struct slip_force_check slip_force_check;

/// *bounce is NULL when no contact asks for it.
slip_status slip_force_check_create(slip_ode *ode, slip_error *error, slip_force_check **bounce);
void slip_force_check_destroy(slip_force_check *bounce);

/// The modes have changed in the step from (t, x) to the present; t is NaN when no step led here. Warns by
/// `method` of contacts whose first impact will be off; `step` is the one asked for. Spoils
/// the registers of the ODE.
void slip_force_check_update(slip_force_check *bounce, slip_method *method, double step, double t,
                             const double *x);

/// Which contacts it has looked at.
void slip_force_check_archive(slip_force_check *bounce, slip_archive *archive);

#endif
