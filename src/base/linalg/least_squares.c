/// base/linalg/least_squares.c: of all x with the least |A x - b| the shortest, for a matrix that may be singular.
///
/// A complete orthogonal decomposition (Golub and Van Loan, 5.4.7, 5.5): A P = Q R by reflections with column
/// pivoting, the rank from the condition of leading blocks of R, and reflections from the right that take
/// what is behind the block into it. Q is applied to b on the way and never kept.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/linalg/kernel.h"
#include "base/linalg/linalg.h"
#include "base/linalg/range.h"
#include "base/linalg/reflector.h"

// ------------------------------------------------------------------------------------------- triangular form

/// What is left of the columns: the square of their lengths, and what it was when it was last summed.
typedef struct lengths {
    double *left, *summed;
} lengths;

static void sum_column(int n, const double *A, int from, int k, const lengths *l)
{
    const double length = slip_norm(n - from, row_in(A, n, from) + k, n);
    l->left[k] = l->summed[k] = length * length;
}

// of equal ones the first
static int find_longest(int n, int from, const lengths *l)
{
    int best = from;
    for (int k = from + 1; k < n; k++)
        if (l->left[k] > l->left[best]) best = k;
    return best;
}

static void swap_columns(int n, double *A, int i, int k, int *order, const lengths *l)
{
    for (int r = 0; r < n; r++, A += n) {
        const double keep = A[i];
        A[i] = A[k], A[k] = keep;
    }
    const int name = order[i];
    order[i] = order[k], order[k] = name;
    l->left[k] = l->left[i], l->summed[k] = l->summed[i]; // i is done with
}

// Columns behind j have lost what row j holds of them now. A difference that is small beside what it was
// taken from has lost its digits: the column is summed anew (Drmac and Bujanovic, On the failure of
// rank-revealing QR factorization software, 2008)
static void shorten(int n, const double *A, int j, const lengths *l)
{
    static const double LOST = 0x1p-26;
    const double *row = row_in(A, n, j);
    for (int k = j + 1; k < n; k++) {
        l->left[k] -= row[k] * row[k];
        if (!(l->left[k] > LOST * l->summed[k])) sum_column(n, A, j + 1, k, l);
    }
}

// A := R in the upper triangle, b := Q' b
static void make_triangle(int n, double *A, double *b, int *order, double *work)
{
    const lengths l = { work, work + n };
    double *v = work + 2 * n, *sums = work + 3 * n;
    for (int k = 0; k < n; k++) order[k] = k, sum_column(n, A, 0, k, &l);
    for (int j = 0; j < n; j++) {
        const int rows = n - j, longest = find_longest(n, j, &l);
        if (longest != j) swap_columns(n, A, j, longest, order, &l);
        for (int i = 0; i < rows; i++) v[i] = row_in(A, n, j + i)[j];
        const double tau = slip_reflector(rows - 1, &v[0], &v[1]);
        row_of(A, n, j)[j] = v[0];
        v[0] = 1.0;
        slip_reflect_left(rows, rows - 1, row_of(A, n, j) + j + 1, n, v, tau, sums);
        subtract(rows, b + j, tau * dot(rows, v, b + j), v);
        shorten(n, A, j, &l);
    }
}

// ----------------------------------------------------------------------------------------------------- rank

/// x, of length 1, and |x' R| for the leading block of R: an approximation of its least or largest singular
/// value (C. Bischof, Incremental condition estimation, SIAM J. Matrix Anal. Appl. 11, 1990).
typedef struct estimate {
    double value, *x;
} estimate;

// The block grows by a column (w, g): of all (s x, c) with s^2 + c^2 = 1 the one that makes
// |(s x, c)' [R w; 0 g]| least or largest. That is (s, c) [value a; 0 g] with a = x' w.
static double extend(const estimate *e, double a, double g, bool largest, double *s, double *c)
{
    const double size = fmax(e->value, fmax(fabs(a), fabs(g)));
    *s = largest, *c = !largest;
    if (size == 0.0) return 0.0;
    // M = [p^2 + q^2, q r; q r, r^2]: an angle t/2 from the first axis to the vector of the largest value
    const double p = e->value / size, q = a / size, r = g / size;
    const double half = 0.5 * (p * p + q * q - r * r), off = q * r, distance = slip_hypot(half, off);
    double along = 1.0, across = 0.0;
    if (distance > 0.0) {
        const double sum = fabs(half) + distance, length = slip_hypot(sum, off);
        along = sum / length, across = off / length;
        if (half < 0.0) { // the other axis is nearer
            const double keep = along;
            along = fabs(across), across = copysign(keep, off);
        }
    }
    *s = largest ? along : -across;
    *c = largest ? across : along;
    const double first = *s * e->value, second = *s * a + *c * g;
    return slip_hypot(first, second);
}

static void lengthen(estimate *e, int size, double value, double s, double c)
{
    for (int k = 0; k < size; k++) e->x[k] *= s;
    e->x[size] = c;
    e->value = value;
}

// columns whose block has a condition below 1 / least
static int find_rank(int n, const double *R, double least, double *work)
{
    estimate low = { fabs(R[0]), work }, high = { fabs(R[0]), work + n };
    if (R[0] == 0.0) return 0;
    low.x[0] = high.x[0] = 1.0;
    for (int k = 1; k < n; k++) {
        double along[2] = { 0 }, s[2], c[2];
        for (int i = 0; i < k; i++) {
            const double w = row_in(R, n, i)[k];
            along[0] += low.x[i] * w;
            along[1] += high.x[i] * w;
        }
        const double g = row_in(R, n, k)[k];
        const double smaller = extend(&low, along[0], g, false, &s[0], &c[0]),
                     larger = extend(&high, along[1], g, true, &s[1], &c[1]);
        if (!(smaller >= least * larger) || smaller == 0.0) return k;
        lengthen(&low, k, smaller, s[0], c[0]);
        lengthen(&high, k, larger, s[1], c[1]);
    }
    return n;
}

// ------------------------------------------------------------------------------------------------- solution

// [R S] := [T 0] Z: row i keeps the tail of the i-th reflection in place of its part of S
static void clear_behind(int n, int rank, double *R, double *tau)
{
    for (int i = rank - 1; i >= 0; i--) {
        double *row = row_of(R, n, i), *tail = row + rank;
        tau[i] = slip_reflector(n - rank, &row[i], tail);
        for (int k = 0; k < i; k++) {
            double *above = row_of(R, n, k);
            const double along = tau[i] * (above[i] + dot(n - rank, above + rank, tail));
            above[i] -= along;
            subtract(n - rank, above + rank, along, tail);
        }
    }
}

static void reflect_back(int n, int rank, const double *R, const double *tau, double *x)
{
    for (int i = 0; i < rank; i++) {
        const double *tail = row_in(R, n, i) + rank;
        const double along = tau[i] * (x[i] + dot(n - rank, x + rank, tail));
        x[i] -= along;
        subtract(n - rank, x + rank, along, tail);
    }
}

int slip_least_squares(int n, double *A, double *x, double least, int *order, double *work)
{
    int of_A, of_b;
    if (n == 0) return 0;
    if (!slip_range_enter((size_t)n * (size_t)n, A, &of_A) || !slip_range_enter((size_t)n, x, &of_b))
        return -1;
    make_triangle(n, A, x, order, work);
    const int rank = find_rank(n, A, least, work);
    memset(x + rank, 0, (size_t)(n - rank) * sizeof *x);
    if (rank < n) clear_behind(n, rank, A, work);
    slip_upper_solve(rank, A, n, x);
    if (rank < n) reflect_back(n, rank, A, work, x);
    for (int k = 0; k < n; k++) work[n + order[k]] = x[k];
    memcpy(x, work + n, (size_t)n * sizeof *x);
    slip_range_leave(n, x, of_b - of_A);
    return rank;
}
