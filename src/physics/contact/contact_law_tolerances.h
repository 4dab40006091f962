/// physics/contact/contact_law_tolerances.h: tolerances of the closed forms of contact laws.
#ifndef SLIP_PHYSICS_CONTACT_LAW_TOLERANCES_H
#define SLIP_PHYSICS_CONTACT_LAW_TOLERANCES_H

/// Frequency over the undamped one below which closed forms are 0/0 and the first terms of their series are exact
/// to rounding.
static const double CRITICAL_FREQUENCY = 1e-4;

/// x - log(1 + x) is evaluated by its series up to this |x|: fourteen terms are exact there, and beyond it
/// cancellation costs less than three digits.
static const double LOGARITHM_SERIES_BELOW = 0.05;

/// Bisection ends at an interval of this length, relative to its upper end or to 1: a rounding. The search
/// for an upper end is given up at the second number.
static const double BISECTION_DONE = 1e-16;
static const double BISECTION_MAX_ARGUMENT = 1e12;

/// Of the speed of impact: the peak of the force is flat, so that this leaves it exact to the square, 1e-12.
static const double PEAK_SPEED_RESOLUTION = 1e-6;

/// Largest damping x that counts for the range of an estimated peak force. It makes a restitution of 0.05; the
/// force of a contact with more damping is that of the damper, which no material has.
static const double MAX_ESTIMATED_DAMPING = 20.0;

#endif
