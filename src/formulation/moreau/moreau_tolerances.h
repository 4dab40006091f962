/// formulation/moreau/moreau_tolerances.h: tolerances of time stepping by Moreau's midpoint rule.
///
/// Velocities of a contact problem are relative to the largest free velocity of its rows (problem.largest)
/// unless a comment says otherwise. What forces change in one step is the other scale: a scheme of first
/// order knows nothing below a small part of it.
#ifndef SLIP_FORMULATION_MOREAU_TOLERANCES_H
#define SLIP_FORMULATION_MOREAU_TOLERANCES_H

#include <float.h>

// --------------------------------------------------------------------------------- gaps and constraints

/// A gap is closed below the sum of two parts: the first relative to the lengths in the gap, since a body
/// that is put exactly on the floor rests on it, the second relative to the distance that the forces at the
/// start make in a step, since a solver leaves a small rate which must not lift the body off again.
static const double GAP_SLACK_ROUNDING = 16.0 * DBL_EPSILON;
static const double GAP_SLACK_OF_FALL = 1e-6;

/// A rate breaks a constraint above the sum of two parts: the first relative to the terms of the rate and to
/// what forces add in a step, the second relative to the fastest speeds of the run so far, whose rounding
/// accumulates over its steps.
static const double BROKEN_RATE_RELATIVE = 1e-6;
static const double BROKEN_RATE_OF_FASTEST = 1e-12;

/// m/s, absolute: slip speeds up to this are zero in the initial state, which the model gives. No step has
/// been made yet and so there is no scale; a model that starts at rest gives zero itself.
static const double INITIAL_STICK_SPEED = 1e-12;

/// One rounding of a quotient and a product: a ratio that is smaller by more than this part is smaller.
static const double QUOTIENT_ROUNDING = 1e-14;

/// A gap may become deeper by the distance of its points in a step, some times over because the rows turn, by
/// some times the fall of one step (which is 1e6 slacks), and by rounding relative to the largest coordinate,
/// or to 1 m. If it is deeper still, it has jumped.
static const double EXPLAINED_TRAVEL_FACTOR = 4.0;
static const double EXPLAINED_DEPTH_SLACKS = 1e8;
static const double EXPLAINED_DEPTH_RELATIVE = 1e-9;

// --------------------------------------------------------------------------------------- times of impact

/// Of the slack of the gap: a root of the gap is found when the gap is deeper by less.
static const double CLOSING_DEPTH_OF_SLACK = 1e-4;

/// Of the substep: the bracket of a closing gap is not made shorter than the first, which is rounding of the
/// place; one as short as the second is a jump if the gap changes within it by more than GAP_JUMP_RELATIVE of
/// the gap and by GAP_JUMP_SLACKS slacks, the fall of one step.
static const double CLOSING_BRACKET_MIN = 1e-14;
static const double CLOSING_BRACKET_NARROW = 1e-12;
static const double GAP_JUMP_RELATIVE = 1e-6;
static const double GAP_JUMP_SLACKS = 1e6;

/// Of the step: times that differ by less are one time. Ten thousand roundings, because times are sums of
/// substeps.
static const double SAME_TIME_OF_STEP = 1e-12;

/// Of the distance that a gap closes in the longest substep: a gap that is missed by less is met.
static const double MET_GAP_OF_TRAVEL = 1e-12;

/// Of the step: a discontinuity of forces that is nearer is where the motion already is; one that is missed
/// by this part of the substep is reached.
static const double AT_DISCONTINUITY_OF_STEP = 1e-9;

/// A number of substeps may exceed a whole number by this much and is that number: rounding of a quotient.
static const double WHOLE_NUMBER_SLACK = 1e-9;

// ---------------------------------------------------------------------------------------------- impacts

/// Of the velocity that forces give in a step: an impact that is slower is a soft landing, without a bounce
/// and without an event.
static const double SOFT_LANDING_OF_STEP = 0.01;

/// Of the largest rate of the contacts: an approach that is slower is rounding.
static const double APPROACH_ROUNDING = 1e-10;

/// Of the velocity that forces give in a step: contacts that are pulled apart by no more than this stay
/// together after the impact.
static const double PRESSED_RATE_OF_STEP = 1e-12;

/// Of the approach: a smaller separation is rounding and no rebound.
static const double REBOUND_RELATIVE = 1e-12;

/// Part of a contact's velocity that counts as noise: of the velocities at the beginning, and of what the
/// step has changed in them, which is known to the tolerance of a solver.
static const double RATE_NOISE_OF_VELOCITY = 1e-12;
static const double RATE_NOISE_OF_CHANGE = 1e-6;

// ----------------------------------------------------------------------------------------------- solvers

/// Default residual of the solver of contact problems (slip_residual), relative to the velocities of the
/// step; the second is for many contacts in space, some of which touch without carrying a load: more digits
/// would be spent on these alone.
static const double SOLVER_TOLERANCE = 1e-10;
static const double MANY_CONTACTS_TOLERANCE = 1e-7;

/// Residual up to which the best solution found is accepted if none meets the tolerance; again with a value
/// for many contacts in space. The motion is then still right to more digits than the step.
static const double ACCEPTED_RESIDUAL = 1e-7;
static const double ACCEPTED_RESIDUAL_MANY_CONTACTS = 1e-6;

/// Times the residual: a contact that sticks may be left with a slip as fast as this. The residual bounds the
/// largest violation, which a contact shares with its neighbours.
static const double STICK_SLIP_RESIDUALS = 10.0;

/// Violation of the contact laws that a solution may have which is exact but for rounding.
static const double LAW_EXACT_RELATIVE = 1e-13;

/// Of the limit of friction: a force that stays below it by this part sticks for certain.
static const double STICK_MARGIN = 1e-12;

/// Of the squared limit: squares this far below it decide without a square root.
static const double SURELY_BELOW_SQUARED = 0.99;

/// Pivots of a matrix relative to its largest: below, the row depends on the others. The matrix of
/// constraints is accurate to rounding; that of contact states contains friction and is worse conditioned.
static const double DEPENDENT_CONSTRAINT_PIVOT = 1e-12;
static const double DEPENDENT_EQUATION_PIVOT = 1e-10;

/// Of the largest entry of the Gram matrix: regularisation of a least-norm solution, which makes dependent
/// rows solvable and changes the others by less than the tolerance of any solver.
static const double LEAST_NORM_SHIFT = 1e-13;

/// Of the largest velocity: a contact slips, or leaves, if it is faster. A thousand times the tolerance of
/// the solver.
static const double MODE_SPEED_RELATIVE = 1e-7;

/// Of the energy that impulses turn over: contacts that give more energy than this have gained it.
static const double ENERGY_GAIN_RELATIVE = 1e-9;

// ----------------------------------------------------------------------------------- correction of positions

/// Of the speeds in the rate of a gap: a contact that pushed and separates faster than this went over an
/// edge, where its row has turned, and has ended.
static const double OVER_EDGE_RATE = 0.01;

/// Of the first violation: Newton's method for the positions ends here, at rounding of the violation itself.
static const double PROJECTION_DONE_RELATIVE = 1e-12;

/// A correction is rounding up to these: of the largest coordinate, or 1 m, for constraints; in slacks for
/// gaps.
static const double PROJECTION_ROUNDING = 1e-13;
static const double PROJECTION_ROUNDING_SLACKS = 4.0;

/// A correction that would add energy is made in part; parts below this are not worth another try.
static const double MIN_PROJECTED_PART = 1e-3;
enum { MAX_PARTIAL_PROJECTIONS = 6 };

// ------------------------------------------------------------------------------------------ step control

/// Coordinates whose velocities have less than this part of the kinetic energy are ignored by the step
/// control: a light part that trembles must not make all steps short.
static const double MIN_ENERGY_SHARE = 0.03;

/// The tolerance is this many times larger for some steps after an event: in a pile that settles nothing is
/// smooth for long.
static const double RELAXED_TOLERANCE_FACTOR = 100.0;

/// An error this many times below the tolerance does not limit the length of a substep; the second number is
/// the same limit, lower by a per cent so that a quick test in other arithmetic never says more.
static const double NEGLIGIBLE_ERROR_FACTOR = 100.0;
static const double NEGLIGIBLE_ERROR_SHARE = 0.0099;

/// A substep is accepted with an error up to this many times the tolerance: the error is an estimate, and a
/// repeated step costs as much as the accuracy is worth.
static const double ACCEPTED_ERROR_FACTOR = 4.0;

// ------------------------------------------------------------------------------------------------ verdict

/// m/s, absolute: a slower slip has no direction and is at rest. A nanometre per second, far below the slips
/// that the step resolves in models of any usual size.
static const double SLIP_DIRECTION_SPEED = 1e-9;

/// Of the product of the diagonal, or of the entry without friction: a determinant, or an entry, that is
/// smaller is zero to rounding, and proves nothing.
static const double PROOF_MARGIN = 1e-12;

/// Of W_NN: a contact at rest is stable if mu |W_NT| stays below this part, whichever way it begins to slip.
/// The per mille below 1 covers the change of the matrix within a step.
static const double REST_PROOF_MARGIN = 0.999;

/// Of the scale of the accelerations: two solutions of one problem that differ by more are two motions.
static const double DISTINCT_ACCELERATION = 1e-4;

/// Uniqueness of forces. Of the free velocities: slower slips are zero. Pivots of the Gram matrix of
/// directions below the second, relative to its diagonal, belong to dependent directions. A feasible
/// direction may violate the friction cone by the third, relative to its own length of about 1. A force takes
/// part in a direction with components above the fourth, which is the root of a rounding and well above what
/// elimination leaves.
static const double UNIQUENESS_STICK_SPEED = 1e-8;
static const double DEPENDENT_DIRECTION_PIVOT = 1e-10;
static const double CONE_TOLERANCE = 1e-9;
static const double DIRECTION_COMPONENT_MIN = 1e-6;

#endif
