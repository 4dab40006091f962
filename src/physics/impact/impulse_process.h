/// physics/impact/impulse_process.h: the impact of one contact as a process in its normal impulse.
///
/// With P the normal impulse so far, A the block of W of the contact, n the direction of slip:
///     dv/dP = A (1, -mu n)          while it slides
///     dv/dP = A (1, l), v_t' = 0    while it sticks, |l| <= mu
/// (Routh 1905; Keller 1986, eqs 7-12). In the plane v is piecewise linear in P. In space n turns; with
/// dP = |v_t| ds everything is a polynomial of the state, and its Taylor series is summed to rounding.
#ifndef SLIP_PHYSICS_IMPACT_IMPULSE_PROCESS_H
#define SLIP_PHYSICS_IMPACT_IMPULSE_PROCESS_H

#include "physics/impact/impact_law.h"

/// The quantity whose value ends a process.
typedef enum slip_impulse_process_goal {
    SLIP_UNTIL_RATE,
    SLIP_UNTIL_IMPULSE,
    SLIP_UNTIL_WORK
} slip_impulse_process_goal;

struct slip_impulse_process {
    int d;
    double A[9]; ///< d x d
    double mu;
    double P, T[2]; ///< N s, so far
    double v[3];    ///< m/s
    double work;    ///< J, of the normal impulse
    double rest;    ///< m/s: a slower slip is zero
    bool straight;  ///< in space: the slip keeps its direction from here on
    unsigned char path;

    slip_impulse_process_goal goal;
    double value; ///< of the goal quantity
};

/// Follows the process of one contact from p->v: to the end of compression, then as the law says. Nothing
/// happens if nothing presses. False if the process does not end.
bool slip_impulse_process_run(slip_impulse_process *p, const slip_impact_law *law, double e, bool pressed);

// ---- impulse_process_spatial.c

/// In space, with a turning slip: advances to the goal (true), or to where the slip is zero or turns no more.
bool slip_impulse_process_spatial(slip_impulse_process *p, bool *lost);

#endif
