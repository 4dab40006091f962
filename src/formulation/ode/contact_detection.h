/// formulation/ode/contact_detection.h: times of contact, for an integrator that takes finer steps there.
#ifndef SLIP_FORMULATION_ODE_CONTACT_DETECTION_H
#define SLIP_FORMULATION_ODE_CONTACT_DETECTION_H

#include "integrator/integrator.h"
#include "formulation/ode/ode.h"
#include "formulation/ode/impact_check_simultaneous.h"

typedef struct slip_contact_detector slip_contact_detector;

slip_status slip_contact_detector_create(slip_ode *ode, slip_error *error, slip_contact_detector **touch);
void slip_contact_detector_destroy(slip_contact_detector *touch);

/// What touches at the start, with the speed it has there, is touched there.
void slip_contact_detector_init(slip_contact_detector *touch, double *x);

/// Modes at (t, x), from those before it: a contact that has opened by no more than errors are is closed as
/// it was. Whether any mode has changed.
bool slip_contact_detector_update_modes(slip_contact_detector *touch, double t, const double *x,
                                        const unsigned char *before, unsigned char *mode);

/// Closed contacts are the stiff phases of the ODE.
const slip_stiff_phases *slip_contact_detector_phases(slip_contact_detector *touch);
slip_simultaneous_check *
slip_contact_detector_impacts(slip_contact_detector *touch); ///< impacts, as they begin and end

#endif
