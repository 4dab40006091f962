/// formulation/ode/stability_limit_staged.h: the largest stable step of an integrator that tells stage steps.
#ifndef SLIP_FORMULATION_ODE_STABILITY_LIMIT_STAGED_H
#define SLIP_FORMULATION_ODE_STABILITY_LIMIT_STAGED_H

#include "formulation/ode/stability_limit.h"

/// What limits rk4-generalised. The right-hand side changes with the step, so there is no eigenvalue that
/// says it all: one step is taken as a matrix, and its spectral radius must not exceed what the motion grows
/// by itself.
typedef struct slip_staged_limit slip_staged_limit;

/// With `stuck`, every contact is held closed and every friction sticking; else the regime is that of the
/// state.
slip_status slip_staged_limit_create(slip_ode *ode, bool stuck, slip_error *error, slip_staged_limit **guard);
void slip_staged_limit_destroy(slip_staged_limit *guard);

/// At (t, x); an infinite limit when `step` is stable there. Leaves the stage step of the ODE set; allocates
/// nothing.
slip_step_limit slip_staged_limit_at(slip_staged_limit *guard, double step, double t, const double *x);

/// The same, of combinations of modes that were not met before; infinite otherwise. Systems with more than 64
/// coupled states are not looked at.
slip_step_limit slip_staged_limit_new_modes(slip_staged_limit *guard, double step, double t, const double *x,
                                            const unsigned char *modes);

/// Which regimes it has looked at.
void slip_staged_limit_archive(slip_staged_limit *guard, slip_archive *archive);

#endif
