/// solver/careful.h: sums of products with twice the digits, for the few numbers that have to be trusted
/// where terms cancel (Ogita, Rump and Oishi 2005).
#ifndef SLIP_SOLVER_CAREFUL_H
#define SLIP_SOLVER_CAREFUL_H

#include <math.h>

#include "slipstick/problem.h"

/// high + low, unevaluated.
typedef struct slip_sum {
    double high, low;
} slip_sum;

static inline void slip_sum_add(slip_sum *s, double x)
{
    const double high = s->high + x, part = high - s->high;
    s->low += (s->high - (high - part)) + (x - part);
    s->high = high;
}

static inline void slip_sum_add_product(slip_sum *s, double a, double b)
{
    const double product = a * b;
    slip_sum_add(s, product);
    s->low += fma(a, b, -product);
}

/// start + (A x)_i, rounded once or nearly so; DENSE and SPARSE only.
double slip_careful_row(const slip_matrix *A, int i, const double *x, double start);

#endif
