/// study/bifurcation/lu_determinant.h: the determinant of a matrix that has been factored with complete
/// pivoting.
#ifndef SLIP_STUDY_BIFURCATION_LU_DETERMINANT_H
#define SLIP_STUDY_BIFURCATION_LU_DETERMINANT_H

#include "base/linalg/lu_complete.h"

static inline int slip_permutation_parity(const int *order, int n)
{
    int swaps = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) swaps += order[j] > order[i];
    return swaps % 2 ? -1 : 1;
}

/// The determinant; exactly 0 where the matrix is rank deficient.
static inline double slip_factored_determinant(const slip_lu_complete *p)
{
    if (p->rank < p->n) return 0.0;
    double product = slip_permutation_parity(p->row, p->n) * slip_permutation_parity(p->column, p->n);
    for (int k = 0; k < p->n; k++) product *= p->A[p->row[k] * p->n + p->column[k]];
    return product;
}

#endif
