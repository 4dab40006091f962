/// formulation/ode/iteration_matrix.h: I - scale df/dx of an ODE, factored group by group, for implicit integrators.
#ifndef SLIP_FORMULATION_ODE_ITERATION_MATRIX_H
#define SLIP_FORMULATION_ODE_ITERATION_MATRIX_H

#include "formulation/ode/ode.h"

typedef struct slip_iteration_matrix slip_iteration_matrix;

slip_status slip_iteration_matrix_create(slip_ode *ode, slip_error *error, slip_iteration_matrix **newton);
void slip_iteration_matrix_destroy(slip_iteration_matrix *newton);

/// Takes df/dx at (t, x), where f(t, x) = rate, and factors. False when singular or not finite.
bool slip_iteration_matrix_factor(slip_iteration_matrix *newton, double t, const double *x,
                                  const double *rate, double scale);

/// b := (I - scale df/dx)^-1 b, state_count numbers.
void slip_iteration_matrix_solve(slip_iteration_matrix *newton, double *b);

#endif
