/// formulation/event_driven/event_driven_tolerances.h: tolerances of the event-driven formulation.
///
/// Lengths and speeds are relative to the scales of the model (characteristic_scales.c): the largest
/// coordinate, or 1 m and 1 m/s unless everything in the run is far smaller. Rounding is 1e-16 of these; a
/// value counts as zero a few decades above that, because it is a sum of several rounded terms.
#ifndef SLIP_FORMULATION_EVENT_DRIVEN_TOLERANCES_H
#define SLIP_FORMULATION_EVENT_DRIVEN_TOLERANCES_H

#include <float.h>

// ------------------------------------------------------------------------------------ times of events

/// s, absolute. Events are located to this: the rounding of times of about 1000 s. Nothing mechanical happens
/// in less, and a later search would only see rounding.
static const double EVENT_TIME_TOLERANCE = 2e-13;

/// Of the length of the run, where it is so short that this is less than EVENT_TIME_TOLERANCE: runs of a
/// microsecond still resolve five million instants.
static const double EVENT_TIME_OF_RUN = 2e-7;

/// Of the time, or of 1 s where it is less: events that are closer happen at one instant, and too many of
/// them in a row make no progress. Several times the width to which an event is located.
static const double SAME_INSTANT_RELATIVE = 1e-12;
enum { MAX_CHANGES_WITHOUT_PROGRESS = 60 };

/// Of the run: MAX_ACCUMULATED_EVENTS events within so short a part of it lead nowhere. Mechanisms that
/// rattle have tens of events in this time, not thousands.
static const double ACCUMULATION_WINDOW_OF_RUN = 1e-3;
enum { MAX_ACCUMULATED_EVENTS = 4000 };

/// Of the step: a minimum of an event function that is nearer to the start of the step is tried at this
/// place, because a shorter step would not move the state by more than its error.
static const double EARLIEST_MINIMUM_OF_STEP = 1e-3;

/// Of the range of an event function in a step: its interpolated minimum is worth a trial step if it is
/// below the first and lower than both ends by more than the second. The first allows for the error of the
/// interpolation, the second excludes flat functions.
static const double MINIMUM_NEAR_ZERO_OF_RANGE = 0.05;
static const double MINIMUM_BELOW_ENDS_OF_RANGE = 1e-3;

// ------------------------------------------------------------------------------------- gaps and slips

/// A model is small if the lengths or speeds of its run, times this, stay below the usual scale of 1; its own
/// scale is then this many times what the run promises. Forces later in the run may be larger than those that
/// were sampled.
static const double SCALE_MARGIN = 1e3;

/// Of the lengths in a gap: gaps up to this are closed. Five decades above rounding, because a projected
/// position is exact only to the curvature of the constraint.
static const double GAP_CLOSED_RELATIVE = 1e-11;

/// Of the fastest speed, or of the speeds in a slip: a slower slip is zero. Six decades above
/// rounding, and slower than any slip that a result could show.
static const double ZERO_SPEED_RELATIVE = 1e-10;

/// Of the fastest speed: no slip below this is other than zero, however slow its own parts are, since the
/// equations of all bodies are solved together and rounding of the fastest spreads.
static const double ZERO_SPEED_OF_FASTEST = 1e-13;

/// Of the gap or slip speed scale: an event function that is below zero by less than this and rises has just
/// begun to be positive. One hundred roundings.
static const double JUST_STARTED_RELATIVE = 1e-14;

/// Of the scale of an event function: two roundings. A function whose value at the start of a step is below
/// FUNCTION_NEAR_ZERO of these is shifted up by so much, so that it does not report the event that has just
/// been dealt with.
static const double FUNCTION_ROUNDING = 4e-16;
static const double FUNCTION_NEAR_ZERO = 1e3;

/// Of the speed scale of the model: event functions that rise faster than this are shifted by no more than
/// they rise in the width of an event. Slower ones would get no shift at all.
static const double RISES_SURELY_RELATIVE = 1e-8;

/// Of the deceleration along a slip: with a smaller acceleration across it, it stops along a straight line
/// and its direction does not turn, so that the step needs no limit.
static const double STRAIGHT_SLIP_RELATIVE = 1e-10;

/// Of the time in which a turning slip stops: the longest step. The direction changes fast near the end,
/// which the next steps then resolve.
static const double STEP_OF_STOPPING_TIME = 0.9;

// --------------------------------------------------------------------------------- impacts and rest

/// Of the first step of the settings: bounces with a shorter flight are over. They are far below anything
/// that is recorded, and a sequence of bounces that accumulates has to end somewhere.
static const double REST_FLIGHT_OF_STEP = 1e-6;

/// Of the lengths in a gap: a bounce that rises less than an eighth of this is rest. 1e-14 is the height at
/// which rounding of the gap hides it, and v = a/2 sqrt(8 h/a) is the speed that reaches the height h.
static const double REST_BOUNCE_HEIGHT_8 = 8e-14;

/// Of the energy scale of an impact: a larger gain of energy is counted as a defect of the impact law. Less
/// is rounding in the solution of the impact.
static const double IMPACT_ENERGY_GAIN_RELATIVE = 1e-9;

// --------------------------------------------------------------------------------------- projection

/// Of the largest squared row: rows that are shorter than 1e-10 of the longest after orthogonalisation depend
/// on the others. Their direction would have lost ten of sixteen digits.
static const double DEPENDENT_ROW_SQUARED = 1e-20;

/// Of the largest term of a rate: above this it is more than rounding and is corrected.
static const double RATE_ROUNDING_RELATIVE = 1e-15;

/// Of the length scale: positions that violate constraints by less are exact. One hundred roundings.
static const double POSITION_EXACT_RELATIVE = 1e-14;

/// A rate that a correction cancels is exactly zero if what is left is below the first, relative to the rate
/// before, or below the second, relative to the speed scale: a remainder of rounding would have a sign, and
/// events ask for it. The second is a rounding of ZERO_SPEED_RELATIVE.
static const double CANCELLED_RATE_RELATIVE = 256.0 * DBL_EPSILON;
static const double CANCELLED_RATE_OF_SCALE = 1e-10 * DBL_EPSILON;

// --------------------------------------------------------------------------- sticking and sliding starts

/// Of the fastest slip that starts at an event: what starts slower than this beside it is not carried along.
/// The corners of one box start at speeds that differ by less.
static const double CARRIED_ALONG_OF_FASTEST = 1e-2;

/// Of the multiplier: Newton's method for the projection onto the friction disc ends at a step of a few
/// roundings.
static const double DISC_STEP_DONE = 1e-15;
enum { MAX_DISC_ITERATIONS = 60 };

/// Of the product of the diagonal entries: with a smaller determinant a contact responds in one direction
/// only, and the friction that stops its slip is not determined.
static const double RESPONSE_SINGULAR_RELATIVE = 1e-14;

/// Of the limit of friction: a smaller change of the impending friction is none. One hundred roundings; the
/// iteration is linear and would otherwise go on in the last digit.
static const double FRICTION_UNCHANGED_RELATIVE = 1e-14;

/// Of the coefficient of friction: a requirement this close to the limit, or above it, makes the contact
/// slip. Ten times FRICTION_UNCHANGED_RELATIVE, to which the requirement is known.
static const double FRICTION_LIMIT_MARGIN = 1e-13;

// ------------------------------------------------------------------------------------ contact forces

/// Of the largest force: forces below this in a least-norm solution are rounding and set to zero.
static const double ZERO_FORCE_RELATIVE = 1e-13;

/// Of the largest acceleration without contact forces: least-norm forces have to give the same motion as the
/// LCP to this, or the forces of the LCP are kept. It is far above the errors of both solutions.
static const double SAME_MOTION_RELATIVE = 1e-8;

/// Of a squared row: equations that keep less than 1e-9 of their length after orthogonalisation follow from
/// the others.
static const double DEPENDENT_EQUATION_SQUARED = 1e-18;

/// Of the largest force: a force whose bounds are this close is unique. Bounds come from linear programs,
/// which lose some digits where the contacts are nearly dependent.
static const double FORCE_UNIQUE_RELATIVE = 1e-7;

// ---------------------------------------------------------------------------------------- conditions

/// Of the length scale: rounding of the argument of a condition, which is a formula with some hundred
/// operations. The other tolerances of conditions are multiples of it.
static const double CONDITION_ROUNDING_RELATIVE = 1e-13;

/// Times the rounding of an argument: further beyond its border a condition is certainly on the wrong side; a
/// motion that rests on a border has left it; two values of an argument differ. The second is how far from a border
/// a motion turns that friction brings to rest there: with flips that are late by one rounding it swings by
/// (1 + r)/(1 - r) of it, where r is the part of its swing that is left the next time, 0.97 here.
static const double WRONG_SIDE_ROUNDINGS = 100.0;
static const double LEFT_BORDER_ROUNDINGS = 64.0;
static const double MOVED_ROUNDINGS = 8.0;

/// Of the run: a condition that changes sides MAX_FLIPS times, each within this time of the one before, makes
/// no progress because both sides push towards the border. It is left to the error control then.
static const double CHATTER_WINDOW_OF_RUN = 1e-8;
enum { MAX_FLIPS = 12 };

/// Times after which a motion at a border is examined: they grow by the factor from the width of an event to
/// the second, relative to the run. A motion that has not left the border by then stays there for now.
static const double EXAMINED_TIME_GROWTH = 8.0;
static const double LAST_EXAMINED_OF_RUN = 1e-3;

#endif
