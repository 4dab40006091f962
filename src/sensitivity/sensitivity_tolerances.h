/// sensitivity/sensitivity_tolerances.h: tolerances of sensitivities.
///
/// A sensitivity is exact where the motion is smooth, so most of these decide whether it is: whether two
/// events are simultaneous, whether a rate jumps, whether a contact grazes. Undecided cases end the
/// sensitivity with its reason.
#ifndef SLIP_SENSITIVITY_SENSITIVITY_TOLERANCES_H
#define SLIP_SENSITIVITY_SENSITIVITY_TOLERANCES_H

// ---------------------------------------------------------------------------------------- contact forces

/// Of the largest component of a null vector: a force with a smaller one is determined although the contacts
/// are redundant. Of the sum of its parts: a null vector that moves something by more makes the motion
/// indeterminate. Null vectors are known to about 1e-12.
static const double NULL_COMPONENT = 1e-9;
static const double NULL_MOTION = 1e-9;

/// Of the limit of friction: impulses this close to it slide.
static const double SLIDING_MARGIN = 1e-9;

/// Of a column: what orthonormalisation leaves of it below this is rounding.
static const double DEPENDENT_COLUMN = 1e-12;

// --------------------------------------------------------------------------------------- times of events

/// Of the time, or of 1 s: a condition on the time, and an event of the model, whose argument is zero within
/// the distance that it covers in this time, occur now. Events of a run are located to 1e-12 or better; those
/// of the model are evaluated with states that carry the error of the run.
static const double SWITCH_NOW = 1e-9;
static const double MODEL_EVENT_NOW = 1e-8;

/// Derivatives of the times of two events are equal within the first, relative to the larger, and the second,
/// in s per unit of the parameter (absolute), for times that do not change. Equal ones belong to one event.
static const double SAME_TIME_DERIVATIVE = 1e-7;
static const double SAME_TIME_DERIVATIVE_MIN = 1e-12;

/// m per unit of the parameter, absolute: the derivative of a gap that stays zero, beside
/// SAME_TIME_DERIVATIVE of its change by the time of the impact.
static const double CLOSED_GAP_DERIVATIVE = 1e-9;

/// Of a substep: changes of contacts within this time are simultaneous.
static const double SIMULTANEOUS_FRACTION = 1e-6;

/// Of a step: bisection and false position for an instant within the step end here, at some roundings.
static const double BISECTION_DONE = 1e-15;
static const double FALSE_POSITION_DONE = 1e-14;

// ------------------------------------------------------------------------------------------ contact states

/// Of the fastest velocity, and of the largest acceleration, of the run: a slower slip, and a smaller slip
/// acceleration, is zero. The solver of contact problems leaves less.
static const double ZERO_SPEED_OF_FASTEST = 1e-9;
static const double ZERO_ACCELERATION_OF_LARGEST = 1e-9;

/// Times the slack of a gap: a contact that starts deeper is held inside of a body. Of the largest component
/// of a column: the depth at which it is held then must not change by more.
static const double INSIDE_SLACKS = 1e4;
static const double DEPTH_DERIVATIVE = 1e-9;

/// Of the fastest velocity: a contact that was held may leave with a rate of either sign up to this, and does
/// not approach.
static const double APPROACH_ROUNDING = 1e-12;

/// Largest derivative, in the units of the model: a change of a parameter of 1e-6 in its last digit would move the motion
/// by 100 units. Larger ones grow until they overflow, and say nothing.
static const double LARGEST_DERIVATIVE = 1e24;

/// Times the tolerances of the run: nearer to a border than that, the side on which the motion stays is not
/// known, because errors of steps add up.
static const double TOLERANCE_MARGIN = 10.0;

/// Of a value, or of 1 for an argument of a condition: values that differ by less are equal.
static const double VALUES_EQUAL = 1e-9;

/// Of the step: distance in time of the difference quotient for the acceleration of a gap at its turning
/// point.
static const double GAP_DIFFERENCE_OF_STEP = 1e-3;

/// Of its speed at the start of a step: a slip with less at the end comes to rest there.
static const double ENDING_SPEED_FRACTION = 1e-6;

/// Of the acceleration that friction can give: a slip that begins with less has no direction yet.
static const double MIN_ONSET_ACCELERATION = 1e-3;

// -------------------------------------------------------------------------------- jumps of forces and rates

/// Of a step: a jump this close to an end of the step is at that end.
static const double AT_STEP_END_FRACTION = 1e-6;

/// Of the rates: a smaller difference between the two sides is no jump. A jump up to the second may be left
/// out for a motion that comes to rest on the border, whose time of arrival is not defined.
static const double RATE_JUMP_TOLERANCE = 1e-7;
static const double FORGETTABLE_JUMP = 1e-3;

/// Of the step, per unit of the parameter: the time of an event with a smaller derivative does not move.
static const double EVENT_TIME_TOLERANCE = 1e-9;

/// Of a step: how far before and after a border the two sides are evaluated, since substeps end that close to
/// it; how soon after an event its consequences are evaluated; and, times the former, the distance within
/// which a value passes through zero at the border.
static const double SIDE_OFFSET_OF_STEP = 4e-4;
static const double CONSEQUENCE_OFFSET_OF_STEP = 1e-6;
static const double PASSES_ZERO_OFFSETS = 8.0;

/// Of the accelerations: with a smaller difference they have a kink and no jump.
static const double ACCELERATION_JUMP_TOLERANCE = 1e-6;

// ----------------------------------------------------------------------------------- difference quotients

/// Steps of the difference quotients of an impact law, relative to the largest relative change of its
/// arguments: the error of fourth order at the first is about 1e-12; shorter ones are tried where a border is
/// near.
static const double IMPACT_DIFFERENCE_STEPS[] = { 1e-3, 1e-4, 1e-5, 1e-6 };

/// Of the largest impulse: one-sided quotients of an impact law may differ by the first times the cube of the
/// step, their own error, and by the second, which is rounding of the law.
static const double IMPACT_SIDES_FACTOR = 30.0;
static const double IMPACT_SIDES_ROUNDING = 1e-12;

/// Of a parameter (or of 1 if that is 0): step of the difference quotients of the constants of a formulation.
/// The error of fourth order is about 1e-12.
static const double CONSTANT_DIFFERENCE_STEP = 1e-3;

/// Of the constant: a smaller difference is rounding, and its derivative is 0. Quotients of fourth and second
/// order may differ by the second, relative to the difference, and the third, relative to the constant; if
/// they differ by more, the constant is not smooth.
static const double CONSTANT_DIFFERENCE_ROUNDING = 1e-12;
static const double CONSTANT_SMOOTH_RELATIVE = 0.02;
static const double CONSTANT_SMOOTH_ROUNDING = 1e-11;

#endif
