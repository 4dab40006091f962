/// dynamics/dynamics_tolerances.h: tolerances of the equations of motion, contact problems and equilibria.
///
/// Those by which accelerations count as zero are in contact/contact_problem.h, since formulations use them
/// too.
#ifndef SLIP_DYNAMICS_DYNAMICS_TOLERANCES_H
#define SLIP_DYNAMICS_DYNAMICS_TOLERANCES_H

// ---------------------------------------------------------------------------------------------- masses

/// Of the mobility of a constraint before orthogonalisation: with less left, it depends on those before it.
/// The first is for the start of a run, the second for every instant, where rows are orthogonalised twice and
/// less is lost.
static const double DEPENDENT_CONSTRAINT = 1e-12;
static const double DEPENDENT_BILATERAL = 1e-13;

/// Of the entries of a row: how far it may turn on the way to the state at which redundant constraints are
/// told from those that depend on others at the start alone. The former miss nothing there but rounding, the
/// latter as much as the row would make of that turn; a millionth of it is far from both. Rounding is that of
/// a constraint, of the terms it is made of: some hundred operations.
static const double NEARBY_ROW_TURN = 1e-2;
static const double REDUNDANT_MISS = 1e-6;
static const double CONSTRAINT_ROUNDING = 1e-13;

/// 1/kg, absolute: smallest inverse mass along a row. A row that vanishes moves nothing; a huge mass keeps
/// quotients finite. This is a limit of the arithmetic, not of the mechanics.
static const double MIN_INVERSE_MASS = 1e-100;

/// Of the size of the gap: smaller gaps are closed when static loads are estimated.
static const double START_GAP_CLOSED = 1e-6;

/// Of the sum of its parts: an acceleration of a row at the start that is not larger is rounding, and nothing
/// pulls.
static const double PULL_ROUNDING = 1e-12;

/// Of the largest load: the estimate of static loads ends when a sweep changes less. Only their order of
/// magnitude is used.
static const double STATIC_LOADS_CONVERGED = 1e-5;

// --------------------------------------------------------------------------------------- inside a step

/// Of the largest coordinate, or 1 (m or rad): a function is below zero if it is lower than this. Some
/// hundred roundings, as it is a formula of the coordinates.
static const double SCAN_ROUNDING_RELATIVE = 1e-13;

/// Of the distance between samples: where a sample right beside each end of the step is taken, to see on
/// which side a function leaves zero.
static const double SCAN_EDGE = 1e-3;

/// Of the step: the bisection for a crossing ends here, a few roundings of the place.
static const double SCAN_BISECTION_DONE = 1e-15;

/// A signal has features that the stages missed if it leaves the range that they saw by more than these: of
/// the range, and of the size of the signal.
static const double SIGNAL_MARGIN_OF_RANGE = 0.5;
static const double SIGNAL_MARGIN_OF_SIZE = 0.01;

/// Of the step: a discontinuity that is nearer to its start is where the step begins.
static const double AT_START_FRACTION = 1e-6;

/// By how much a term of the forces may depart from its samples within a step: of the range of its samples
/// (from the stages of a method of higher order, or from a midpoint), of its bounds over the step, and of its
/// size (rounding).
static const double STAGE_DEPARTURE = 0.25;
static const double MIDPOINT_DEPARTURE = 0.1;
static const double MIN_DEPARTURE_OF_RANGE = 0.01;
static const double DEPARTURE_ROUNDING = 1e-12;

// ------------------------------------------------------------------------------------- contact problems

/// Of the largest force: a force that violates its law by less does so by rounding.
static const double FORCE_ROUNDING = 1e-13;

/// The same where contacts depend on each other: the equations then have a condition of up to
/// 1/DEPENDENT_CONE_ROW, and leave forces that much of their rounding. What is on the border of its law, as
/// shortest forces mostly are, stays there.
static const double OPEN_FORCE_ROUNDING = 1e-9;

/// N, absolute: keeps a limit of zero from being exceeded by rounding of zero. Any positive number would do.
static const double NONZERO_FORCE = 1e-300;

/// Of the response without friction: two roundings. A single contact is solved up to the very border of
/// Painleve's paradox, because a larger margin would refuse motions that exist.
static const double SINGLE_CONTACT_ROUNDING = 4e-16;

/// Of the largest force, or multiplier: contacts with more are loaded (active) in the next warm start. A
/// wrong guess costs an iteration only.
static const double ACTIVE_RELATIVE = 1e-10;

/// Active-set method. Smallest pivot with which a contact can be exchanged, relative to the entry 1 of the
/// contact that leaves; how far a sign may be violated, relative to the largest multiplier; and the part of
/// that for loads, which are corrected first.
static const double EXCHANGE_PIVOT = 1e-9;
static const double SIGN_VIOLATION = 1e-9;
static const double LOAD_VIOLATION_SHARE = 1e-4;

/// Newton's method for friction cones, of the largest force: it ends at two roundings, or below the second
/// when a step no longer makes the residual smaller by the third.
static const double CONE_NEWTON_EXACT = 4e-16;
static const double CONE_NEWTON_STALLED = 1e-12;
static const double CONE_NEWTON_CONTRACTION = 0.5;

/// Of the largest diagonal entry: a row of the Newton matrix that adds less to the others depends on them.
static const double DEPENDENT_CONE_ROW = 1e-10;

/// Of the limit: friction that exceeds it by more gets another plane tangent to the cone.
static const double CONE_VIOLATION = 1e-12;

/// N m/s^2, absolute: smallest scale of force times acceleration. It is only effective where there are no
/// forces.
static const double MIN_POWER_SCALE = 1e-12;

// ---------------------------------------------------------------------------------------------- impacts

/// Of the change of the gap rate without friction: a contact whose response with friction is smaller is at
/// its jam limit. An event that ends a jam is located less exactly than to rounding.
static const double JAM_LIMIT_TOLERANCE = 1e-6;

/// Of the terms of a rate: a smaller rate is zero.
static const double RATE_ROUNDING = 1e-14;

/// Of the largest rate: two impact laws whose results differ by less agree.
static const double SAME_RATE_TOLERANCE = 1e-6;

/// Of the largest approach: a contact that seems to jam takes part in a jam if its impulse, times its
/// response, is larger than this. Contacts that others keep from jamming have none.
static const double JAM_IMPULSE_OF_APPROACH = 1e-3;

// -------------------------------------------------------------------------- friction that depends on loads

/// Of the largest load: the iteration for the loads has converged. The first is rounding; the second counts
/// when that has not been reached in some rounds.
static const double LOADS_CONVERGED = 1e-14;
static const double LOADS_CONVERGED_LATE = 1e-10;

/// Of the trace: regularisation of the matrix of constraints, which may depend on one another.
static const double CONSTRAINT_SHIFT = 1e-12;

/// Power iteration for a bound of the spectral radius: multiple of the identity, and smallest component, so
/// that no component vanishes and no quotient is 0/0. Both make the bound larger by no more than that.
static const double RADIUS_SHIFT = 1e-9;
static const double RADIUS_MIN_COMPONENT = 1e-6;

// ------------------------------------------------------------------------------------------- equilibria

/// Of 1 (m or rad) and the coordinate: equilibria whose coordinates differ by less are the same one.
static const double SAME_EQUILIBRIUM = 1e-4;

/// m/s, absolute: a faster surface drags what rests on it. Slower ones are rounding of a speed that is zero.
static const double DRAGGING_SPEED = 1e-12;

/// Of the largest force: a sweep that changes less has converged.
static const double STATIC_SWEEP_CONVERGED = 1e-14;

/// Of the limit: friction above this part slides; friction above the second violates the limit.
static const double SLIDING_FRACTION_OF_LIMIT = 1.0 - 1e-9;
static const double FRICTION_LIMIT_EXCESS = 1e-9;

/// Reciprocal condition number below which least squares treat the columns of the forces as dependent.
static const double DEPENDENT_FORCE = 1e-12;

/// Step of the central differences for the stiffness, relative to 1 (m or rad) and the coordinate: near the
/// cube root of a rounding.
static const double STIFFNESS_DIFFERENCE_STEP = 1e-6;

/// First shift of the search, relative to the scale of the forces, and its least value (N, absolute) for a
/// model without forces. It falls as the search converges.
static const double FIRST_SHIFT_FACTOR = 10.0;
static const double MIN_FIRST_SHIFT = 1e-6;

/// m or rad, absolute: the longest step of the search, beyond which the stiffness at its start says nothing;
/// and the coordinate at which it has diverged.
static const double MAX_STATIC_STEP = 0.5;
static const double STATIC_DIVERGED = 1e7;

/// An equilibrium is found when a step is shorter than the first (m or rad, absolute) and the unbalanced
/// force less than the second, relative to the scale of the forces, and the third (N, absolute, for a model
/// without forces). With a step below the fourth the model was there already, and stays there to the last
/// bit.
static const double STATIC_STEP_DONE = 1e-9;
static const double STATIC_FORCE_DONE = 1e-8;
static const double STATIC_FORCE_DONE_MIN = 1e-12;
static const double STATIC_ALREADY_THERE = 1e-12;

/// Of its squared length: a row with less left after orthogonalisation is held already.
static const double HELD_ROW_SQUARED = 1e-16;

/// Of the largest entry of the stiffness: an eigenvalue between minus and plus this is neutral, one below is
/// unstable. The stiffness is a difference quotient, and exact to about 1e-9.
static const double NEUTRAL_EIGENVALUE = 1e-7;

/// Any positive number: keeps the largest stiffness from being a divisor of zero.
static const double NONZERO_STIFFNESS = 1e-300;

/// Of a friction: one that an impact changes by less is the same at its end as before it. Some decades above
/// rounding, since it is a function of rates that the impact problem leaves with theirs.
static const double IMPACT_FRICTION_SETTLED = 1e-10;

#endif
