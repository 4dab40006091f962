/// solver/solvable.h: whether a convex quadratic program has a minimiser at all.
#ifndef SLIP_SOLVER_SOLVABLE_H
#define SLIP_SOLVER_SOLVABLE_H

#include "solver/internal.h"
#include "solver/nnls.h"

typedef struct slip_solvable {
    slip_nnls nnls;
    double *scale; // of the unknowns and of the rows of A
} slip_solvable;

void slip_solvable_layout(slip_arena *a, slip_solvable *k, const slip_problem *p);

/// True when it is proved that there is none: no point obeys the constraints, or the objective falls for ever
/// along some direction. False proves nothing.
bool slip_has_no_minimiser(slip_solvable *k, const slip_problem *p);

#endif
