/// solver/linalg/compensated_dot.c: one row of a product with twice the digits.
#include "solver/linalg/compensated_dot.h"

double slip_compensated_row(const slip_matrix *A, int i, const double *x, double start)
{
    slip_compensated_sum sum = { start, 0.0 };
    if (A->form == SLIP_DENSE) {
        const double *row = A->values + (long)i * A->cols;
        for (int j = 0; j < A->cols; j++) slip_compensated_sum_add_product(&sum, row[j], x[j]);
        return sum.high + sum.low;
    }
    const int b = A->block;
    for (int k = A->row_start[i / b]; k < A->row_start[i / b + 1]; k++) {
        const double *row = A->values + ((long)k * b + i % b) * b, *v = x + (long)A->column[k] * b;
        for (int j = 0; j < b; j++) slip_compensated_sum_add_product(&sum, row[j], v[j]);
    }
    return sum.high + sum.low;
}
