/// solver/friction/friction_tolerances.h: tolerances of the iterative solvers for contacts with friction.
#ifndef SLIP_SOLVER_FRICTION_FRICTION_TOLERANCES_H
#define SLIP_SOLVER_FRICTION_FRICTION_TOLERANCES_H

// -------------------------------------------------------------------------------------------- Newton's loop

/// Residual above which a point is far from the solution: the all-stick solution is tried as a starting
/// point, because it is often closer.
static const double TRY_ALL_STICK_ABOVE = 1e-3;

/// Of the diagonal of W: compliance of the contacts in the all-stick solution, so that redundant contacts
/// share a load. Its effect on the load, a millionth, is below the friction that the projection onto the
/// cones changes.
static const double ALL_STICK_REGULARIZATION = 1e-6;

/// Part of the predicted decrease that a Newton step must achieve (Armijo's condition), the usual value.
static const double SUFFICIENT_DECREASE = 1e-4;

/// Accuracy of a proximal step relative to the residual: the first one, the factor by which it is tightened
/// when a step is accepted without an iteration, and the value at which there is nothing left to gain from
/// it.
static const double PROXIMAL_ACCURACY = 1e-2;
static const double PROXIMAL_ACCURACY_FACTOR = 1e-2;
static const double PROXIMAL_ACCURACY_MIN = 1e-12;

/// Decrease of the residual that a proximal step must bring if its Newton iteration did not converge, and the
/// factors of the proximal weight after a failure and after a step that converged fast.
static const double PROXIMAL_DECREASE = 0.5;
static const double PROXIMAL_WEIGHT_GROWTH = 30.0;
static const double PROXIMAL_WEIGHT_DECAY = 0.1;

// -------------------------------------------------------------------------------------------- supernodes

/// Unknowns of the groups over those of the contacts: above this ratio grouping does not pay.
static const double MAX_UNKNOWNS_RATIO = 0.6;

/// Of the largest diagonal entry: what is left of a direction that is a combination of others. As the rank
/// tolerance of dense matrices.
static const double GROUP_RANK_TOLERANCE = 1e-11;

/// Of the largest diagonal entry: larger differences of mirror images mean that W is not symmetric, and then
/// the contacts of a group do not act through one body. Files of eight digits pass.
static const double SYMMETRY_TOLERANCE = 1e-8;

// ------------------------------------------------------------------------------- first-order methods

/// Expansion of a step of ala, r |w(z') - w(z)| over |z' - z|: above the first the map does not contract and
/// r is too large; below the second there is room for a larger one.
static const double EXPANSION_TOO_LARGE = 0.9;
static const double EXPANSION_HAS_ROOM = 0.5;

/// Of the trace of the normal equations in Anderson's acceleration: added to their diagonal, so that columns
/// which depend on one another up to rounding do not produce large coefficients.
static const double GRAM_RIDGE = 1e-14;

#endif
