/// measure.h: what all tests of linear algebra include: bounds in units of rounding, and LAPACK where it is
/// there.
#ifndef SLIP_TEST_LINALG_MEASURE_H
#define SLIP_TEST_LINALG_MEASURE_H

#include <float.h>
#include <stdbool.h>
#include <string.h>

#include "exact.h"
#include "base/linalg/linalg.h"
#include "matrices.h"
#include "test.h"

#ifdef SLIP_HAVE_LAPACKE
#include <lapacke.h>
#endif

/// value <= bound, with NaN failing; says of which matrix.
#define assert_below(value, bound, name, n)                                                                  \
    check_below((value), (bound), (name), (n), #value, __FILE__, __LINE__)

static inline void check_below(double value, double bound, const char *name, int n, const char *what,
                               const char *file, int line)
{
    if (value <= bound) return;
    print_error("%s, n = %d: %s = %g, above %g\n", name, n, what, value, bound);
    _fail(file, line);
}

/// What is forgiven in any result of subnormal numbers, which have few digits.
static inline double floor_of(int n)
{
    return 8.0 * n * 0x1p-1074;
}

/// A matrix whose largest entry is near 1, and the exponent of 2 that was taken out of it: sums of products
/// of its entries are doubles then.
static inline int take_out(int n, const double *A, double *into)
{
    double most = 0.0;
    int exponent = 0;
    for (int k = 0; k < n * n; k++) most = fmax(most, fabs(A[k]));
    if (most > 0.0) frexp(most, &exponent);
    for (int k = 0; k < n * n; k++) into[k] = ldexp(A[k], -exponent);
    return exponent;
}

/// The largest |V V' - 1|, for n rows of V.
static inline double skewness(int n, const double *V)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            worst = fmax(worst, fabs(exact_dot(n, V + i * n, 1, V + j * n, 1, -1.0, i == j)));
    return worst;
}

/// Whether `refuses` says so of every matrix with one entry that is no finite number.
static inline void check_refusals(bool (*refuses)(int n, double *A), bool lower_only)
{
    const double wrong[] = { NAN, INFINITY, -INFINITY };
    double A[81];
    for (int n = 1; n <= 9; n++)
        for (int at = 0; at < n * n; at++)
            for (int w = 0; w < 3; w++) {
                if (lower_only && at % n > at / n) continue;
                for (int k = 0; k < n * n; k++) A[k] = draw() + (k % (n + 1) == 0 ? n : 0);
                A[at] = wrong[w];
                if (!refuses(n, A)) fail_msg("%g at %d of a matrix of %d rows is taken", wrong[w], at, n);
            }
}

#endif
