/// base/linalg/periodic_eigenvalues.h: eigenvalues of a product of small matrices by the periodic Schur form, without forming the product.
///
/// In a product of many factors, eigenvalues that are small beside the largest one are lost to rounding,
/// however well conditioned each factor is. The periodic Schur form (Bojanczyk, Golub, Van Dooren 1992) makes
/// all factors triangular by orthogonal matrices that neighbouring factors share; each eigenvalue is then a
/// product of diagonal entries, and has the accuracy that the factors allow. Sums have one fixed order: the
/// same bits everywhere.
#ifndef SLIP_BASE_LINALG_PERIODIC_EIGENVALUES_H
#define SLIP_BASE_LINALG_PERIODIC_EIGENVALUES_H

#include <stdbool.h>

/// (re + i im) 2^exponent, with the larger part in [0.5, 1), or 0.
typedef struct slip_scaled_complex {
    double re, im;
    int exponent;
} slip_scaled_complex;

/// Eigenvalues of A_(count-1) ... A_1 A_0, each n x n and row-major, stored one after the other, by
/// decreasing modulus; of a pair the one with positive imaginary part comes first. The last *zeros of them
/// are exactly 0: some factor maps a direction to 0, up to 1e-11 of its largest entry. False when out of
/// memory, if an entry is not finite, or if the iteration does not converge.
bool slip_periodic_eigenvalues(int n, int count, const double *A, slip_scaled_complex *values, int *zeros);

/// value 2^exponent with the larger part in [0.5, 1).
slip_scaled_complex slip_scaled_complex_of(double re, double im, int exponent);

/// Periodic QR iteration on `count` regular factors, which are destroyed; n values in no order. False when it
/// does not converge.
bool slip_periodic_qr(int n, int count, double *A, slip_scaled_complex *values);

#endif
