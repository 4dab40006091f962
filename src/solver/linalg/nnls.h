/// solver/linalg/nnls.h: non-negative least squares, the active-set kernel under `enum` and `qp`.
#ifndef SLIP_SOLVER_LINALG_NNLS_H
#define SLIP_SOLVER_LINALG_NNLS_H

#include <stdbool.h>

#include "base/arena.h"

/// min |E y - f| over y >= 0 by Lawson and Hanson's method; E is rows x cols, row-major.
typedef struct slip_nnls {
    int rows, cols; // room for this many
    double *E, *f, *y;
    double *Q, *R, *t, *s; // orthonormal columns of the passive set, their triangle, scratch
    int *passive;
} slip_nnls;

void slip_nnls_layout(slip_arena *a, slip_nnls *k, int rows, int cols);

/// Solves for the first `rows` x `cols` of E (stride cols); the residual f - E y is left in f.
/// Returns |f - E y|, or -1 when the iteration limit was met.
double slip_nnls_solve(slip_nnls *k, int rows, int cols);

#endif
