/// cycle/multipliers.h: Floquet multipliers of a monodromy matrix.
#ifndef SLIP_CYCLE_MULTIPLIERS_H
#define SLIP_CYCLE_MULTIPLIERS_H

#include <stdbool.h>

/// Eigenvalues of M (n x n), by falling modulus, of a pair the one with positive imaginary part first. *zeros
/// is how many are exactly 0, by the rank of the powers of M. False when out of memory or not found.
bool slip_multipliers(int n, const double *M, double *re, double *im, int *zeros);

/// Determinant of M (n x n).
double slip_determinant(int n, const double *M);

#endif
