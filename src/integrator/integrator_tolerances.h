/// integrator/integrator_tolerances.h: tolerances of the integrators.
///
/// Errors are measured in the norm of the step control: 1 is the error that the tolerances of the run allow.
#ifndef SLIP_INTEGRATOR_INTEGRATOR_TOLERANCES_H
#define SLIP_INTEGRATOR_INTEGRATOR_TOLERANCES_H

// -------------------------------------------------------------------------------------- length of a step

/// Safety factor of the next step, h err^(-1/p): the error estimate is right to some ten per cent, and a
/// refused step costs more than a step that is a little too short. Cash and Karp's is that of their listing.
static const double CASH_KARP_SAFETY = 0.75;
static const double DIRK_SAFETY = 0.8;

/// Bounds on the change of the length from one step to the next: the estimate holds near the present length
/// only.
static const double CASH_KARP_MIN_SHRINK = 0.1;
static const double CASH_KARP_MAX_GROWTH = 5.0;
static const double DIRK_MIN_SHRINK = 0.2;
static const double DIRK_MAX_GROWTH = 4.0;

// ---------------------------------------------------------------------------- Newton's method for a stage

/// Smallest part of a Newton step that the damping goes down to. A correction that still grows then comes
/// from another piece of the right-hand side, and the derivative is taken anew.
static const double MIN_DAMPING = 1.0 / 64.0;

/// Norm of a correction that no longer shrinks, below which rounding is the reason: a stiff contact turns the
/// rounding of positions, 1e-16 of their size, into forces. It is below the error of the step, 1, and above
/// slip_dirk.leftover, which the iteration reaches otherwise.
static const double STALLED_CORRECTION = 0.3;

/// Ratio of two successive corrections above which an iteration no longer converges as Newton's method does.
static const double STALLED_CONTRACTION = 0.5;

/// Ratio that is assumed before two corrections are known: close to 1, so that a first correction ends the
/// iteration only if it is tiny.
static const double CONTRACTION_UNKNOWN = 0.99;

/// Ratio of two corrections above which the derivative is taken anew: it belongs to another piece of the
/// right-hand side, or to a state too far away. With an exact derivative the ratio is far smaller.
static const double FAST_CONTRACTION = 0.05;

// ---------------------------------------------------------------------------------------------- substeps

/// Of the time in which a contact responds (the reciprocal of its eigenfrequency). Substeps below
/// SHORT_SUBSTEP_RATIO resolve the contact several times over and count against a limit; the first substep
/// after touch-down has FIRST_SUBSTEP_RATIO, short enough for the start of the force.
static const double SHORT_SUBSTEP_RATIO = 0.3;
static const double FIRST_SUBSTEP_RATIO = 0.1;

/// Of the step: a discontinuity of the right-hand side that is nearer than this lies at the start of the
/// substep, and has been passed already.
static const double DISCONTINUITY_AT_HAND = 1e-9;

/// Of the step: how close the start of a step must be to the end of the one before for its last stage to be
/// reused. The states are compared bit by bit; this is for the rounding of t + h alone.
static const double STEP_CONTINUES_RELATIVE = 1e-9;

#endif
