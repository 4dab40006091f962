/// study/bifurcation/multipliers.h: Floquet multipliers of a monodromy matrix, or of its factors.
#ifndef SLIP_STUDY_BIFURCATION_MULTIPLIERS_H
#define SLIP_STUDY_BIFURCATION_MULTIPLIERS_H

#include <stdbool.h>

/// Eigenvalues of M (n x n), sorted by falling modulus; of a pair, the one with positive imaginary part comes
/// first. *zeros is the number of exact zeros, from the rank of the powers of M. False when out of memory or
/// when the eigenvalues do not converge.
bool slip_multipliers(int n, const double *M, double *re, double *im, int *zeros);

/// The same for the product A_(count-1) ... A_0 of n x n matrices stored one after another. The product is
/// not formed, so that multipliers of very different size stay accurate (base/linalg/periodic_eigenvalues.h).
/// *zeros follows from the ranks of the factors. A value outside the range of a double becomes 0 or infinite.
bool slip_product_multipliers(int n, int count, const double *A, double *re, double *im, int *zeros);

/// Determinant of A_(count-1) ... A_0, as the product of the determinants.
double slip_product_determinant(int n, int count, const double *A);

#endif
