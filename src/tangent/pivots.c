/// tangent/pivots.c: LU with complete pivoting.
#include "tangent/pivots.h"

#include <math.h>

void slip_pivots_layout(slip_arena *arena, int most, slip_pivots *p)
{
    p->A = SLIP_TAKE_SCRATCH(arena, double, most *most);
    p->row = SLIP_TAKE_SCRATCH(arena, int, most);
    p->column = SLIP_TAKE_SCRATCH(arena, int, most);
    p->scratch = SLIP_TAKE_SCRATCH(arena, double, most);
}

static double entry(const slip_pivots *p, int i, int j)
{
    return p->A[p->row[i] * p->n + p->column[j]];
}

static void exchange(int *order, int i, int j)
{
    int kept = order[i];
    order[i] = order[j];
    order[j] = kept;
}

static double bring_up_largest(slip_pivots *p, int k)
{
    int row = k, column = k;
    for (int i = k; i < p->n; i++)
        for (int j = k; j < p->n; j++)
            if (fabs(entry(p, i, j)) > fabs(entry(p, row, column))) row = i, column = j;
    exchange(p->row, k, row);
    exchange(p->column, k, column);
    return entry(p, k, k);
}

void slip_pivots_factor(slip_pivots *p, int n)
{
    const double small = 1e-11; // of the largest pivot
    double first = 0.0;
    p->n = n;
    p->rank = 0;
    for (int k = 0; k < n; k++) p->row[k] = p->column[k] = k;
    for (int k = 0; k < n; k++) {
        double pivot = bring_up_largest(p, k);
        if (k == 0) first = fabs(pivot);
        if (!(fabs(pivot) > small * first)) return;
        p->rank = k + 1;
        for (int i = k + 1; i < n; i++) {
            double *line = p->A + p->row[i] * n, factor = line[p->column[k]] / pivot;
            line[p->column[k]] = factor;
            for (int j = k + 1; j < n; j++) line[p->column[j]] -= factor * entry(p, k, j);
        }
    }
}

void slip_pivots_solve(const slip_pivots *p, const double *b, double *x)
{
    double *y = p->scratch;
    for (int i = 0; i < p->rank; i++) {
        y[i] = b[p->row[i]];
        for (int j = 0; j < i; j++) y[i] -= entry(p, i, j) * y[j];
    }
    for (int i = p->rank - 1; i >= 0; i--) {
        for (int j = i + 1; j < p->rank; j++) y[i] -= entry(p, i, j) * y[j];
        y[i] /= entry(p, i, i);
    }
    for (int i = 0; i < p->n; i++) x[p->column[i]] = i < p->rank ? y[i] : 0.0;
}

void slip_pivots_null(const slip_pivots *p, int k, double *x)
{
    double *y = p->scratch;
    const int free_column = p->rank + k;
    for (int i = p->rank - 1; i >= 0; i--) {
        y[i] = -entry(p, i, free_column);
        for (int j = i + 1; j < p->rank; j++) y[i] -= entry(p, i, j) * y[j];
        y[i] /= entry(p, i, i);
    }
    for (int i = 0; i < p->n; i++) x[p->column[i]] = i < p->rank ? y[i] : i == free_column ? 1.0 : 0.0;
}
