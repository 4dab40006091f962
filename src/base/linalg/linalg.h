/// base/linalg/linalg.h: dense linear algebra, with the same bits on every machine.
///
/// Factorisations, eigenvalues and least squares for the sizes that mechanisms have: a few unknowns mostly,
/// a few hundred at the most. A library tuned for each processor sums in an order of its own on each, and
/// fuses where it can, so its last bits differ from one machine to the next; a trajectory that sticks and
/// slips soon shows it. Here are nothing but IEEE additions, multiplications, divisions and square roots, in
/// one order that does not depend on compiler, processor or size of its registers. Nor are they slow:
/// bench_linalg compares them with LAPACK on a serial OpenBLAS in the same run.
///
/// Layout. A matrix is n x n, row-major and without gaps: entry (i, j) is A[i * n + j]. Vectors that come in
/// sets, as eigenvectors, are rows, one behind the other. n may be 0, and nothing is touched then.
///
/// Memory. Nothing is allocated: results and workspace are the caller's, SLIP_..._WORK numbers per row.
/// Arrays do not overlap. What is said to be lost holds no result afterwards.
///
/// Range. Entries may be as large or as small as doubles are; where squares would overflow or underflow,
/// powers of 2 are taken out first. A matrix with a NaN or an infinity is refused, and every iteration has an
/// end.
///
/// Accuracy. What is found is exact for a matrix A + E with |E| below a small multiple of n eps |A|, in the
/// Frobenius norm; the multiples that tests linalg.* measure in exact arithmetic are below 2 for
/// matrices that are random, graded, without full rank, or chosen to be difficult.
#ifndef SLIP_BASE_LINALG_LINALG_H
#define SLIP_BASE_LINALG_LINALG_H

#include <stdbool.h>

/// Numbers of workspace per row.
enum { SLIP_EIGENVALUES_WORK = 2, SLIP_SYMMETRIC_WORK = 3, SLIP_SVD_WORK = 5, SLIP_LEAST_SQUARES_WORK = 4 };

// ------------------------------------------------------------------------------------------ A x = b, regular

/// A = L L' for a symmetric positive definite A, of which the lower triangle is read and becomes L; the upper
/// one is left alone. False when A is not positive definite to working precision.
bool slip_cholesky(int n, double *A);

/// The same for a semidefinite A: a direction that depends on those before it, up to `least` of its own
/// diagonal entry, gets an infinite pivot and takes no part in slip_cholesky_solve.
void slip_cholesky_semidefinite(int n, double *A, double least);

/// x := A^-1 x with L.
void slip_cholesky_solve(int n, const double *L, double *x);

/// P A = L U by rows, with partial pivoting: L, with a diagonal of 1 that is not stored, below the diagonal,
/// U on it and above. Row j changed places with row pivot[j], in the order of j. False when a pivot is not
/// above n eps max|A|: A is singular to working precision, and half done.
bool slip_lu(int n, double *A, int *pivot);

/// x := A^-1 x with what slip_lu left.
void slip_lu_solve(int n, const double *LU, const int *pivot, double *x);

/// x := U^-1 x for an upper triangle U, whose rows are `stride` apart and whose diagonal has no zero.
void slip_upper_solve(int n, const double *U, int stride, double *x);

// --------------------------------------------------------------------------------------------- least squares

/// Of all x that make |A x - b| least the shortest, |.| the Euclidean length. b comes in x, A is lost.
/// Returns the rank that A is given: of a sequence of columns, each the longest beside those before it, as
/// many as have a condition below 1 / least (0 < least < 1; dependent columns differ by rounding, so it is
/// well above n eps). -1 when a number is not finite. `order` has n entries, and holds the sequence
/// afterwards.
int slip_least_squares(int n, double *A, double *x, double least, int *order, double *work);

// ----------------------------------------------------------------------------------------------- eigenvalues

/// A := D^-1 A D with D diagonal, of powers of 2: the same eigenvalues, exactly, in a matrix whose rows are
/// about as long as its columns, and whose norms say more about them. Rows are `stride` apart. False when a
/// length is not a finite number.
bool slip_balance(int n, double *A, int stride);

/// All eigenvalues re + i im of A, which is lost, in no order; of a pair the one with im > 0 comes first, and
/// im = 0 is exact. The transposed matrix has the same ones, so A may be stored by columns. Eigenvalues on
/// the diagonal of a matrix that is triangular after some exchange of coordinates are exact, too. False when
/// a number is not finite, or the iteration does not converge, which has not been seen.
bool slip_eigenvalues(int n, double *A, double *re, double *im, double *work);

/// A = V' diag(value) V for a symmetric A, of which the lower triangle is read: eigenvalues rise, and A
/// becomes V, row k of which is the eigenvector of value[k]. Rows are orthonormal, also where eigenvalues
/// coincide. False as above.
bool slip_symmetric_eigen(int n, double *A, double *value, double *work);

/// A = U' diag(value) V: singular values fall and are not negative; row k of V is the right singular vector
/// of value[k], and A times it has the length value[k]. The rows of V are orthonormal: those of small values
/// span what A takes to nothing, those of the others are a basis for its rows. U is not formed; it is V of
/// the transposed matrix. A is lost. False as above.
bool slip_svd(int n, double *A, double *value, double *V, double *work);

#endif
