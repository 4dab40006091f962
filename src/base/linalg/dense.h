/// base/linalg/dense.h: small dense linear algebra, row-major, by hand up to SLIP_DENSE_BY_HAND_MAX, LAPACK above.
///
/// The hand-written kernels sum in one fixed order, so their bits do not depend on the BLAS that is
/// installed, the compiler or the optimisation level; golden trajectories only pass through them.
/// Measured crossover with LAPACK: n = 24 to 32.
#ifndef SLIP_BASE_LINALG_DENSE_H
#define SLIP_BASE_LINALG_DENSE_H

#include <stdbool.h>

enum { SLIP_DENSE_BY_HAND_MAX = 24 };

/// A = L L' in place (lower triangle of row-major A, n x n); false when A is not positive definite.
bool slip_cholesky(int n, double *A);

/// Cholesky of a semidefinite matrix: a direction that depends on those before gets an infinite pivot
/// and takes no part in slip_cholesky_solve.
void slip_cholesky_semidefinite(int n, double *A, double least);

/// x := A^-1 x with the factor from slip_cholesky.
void slip_cholesky_solve(int n, const double *L, double *x);

/// P A = L U in place with partial pivoting; `pivot` has n entries. False when A is singular to
/// working precision (a pivot below n eps max|A|).
bool slip_lu(int n, double *A, int *pivot);

/// x := A^-1 x with the factors from slip_lu.
void slip_lu_solve(int n, const double *LU, const int *pivot, double *x);

/// Eigenvalues of A (n x n, either order of storage), which is destroyed, into `re` and `im`; `room` doubles
/// of `work`, 3 n at least. False when the iteration does not converge.
bool slip_eigenvalues(int n, double *A, double *re, double *im, double *work, int room);

#endif
