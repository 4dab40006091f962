/// ode/implicit.h: I - scale df/dx of an ODE, factored group by group, for implicit integrators.
#ifndef SLIP_ODE_IMPLICIT_H
#define SLIP_ODE_IMPLICIT_H

#include "ode/ode.h"

typedef struct slip_newton slip_newton;

slip_status slip_newton_create(slip_ode *ode, slip_error *error, slip_newton **newton);
void slip_newton_destroy(slip_newton *newton);

/// Takes df/dx at (t, x), where f(t, x) = rate, and factors. False when singular or not finite.
bool slip_newton_factor(slip_newton *newton, double t, const double *x, const double *rate, double scale);

/// df/dx at (t, x), where f(t, x) = rate, entry (i, j) to J[j * stride + i]; entries between groups are 0 and
/// not touched. Spoils the factors. False when the derivative cannot be had.
bool slip_newton_derivative(slip_newton *newton, double t, const double *x, const double *rate, double *J,
                            int stride);

/// b := (I - scale df/dx)^-1 b, state_count numbers.
void slip_newton_solve(slip_newton *newton, double *b);

#endif
