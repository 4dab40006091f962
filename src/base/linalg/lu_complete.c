/// base/linalg/lu_complete.c: LU with complete pivoting.
#include "base/linalg/lu_complete.h"

#include <math.h>

#include "base/linalg/dense_tolerances.h"

void slip_lu_complete_layout(slip_arena *arena, int most, slip_lu_complete *p)
{
    p->A = SLIP_TAKE_SCRATCH(arena, double, most *most);
    p->row = SLIP_TAKE_SCRATCH(arena, int, most);
    p->column = SLIP_TAKE_SCRATCH(arena, int, most);
    p->scratch = SLIP_TAKE_SCRATCH(arena, double, most);
}

static double matrix_entry(const slip_lu_complete *p, int i, int j)
{
    return p->A[p->row[i] * p->n + p->column[j]];
}

static void swap_entries(int *order, int i, int j)
{
    int kept = order[i];
    order[i] = order[j];
    order[j] = kept;
}

static double pivot_largest(slip_lu_complete *p, int k)
{
    int row = k, column = k;
    for (int i = k; i < p->n; i++)
        for (int j = k; j < p->n; j++)
            if (fabs(matrix_entry(p, i, j)) > fabs(matrix_entry(p, row, column))) row = i, column = j;
    swap_entries(p->row, k, row);
    swap_entries(p->column, k, column);
    return matrix_entry(p, k, k);
}

void slip_lu_complete_factor(slip_lu_complete *p, int n)
{
    double first = 0.0;
    p->n = n;
    p->rank = 0;
    for (int k = 0; k < n; k++) p->row[k] = p->column[k] = k;
    for (int k = 0; k < n; k++) {
        double pivot = pivot_largest(p, k);
        if (k == 0) first = fabs(pivot);
        if (!(fabs(pivot) > RANK_TOLERANCE * first)) return;
        p->rank = k + 1;
        for (int i = k + 1; i < n; i++) {
            double *line = p->A + p->row[i] * n, factor = line[p->column[k]] / pivot;
            line[p->column[k]] = factor;
            for (int j = k + 1; j < n; j++) line[p->column[j]] -= factor * matrix_entry(p, k, j);
        }
    }
}

void slip_lu_complete_solve(const slip_lu_complete *p, const double *b, double *x)
{
    double *y = p->scratch;
    for (int i = 0; i < p->rank; i++) {
        y[i] = b[p->row[i]];
        for (int j = 0; j < i; j++) y[i] -= matrix_entry(p, i, j) * y[j];
    }
    for (int i = p->rank - 1; i >= 0; i--) {
        for (int j = i + 1; j < p->rank; j++) y[i] -= matrix_entry(p, i, j) * y[j];
        y[i] /= matrix_entry(p, i, i);
    }
    for (int i = 0; i < p->n; i++) x[p->column[i]] = i < p->rank ? y[i] : 0.0;
}

void slip_lu_complete_null_vector(const slip_lu_complete *p, int k, double *x)
{
    double *y = p->scratch;
    const int free_column = p->rank + k;
    for (int i = p->rank - 1; i >= 0; i--) {
        y[i] = -matrix_entry(p, i, free_column);
        for (int j = i + 1; j < p->rank; j++) y[i] -= matrix_entry(p, i, j) * y[j];
        y[i] /= matrix_entry(p, i, i);
    }
    for (int i = 0; i < p->n; i++) x[p->column[i]] = i < p->rank ? y[i] : i == free_column ? 1.0 : 0.0;
}
