/// study/bifurcation/bifurcation_tolerances.h: the tolerances of shooting, continuation and Lyapunov
/// exponents.
///
/// Unless a comment says otherwise, a tolerance is relative. "Scaled units" are those of the unknowns of a
/// search: each state over the size of its motion, the period over itself, the parameter over its range.
#ifndef SLIP_STUDY_BIFURCATION_TOLERANCES_H
#define SLIP_STUDY_BIFURCATION_TOLERANCES_H

// ---- runs

/// Default tolerances of the runs of a search. Multipliers are derivatives of these runs, and a shooting
/// residual of 2e-10 is only reached by runs that are more accurate than that.
static const double ORBIT_RUN_RELATIVE = 1e-11;
static const double ORBIT_RUN_ABSOLUTE = 1e-13; ///< the same, in SI units of each state

/// Default tolerances of the run along which Lyapunov exponents are measured. Exponents are means with a
/// statistical error of a per cent or so: the run only has to stay on the attractor.
static const double LYAPUNOV_RUN_RELATIVE = 1e-9;
static const double LYAPUNOV_RUN_ABSOLUTE = 1e-11; ///< the same, in SI units of each state

/// Tolerances of the run that provides the initial guess. Newton's method improves its end anyway.
static const double GUESS_RUN_RELATIVE = 1e-8;
static const double GUESS_RUN_ABSOLUTE = 1e-10; ///< the same, in SI units of each state

/// First step of a run, relative to its longest step: small enough for any start, and soon outgrown.
static const double FIRST_STEP_OF_LONGEST = 1e-2;

/// A run has arrived at its end when it misses it by less than this fraction of its length; the sums of fixed
/// steps differ from it by rounding.
static const double RUN_END_RELATIVE = 1e-9;

/// Time over a block or a period may exceed a whole number by this much and still count as that number: more
/// than rounding of a quotient, less than any intended fraction.
static const double WHOLE_NUMBER_SLACK = 1e-9;

/// Deformation of a contact (m, absolute) at the end of a period above which the point of an orbit is refused
/// by difference quotients: contacts in free motion leave less than a nanometre.
static const double DEFORMATION_AT_REST = 1e-9;

// ---- initial guess

/// Distances from the point, relative to the range of the motion: a motion has left the point beyond the
/// first, and has come back within the second. Transients may still be that far from the orbit.
static const double LEFT_DISTANCE = 0.25;
static const double RETURN_DISTANCE = 0.2;

/// Largest range of a state (m, rad or their rates, absolute) up to which nothing moves: the guess must not
/// take the rounding of a resting motion for an oscillation.
static const double RESTING_RANGE = 1e-9;

/// Least size of a state, relative to the largest one, by which its errors are measured: a state that hardly
/// moves must not dominate the residual.
static const double SMALLEST_STATE_SIZE = 1e-3;

// ---- difference quotients

/// Step of a central difference, relative to the state or the parameter: about the cube root of the error of
/// the runs, where truncation and rounding are equal.
static const double DIFFERENCE_STEP = 1e-5;

/// Least size to which the step is relative. Of a state: a fraction of the largest state, and in no case less
/// than 1e-12 (absolute, only to avoid a division by zero). Of a parameter: 0.01 (absolute) where it is near
/// 0.
static const double DIFFERENCE_STATE_SHARE = 1e-2;
static const double DIFFERENCE_STATE_LEAST = 1e-12;
static const double DIFFERENCE_PARAMETER_LEAST = 1e-2;

/// Time step of the one-sided difference for the rates at both ends, relative to the period: some steps of a
/// formulation with fixed steps.
static const double RATE_STEP_OF_PERIOD = 1e-3;

// ---- shooting

/// Largest gap between the ends of segments, relative to the size of the motion, with which an orbit counts
/// as found. Ten times the error of the runs.
static const double SHOOTING_CONVERGED = 2e-10;

/// The same where no step comes closer: strongly unstable orbits amplify the rounding of the nodes.
static const double SHOOTING_STALLED = 1e-8;

/// Below this residual a further Newton step would only move rounding.
static const double SHOOTING_EXACT = 1e-13;

/// A Newton step may make the residual this many times larger before it is halved: near impacts the first
/// steps often do, and converge afterwards.
static const double RESIDUAL_GROWTH_ALLOWED = 2.0;

/// A Newton step that would shorten the period to less than this fraction is halved: short periods are those
/// of equilibria, at which every time is a period.
static const double SHORTEST_PERIOD_SHARE = 0.1;

/// Two states are equal when they differ by less than this, relative to the extent of the motion: between the
/// error of a found orbit (1e-10) and the difference of orbits that are told apart.
static const double STATES_EQUAL = 1e-6;

/// An orbit moves if a state extends over more than this, relative to the size of its motion, and over more
/// than the second, relative to 1 (absolute, SI units) and to the state itself. Less is an equilibrium.
static const double MOVING_EXTENT = 1e-6;
static const double MOVING_EXTENT_ROUNDING = 1e-10;

/// Fraction of a part of the period at which a second state is compared, when a shorter period is checked.
/// Any value that is not a simple fraction will do.
static const double MIDPOINT_FRACTION = 0.37;

// ---- multipliers

/// Distance from 1 within which a multiplier counts as the trivial one. Errors of the runs leave 1e-8 or so,
/// and 1e-4 still separates it from a multiplier near a bifurcation.
static const double TRIVIAL_MULTIPLIER_DISTANCE = 1e-4;

/// A multiplier whose modulus differs from 1 by less is on the unit circle: runs are accurate to about 1e-9 over a
/// period, and an orbit without damping, or beside something that friction holds, has multipliers there.
static const double NEUTRAL_MULTIPLIER = 1e-7;

/// Moduli within this relative distance are equal when multipliers are sorted: those of a pair differ by
/// rounding.
static const double MODULI_EQUAL = 1e-12;

/// A multiplier this small beside the largest one has lost digits in the monodromy matrix, and is computed
/// from the factors instead: 1e-6 leaves ten digits to it.
static const double LOST_DIGITS_RATIO = 1e-6;

/// Distance of a modulus from 1 within which it is not decided on which side of the unit circle a multiplier
/// is.
static const double UNIT_CIRCLE_MARGIN = 1e-3;

/// Distance from the unit circle (fold, doubling, torus) that a multiplier has at a special point which is
/// not spurious. A branch point is described by an orbit a little away from it, whose multiplier is further
/// off.
static const double SPECIAL_MULTIPLIER_DISTANCE = 1e-2;
static const double BRANCH_POINT_MULTIPLIER_DISTANCE = 5e-2;

// ---- continuation

/// First, largest and smallest arclength step, in scaled units. The largest keeps neighbouring points on one
/// branch, the smallest ends the branch.
static const double ARC_FIRST_STEP = 0.02;
static const double ARC_MAX_STEP = 0.12;
static const double ARC_MIN_STEP = 1e-6;

/// A step grows by this factor after a point was accepted.
static const double ARC_STEP_GROWTH = 1.5;

/// Steps shorter than this (scaled units) move the section along the orbit once: the usual reason is an event
/// that has come to the ends of the period.
static const double SECTION_MOVE_STEP = 1e-3;

/// How far the section moves, as a fraction of the period, and the residual with which the orbit is still the
/// same one. The fraction is not a simple one, so that periodic events are not met again.
static const double SECTION_MOVE_FRACTION = 0.31;
static const double SECTION_MOVE_RESIDUAL = 1e-6;

/// Down to this step (scaled units) a step is halved in which more multipliers cross the unit circle than
/// test functions vanish.
static const double MISSED_CROSSING_STEP = 1e-3;

/// A branch that ends after its period has grown by this factor ends at a homoclinic orbit.
static const double HOMOCLINIC_PERIOD_RATIO = 5.0;

/// Formulations without event times: a branch was left for another one if the largest multiplier changes by
/// more than this factor while it is above the second number, or if the cosine between two tangents is below
/// the third. Steps below the last number (scaled units) are too short for either to mean something.
static const double JUMP_MULTIPLIER_RATIO = 3.0;
static const double JUMP_MULTIPLIER_LEAST = 1.5;
static const double JUMP_COSINE = 0.8;
static const double JUMP_LEAST_STEP = 1e-4;

/// Shortest step (scaled units) from a period doubling to the first orbit of the doubled branch.
static const double DOUBLED_FIRST_STEP_LEAST = 1e-4;

/// Values this close outside the range of the parameter, relative to it, are inside: rounding.
static const double RANGE_MARGIN = 1e-9;

/// Residual of the corrector, in scaled units, with which a point is on the branch; and by how much it may be
/// larger where it no longer decreases: for runs with located events, and for those with fixed steps, which
/// do not end at events and so are not smooth in the unknowns.
static const double CORRECTOR_CONVERGED = 1e-11;
static const double CORRECTOR_STALLED_FACTOR = 1e3;
static const double CORRECTOR_FIXED_STEP_FACTOR = 1e5;

/// The corrector no longer converges when the residual falls by less than this factor.
static const double CORRECTOR_LEAST_DECREASE = 0.5;

/// The corrector may move a point by the length of the step, or by this much (scaled units) when the step is
/// shorter; further away is another branch.
static const double CORRECTOR_LEAST_REACH = 1e-3;

// ---- special points

/// A bracket (scaled units) or a change of the parameter (relative to its range and value) this small is
/// rounding.
static const double LOCATE_CONVERGED = 1e-13;

/// An estimate by regula falsi stays this fraction of the bracket away from its ends, so that both ends move.
static const double LOCATE_INSET = 1e-3;

/// Two special points are the same when their parameters differ by less than the first (relative to the
/// range) and their states by less than the second (scaled units). Branch points are located to 1e-9 of the
/// range, and their states to the root of that and of the sample spacing.
static const double SAME_POINT_VALUE = 1e-6;
static const double SAME_POINT_STATES = 1e-2;

/// An orbit with less than this extent (scaled units) at a branch point shrinks to an equilibrium there.
static const double SHRUNK_ORBIT_EXTENT = 0.05;

/// A quantity below this (gaps in m, speeds in m/s, squared times in s^2, ratios; absolute) at the last point
/// of a branch may be the one whose zero ends it. Steps are halved down to 1e-6 of the range, so the quantity
/// that is the cause is near zero there.
static const double BORDER_TEST_SMALL = 1e-4;

/// Impact speeds (m/s, absolute) below this are dominated by the error with which the impact is located;
/// those used for the extrapolation of a grazing point are apart by the ratio, and the fastest is at most so
/// many times this speed, so that a parabola describes them.
static const double GRAZING_SPEED_LEAST = 2e-4;
static const double GRAZING_SPEED_RATIO = 1.5;
static const double GRAZING_SPEED_RANGE = 50.0;

/// Distance between the samples around a branch point, in scaled units: orbits nearer to it are
/// ill-conditioned, orbits further away make the interpolation less accurate.
static const double SAMPLE_SPACING = 1e-3;

/// Where the orbit of a branch point is tried, in units of SAMPLE_SPACING from it: at the point the corrector
/// may be singular, and beside it the orbit is the same to the digits that are shown.
static const double BRANCH_POINT_TRIES[] = { 0.0, 0.05, -0.05, 1.0 };

/// Distances (scaled units) of the first orbit of a further branch from its branch point, best first: nearer
/// ones fall back to the old branch, those further away may miss the new one.
static const double FIRST_ORBIT_TRIES[] = { 0.02, 0.005, 0.05, 0.001 };

/// An estimate by secants stays this fraction of the bracket away from its ends.
static const double BRACKET_INSET = 0.02;

/// Two estimates of a branch point agree when they differ by less than this, relative to the range.
static const double ESTIMATE_CONVERGED = 1e-9;

// ---- orbits beyond a border

/// An orbit is on a known branch when the branch interpolated at its parameter is this close (scaled units),
/// and the times of both sections differ by less than the second (relative to the period).
static const double KNOWN_ORBIT_DISTANCE = 0.05;
static const double KNOWN_ORBIT_START = 1e-3;

/// An orbit further than this from the last one (scaled units) is not its continuation across the border.
static const double BEYOND_BORDER_DISTANCE = 0.2;

/// Least gap of an orbit (m, absolute) below which it grazes at the border that was found, and the step of
/// the difference quotients of this gap, relative to the size of each state.
static const double GRAZING_GAP = 1e-4;
static const double GRAZING_GAP_STEP = 1e-5;

/// Where an orbit beyond a border is looked for: distances from the border, relative to the range of the
/// parameter, nearest first, since the new orbit begins at the border or leaves it by a jump.
static const double BORDER_DISTANCES[] = { 1e-6, 1e-5, 1e-4, 1e-3, 1e-2 };

/// Penetration of the motion from which Newton's method starts there, relative to the extrapolated gap: light
/// contact first, as it is right behind a grazing orbit.
static const double TOUCHING_DEPTHS[] = { 0.01, 0.1, 0.5 };

/// Displacements of one rate, relative to its size, that take Newton's method out of a sticking motion.
static const double RATE_DISPLACEMENTS[] = { 1e-3, -1e-3, 1e-2, -1e-2 };

// ---- two parameters

/// Two values of the first parameter are equal within this, relative to its range. Special points are located
/// to 1e-9 or better, those found by extrapolation to about 1e-8.
static const double SAME_VALUE = 1e-7;

/// A point that linear extrapolation of its curve predicts with this error (scaled units), beyond a fraction
/// of the step for curvature, is accepted; one that misses by more than the step and the third (relative to
/// the range) is rejected. In between the curve is followed back as a check.
static const double PREDICTION_TRUSTED = 1e-4;
static const double PREDICTION_CURVATURE = 0.3;
static const double PREDICTION_REJECTED = 0.01;

/// Farthest point of a whole branch, relative to the range, that may continue a curve which was lost.
static const double CURVE_MAX_JUMP = 0.25;

/// Phases of the section within this (relative to the period) are equal; it moves by large fractions.
static const double PHASES_EQUAL = 1e-9;

// ---- Lyapunov exponents

/// An exponent is zero within this many standard errors and inverse run lengths.
static const double ZERO_EXPONENT_ERRORS = 3.0;

/// A motion keeps moving when its last points extend over more than this fraction of the range of all points.
static const double LASTING_MOTION_SHARE = 0.5;

#endif
