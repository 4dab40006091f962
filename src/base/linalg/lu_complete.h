/// base/linalg/lu_complete.h: small linear systems that may be redundant.
#ifndef SLIP_BASE_LINALG_LU_COMPLETE_H
#define SLIP_BASE_LINALG_LU_COMPLETE_H

#include "base/arena.h"

/// A = L U with rows and columns exchanged; the first `rank` pivots are nonzero.
typedef struct slip_lu_complete {
    int n, rank;
    double *A;         ///< n x n, row-major: filled in by the user, then factors
    int *row, *column; ///< of each pivot
    double *scratch;   ///< n
} slip_lu_complete;

/// Lays out memory for systems of up to `most` unknowns.
void slip_lu_complete_layout(slip_arena *arena, int most, slip_lu_complete *p);

/// Factors the n x n matrix in p->A.
void slip_lu_complete_factor(slip_lu_complete *p, int n);

/// x := a solution of A x = b where there is one; unknowns beyond the rank are 0.
void slip_lu_complete_solve(const slip_lu_complete *p, const double *b, double *x);

/// The k-th of n - rank vectors of the null space of A.
void slip_lu_complete_null_vector(const slip_lu_complete *p, int k, double *x);

#endif
