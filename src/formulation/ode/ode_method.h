/// formulation/ode/ode_method.h: any slip_ode under any integrator, as a method.
#ifndef SLIP_FORMULATION_ODE_ODE_METHOD_H
#define SLIP_FORMULATION_ODE_ODE_METHOD_H

#include "formulation/ode/ode.h"
#include "formulation/method.h"

/// Takes over `ode`, also when it fails.
slip_status slip_ode_method_create(slip_ode *ode, const slip_sim_def *settings, slip_error *error,
                                   slip_method **method);

/// Whether a method is one of these.
bool slip_ode_method_is(const slip_method *method);

#endif
