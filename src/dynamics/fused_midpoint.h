/// dynamics/fused_midpoint.h: half steps of the midpoint rule as single tapes: positions, the system there,
/// velocities.
///
/// The operations are those of system.c and of moreau_substep.c, in the same order, so the bits are the same.
/// If a result is not finite the caller repeats the step without fusion to find out why.
#ifndef SLIP_DYNAMICS_FUSED_MIDPOINT_H
#define SLIP_DYNAMICS_FUSED_MIDPOINT_H

#include "dynamics/system.h"

typedef struct slip_fused_midpoint slip_fused_midpoint;

/// NULL where the system is not made for it: a mass matrix that couples more than two coordinates, conditions
/// that are locked, or formulas that are too long. NULL too when there is no memory, which costs time alone.
/// `printed`: forces with the rates u in the place of u + dt/2 a, and no gaps at the end.
slip_fused_midpoint *slip_fused_midpoint_create(const slip_system *system, bool printed);
void slip_fused_midpoint_destroy(slip_fused_midpoint *fused);

/// From (t, x) over dt; forces are taken with the rates u + dt/2 a.
typedef struct slip_midpoint_interval {
    double t, dt;
    const double *x, *a;
} slip_midpoint_interval;

/// Where nothing touches, from the start to the end: q at the midpoint unless it is NULL, (q, u) at the end,
/// gaps at both.
bool slip_fused_midpoint_free_step(slip_fused_midpoint *fused, const slip_midpoint_interval *leg,
                                   slip_terms *terms, double *middle, double *x_end, double *gap_mid,
                                   double *gap_end);

/// To the midpoint: q and all terms there (SLIP_LEVEL_ACCELERATION, as printed SLIP_LEVEL_MOTION), and u + dt
/// M^-1 h.
bool slip_fused_midpoint_to_middle(slip_fused_midpoint *fused, const slip_midpoint_interval *leg,
                                   slip_terms *terms, double *middle, double *free);

/// Of all rows at that midpoint: M^-1 w', n each; the lower triangle of w M^-1 w', as many to a row as there
/// are rows; rates with u, and with u + dt M^-1 h, each taken to its end of an internal step by what the row
/// turns in dt/2. All NULL where there are too many rows, or constraints.
typedef struct slip_fused_midpoint_rows {
    const double *Y, *W, *before, *q;
} slip_fused_midpoint_rows;
slip_fused_midpoint_rows slip_fused_midpoint_row_results(const slip_fused_midpoint *fused);

/// From there to the end with the rates in x_end: q into x_end, and gaps.
bool slip_fused_midpoint_to_end(slip_fused_midpoint *fused, const slip_midpoint_interval *leg,
                                const double *middle, double *x_end, double *gap_end);

#endif
