/// solver/linalg/small_inverse.h: the inverse of a small block.
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

#endif
