/// solver/problem/problem_tolerances.h: tolerances of residuals, single contacts and the forms of a problem.
///
/// Residuals are relative to q, the velocities without contact forces, so that they have no unit.
#ifndef SLIP_SOLVER_PROBLEM_PROBLEM_TOLERANCES_H
#define SLIP_SOLVER_PROBLEM_PROBLEM_TOLERANCES_H

// --------------------------------------------------------------------------------------------- residuals

/// Estimated rounding of a residual above which w is computed again with twice the digits: four decades below
/// the tolerance that solvers are asked for.
static const double COMPENSATE_ABOVE = 1e-12;

/// Weight of the error of a single row, relative to the terms of that row, beside the error of the whole.
/// Rows of small terms must be right too, but cancellation within one row costs it two digits easily.
static const double SINGLE_ROW_WEIGHT = 1e-2;

/// Below the first a residual is rounding, above the second it is far from any tolerance: neither is worth a
/// second look at single rows.
static const double RESIDUAL_IS_ROUNDING = 1e-13;
static const double RESIDUAL_IS_POOR = 1e-3;

/// Of the terms of the largest row: a row whose terms are all smaller may be the rounding of other rows.
static const double ROW_MAY_BE_ROUNDING = 1e-12;

/// Of the terms of its row: a w below this counts as zero rather than its unknown as being on the bound. It
/// decides only which of two errors is reported; both are measured.
static const double ZERO_W_TOLERANCE = 1e-6;

// --------------------------------------------------------------------------------------------- feasibility

/// Of the right-hand side: what non-negative least squares leaves of constraints that cannot be fulfilled. It
/// solves feasible ones to NNLS_CONVERGED_RELATIVE, 1e-13; the gap is for data with seven digits.
static const double INFEASIBLE_ABOVE = 1e-7;

/// Of the right-hand side: below this a direction of unbounded descent is taken as exact. Tighter than
/// INFEASIBLE_ABOVE, because a flat direction of a nearly singular matrix must not pass for an unbounded one.
static const double DESCENT_BELOW = 1e-9;

// ----------------------------------------------------------------------------------- matrices and contacts

/// Of an entry: how far its mirror image may differ in a symmetric mass matrix, for files that print twelve
/// digits.
static const double SYMMETRIC_RELATIVE = 1e-12;

/// Of the tangential entry of W: below this the inverse mass along the slip is lost to cancellation, and
/// sticking has no unique force.
static const double PLANAR_SLIP_INERTIA_RELATIVE = 1e-13;

/// Of the squared trace (and, as a start of the search, of the trace) of the tangential block: a determinant
/// below this leaves a slip direction without inertia. A hundred roundings.
static const double SLIP_DIRECTION_SINGULAR = 1e-14;

/// Of the tangential load: a contact with a singular tangential block sticks if the regularisation carries
/// less than this part of the load. The square root of the rounding, since both force and velocity are small
/// then.
static const double HELD_BY_REGULARIZATION = 1e-8;

/// Of the trace of the tangential block: where the search for the ratio alpha of slip velocity to friction
/// force starts when nothing has slipped before, and the largest ratio that is tried.
static const double ALPHA_START_RELATIVE = 1e-3;
static const double ALPHA_MAX_RELATIVE = 1e3;

/// Of the friction limit: how closely the friction force must meet the cone. The force is put on the cone
/// exactly afterwards, which moves it by this much at most.
static const double CONE_MET_RELATIVE = 1e-13;

/// In roundings of alpha: steps of the search below this change nothing any more.
static const double ALPHA_STEP_ROUNDINGS = 2.0;

#endif
