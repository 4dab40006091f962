/// formulation/ode/ode_tolerances.h: tolerances of the formulations that turn a model into an ODE.
///
/// tau is the time in which a compliant contact responds, and creep the speed at which it gives way under its
/// load. Both come from the constants of the contacts (regularized/contact_time_scale.h).
#ifndef SLIP_FORMULATION_ODE_TOLERANCES_H
#define SLIP_FORMULATION_ODE_TOLERANCES_H

// ------------------------------------------------------------------------------------- stability of a step

/// A step exceeds its limit if it is longer by more than this part: a limit may be the step itself, rounded.
static const double STEP_LIMIT_SLACK = 1e-6;

/// Of the real part: an eigenvalue with a smaller imaginary part is reported as real.
static const double REAL_EIGENVALUE = 1e-9;

/// Of the modulus: a mode with a larger real part grows by itself, at any step.
static const double GROWING_MODE = 1e-9;

/// Excess of |R(h lambda)| over 1 that is growth: rounding of the stability function for one eigenvalue, and
/// of the power iteration for a whole step, in which free motions have |R| = 1.
static const double GROWTH_OF_MODE = 1e-7;
static const double GROWTH_OF_STEP = 1e-6;

/// h |lambda| up to which classical Runge-Kutta damps a mode that decays: the end of its interval of stability
/// on the real axis, 1 + z + z^2/2 + z^3/6 + z^4/24 = 1 at z = -2.785 (Hairer and Wanner II, section IV.2).
static const double RK4_REAL_STABILITY = 2.785;

/// |h lambda|: where the scan for the border of stability begins, its step and its end. Below the beginning
/// |R| - 1 is of the order of the error of the method. The step is finer than any gap in the border.
static const double BOUNDARY_SCAN_START = 0.2;
static const double BOUNDARY_SCAN_STEP = 0.02;
static const double BOUNDARY_SCAN_END = 10.0;

/// Factor by which the growth of the power iteration may be too large: a free motion grows in proportion to
/// its time, which is about 5 % over the iterations that are averaged.
static const double POWER_ITERATION_TOLERANCE = 1.05;

// ------------------------------------------------------------------------------------------ constraints

/// Of the diagonal entry: constraints with a smaller pivot at the start depend on one another. The pivots of
/// a formula are not chosen by size, so this is far above rounding.
static const double DEPENDENT_CONSTRAINT = 1e-9;

/// Unit of the constraint per second, absolute: a larger rate of a constraint at the start is reported. No
/// scale is known before the run.
static const double REPORTED_CONSTRAINT_RATE = 1e-6;

/// Baumgarte's feedback times the step: violations decay in five steps. More would make explicit methods lose
/// stability, less would let constraints drift.
static const double FEEDBACK_PER_STEP = 0.2;

/// Smallest pivot of an iteration matrix 1 - h gamma J without exchange of rows. It is 1 or more for
/// everything that decays; a smaller one means that the order does not suit and a dense factorisation is
/// made.
static const double SPARSE_PIVOT = 1e-6;

/// Relative excess of the diagonal for friction at rest: two frictions on one slip have a singular matrix,
/// and this makes them share the force.
static const double SHARED_FRICTION_SHIFT = 1e-9;

// ------------------------------------------------------------------------------------ contacts and steps

/// Of the tolerances of the run, for a method that refines its steps in contact: these are short there
/// anyway, and the errors that they leave act as forces.
static const double FINER_STEP_TOLERANCE_FACTOR = 0.01;

/// Of the step: distance in time of the difference quotient for the acceleration of a gap.
static const double GAP_DIFFERENCE_OF_STEP = 1e-4;

/// Of tau: a contact that closes within the first is about to touch; a step below the second resolves the
/// contact and needs no care.
static const double NEAR_CONTACT_OF_TAU = 1e-3;
static const double SAFE_STEP_OF_TAU = 0.3;

/// Times the creep: a contact that closes more slowly is at rest. A load makes it that fast within tau.
static const double REST_SPEED_OVER_CREEP = 10.0;

/// A closed contact that is pressed in so many times faster than it was touched has been struck again; forces alone
/// do not make that of a touch-down that is faster than rest. Of tau: the time that its new state takes.
static const double STRUCK_AGAIN_RATIO = 1.5;
static const double STRUCK_AGAIN_OVER_TAU = 1e-6;

/// A contact has opened if it is wider than the first, relative to the depth creep * tau (some hundred times
/// the depth under its load), and the second, relative to the size of the motion: narrower openings are
/// errors that the tolerances leave.
static const double MIN_OPENING_OVER_STATIC_DEPTH = 1000.0;
static const double MIN_OPENING_OF_SIZE = 1e-7;

// ------------------------------------------------------------------------------- contacts that strike together

/// Of the fastest speed of an impact: a closed contact that moves more slowly rests.
static const double RESTING_OF_IMPACT_SPEED = 1e-3;

/// Times tau: contacts that close within this time strike together. An impact lasts three to four tau, and what
/// happens within it is finer than compliant contacts resolve.
static const double TOGETHER_WITHIN_TAU = 4.0;

/// Times tau: the longest time scale of an impact of several contacts.
static const double LONGEST_IMPACT_OVER_TAU = 5.0;

/// Of tau times its speed: a contact that is not deeper has just begun its impact, and strikes together with
/// one that touches now. The energy that a new stiffness adds or takes is the square of this, relative to that
/// of the impact.
static const double BEGUN_IMPACT_OF_TAU = 0.05;

/// Of the largest entry of W: weight of the distance from the last impulses in each proximal step.
static const double REDUNDANT_IMPULSE_EASE = 1e-3;

/// Of the largest impulse: sweeps end when none changes by more.
static const double IMPULSES_CONVERGED = 1e-12;

/// Of the mass that a contact meets alone: least and most that may fall to it. What rests on it later presses a
/// softer contact in deeper; a stiffer one only answers sooner.
static const double MIN_SHARED_MASS = 0.05;
static const double MAX_SHARED_MASS = 1e4;

/// Of the stiffness of a contact alone: the most that it gets in an impact. Stiffness is chosen near to where
/// the rounding of gaps becomes a force.
static const double MAX_STIFFER = 4.0;

// --------------------------------------------------------------------------------- restitution of impacts

/// A restitution may be wrong by this, and by this part of itself, without a warning: a per cent is what a
/// stated restitution is known to.
static const double RESTITUTION_TOLERANCE = 0.01;
static const double RESTITUTION_RELATIVE_TOLERANCE = 0.01;

/// The first of these for contacts that strike together, whose forces answer one another while they last.
static const double SHARED_RESTITUTION_TOLERANCE = 0.02;
static const double EACH_RESTITUTION_TOLERANCE = 0.1;

/// Of the fastest impact so far: a smaller error of a rebound does not show beside it.
static const double REBOUND_OF_FASTEST_IMPACT = 0.01;

/// Of the tolerated loss: the step that a warning advises loses this part of it, because the relation between
/// step and loss is of first order only.
static const double RESTITUTION_ADVICE_MARGIN = 0.98;

/// Restitutions below this are not checked: an impact without rebound has nothing to lose.
static const double MIN_CHECKED_RESTITUTION = 0.01;

/// Of the speed of an impact: the motion that it interrupts may change its speed by this much while it lasts,
/// under a load, and along a curved surface. A change above the third means that the body is put down and not
/// dropped.
static const double MAX_LOAD_SPEED_CHANGE = 0.1;
static const double MAX_CURVATURE_SPEED_CHANGE = 0.02;
static const double MAX_IMPACT_SPEED_CHANGE = 2.0;

/// m, absolute: a touch-down that would go less deep is none. It is below the rounding of most gaps.
static const double MIN_IMPACT_DEPTH = 1e-12;

/// Of the depth that cannot be seen: an impact is not judged by itself if its speed would carry the body no higher than
/// that against what pulls at it. Such bounces are the last of a series, or how a body that stands comes to rest.
static const double MIN_BOUNCE_OF_DEPTH = 1e-3;

/// Times the creep: forces matter little in a faster impact, so that it can be compared with a rigid law.
static const double MIN_SPEED_OVER_CREEP = 1e4;

/// Times what the acceleration of the gap where the impact begins adds to its rate in tau: the same, for loads
/// that grow along the motion.
static const double MIN_SPEED_OVER_LOAD = 1e3;

/// Times tau: what lasts longer is not one impact.
static const double MAX_DURATION_OVER_TAU = 100.0;

/// Of the speed of an impact: velocities that differ by more are not those of the rigid law; a slower rebound
/// is pressed back before it is visible.
static const double FRICTION_RATE_TOLERANCE = 0.01;
static const double MIN_REBOUND_OF_SPEED = 0.02;

#endif
