/// formulation/ode/ode_jacobian.h: the exact derivative of an ODE's right-hand side.
///
/// Serves implicit integrators and the step guard. States are split into groups that do not see each
/// other (independent contacts), so the cost is that of the largest group, not of the whole.
#ifndef SLIP_FORMULATION_ODE_ODE_JACOBIAN_H
#define SLIP_FORMULATION_ODE_ODE_JACOBIAN_H

#include "formulation/ode/ode.h"

typedef struct slip_ode_jacobian slip_ode_jacobian;

/// With `stuck`, every element is held in contact and sticking: max and sat are replaced by their
/// contact and stick sides (ode->regime), whatever the state.
slip_status slip_ode_jacobian_create(slip_ode *ode, bool stuck, slip_error *error,
                                     slip_ode_jacobian **jacobian);
void slip_ode_jacobian_destroy(slip_ode_jacobian *jacobian);

int slip_ode_jacobian_group_count(const slip_ode_jacobian *jacobian);

/// Number of states of a group and which they are.
int slip_ode_jacobian_group(const slip_ode_jacobian *jacobian, int group, const int **states);
int slip_ode_jacobian_largest_group(const slip_ode_jacobian *jacobian);

/// Evaluates all entries at (t, x); `rate` is f(t, x), needed where the mass matrix depends on q. False
/// when a mass matrix is not positive definite there.
bool slip_ode_jacobian_evaluate(slip_ode_jacobian *jacobian, double t, const double *x, const double *rate);

/// The stage step of the evaluations that follow; 0 at first.
void slip_ode_jacobian_set_stage(slip_ode_jacobian *jacobian, double tau);

/// df/dx of one group as of the last evaluation, row-major, m x m.
void slip_ode_jacobian_dense(const slip_ode_jacobian *jacobian, int group, double *J);

/// The same without the zeros: how many entries there are, their values as of the last evaluation, and y = J
/// x with such values. Mass matrices are those of the last evaluation.
int slip_ode_jacobian_entry_count(const slip_ode_jacobian *jacobian, int group);
void slip_ode_jacobian_values(const slip_ode_jacobian *jacobian, int group, double *values);
void slip_ode_jacobian_multiply(const slip_ode_jacobian *jacobian, int group, const double *values,
                                const double *x, double *y);

/// Which entries of that can differ from 0: 1 there and 0 elsewhere, row-major, m x m.
void slip_ode_jacobian_pattern(const slip_ode_jacobian *jacobian, int group, unsigned char *pattern);

#endif
