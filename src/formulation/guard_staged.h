/// formulation/guard_staged.h: the largest stable step of an integrator that tells stage steps.
#ifndef SLIP_FORMULATION_GUARD_STAGED_H
#define SLIP_FORMULATION_GUARD_STAGED_H

#include "formulation/guard.h"

/// With every contact closed and every friction sticking, at (0, x): what limits rk4-generalised. The right-hand
/// side changes with the step, so there is no eigenvalue that says it all: one step is taken as a matrix, and its
/// spectral radius must not exceed 1. An infinite limit when `step` is stable. Leaves the stage step of the ODE set.
slip_status slip_staged_limit(slip_ode *ode, double step, const double *x, slip_error *error,
                              slip_step_limit *limit);

#endif
