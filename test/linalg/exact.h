/// exact.h: arithmetic that is as good as exact, to measure errors with. MPFR with 320 bits where that is
/// installed; without it there are only sums, of long doubles.
#ifndef SLIP_TEST_LINALG_EXACT_H
#define SLIP_TEST_LINALG_EXACT_H

#include <stdbool.h>

/// Whether more than exact_dot is there.
bool exact_is_there(void);

/// c d + the sum of a[k * of_a] b[k * of_b] over n products.
double exact_dot(int n, const double *a, int of_a, const double *b, int of_b, double c, double d);

/// The least singular value of an n x n matrix, or a little more; 0 when the matrix is singular.
double exact_least_singular_value(int n, const double *A);

/// All of them, falling.
void exact_singular_values(int n, const double *A, double *value);

/// The shortest x with the least |B C x - b|, for B of n rows and `rank` independent columns, C of `rank`
/// independent rows and n columns, both row-major: C' (C C')^-1 (B' B)^-1 B' b.
void exact_shortest(int n, int rank, const double *B, const double *C, const double *b, double *x);

#endif
