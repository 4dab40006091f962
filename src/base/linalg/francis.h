/// base/linalg/francis.h: the QR method for Hessenberg matrices.
#ifndef SLIP_BASE_LINALG_FRANCIS_H
#define SLIP_BASE_LINALG_FRANCIS_H

#include <stdbool.h>

/// Eigenvalues of the n x n Hessenberg matrix H, whose rows are `stride` apart and which is destroyed; of a
/// pair the one with positive imaginary part first. False when the iteration does not converge.
bool slip_francis(int n, double *H, int stride, double *re, double *im);

#endif
