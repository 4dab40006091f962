/// formulation/regularized/regularized_tolerances.h: tolerances of the regularised contact laws.
///
/// The constants by which each formulation chooses stiffness and damping for a step are beside that choice.
#ifndef SLIP_FORMULATION_REGULARIZED_TOLERANCES_H
#define SLIP_FORMULATION_REGULARIZED_TOLERANCES_H

// ------------------------------------------------------------------------------------ choice of constants

/// Of the size of the gap: how deep the load at rest may press a contact in. A per cent is not visible in a
/// drawing of the mechanism.
static const double MAX_STATIC_DEPTH_OF_GAP = 0.01;

/// Times sqrt(m/K): duration of an impact, which is pi times without damping.
static const double IMPACT_DURATION_OVER_TAU = 3.0;

/// A gap is the difference of positions, exact to DBL_EPSILON of their size L. A load that accelerates by a
/// is then known within L eps/(a tau^2), and this part of it may be lost.
static const double MAX_LOAD_ROUNDING = 1e-4;

/// Of the largest length of the model: smaller gaps are closed at the start.
static const double GAP_CLOSED_OF_SIZE = 1e-7;

/// Of the size of the motion: a speed or a pull at the start that moves a contact by less over the whole run says
/// nothing about it.
static const double UNNOTICED_OF_SIZE = 1e-12;

/// Of the speed of the motion: it takes the place of the speed that a load gives in tau where nothing is
/// loaded.
static const double UNLOADED_CREEP_OF_SPEED = 1e-6;

/// A damper that friction sticks by answers so many times faster than the normal force of an impact dies away.
/// Otherwise the force is gone before the slip has stopped.
static const double FRICTION_OVER_NORMAL_RATE = 10.0;

// ------------------------------------------------------------------------------------------- restitution

/// Difference between the restitution stated and the one that the constants make, above which there is a
/// warning: half a unit of the second digit, and a little for values that are rounded to two digits.
static const double REPORTED_RESTITUTION_ERROR = 0.00501;

/// The same for the modular formulation, whose largest damping leaves a restitution of 0.032 where 0 is
/// stated.
static const double MODULAR_RESTITUTION_ERROR = 0.035;

/// Of the restitution: scatter by the phase of the touch-down within a step, above which there is a warning;
/// 5 % and a little for rounding.
static const double REPORTED_SCATTER = 0.0501;

/// Distance from critical damping below which a closed form is 0/0, and its limit exact to rounding.
static const double CRITICAL_DAMPING_NEAR = 1e-9;

// --------------------------------------------------------------------------- differential-algebraic inclusion

/// Range of alpha w and beta w in which an impact is computed: outside it is too stiff or hardly moves.
/// Lowest alpha/beta that is tried.
static const double MIN_ALPHA_W = 1e-4;
static const double MAX_COMPUTED_BETA_W = 1000.0;
static const double MIN_ALPHA_OVER_BETA = 1e-3;

/// alpha w without a step to keep to: an impact almost without rebound.
static const double IMPLICIT_ALPHA_W = 0.004;

/// Of the substep: where the search for a change of sign begins, as the function may be zero at the start.
static const double CROSSING_AFTER_START = 1e-9;

/// A restitution above 1 by less is 1.
static const double RESTITUTION_ROUNDING = 1e-9;

/// A design reaches the restitution that is asked for within this.
static const double RESTITUTION_REACHED = 1e-6;

// ---------------------------------------------------------------------------------------- smooth friction

/// Added to (|v|/gamma)^2 before the root is taken, so that tanh(s)/s is smooth at s = 0. It changes friction
/// by less than rounding.
static const double TANH_SMOOTHING_SQUARED = 1e-16;

#endif
