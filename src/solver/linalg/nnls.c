/// solver/linalg/nnls.c: Lawson and Hanson's active-set method, with the passive columns orthonormalised anew
/// for each set; problems here have tens of columns.
#include "solver/linalg/nnls.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solver/linalg/elimination_tolerances.h"

void slip_nnls_layout(slip_arena *a, slip_nnls *k, int rows, int cols)
{
    k->rows = rows;
    k->cols = cols;
    k->E = SLIP_TAKE(a, double, (size_t)rows *(size_t)cols);
    k->f = SLIP_TAKE(a, double, rows);
    k->y = SLIP_TAKE(a, double, cols);
    k->Q = SLIP_TAKE(a, double, (size_t)rows *(size_t)(rows < cols ? rows + 1 : cols + 1));
    k->R = SLIP_TAKE(a, double, (size_t)cols *(size_t)cols);
    k->t = SLIP_TAKE(a, double, rows);
    k->s = SLIP_TAKE(a, double, cols);
    k->passive = SLIP_TAKE(a, int, cols);
}

// Adds column `at` of the passive set to Q and R by Gram-Schmidt, twice; false if it depends on the others.
static bool add_column(slip_nnls *k, int rows, int cols, int at)
{
    const int column = k->passive[at];
    double *q = k->Q + (long)at * rows, before = 0.0, after = 0.0;
    if (at >= rows) return false;
    for (int i = 0; i < rows; i++) q[i] = k->E[(long)i * cols + column], before += q[i] * q[i];
    for (int j = 0; j <= at; j++) k->R[(long)j * cols + at] = 0.0;
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < at; j++) {
            const double *other = k->Q + (long)j * rows;
            double s = 0.0;
            for (int i = 0; i < rows; i++) s += other[i] * q[i];
            for (int i = 0; i < rows; i++) q[i] -= s * other[i];
            k->R[(long)j * cols + at] += s;
        }
    for (int i = 0; i < rows; i++) after += q[i] * q[i];
    if (!(after > COLUMN_DEPENDENT_SQUARED * before) || !(after > 0.0)) return false;
    after = sqrt(after);
    for (int i = 0; i < rows; i++) q[i] /= after;
    k->R[(long)at * cols + at] = after;
    return true;
}

// unconstrained solution on the first `count` passive columns into s
static void least_squares(slip_nnls *k, int rows, int cols, int count)
{
    for (int j = 0; j < count; j++) {
        k->s[j] = 0.0;
        for (int i = 0; i < rows; i++) k->s[j] += k->Q[(long)j * rows + i] * k->f[i];
    }
    for (int j = count - 1; j >= 0; j--) {
        for (int l = j + 1; l < count; l++) k->s[j] -= k->R[(long)j * cols + l] * k->s[l];
        k->s[j] /= k->R[(long)j * cols + j];
    }
}

// residual f - E y into t
static double nnls_residual(slip_nnls *k, int rows, int cols)
{
    double square = 0.0;
    for (int i = 0; i < rows; i++) {
        double s = k->f[i];
        for (int j = 0; j < cols; j++) s -= k->E[(long)i * cols + j] * k->y[j];
        k->t[i] = s;
        square += s * s;
    }
    return sqrt(square);
}

// The column with the largest gradient that was not refused before; -1 if there is none.
static int best_column(const slip_nnls *k, int rows, int cols, double small)
{
    int best = -1;
    double most = small;
    for (int j = 0; j < cols; j++) {
        if (k->y[j] != 0.0) continue; // passive (> 0), or refused (< 0) in this round
        double gain = 0.0, norm = 0.0;
        for (int i = 0; i < rows; i++) {
            const double e = k->E[(long)i * cols + j];
            gain += e * k->t[i];
            norm += e * e;
        }
        if (norm > 0.0 && gain > most * sqrt(norm)) most = gain / sqrt(norm), best = j;
    }
    return best;
}

// orthonormalises the first `count` passive columns from `from` on, dropping dependent ones
static int rebuild_factor(slip_nnls *k, int rows, int cols, int from, int count)
{
    for (int j = from; j < count;) {
        if (add_column(k, rows, cols, j)) {
            j++;
            continue;
        }
        k->y[k->passive[j]] = 0.0;
        memmove(k->passive + j, k->passive + j + 1, sizeof(int) * (size_t)(count - j - 1));
        count--;
    }
    return count;
}

// Moves from y towards s and drops the columns that reach zero; returns the new count.
static int step_back(slip_nnls *k, int rows, int cols, int count)
{
    for (;;) {
        least_squares(k, rows, cols, count);
        double alpha = 1.0;
        for (int j = 0; j < count; j++)
            if (k->s[j] <= 0.0) alpha = fmin(alpha, k->y[k->passive[j]] / (k->y[k->passive[j]] - k->s[j]));
        int kept = 0, from = count;
        for (int j = 0; j < count; j++) {
            double *y = k->y + k->passive[j];
            const bool out = k->s[j] <= 0.0 && *y / (*y - k->s[j]) <= alpha;
            *y += alpha * (k->s[j] - *y);
            if (out || !(*y > 0.0)) {
                *y = 0.0;
                if (from == count) from = kept;
            } else
                k->passive[kept++] = k->passive[j];
        }
        if (kept == count) return count;
        count = rebuild_factor(k, rows, cols, from, kept);
    }
}

double slip_nnls_solve(slip_nnls *k, int rows, int cols)
{
    double scale = 0.0;
    int count = 0;
    memset(k->y, 0, sizeof(double) * (size_t)cols);
    for (int i = 0; i < rows; i++) scale += k->f[i] * k->f[i];
    const double small = NNLS_CONVERGED_RELATIVE * sqrt(scale);
    for (int round = 0; round < 10 * cols + 50; round++) {
        const double norm = nnls_residual(k, rows, cols);
        const int enter = norm > small ? best_column(k, rows, cols, small) : -1;
        if (enter < 0) {
            memcpy(k->f, k->t, sizeof(double) * (size_t)rows);
            for (int j = 0; j < cols; j++) k->y[j] = fmax(k->y[j], 0.0);
            return norm;
        }
        k->passive[count] = enter;
        k->y[enter] = DBL_MIN; // in the set, though it has not moved yet
        if (!add_column(k, rows, cols, count)) {
            k->y[enter] = -DBL_MIN; // depends on the others: refused until another column moves
            continue;
        }
        const int before = count;
        count = step_back(k, rows, cols, count + 1);
        if (count > before || k->y[enter] != 0.0)
            for (int j = 0; j < cols; j++)
                if (k->y[j] < 0.0) k->y[j] = 0.0;
        if (k->y[enter] == 0.0) k->y[enter] = -DBL_MIN;
    }
    return -1.0;
}
