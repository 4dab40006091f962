/// base/linalg/cholesky.c: A = L L' for symmetric positive definite matrices.
///
/// Four columns at a time, as in lu.c: every entry loses its products in the order of the columns (Golub and
/// Van Loan, 4.2). The entries of L that multiply a row are a column of it; a piece of four columns is copied
/// into rows first, so that the loops run over consecutive numbers. The upper triangle is not touched.
#include <math.h>

#include "base/linalg/kernel.h"
#include "base/linalg/linalg.h"

enum { PANEL = 4, PIECE = 48 };

// the same operations in the same order: two coupled coordinates are the most common block there is
static bool factor_two(double *A)
{
    if (!(A[0] > 0.0) || isinf(A[0])) return false;
    A[0] = sqrt(A[0]);
    A[2] /= A[0];
    const double d = A[3] - A[2] * A[2];
    if (!(d > 0.0) || isinf(d)) return false;
    A[3] = sqrt(d);
    return true;
}

// columns `from` to end - 1
static bool factor_panel(int n, double *A, int from, int end)
{
    for (int j = from; j < end; j++) {
        double *row_j = row_of(A, n, j), d = row_j[j];
        if (!(d > 0.0) || isinf(d)) return false; // NaN too
        row_j[j] = d = sqrt(d);
        double own[PANEL]; // L(k, j) of the panel's own rows
        for (int k = j + 1; k < end; k++) own[k - from] = row_of(A, n, k)[j] / d;
        for (int i = j + 1; i < n; i++) {
            double *row_i = row_of(A, n, i), f = row_i[j] / d;
            row_i[j] = f;
            for (int k = j + 1; k < end && k <= i; k++) row_i[k] -= f * own[k - from];
        }
    }
    return true;
}

// columns `at` to at + width - 1 of the rows below, which lose the products of the panel
static void update_piece(int n, double *A, int from, int at, int width)
{
    double piece[PANEL][PIECE];
    for (int k = 0; k < width; k++)
        for (int c = 0; c < PANEL; c++) piece[c][k] = row_in(A, n, at + k)[from + c];
    int i = at;
    for (; i < at + width; i++) {
        double *row = row_of(A, n, i);
        subtract_four(i - at + 1, row + at, row + from, piece[0], PIECE);
    }
    for (; i + 2 <= n; i += 2) {
        double *y = row_of(A, n, i), *z = row_of(A, n, i + 1);
        subtract_four_from_two(width, y + at, z + at, y + from, z + from, piece[0], PIECE);
    }
    if (i < n) {
        double *row = row_of(A, n, i);
        subtract_four(width, row + at, row + from, piece[0], PIECE);
    }
}

bool slip_cholesky(int n, double *A)
{
    if (n == 2) return factor_two(A);
    for (int from = 0; from < n; from += PANEL) {
        const int end = from + PANEL < n ? from + PANEL : n;
        if (!factor_panel(n, A, from, end)) return false;
        for (int at = end; at < n; at += PIECE) update_piece(n, A, from, at, n - at < PIECE ? n - at : PIECE);
    }
    return true;
}

void slip_cholesky_semidefinite(int n, double *A, double least)
{
    for (int j = 0; j < n; j++) {
        double *row_j = row_of(A, n, j), whole = row_j[j], d = whole;
        for (int k = 0; k < j; k++) d -= row_j[k] * row_j[k];
        row_j[j] = d > least * whole && whole > 0.0 ? sqrt(d) : INFINITY;
        for (int i = j + 1; i < n; i++) {
            double *row_i = row_of(A, n, i), s = row_i[j];
            for (int k = 0; k < j; k++) s -= row_i[k] * row_j[k];
            row_i[j] = s / row_j[j];
        }
    }
}

// Two columns at a time: every number loses its products in the order of the columns all the same
void slip_cholesky_solve(int n, const double *L, double *x)
{
    int k = 0;
    for (; k + 1 < n; k += 2) {
        const double *row = row_in(L, n, k + 1) + k;
        const double one = x[k] / row[-n], other = (x[k + 1] - row[0] * one) / row[1];
        x[k] = one, x[k + 1] = other;
        for (int i = k + 2; i < n; i++) {
            row += n;
            x[i] = x[i] - row[0] * one - row[1] * other;
        }
    }
    if (k < n) x[k] /= row_in(L, n, k)[k];
    for (int i = n - 1; i >= 0; i--) {
        const double *column = row_in(L, n, i) + i, *below = column;
        double s = x[i];
        for (k = i + 1; k < n; k++) s -= *(below += n) * x[k];
        x[i] = s / *column;
    }
}
