/// rigid/openness.h: is the motion determined where the forces are not?
///
/// Redundant contacts leave open who carries the load. As long as they stick, or slide with the same
/// friction, every distribution gives the same motion. Where they slide with different friction, or in
/// different directions, the load enters the friction and the motion itself is open. With x the solution, Z
/// the unknowns whose rows have rate zero, and B a basis of the null space of D over Z: x + B w solves the
/// contact problem too as long as it stays >= 0 where it must, and the accelerations change by response B w.
#ifndef SLIP_RIGID_OPENNESS_H
#define SLIP_RIGID_OPENNESS_H

#include "rigid/problem.h"

typedef struct slip_openness {
    int dimension;    ///< of the forces that are not determined; -1 when it was not found
    bool motion;      ///< the accelerations are not determined either
    int coordinate;   ///< the one whose acceleration is open by most
    double low, high; ///< its acceleration can be anything in between, at least
} slip_openness;

/// Looks at the problem that was just solved. `work` has room for slip_openness_size() numbers.
slip_openness slip_rigid_openness(const slip_rigid *r, double *work);
int slip_openness_size(const slip_rigid *r);

#endif
