/// base/linalg/dense.c: Cholesky and LU for small dense matrices, LAPACK for larger ones.
#include "base/linalg/dense.h"

#include <assert.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>

// Row-major A is column-major A': for the symmetric Cholesky the lower row-major triangle is the
// upper column-major one; LU of A' is used with transposed solves.

// Column by column: products are subtracted from each entry in the order of the columns, and no entry waits
// for another.
static bool cholesky_by_hand(int n, double *A)
{
    double column[SLIP_DENSE_BY_HAND_MAX];
    for (int j = 0; j < n; j++) {
        double d = A[(long)j * n + j];
        if (!(d > 0.0) || isinf(d)) return false;
        d = sqrt(d);
        A[(long)j * n + j] = d;
        for (int i = j + 1; i < n; i++) column[i] = A[(long)i * n + j] /= d;
        for (int i = j + 1; i < n; i++) {
            double *restrict row = A + (long)i * n;
            for (int k = j + 1; k <= i; k++) row[k] -= column[i] * column[k];
        }
    }
    return true;
}

// The same operations in the same order for two coupled coordinates, the most common block.
static bool cholesky_of_two(double *A)
{
    if (!(A[0] > 0.0) || isinf(A[0])) return false;
    A[0] = sqrt(A[0]);
    A[2] /= A[0];
    const double d = A[3] - A[2] * A[2];
    if (!(d > 0.0) || isinf(d)) return false;
    A[3] = sqrt(d);
    return true;
}

bool slip_cholesky(int n, double *A)
{
    assert(n >= 0);
    if (n == 2) return cholesky_of_two(A);
    if (n <= SLIP_DENSE_BY_HAND_MAX) return cholesky_by_hand(n, A);
    return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', n, A, n) == 0;
}

void slip_cholesky_semidefinite(int n, double *A, double least)
{
    for (int j = 0; j < n; j++) {
        double *row_j = A + (long)j * n, whole = row_j[j], d = whole;
        for (int k = 0; k < j; k++) d -= row_j[k] * row_j[k];
        row_j[j] = d > least * whole && whole > 0.0 ? sqrt(d) : INFINITY;
        for (int i = j + 1; i < n; i++) {
            double *row_i = A + (long)i * n, s = row_i[j];
            for (int k = 0; k < j; k++) s -= row_i[k] * row_j[k];
            row_i[j] = s / row_j[j];
        }
    }
}

// Two columns at a time; products are still subtracted in the order of the columns.
void slip_cholesky_solve(int n, const double *L, double *x)
{
    int k = 0;
    for (; k + 1 < n; k += 2) {
        const double *row = L + (long)(k + 1) * n + k;
        const double one = x[k] / row[-n], other = (x[k + 1] - row[0] * one) / row[1];
        x[k] = one, x[k + 1] = other;
        for (int i = k + 2; i < n; i++) {
            row += n;
            x[i] = x[i] - row[0] * one - row[1] * other;
        }
    }
    if (k < n) x[k] /= L[(long)k * n + k];
    for (int i = n - 1; i >= 0; i--) {
        const double *column = L + (long)i * n + i, *below = column;
        double s = x[i];
        for (k = i + 1; k < n; k++) s -= *(below += n) * x[k];
        x[i] = s / *column;
    }
}

static double largest_entry(int n, const double *A)
{
    double most = 0.0;
    for (long k = 0; k < (long)n * n; k++)
        if (fabs(A[k]) > most) most = fabs(A[k]);
    return most;
}

static void swap_rows(int n, double *a, double *b)
{
    for (int k = 0; k < n; k++) {
        double keep = a[k];
        a[k] = b[k];
        b[k] = keep;
    }
}

static bool lu_by_hand(int n, double *A, int *pivot)
{
    const double least = n * DBL_EPSILON * largest_entry(n, A);
    for (int j = 0; j < n; j++) {
        const double *entry = A + (long)j * n + j;
        double most = fabs(*entry);
        int best = j;
        for (int i = j + 1; i < n; i++) {
            entry += n;
            if (fabs(*entry) > most) most = fabs(*entry), best = i;
        }
        pivot[j] = best;
        if (best != j) swap_rows(n, A + (long)j * n, A + (long)best * n);
        const double *row_j = A + (long)j * n;
        if (!(fabs(row_j[j]) > least)) return false;
        for (int i = j + 1; i < n; i++) {
            double *row_i = A + (long)i * n, f = row_i[j] / row_j[j];
            row_i[j] = f;
            for (int k = j + 1; k < n; k++) row_i[k] -= f * row_j[k];
        }
    }
    return true;
}

bool slip_lu(int n, double *A, int *pivot)
{
    assert(n >= 0);
    if (n <= SLIP_DENSE_BY_HAND_MAX) return lu_by_hand(n, A, pivot);
    const double least = n * DBL_EPSILON * largest_entry(n, A);
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, A, n, pivot) != 0) return false;
    for (int j = 0; j < n; j++)
        if (!(fabs(A[(long)j * n + j]) > least)) return false;
    return true;
}

// The same operations in the same order as below, in registers: a sticking contact has three unknowns.
static void lu_solve_of_three(const double *LU, const int *pivot, double *x)
{
    for (int j = 0; j < 2; j++) {
        const double keep = x[j];
        x[j] = x[pivot[j]];
        x[pivot[j]] = keep;
    }
    const double a = x[0], b = x[1] - LU[3] * a, c = x[2] - LU[6] * a - LU[7] * b;
    const double z = c / LU[8], y = (b - LU[5] * z) / LU[4];
    x[0] = (a - LU[1] * y - LU[2] * z) / LU[0];
    x[1] = y;
    x[2] = z;
}

void slip_lu_solve(int n, const double *LU, const int *pivot, double *x)
{
    if (n == 3) {
        lu_solve_of_three(LU, pivot, x);
        return;
    }
    if (n > SLIP_DENSE_BY_HAND_MAX) {
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', n, 1, LU, n, pivot, x, n);
        return;
    }
    for (int j = 0; j < n; j++) {
        double keep = x[j];
        x[j] = x[pivot[j]];
        x[pivot[j]] = keep;
    }
    for (int i = 1; i < n; i++) {
        const double *row = LU + (long)i * n;
        double s = x[i];
        for (int k = 0; k < i; k++) s -= row[k] * x[k];
        x[i] = s;
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *row = LU + (long)i * n;
        double s = x[i];
        for (int k = i + 1; k < n; k++) s -= row[k] * x[k];
        x[i] = s / row[i];
    }
}

// A matrix has the eigenvalues of its transpose, so the order of storage does not matter; LAPACK rejects n =
// 0.
bool slip_eigenvalues(int n, double *A, double *re, double *im, double *work, int room)
{
    return n == 0 ||
           LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'N', n, A, n, re, im, NULL, 1, NULL, 1, work, room) == 0;
}
