/// cycle/determinant.h: of a system that is factored.
#ifndef SLIP_CYCLE_DETERMINANT_H
#define SLIP_CYCLE_DETERMINANT_H

#include "tangent/pivots.h"

static inline int slip_pivots_parity(const int *order, int n)
{
    int swaps = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) swaps += order[j] > order[i];
    return swaps % 2 ? -1 : 1;
}

/// 0 where the rank is less.
static inline double slip_pivots_determinant(const slip_pivots *p)
{
    if (p->rank < p->n) return 0.0;
    double product = slip_pivots_parity(p->row, p->n) * slip_pivots_parity(p->column, p->n);
    for (int k = 0; k < p->n; k++) product *= p->A[p->row[k] * p->n + p->column[k]];
    return product;
}

#endif
