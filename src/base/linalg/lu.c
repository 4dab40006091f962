/// base/linalg/lu.c: Gaussian elimination with partial pivoting.
///
/// Four columns at a time: first they alone are eliminated, then their rows of U are completed, and the rest
/// loses all four products of an entry in one go. An entry loses them in the order of the columns all the
/// same, so the bits are those of the textbook's three loops (Golub and Van Loan, Matrix Computations, 4th
/// ed., 3.4).
#include <float.h>
#include <math.h>

#include "base/linalg/kernel.h"
#include "base/linalg/linalg.h"

enum { PANEL = 4 };

static double largest(int n, const double *A)
{
    double most = 0.0;
    for (size_t k = 0; k < (size_t)n * (size_t)n; k++)
        if (fabs(A[k]) > most) most = fabs(A[k]);
    return most;
}

static int find_pivot(int n, const double *A, int j)
{
    const double *entry = row_in(A, n, j) + j;
    double most = fabs(*entry);
    int best = j;
    for (int i = j + 1; i < n; i++) {
        entry += n;
        if (fabs(*entry) > most) most = fabs(*entry), best = i;
    }
    return best;
}

// columns j to end - 1 of the rows from j on
static bool eliminate_panel(int n, double *A, int *pivot, int from, int end, double least)
{
    for (int j = from; j < end; j++) {
        const int best = find_pivot(n, A, j);
        double *row_j = row_of(A, n, j);
        pivot[j] = best;
        if (best != j) swap_rows(n, row_j, row_of(A, n, best));
        const double d = row_j[j];
        if (!(fabs(d) > least) || isinf(d)) return false; // NaN too
        for (int i = j + 1; i < n; i++) {
            double *row_i = row_of(A, n, i), f = row_i[j] / d;
            row_i[j] = f;
            for (int k = j + 1; k < end; k++) row_i[k] -= f * row_j[k];
        }
    }
    return true;
}

// the rest of the rows of U, and of the matrix below them
static void update_rest(int n, double *A, int from, int end)
{
    const int rest = n - end;
    for (int i = from + 1; i < end; i++)
        for (int k = from; k < i; k++)
            subtract(rest, row_of(A, n, i) + end, row_of(A, n, i)[k], row_in(A, n, k) + end);
    const double *U = row_in(A, n, from) + end;
    int i = end;
    for (; i + 2 <= n; i += 2) {
        double *y = row_of(A, n, i), *z = row_of(A, n, i + 1);
        subtract_four_from_two(rest, y + end, z + end, y + from, z + from, U, n);
    }
    if (i < n) subtract_four(rest, row_of(A, n, i) + end, row_of(A, n, i) + from, U, n);
}

bool slip_lu(int n, double *A, int *pivot)
{
    const double least = n * DBL_EPSILON * largest(n, A);
    for (int from = 0; from < n; from += PANEL) {
        const int end = from + PANEL < n ? from + PANEL : n;
        if (!eliminate_panel(n, A, pivot, from, end, least)) return false;
        if (end < n) update_rest(n, A, from, end);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------- solutions

// the same operations in the same order as below, without a way through memory: a contact that sticks has
// three unknowns
static void solve_three(const double *LU, const int *pivot, double *x)
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

// x := L^-1 x, in fours: each unknown loses its products in the order of the columns, and four of them do not
// wait for one another
static void solve_lower(int n, const double *L, double *x)
{
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        const double *p = row_in(L, n, i), *q = p + n, *r = q + n, *s = r + n;
        double a = x[i], b = x[i + 1], c = x[i + 2], d = x[i + 3];
        for (int k = 0; k < i; k++) {
            a -= p[k] * x[k];
            b -= q[k] * x[k];
            c -= r[k] * x[k];
            d -= s[k] * x[k];
        }
        b -= q[i] * a;
        c = c - r[i] * a - r[i + 1] * b;
        d = d - s[i] * a - s[i + 1] * b - s[i + 2] * c;
        x[i] = a, x[i + 1] = b, x[i + 2] = c, x[i + 3] = d;
    }
    for (; i < n; i++) {
        const double *row = row_in(L, n, i);
        for (int k = 0; k < i; k++) x[i] -= row[k] * x[k];
    }
}

// x := U^-1 x, each unknown losing the products with its nearest neighbours first
static void solve_upper_near_first(int n, const double *U, double *x)
{
    for (int i = n - 1; i >= 0; i--) {
        const double *row = row_in(U, n, i);
        double sum = x[i];
        for (int k = i + 1; k < n; k++) sum -= row[k] * x[k];
        x[i] = sum / row[i];
    }
}

void slip_upper_solve(int n, const double *U, int stride, double *x)
{
    int i = n;
    for (; i >= 4; i -= 4) {
        const double *s = row_in(U, stride, i - 1), *r = s - stride, *q = r - stride, *p = q - stride;
        double a = x[i - 4], b = x[i - 3], c = x[i - 2], d = x[i - 1];
        for (int k = n - 1; k >= i; k--) {
            a -= p[k] * x[k];
            b -= q[k] * x[k];
            c -= r[k] * x[k];
            d -= s[k] * x[k];
        }
        d /= s[i - 1];
        c = (c - r[i - 1] * d) / r[i - 2];
        b = (b - q[i - 1] * d - q[i - 2] * c) / q[i - 3];
        a = (a - p[i - 1] * d - p[i - 2] * c - p[i - 3] * b) / p[i - 4];
        x[i - 4] = a, x[i - 3] = b, x[i - 2] = c, x[i - 1] = d;
    }
    for (; i > 0; i--) {
        const double *row = row_in(U, stride, i - 1);
        double sum = x[i - 1];
        for (int k = n - 1; k >= i; k--) sum -= row[k] * x[k];
        x[i - 1] = sum / row[i - 1];
    }
}

void slip_lu_solve(int n, const double *LU, const int *pivot, double *x)
{
    enum { NEAR_FIRST = 24 };
    if (n == 3) {
        solve_three(LU, pivot, x);
        return;
    }
    for (int j = 0; j < n; j++) {
        const double keep = x[j];
        x[j] = x[pivot[j]];
        x[pivot[j]] = keep;
    }
    solve_lower(n, LU, x);
    // The order for few unknowns is a chain, in which each operation waits for the last one: for 100 it takes
    // twice as long. The other order is no more accurate, so the bits of few unknowns are left as they are.
    if (n <= NEAR_FIRST)
        solve_upper_near_first(n, LU, x);
    else
        slip_upper_solve(n, LU, n, x);
}
