/// solver/linalg/matrix.c: applying dense, block-sparse, matrix-free and callback operators.
#include "solver/linalg/matrix.h"
#include "base/linalg/vectors.h"

#include <string.h>

slip_matrix slip_matrix_dense(int rows, int cols, const double *values)
{
    return (slip_matrix){ .form = SLIP_DENSE, .rows = rows, .cols = cols, .values = values };
}

slip_matrix slip_matrix_sparse(int rows, int cols, int block, const int *row_start, const int *column,
                               const double *values)
{
    return (slip_matrix){ .form = SLIP_SPARSE,
                          .rows = rows,
                          .cols = cols,
                          .values = values,
                          .row_start = row_start,
                          .column = column,
                          .block = block };
}

// One block row of a BSR matrix; the common sizes are written out so that sums stay in registers.
static void sparse_row(const slip_matrix *A, int at, const double *x, double *y)
{
    const int from = A->row_start[at], to = A->row_start[at + 1], s = A->block;
    const int *column = A->column;
    if (s == 1) {
        double y0 = 0.0;
        for (int k = from; k < to; k++) y0 += A->values[k] * x[column[k]];
        y[0] = y0;
    } else if (s == 2) {
        double y0 = 0.0, y1 = 0.0;
        for (int k = from; k < to; k++) {
            const double *B = A->values + 4L * k, *v = x + 2L * column[k];
            y0 += B[0] * v[0] + B[1] * v[1];
            y1 += B[2] * v[0] + B[3] * v[1];
        }
        y[0] = y0, y[1] = y1;
    } else if (s == 3) {
        double y0 = 0.0, y1 = 0.0, y2 = 0.0;
        for (int k = from; k < to; k++) {
            const double *B = A->values + 9L * k, *v = x + 3L * column[k];
            y0 += B[0] * v[0] + B[1] * v[1] + B[2] * v[2];
            y1 += B[3] * v[0] + B[4] * v[1] + B[5] * v[2];
            y2 += B[6] * v[0] + B[7] * v[1] + B[8] * v[2];
        }
        y[0] = y0, y[1] = y1, y[2] = y2;
    } else {
        for (int i = 0; i < s; i++) y[i] = 0.0;
        for (int k = from; k < to; k++)
            for (int i = 0; i < s; i++)
                y[i] += dot_product(s, A->values + ((long)k * s + i) * s, x + (long)s * column[k]);
    }
}

void slip_matrix_rows(const slip_matrix *A, int at, int side, const double *x, double *y)
{
    if (A->form == SLIP_DENSE) {
        for (int i = 0; i < side; i++)
            y[i] = dot_product(A->cols, A->values + ((long)at * side + i) * A->cols, x);
    } else if (A->block == side) {
        sparse_row(A, at, x, y);
    } else { // plain CSR under a contact problem
        for (int i = 0; i < side; i++) sparse_row(A, at * side + i, x, y + i);
    }
}

static int body_of(const slip_matrix *W, int dof)
{
    // no search is needed for bodies of one size, the usual case
    const int guess = dof / (W->body_start[1] - W->body_start[0]);
    if (guess < W->body_count && W->body_start[guess] <= dof && dof < W->body_start[guess + 1]) return guess;
    int low = 0, high = W->body_count - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (W->body_start[middle] <= dof)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

// Blocks of M^-1 are stored one after another, so the place of a block is the sum of the squares before it;
// bodies of one size, the usual case, need no sum.
static const double *body_block(const slip_matrix *W, int body)
{
    const int side = W->body_start[1] - W->body_start[0];
    if ((long)side * W->body_count == W->G->cols && W->body_start[body] == body * side)
        return W->body_inverse + (long)body * side * side;
    long at = 0;
    for (int b = 0; b < body; b++) {
        long s = W->body_start[b + 1] - W->body_start[b];
        at += s * s;
    }
    return W->body_inverse + at;
}

void slip_delassus_gather(const slip_matrix *W, int at, int side, const double *v, double *u)
{
    const slip_matrix *G = W->G;
    for (int i = 0; i < side; i++) {
        double s = 0.0;
        const int row = at * side + i;
        for (int k = G->row_start[row]; k < G->row_start[row + 1]; k++) s += G->values[k] * v[G->column[k]];
        u[i] = s;
    }
}

void slip_delassus_scatter(const slip_matrix *W, int at, int side, const double *dr, double *v)
{
    const slip_matrix *G = W->G;
    for (int i = 0; i < side; i++) {
        const int row = at * side + i;
        int k = G->row_start[row];
        if (dr[i] == 0.0) continue;
        while (k < G->row_start[row + 1]) {
            // all entries of this row on one body, then that body's inverse once
            const int body = body_of(W, G->column[k]), first = W->body_start[body];
            const int s = W->body_start[body + 1] - first;
            const double *B = body_block(W, body);
            for (; k < G->row_start[row + 1] && G->column[k] < first + s; k++) {
                const double f = G->values[k] * dr[i];
                const int j = G->column[k] - first;
                for (int d = 0; d < s; d++) v[first + d] += B[(long)d * s + j] * f;
            }
        }
    }
}

static void delassus_apply(const slip_matrix *W, const double *x, double *y)
{
    const slip_matrix *G = W->G;
    double *p = W->scratch, *v = W->scratch + G->cols;
    memset(p, 0, sizeof(double) * (size_t)G->cols);
    for (int i = 0; i < G->rows; i++)
        for (int k = G->row_start[i]; k < G->row_start[i + 1]; k++) p[G->column[k]] += G->values[k] * x[i];
    const double *B = W->body_inverse;
    for (int b = 0; b < W->body_count; b++) {
        const int first = W->body_start[b], s = W->body_start[b + 1] - first;
        for (int d = 0; d < s; d++, B += s) v[first + d] = dot_product(s, B, p + first);
    }
    slip_delassus_gather(W, 0, G->rows, v, y);
}

void slip_matrix_apply(const slip_matrix *A, const double *x, double *y)
{
    switch (A->form) {
    case SLIP_DENSE:
        for (int i = 0; i < A->rows; i++) y[i] = dot_product(A->cols, A->values + (long)i * A->cols, x);
        break;
    case SLIP_SPARSE:
        for (int at = 0, n = A->rows / A->block; at < n; at++) sparse_row(A, at, x, y + (long)at * A->block);
        break;
    case SLIP_DELASSUS:
        delassus_apply(A, x, y);
        break;
    case SLIP_CALLBACK:
        A->apply(A->user, x, y);
        break;
    }
}

// The place of the diagonal block of a row, -1 if it is not stored.
static int find_diagonal(const slip_matrix *A, int at)
{
    const int end = A->row_start[at + 1];
    int k = A->row_start[at];
    while (k < end && A->column[k] < at) k++;
    return k < end && A->column[k] == at ? k : -1;
}

static void sparse_diagonal(const slip_matrix *A, int at, int side, double *out)
{
    const int here = A->block == side ? find_diagonal(A, at) : -1;
    for (int i = 0; i < side * side; i++) out[i] = here < 0 ? 0.0 : A->values[(long)here * side * side + i];
    if (A->block == side) return;
    const int s = A->block, rows = side / s;
    for (int i = 0; i < rows; i++) {
        const int row = at * rows + i;
        for (int k = A->row_start[row]; k < A->row_start[row + 1]; k++) {
            const int j = A->column[k] - at * rows;
            if (j < 0 || j >= rows) continue;
            for (int a = 0; a < s; a++)
                for (int b = 0; b < s; b++)
                    out[(i * s + a) * side + j * s + b] = A->values[((long)k * s + a) * s + b];
        }
    }
}

static void delassus_diagonal(const slip_matrix *W, int at, int side, double *out)
{
    // column j of the block is G_a M^-1 G_a' e_j; only the touched dofs of the scratch are cleared
    const slip_matrix *G = W->G;
    double *v = W->scratch;
    for (int j = 0; j < side; j++) {
        for (int i = 0; i < side; i++)
            for (int k = G->row_start[at * side + i]; k < G->row_start[at * side + i + 1]; k++) {
                const int body = body_of(W, G->column[k]);
                for (int d = W->body_start[body]; d < W->body_start[body + 1]; d++) v[d] = 0.0;
            }
        double unit[3] = { 0.0, 0.0, 0.0 }, u[3];
        unit[j] = 1.0;
        slip_delassus_scatter(W, at, side, unit, v);
        slip_delassus_gather(W, at, side, v, u);
        for (int i = 0; i < side; i++) out[i * side + j] = u[i];
    }
}

void slip_matrix_diagonal(const slip_matrix *A, int at, int side, double *out)
{
    switch (A->form) {
    case SLIP_DENSE:
        for (int i = 0; i < side; i++)
            for (int j = 0; j < side; j++)
                out[i * side + j] = A->values[((long)at * side + i) * A->cols + (long)at * side + j];
        break;
    case SLIP_SPARSE:
        sparse_diagonal(A, at, side, out);
        break;
    case SLIP_DELASSUS:
        delassus_diagonal(A, at, side, out);
        break;
    case SLIP_CALLBACK:
        A->diagonal(A->user, at, side, out);
        break;
    }
}

double slip_matrix_trace(const slip_matrix *A, int at, int side)
{
    double block[9], trace = 0.0;
    if (A->form == SLIP_DENSE) {
        const double *d = A->values + (long)at * side * (A->cols + 1);
        for (int i = 0; i < side; i++) trace += d[(long)i * (A->cols + 1)];
        return trace;
    }
    if (A->form == SLIP_SPARSE && A->block == side) {
        const int k = find_diagonal(A, at);
        for (int i = 0; k >= 0 && i < side; i++) trace += A->values[(long)k * side * side + i * (side + 1)];
        return trace;
    }
    slip_matrix_diagonal(A, at, side, block);
    for (int i = 0; i < side; i++) trace += block[i * (side + 1)];
    return trace;
}

void slip_matrix_fill(const slip_matrix *A, double *out)
{
    const size_t n = (size_t)A->rows * (size_t)A->cols;
    if (A->form == SLIP_DENSE) {
        memcpy(out, A->values, sizeof(double) * n);
        return;
    }
    memset(out, 0, sizeof(double) * n);
    const int s = A->block;
    for (int at = 0; at < A->rows / s; at++)
        for (int k = A->row_start[at]; k < A->row_start[at + 1]; k++)
            for (int i = 0; i < s; i++)
                for (int j = 0; j < s; j++)
                    out[((long)at * s + i) * A->cols + (long)A->column[k] * s + j] =
                        A->values[((long)k * s + i) * s + j];
}

int slip_matrix_block_row(const slip_matrix *A, int at, int side, const int **column, const double **values,
                          int *stride, int *step)
{
    const bool dense = A->form == SLIP_DENSE;
    const int from = dense ? 0 : A->row_start[at];
    const long before = dense ? (long)at * side * A->cols : (long)from * side * side;
    *column = dense ? NULL : A->column + from;
    *values = A->values ? A->values + before : NULL; // there are none yet while memory is measured
    *stride = dense ? A->cols : side;
    *step = dense ? side : side * side;
    return dense ? A->cols / side : A->row_start[at + 1] - from;
}
