/// solver/linalg/small_inverse.h: inverses of small blocks.
#ifndef SLIP_SOLVER_LINALG_SMALL_INVERSE_H
#define SLIP_SOLVER_LINALG_SMALL_INVERSE_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "solver/linalg/fixed_size.h"

/// Replaces P, s x s, by its inverse: Gauss and Jordan, with row exchanges. D is scratch of the same size.
/// False if P is singular.
SLIP_FIXED_SIZE bool slip_invert(int s, double *P, double *D)
{
    memcpy(D, P, sizeof(double) * (size_t)(s * s));
    for (int i = 0; i < s * s; i++) P[i] = i % (s + 1) == 0 ? 1.0 : 0.0;
    for (int k = 0; k < s; k++) {
        int row = k;
        for (int i = k + 1; i < s; i++)
            if (fabs(D[i * s + k]) > fabs(D[row * s + k])) row = i;
        const double pivot = D[row * s + k];
        if (!(fabs(pivot) > 0.0) || !isfinite(pivot)) return false;
        for (int j = 0; j < s; j++) {
            const double x = D[row * s + j], y = P[row * s + j];
            D[row * s + j] = D[k * s + j], P[row * s + j] = P[k * s + j];
            D[k * s + j] = x / pivot, P[k * s + j] = y / pivot;
        }
        for (int i = 0; i < s; i++) {
            const double by = D[i * s + k];
            if (i == k || by == 0.0) continue;
            for (int j = 0; j < s; j++) D[i * s + j] -= by * D[k * s + j], P[i * s + j] -= by * P[k * s + j];
        }
    }
    return true;
}

/// C = A^-1 by cofactors, for sides 1 to 3. Returns the determinant, by which the caller tells a singular A.
SLIP_FIXED_SIZE double slip_invert_by_cofactors(int s, const double *A, double *C)
{
    double det;
    if (s == 1) {
        det = A[0];
        C[0] = 1.0;
    } else if (s == 2) {
        det = A[0] * A[3] - A[1] * A[2];
        C[0] = A[3], C[1] = -A[1], C[2] = -A[2], C[3] = A[0];
    } else {
        C[0] = A[4] * A[8] - A[5] * A[7], C[1] = A[2] * A[7] - A[1] * A[8], C[2] = A[1] * A[5] - A[2] * A[4];
        C[3] = A[5] * A[6] - A[3] * A[8], C[4] = A[0] * A[8] - A[2] * A[6], C[5] = A[2] * A[3] - A[0] * A[5];
        C[6] = A[3] * A[7] - A[4] * A[6], C[7] = A[1] * A[6] - A[0] * A[7], C[8] = A[0] * A[4] - A[1] * A[3];
        det = A[0] * C[0] + A[1] * C[3] + A[2] * C[6];
    }
    for (int i = 0; i < s * s; i++) C[i] /= det;
    return det;
}

#endif
