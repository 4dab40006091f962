/// ode/touch.h: what touches, and when: for an integrator that takes finer steps there.
#ifndef SLIP_ODE_TOUCH_H
#define SLIP_ODE_TOUCH_H

#include "integrator/integrator.h"
#include "ode/ode.h"
#include "ode/together.h"

typedef struct slip_touch slip_touch;

slip_status slip_touch_create(slip_ode *ode, slip_error *error, slip_touch **touch);
void slip_touch_destroy(slip_touch *touch);

/// What touches at the start, with the speed it has there, is touched there.
void slip_touch_start(slip_touch *touch, double *x);

/// Modes at (t, x), from those before it: a contact that has opened by no more than errors are is closed as
/// it was. Whether any mode has changed.
bool slip_touch_hold(slip_touch *touch, double t, const double *x, const unsigned char *before,
                     unsigned char *mode);

const slip_contact_watch *slip_touch_watch(slip_touch *touch);
slip_together *slip_touch_together(slip_touch *touch); ///< impacts, as they begin and end

#endif
