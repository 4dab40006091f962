/// collision/time_of_impact.h: when two solids that move come near one another, so that what is fast is not lost between two
/// steps.
#ifndef SLIP_COLLISION_TIME_OF_IMPACT_H
#define SLIP_COLLISION_TIME_OF_IMPACT_H

#include "collision/collision.h"

/// A body that moves on with one velocity and one spin: x + t v, turned by t w about its origin.
typedef struct slip_constant_motion {
    slip_pose pose;    ///< at t = 0
    double v[3], w[3]; ///< m/s; rad/s in the axes of the ground
} slip_constant_motion;

/// Where it is at t.
slip_pose slip_constant_motion_pose(const slip_constant_motion *drift, double t);

/// The first time in [0, end] at which two solids are nearer than `near` (m, >= 0); HUGE_VAL when they are
/// not before `end`. Exact for spheres about the origins of their bodies on one another and on half-spaces at
/// rest; for others by conservative advancement (Mirtich, Impulse-based dynamic simulation of rigid body
/// systems, 1996, section 2.3): never later than the true time, and earlier at most by what it takes to close
/// 1e-6 of the smaller solid. 0 when they are that near at the start.
double slip_time_of_impact(const slip_solid *a, const slip_constant_motion *da, const slip_solid *b,
                           const slip_constant_motion *db, double end, double near);

#endif
