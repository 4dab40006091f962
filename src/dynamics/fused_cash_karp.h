/// dynamics/fused_cash_karp.h: a step of Cash and Karp's pair while nothing touches, and the gaps at its end, as one tape.
///
/// Events are located by steps of many lengths from one place, so this step is taken more often than any
/// other where something bounces. The operations are those of cash_karp.c and system.c, in the same order.
/// States are q, u, the work of forces and what friction has taken.
#ifndef SLIP_DYNAMICS_FUSED_CASH_KARP_H
#define SLIP_DYNAMICS_FUSED_CASH_KARP_H

#include "dynamics/system.h"

typedef struct slip_fused_cash_karp slip_fused_cash_karp;

/// NULL where the system is not made for it: what has no gaps, or constraints, or a mass matrix that changes
/// or couples more than two coordinates, or is too large. NULL too when there is no memory, which costs time
/// alone. `works`: forces do work, which is summed up.
slip_fused_cash_karp *slip_fused_cash_karp_create(const slip_system *system, bool works);
void slip_fused_cash_karp_destroy(slip_fused_cash_karp *fused);

/// Steps begin at (t, x), where x has the rate xdot; switches have the sides that they have in `terms`.
void slip_fused_cash_karp_set_start(slip_fused_cash_karp *fused, double t, const double *x,
                                    const double *xdot, const slip_terms *terms);

/// A step of length h: q and u at its end, and in `terms` the gaps, and the rows of contacts and frictions,
/// there.
void slip_fused_cash_karp_step(slip_fused_cash_karp *fused, double h, double *q, double *u,
                               slip_terms *terms);

/// The same of the step that was taken last, and whether a gap is not open at its end.
void slip_fused_cash_karp_read_end(const slip_fused_cash_karp *fused, double *q, double *u,
                                   slip_terms *terms);
bool slip_fused_cash_karp_gap_closed(const slip_fused_cash_karp *fused);

/// And the states at its end.
void slip_fused_cash_karp_end_state(const slip_fused_cash_karp *fused, double *x);

/// The same step: the states at its end, and by the embedded rule.
void slip_fused_cash_karp_pair(slip_fused_cash_karp *fused, double h, double *high, double *low);

#endif
