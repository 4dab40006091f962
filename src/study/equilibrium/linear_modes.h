/// study/equilibrium/linear_modes.h: modes and frequency response of x' = A x + B u.
#ifndef SLIP_STUDY_EQUILIBRIUM_LINEAR_MODES_H
#define SLIP_STUDY_EQUILIBRIUM_LINEAR_MODES_H

#include "slipstick/linearize.h"

/// Eigenvalues and shapes of linear->A, of which the first `coordinates` states are coordinates. False when out of
/// memory, or when the eigenvalues do not converge.
bool slip_linear_modes(slip_linear_model *linear, int coordinates);

/// The frequency response at linear->frequency. False when out of memory; NaN at a frequency that is an undamped
/// eigenvalue.
bool slip_linear_response(slip_linear_model *linear);

#endif
