/// tangent/pivots.h: small linear systems that may be redundant.
#ifndef SLIP_TANGENT_PIVOTS_H
#define SLIP_TANGENT_PIVOTS_H

#include "core/arena.h"

/// A = L U with both rows and columns exchanged; `rank` of them count.
typedef struct slip_pivots {
    int n, rank;
    double *A;         ///< n x n, row-major: filled in by the user, then factors
    int *row, *column; ///< of each pivot
    double *scratch;   ///< n
} slip_pivots;

/// Measures or carves, for systems of up to `most`.
void slip_pivots_layout(slip_arena *arena, int most, slip_pivots *p);

/// Factors the n x n matrix in p->A.
void slip_pivots_factor(slip_pivots *p, int n);

/// x := a solution of A x = b where there is one; unknowns beyond the rank are 0.
void slip_pivots_solve(const slip_pivots *p, const double *b, double *x);

/// The k-th of n - rank vectors that A takes to 0.
void slip_pivots_null(const slip_pivots *p, int k, double *x);

#endif
