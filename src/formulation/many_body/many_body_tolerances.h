/// formulation/many_body/many_body_tolerances.h: tolerances of the many-body formulation.
///
/// The usual scale of a velocity is g h, what gravity gives in a step h (c->pull * c->h), and that of a
/// length g h^2: time stepping of first order does not resolve less than a small part of these.
#ifndef SLIP_FORMULATION_MANY_BODY_TOLERANCES_H
#define SLIP_FORMULATION_MANY_BODY_TOLERANCES_H

// ----------------------------------------------------------------------------------------------- substeps

/// Of the step: substeps are complete when less than this is left of it. Sums of substeps differ from the
/// step by rounding.
static const double STEP_COMPLETE_RELATIVE = 1e-9;

/// Of the smallest extent of a body: the longest distance that it may move in a substep, since it must not
/// pass through another one unseen; and, in rad, the largest rotation, for the same reason at its corners.
static const double MAX_TRAVEL_OF_EXTENT = 0.5;
static const double MAX_ROTATION_PER_SUBSTEP = 0.5;

/// Phase of an oscillation in a substep (rad), and contraction by damping over 1/2, above which forces of
/// springs and dampers would be unstable or wrong by more than the step is.
static const double MAX_PHASE_PER_SUBSTEP = 1.0;
static const double MAX_DAMPING_PER_SUBSTEP = 1.0;

// ---------------------------------------------------------------------------------------- contact problems

/// Residual of the contact problem of every island, relative to its velocities. A step has errors far larger
/// than that; the digits are for bodies at rest, which would creep.
static const double ISLAND_TOLERANCE = 1e-8;

/// Of the velocities that forces give in a step: a solution that misses the tolerance is accepted up to this
/// residual, with a warning.
static const double ACCEPTED_RESIDUAL = 1e-2;

/// Of the velocities: accuracy of the iteration for forces that depend on velocities, a tenth of
/// ISLAND_TOLERANCE, and how many times more is accepted when the iteration ends without reaching it.
static const double FORCE_ITERATION_TOLERANCE = 1e-9;
static const double ACCEPTED_FORCE_RESIDUAL = 100.0;

/// Visits of contacts that a last long attempt at a jammed island may take: a second or two of computing
/// time.
static const double LONG_SOLVE_CONTACT_VISITS = 2.5e7;

/// Pivot relative to the largest: constraints of an articulation with a smaller one depend on the others.
static const double DEPENDENT_CONSTRAINT_PIVOT = 1e-12;

/// Of the mobility of a coordinate: what constraints leave of it is rounding below this, and a contact there
/// would divide by it.
static const double MOBILITY_ROUNDING = 1e-13;

// -------------------------------------------------------------------------------- sticking and sleeping

/// Of the limit of friction: a contact with less friction sticks. Solutions at the limit are within rounding
/// of it, since they are projected onto the cone.
static const double STICK_MARGIN = 1e-9;

/// A slip is zero, where static friction exceeds kinetic friction, below these together: of g h, or of what
/// the friction itself gives in a step; and of the speeds of the bodies or along the rows. A contact that
/// begins to slide is faster after one step, unless it is that close to its limit.
static const double STICK_SPEED_OF_GRAVITY = 1e-5;
static const double STICK_SPEED_OF_BODY_SPEED = 1e-7;

/// Of g h: speeds below the first are slow enough to test whether a body can sleep; below the second it is at
/// rest. ISLAND_TOLERANCE is a hundredth of that.
static const double SLEEP_TEST_SPEED = 1e-3;
static const double AT_REST_SPEED = 1e-6;

// ---------------------------------------------------------------------------------- positions and attitudes

/// m, or the unit of the constraint, absolute: violations up to this are not corrected. It is the rounding of
/// lengths of 10 m.
static const double CONSTRAINT_EXACT = 1e-14;

/// Overlaps below the larger of two are not corrected: of g h^2, and of the smallest extent of the bodies;
/// for declared contacts, which have no extent, in m (absolute).
static const double OVERLAP_OF_FALL = 1e-3;
static const double OVERLAP_OF_EXTENT = 1e-9;
static const double DECLARED_OVERLAP = 1e-12;

/// Of the smallest extent: a deeper overlap during the run is reported.
static const double OVERLAP_WARNING_OF_EXTENT = 0.02;

/// m, absolute: a deeper overlap at the start is reported. A micrometre, as for declared contacts.
static const double REPORTED_START_OVERLAP = 1e-6;

/// rad: below this sin(a/2)/a is 1/2 - a^2/48 to rounding, the next term being a^4/3840.
static const double SMALL_ANGLE = 1e-4;

/// Of the angular velocity: the iteration for the spin after a free rotation ends at a few roundings.
static const double SPIN_CONVERGED = 1e-15;

// --------------------------------------------------------------------------------------------- uniqueness

/// Slips that are zero in a proof of uniqueness: of g h, and of the fastest body (STICK_SPEED_OF_BODY_SPEED).
/// Stricter than STICK_SPEED_OF_GRAVITY, because a contact that is taken to stick makes the proof stronger.
static const double PROOF_STICK_SPEED = 1e-6;

/// Of g h: velocities that differ by less are equal. Of g h, and of the fastest body: those that differ by more
/// than both together are another motion. A difference of g h/1000 in every step is one of a per mille of the
/// weights; what the solver leaves, relative to the speeds, is far below the second.
static const double SAME_VELOCITY_TOLERANCE = 1e-6;
static const double DISTINCT_VELOCITY_OF_GRAVITY = 1e-3;
static const double DISTINCT_VELOCITY_OF_SPEED = 1e-5;

/// Sweeps that the problem without friction may take.
static const double FRICTIONLESS_MAX_SWEEPS = 300.0;

/// Of the work of the steps, in visits of contacts: what searches for a second motion may take; and what a step
/// costs besides the sweeps of its solver, in visits of each contact: it is found, and the problem is built.
static const double SEARCH_SHARE_OF_STEPS = 0.06;
static const double STEP_VISITS_PER_CONTACT = 30.0;

#endif
