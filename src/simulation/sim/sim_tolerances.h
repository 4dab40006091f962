/// simulation/sim/sim_tolerances.h: the tolerances of a simulation: times, chosen settings, events, delays.
#ifndef SLIP_SIMULATION_SIM_TOLERANCES_H
#define SLIP_SIMULATION_SIM_TOLERANCES_H

// ---- times

/// Two times are the same when they differ by less than this, relative to the step (or to the period of a
/// controller, or to the shortest delay): sums and products of steps differ by rounding, and a remainder this
/// short is no step.
static const double SAME_TIME = 1e-9;

/// A whole number of steps may be exceeded by this much and still count as that number: until/step is
/// rounded.
static const double WHOLE_STEPS_SLACK = 1e-9;

/// Largest number of steps of a run: beyond 2^53, about 9e15, a double cannot count them.
static const double MAX_STEP_COUNT = 9e15;

/// An adaptive run makes progress when it advances by this fraction of its length. If it does not within
/// MAX_IDLE_STEPS it ends: a right-hand side that jumps back and forth makes steps ever shorter.
static const double PROGRESS_OF_RUN = 1e-2;
enum { MAX_IDLE_STEPS = 2000000 };

// ---- default settings

/// Default relative tolerance of an adaptive integrator: six digits, far below the uncertainty of friction
/// coefficients.
static const double DEFAULT_RELATIVE = 1e-6;

/// Default first step (s, absolute) of formulations that choose their steps: it is soon replaced by their own
/// choice.
static const double DEFAULT_FIRST_STEP = 1e-3;

/// Default longest step of an adaptive integrator, as a fraction 1/n of the run: events between two steps
/// that are longer could be missed.
enum { LEAST_STEPS_OF_RUN = 50 };

/// Absolute tolerance that is chosen when none is given: the usual one (SI units of each state), or this
/// fraction of the largest speed that rates and forces at the start imply, where that is smaller; and never
/// below the least one, which is rounding beside a unit state.
static const double USUAL_ABSOLUTE = 1e-9;
static const double ABSOLUTE_OF_SPEED = 1e-6;
static const double LEAST_ABSOLUTE = 1e-15;

// ---- the step that is chosen when none is given

/// Longest step (s, absolute): the usual choice for machines of human size.
static const double MAX_CHOSEN_STEP = 1e-3;

/// Least number of steps of a run; with an integrator that takes finer steps by itself.
static const double STEPS_OF_RUN = 2000.0;
static const double FINER_STEPS_OF_RUN = 500.0;

/// Steps within 1/|eigenvalue| of the fastest mode, and within the time until a contact first closes: the
/// error of a time-stepping scheme at an impact is the distance that is covered in one step.
static const double STEPS_OF_MODE = 20.0;
static const double STEPS_OF_FALL = 1000.0;

/// The motion at the start does not ask for more steps than this in the whole run: it may be a short
/// transient.
static const double MAX_STEPS_BY_MOTION = 1e5;

/// Largest number of steps of a long run; with an integrator that takes finer steps by itself.
static const double MAX_STEPS_OF_RUN = 1e6;
static const double MAX_FINER_STEPS_OF_RUN = 1e5;

/// Slack of the logarithm and of the leading digit when a step is rounded down to 1, 2 or 5 times a power of
/// ten: a step that is such a number up to rounding stays.
static const double LOGARITHM_ROUNDING = 1e-9;
static const double LEADING_DIGIT_ROUNDING = 1e-6;

// ---- conditions and events of the model

/// The instant of an event is located to this fraction of the step, and to the rounding of the time itself.
static const double EVENT_TIME_OF_STEP = 1e-14;

/// Margins beyond this size are not interpolated: +-1e300 stands for a condition that is only true or false,
/// whose instant is bisected.
static const double LARGEST_MARGIN = 1e299;

/// An event that happens again within this fraction of the run, more than MAX_RAPID_REPEATS times in
/// succession, would never come to an end.
static const double RAPID_REPEAT_OF_RUN = 1e-8;

/// Penetration or violated constraint (m, or the unit of the constraint; absolute) above which a start, or an
/// event, is reported: a micrometre is well above rounding and above the static deflection of elastic
/// contacts.
static const double REPORTED_PENETRATION = 1e-6;

/// Of the way that an event moves a coordinate by, and of the fastest rate behind it: a constraint that misses
/// by more, or its rate, is broken. The second is what rounding of the coordinates leaves of one.
static const double BROKEN_CONSTRAINT_RELATIVE = 1e-6;
static const double CONSTRAINT_ROUNDING_RELATIVE = 1e-12;

/// A condition is also evaluated this far from each end of a step, relative to the distance of the places in
/// between: far enough for a difference that is not rounding, near enough to see a turn right beside an end.
static const double PLACE_BESIDE_END = 1e-3;

// ---- loads

/// Times of three samples of a force whose intervals differ by more than this factor do not make a parabola: its
/// top would be that of a jump.
static const double MAX_SAMPLE_RATIO = 5.0;

/// Of the largest force of a blow: below it what is left may be a load at rest. It is one when it stays for so many
/// times as long as the blow has lasted until then.
static const double BLOW_ENDS_BELOW = 0.05;
static const double BLOW_TAIL_RATIO = 4.0;

/// Of the deformation in Hertz's law.
static const double HERTZ_EXPONENT = 1.5;

// ---- delays

/// A delayed value jumps when two polynomials differ by more than this at one instant, relative to the
/// largest value so far: interpolation alone leaves less.
static const double DELAYED_JUMP = 1e-7;

/// Error of the interpolation between knots, relative to the error of extrapolating to the next knot.
/// Interpolation is that much more accurate in the middle of the knots.
static const double INTERPOLATION_ERROR_RATIO = 0.01;

/// The first step after a break, and the longest step, as fractions of the shortest delay: steps have to
/// resolve the delay, and the first polynomial after a break has few knots.
static const double FIRST_STEP_OF_DELAY = 1.0 / 32;
static const double MAX_STEP_OF_DELAY = 1.0 / 4;

/// Limits of the factor from one step to the next, as in error control of an integrator.
static const double LEAST_STEP_FACTOR = 0.3;
static const double MOST_STEP_FACTOR = 2.0;

/// Knots closer than this, relative to the length on which a polynomial is used, count as one: divided
/// differences of closer ones are rounding.
static const double MIN_KNOT_SPACING = 0.02;

#endif
