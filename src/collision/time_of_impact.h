/// collision/time_of_impact.h: continuous collision detection: the time of impact of two moving solids, so that
/// fast bodies do not tunnel between two steps.
#ifndef SLIP_COLLISION_TIME_OF_IMPACT_H
#define SLIP_COLLISION_TIME_OF_IMPACT_H

#include "collision/collision.h"

/// A body with constant velocity and spin: x + t v, rotated by t w about its origin.
typedef struct slip_constant_motion {
    slip_pose pose;    ///< at t = 0
    double v[3], w[3]; ///< m/s; rad/s in the axes of the ground
} slip_constant_motion;

/// Its pose at t.
slip_pose slip_constant_motion_pose(const slip_constant_motion *drift, double t);

/// The first time in [0, end] at which two solids are closer than `near` (m, >= 0); HUGE_VAL if they are not
/// before `end`. Exact for spheres about the origins of their bodies, against each other and against
/// half-spaces at rest; for others by conservative advancement (Mirtich, Impulse-based dynamic simulation of
/// rigid body systems, 1996, section 2.3): never later than the true time, and earlier at most by the time it
/// takes to close 1e-6 of the smaller solid. 0 if they are that close at the start.
double slip_time_of_impact(const slip_solid *a, const slip_constant_motion *da, const slip_solid *b,
                           const slip_constant_motion *db, double end, double near);

#endif
