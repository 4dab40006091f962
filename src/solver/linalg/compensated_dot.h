/// solver/linalg/compensated_dot.h: sums of products with twice the digits (Ogita, Rump and Oishi 2005), for the
/// few numbers that must be accurate although their terms cancel.
#ifndef SLIP_SOLVER_LINALG_COMPENSATED_DOT_H
#define SLIP_SOLVER_LINALG_COMPENSATED_DOT_H

#include <math.h>

#include "slipstick/problem.h"

/// high + low, unevaluated.
typedef struct slip_compensated_sum {
    double high, low;
} slip_compensated_sum;

static inline void slip_compensated_sum_add(slip_compensated_sum *s, double x)
{
    const double high = s->high + x, part = high - s->high;
    s->low += (s->high - (high - part)) + (x - part);
    s->high = high;
}

static inline void slip_compensated_sum_add_product(slip_compensated_sum *s, double a, double b)
{
    const double product = a * b;
    slip_compensated_sum_add(s, product);
    s->low += fma(a, b, -product);
}

/// start + (A x)_i, rounded once or nearly so; DENSE and SPARSE only.
double slip_compensated_row(const slip_matrix *A, int i, const double *x, double start);

#endif
