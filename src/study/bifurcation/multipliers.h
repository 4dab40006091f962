/// study/bifurcation/multipliers.h: Floquet multipliers of a monodromy matrix, or of its factors.
#ifndef SLIP_STUDY_BIFURCATION_MULTIPLIERS_H
#define SLIP_STUDY_BIFURCATION_MULTIPLIERS_H

#include <stdbool.h>

/// Eigenvalues of M (n x n), by falling modulus, of a pair the one with positive imaginary part first. *zeros
/// is how many are exactly 0, by the rank of the powers of M. False when out of memory or not found.
bool slip_multipliers(int n, const double *M, double *re, double *im, int *zeros);

/// The same of A_(count-1) ... A_0 (n x n each, one behind the other), which is not formed: multipliers of
/// any size beside each other (base/linalg/periodic_eigenvalues.h). *zeros is by the ranks of the factors. A value beyond what a
/// double holds is 0 or infinite.
bool slip_product_multipliers(int n, int count, const double *A, double *re, double *im, int *zeros);

/// Determinant of A_(count-1) ... A_0, a product of determinants.
double slip_product_determinant(int n, int count, const double *A);

#endif
