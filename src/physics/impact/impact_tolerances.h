/// physics/impact/impact_tolerances.h: tolerances of the impact laws.
///
/// All are relative to the velocities before the impact or to the inverse masses of the contact, so that none
/// has a unit.
#ifndef SLIP_PHYSICS_IMPACT_IMPACT_TOLERANCES_H
#define SLIP_PHYSICS_IMPACT_IMPACT_TOLERANCES_H

/// Of the largest velocity before the impact: a velocity below this is zero, and a complementarity condition
/// violated by less is fulfilled. The solution of the impact problem is exact to 1e-14 or so; impact laws are
/// never that exact.
static const double VELOCITY_ROUNDING_RELATIVE = 1e-12;

/// Of the largest velocity before the impact: the approach velocity that is added to a jammed contact.
/// Impulses are linear in it, so the limit of no approach follows from this and from twice as much; it must
/// be well above rounding and well below every velocity that matters.
static const double SMALL_APPROACH_RELATIVE = 1e-6;

/// Of the velocity before the impact: a slip below this has been stopped. A few roundings, since a slip
/// decays without end when the impulse is taken as the independent variable.
static const double SLIP_STOPPED_RELATIVE = 1e-15;

/// Multiple of SLIP_STOPPED_RELATIVE below which a slip before the impact is rounding and has no direction.
static const double INITIAL_SLIP_ROUNDINGS = 10.0;

/// Of the leading coefficients: size of the last terms of a Taylor series, which sets the length of a step. A
/// tenth of a rounding, so that the truncated rest is never seen.
static const double TAYLOR_TERM_NEGLIGIBLE = 1e-17;

/// Of the rate at which the slip velocity changes: a slip whose direction turns more slowly goes straight,
/// and is continued in closed form. About ten roundings.
static const double SLIP_STRAIGHT_RELATIVE = 2e-15;

/// Of what a step of a process with several frictions changes: so near to its end the process is there. Some
/// decades above the rounding of the steps before, of which there are hundreds.
static const double PROCESS_END_OF_STEP = 1e-10;

/// Of the same: how near to the end the last step comes where nothing stops there, a few roundings.
static const double LAST_STEP_END = 1e-14;

#endif
