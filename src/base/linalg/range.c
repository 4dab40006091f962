/// base/linalg/range.c: powers of 2 taken out of a matrix, and put back into its results.
#include "base/linalg/range.h"

#include <float.h>
#include <math.h>

bool slip_range_enter(size_t count, double *A, int *exponent)
{
    static const double HIGH = 0x1p300, LOW = 0x1p-300;
    double most = 0.0;
    *exponent = 0;
    for (size_t k = 0; k < count; k++) {
        const double size = fabs(A[k]);
        if (!(size <= DBL_MAX)) return false; // NaN too
        if (size > most) most = size;
    }
    if (most == 0.0 || (most >= LOW && most <= HIGH)) return true;
    frexp(most, exponent);
    for (size_t k = 0; k < count; k++) A[k] = ldexp(A[k], -*exponent);
    return true;
}

void slip_range_leave(int count, double *x, int exponent)
{
    if (exponent == 0) return;
    for (int k = 0; k < count; k++) x[k] = ldexp(x[k], exponent);
}
