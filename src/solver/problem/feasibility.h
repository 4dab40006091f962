/// solver/problem/feasibility.h: whether a convex quadratic program has a minimiser at all.
#ifndef SLIP_SOLVER_PROBLEM_FEASIBILITY_H
#define SLIP_SOLVER_PROBLEM_FEASIBILITY_H

#include "solver/problem/solver_record.h"
#include "solver/linalg/nnls.h"

typedef struct slip_feasibility {
    slip_nnls nnls;
    double *scale; // of the unknowns and of the rows of A
} slip_feasibility;

void slip_feasibility_layout(slip_arena *a, slip_feasibility *k, const slip_problem *p);

/// True if it is proved that there is no minimiser: the constraints are infeasible, or the objective
/// decreases without bound along some direction. False proves nothing.
bool slip_feasibility_no_minimiser(slip_feasibility *k, const slip_problem *p);

#endif
