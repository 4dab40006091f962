/// study/equilibrium/equilibrium_tolerances.h: the tolerances of equilibria and their branches.
#ifndef SLIP_STUDY_EQUILIBRIUM_TOLERANCES_H
#define SLIP_STUDY_EQUILIBRIUM_TOLERANCES_H

// ---- one equilibrium. Accelerations are in m/s^2 or rad/s^2.

/// An acceleration below this counts as rest, relative to the largest coordinate and to 1 (absolute, SI
/// units): rounding of forces of the order of gravity is 1e-15, and the contact problem is solved to about
/// 1e-11.
static const double ACCELERATION_AT_REST = 1e-10;

/// Newton's method stops at this acceleration (absolute), or at the second fraction of the first one where
/// that is less: a motion that is slow from the start is no equilibrium yet.
static const double NEWTON_CONVERGED = 1e-13;
static const double NEWTON_CONVERGED_OF_FIRST = 1e-10;

/// At other times the acceleration of an equilibrium may be this many times larger: formulas of time are
/// rounded.
static const double ACCELERATION_LATER_FACTOR = 10.0;

/// Entries of the Jacobian (1/s or 1/s^2, absolute) below this are zero: a held direction leaves rounding
/// there.
static const double SLOPE_ZERO = 1e-14;

/// A coordinate is held by a contact or constraint when its coefficient in the constraint row exceeds this
/// (absolute; coefficients are of the order of 1).
static const double HELD_COEFFICIENT = 1e-12;

// ---- the set that friction holds

/// First displacement that is tried, relative to the coordinate and to 1 (absolute, SI units), the factor to
/// the next, and the one beyond which the set is unbounded. The set ends where it first does not hold; what is
/// narrower than the last step is not seen: 0.5 % of the distance.
static const double EXTENT_FIRST_STEP = 1e-9;
static const double EXTENT_STEP_FACTOR = 1.005;
static const double EXTENT_UNBOUNDED = 1e9;

/// Of the coordinate, or of 1 unit: a place that a contact moves by more is behind it. Twice the gap below which what is
/// beside a contact is put on it.
static const double PUSHED_BACK_RELATIVE = 2e-9;

/// Width to which an end of the set is bisected, relative to the coordinate or the extent.
static const double EXTENT_CONVERGED = 1e-13;

/// An extent below this, relative to the coordinate and to 1 (absolute, SI units), is a point: the
/// acceleration at rest allows for that much.
static const double EXTENT_OF_POINT = 1e-10;

/// The next set overlaps the last one within its width and this much, relative to the coordinate and to 1
/// (absolute).
static const double SET_OVERLAP_ROUNDING = 1e-9;

// ---- modes of the linear model

/// Inverse iteration takes a shift beside the eigenvalue by this, relative to the largest entry of A: above its
/// rounding, far below the distance to the next one.
static const double SHAPE_SHIFT = 1e-10;

/// A shape in which coordinates move less than this, relative to its largest entry, is one of rates alone.
static const double SHAPE_ZERO = 1e-9;

/// Entries of a shape that differ by less than this (relative) are equally large: the first of them is 1.
static const double SHAPE_TIE = 1e-6;

// ---- continuation, in scaled units: coordinates over their size, the parameter over its range

/// First, largest and smallest arclength step, and the growth of an accepted one.
static const double EQUILIBRIUM_FIRST_STEP = 0.01;
static const double EQUILIBRIUM_MAX_STEP = 0.05;
static const double EQUILIBRIUM_MIN_STEP = 1e-9;
static const double EQUILIBRIUM_STEP_GROWTH = 1.5;

/// The corrector stops at the first acceleration (absolute), and accepts the second where it no longer
/// decreases by half.
static const double CORRECTED_EXACTLY = 1e-13;
static const double CORRECTED_ENOUGH = 1e-9;

/// A bracket, or a change of the parameter relative to its range and value, this small is rounding.
static const double EQUILIBRIUM_LOCATED = 1e-14;

/// An estimate by regula falsi stays this fraction of the bracket away from its ends, so that both ends move.
static const double EQUILIBRIUM_LOCATE_INSET = 1e-4;

/// Values this close outside the range of the parameter, relative to it, are inside: rounding.
static const double EQUILIBRIUM_RANGE_MARGIN = 1e-9;

/// A coordinate that is small at the first equilibrium is scaled by this fraction of the largest one.
static const double SMALLEST_COORDINATE_SIZE = 1e-2;

/// Steps of a held set, relative to the longest: shorter ones are not shown; below the second they no longer
/// grow, because the edge of the branch is being located; and the parameter itself limits them to the third.
static const double HELD_STEP_SHOWN = 0.1;
static const double HELD_STEP_GROWING = 1e-3;
static const double HELD_STEP_LEAST = 1e-13;

/// Length and longest step (s, absolute) of the run whose derivatives an equilibrium borrows. It is evaluated
/// at its start only, so that any two numbers would do.
static const double RESIDUAL_RUN_LENGTH = 1.0;
static const double RESIDUAL_RUN_STEP = 0.02;

#endif
