/// base/linalg/svd.c: singular values and right singular vectors.
///
/// Reflections from both sides make the matrix bidiagonal (Golub and Kahan 1965; Golub and Van Loan, 5.4),
/// rotations then diagonal: the implicit QR method for B'B without ever forming it (8.6), with the sweep
/// without shift of J. Demmel and W. Kahan (Accurate singular values of bidiagonal matrices, SIAM J. Sci.
/// Stat. Comput. 11, 1990) where the block is as good as singular. A sweep begins at the end with the larger
/// entry; from below it is the same sweep on the transposed matrix with its rows and columns reversed, and
/// left and right rotations change their roles.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/linalg/kernel.h"
#include "base/linalg/linalg.h"
#include "base/linalg/range.h"
#include "base/linalg/reflector.h"
#include "base/linalg/rotation.h"

enum { MAX_SWEEPS = 100 }; // until a block falls apart

// ---------------------------------------------------------------------------------------------- bidiagonal

// B = Q A P with d on its diagonal and e above; row k of A holds v of the k-th reflection from the right
// behind its diagonal, tau[k] belongs to it
static void make_bidiagonal(int n, double *A, double *d, double *e, double *tau, double *work)
{
    double *v = work, *sums = work + n;
    for (int k = 0; k < n; k++) {
        const int rest = n - k - 1;
        double *row = row_of(A, n, k);
        for (int i = 0; i <= rest; i++) v[i] = row_in(A, n, k + i)[k];
        const double left = slip_reflector(rest, &v[0], &v[1]);
        d[k] = v[0];
        v[0] = 1.0;
        slip_reflect_left(rest + 1, rest, row + k + 1, n, v, left, sums);
        if (rest == 0) break;
        tau[k] = slip_reflector(rest - 1, &row[k + 1], &row[k + 2]);
        e[k] = row[k + 1];
        row[k + 1] = 1.0;
        slip_reflect_right(rest, rest, row + n + k + 1, n, row + k + 1, tau[k]);
    }
}

// V := the product of the reflections from the right, one row per column of it; grows from the last row and
// column
static void form_vectors(int n, const double *A, const double *tau, double *V)
{
    memset(V, 0, (size_t)n * (size_t)n * sizeof *V);
    for (int k = n - 1; k >= 0; k--) {
        const int size = n - k - 1;
        double *diagonal = row_of(V, n, k) + k;
        *diagonal = 1.0;
        if (size > 0) slip_reflect_right(size, size, diagonal + n + 1, n, row_in(A, n, k) + k + 1, tau[k]);
    }
}

// ------------------------------------------------------------------------------------------------ diagonal

/// A block of B, seen from the end at which a sweep begins.
typedef struct piece {
    int count;
    ptrdiff_t step; // 1 from above, -1 from below
    double *d, *e;
} piece;

/// Rotations of a sweep that come from the two sides of what it sees.
typedef struct turns {
    double *c_right, *s_right, *c_left, *s_left;
} turns;

static bool is_negligible(const double *d, const double *e, int k)
{
    return fabs(e[k]) <= DBL_EPSILON * (fabs(d[k]) + fabs(d[k + 1])) || fabs(e[k]) < DBL_MIN;
}

// the smaller singular value of [f g; 0 h]
static double smaller_of_two(double f, double g, double h)
{
    const double a = fmax(fabs(f), fabs(h)), b = fmin(fabs(f), fabs(h)), c = fabs(g);
    if (b == 0.0) return 0.0;
    // half the sum of both values is half of |(a + b, c)| + |(a - b, c)|; their product is a b
    const double sum = 0.5 * (slip_hypot(a + b, c) + slip_hypot(a - b, c));
    return b * (a / sum);
}

// A bound from below for the least singular value of the block, up to a factor of its size, beside its
// largest entry (Demmel and Kahan, section 2): whether the block is singular to working precision
static bool is_singular(const piece *p)
{
    const double *d = p->d, *e = p->e;
    double most = fabs(*d), least = most, mu = most;
    for (int k = 1; k < p->count; k++) {
        const double beside = fabs(*e);
        d += p->step, e += p->step;
        if (mu > 0.0) mu = fabs(*d) * (mu / (mu + beside));
        least = fmin(least, mu);
        most = fmax(most, fmax(fabs(*d), beside));
    }
    return least <= DBL_EPSILON * most;
}

static void sweep_with_shift(const piece *p, double shift, const turns *w)
{
    const ptrdiff_t t = p->step;
    double *d = p->d, *e = p->e;
    // the first column of B'B - shift^2, divided by d
    double x = (fabs(*d) - shift) * (copysign(1.0, *d) + shift / *d), y = *e;
    for (int k = 0; k + 1 < p->count; k++, d += t, e += t) {
        double c, s, r = slip_rotation(x, y, &c, &s);
        w->c_right[k] = c, w->s_right[k] = s;
        if (k > 0) e[-t] = r;
        x = c * d[0] + s * e[0];
        e[0] = c * e[0] - s * d[0];
        y = s * d[t];
        d[t] *= c;
        d[0] = slip_rotation(x, y, &c, &s);
        w->c_left[k] = c, w->s_left[k] = s;
        x = c * e[0] + s * d[t];
        d[t] = c * d[t] - s * e[0];
        e[0] = x;
        if (k + 2 < p->count) {
            y = s * e[t];
            e[t] *= c;
        }
    }
}

// Shift 0 without any subtraction: small entries keep all their digits, and a zero on the diagonal makes the
// last e zero
static void sweep_without_shift(const piece *p, const turns *w)
{
    const ptrdiff_t t = p->step;
    double *d = p->d, *e = p->e, c = 1.0, old_c = 1.0, s = 0.0, old_s = 0.0;
    for (int k = 0; k + 1 < p->count; k++, d += t, e += t) {
        const double r = slip_rotation(*d * c, *e, &c, &s);
        w->c_right[k] = c, w->s_right[k] = s;
        if (k > 0) e[-t] = old_s * r;
        *d = slip_rotation(old_c * r, d[t] * s, &old_c, &old_s);
        w->c_left[k] = old_c, w->s_left[k] = old_s;
    }
    const double h = *d * c;
    *d = h * old_c;
    e[-t] = h * old_s;
}

static void sweep_along(const piece *p, const turns *w)
{
    const ptrdiff_t far = (p->count - 1) * p->step;
    const double shift = smaller_of_two(p->d[far - p->step], p->e[far - p->step], p->d[far]);
    const double part = shift / p->d[0];
    if (is_singular(p) || !(part * part > DBL_EPSILON))
        sweep_without_shift(p, w);
    else
        sweep_with_shift(p, shift, w);
}

static bool make_diagonal(int n, double *d, double *e, double *V, const turns *w)
{
    int sweep = 0, top = -1, end = -1;
    bool down = true;
    for (int high = n - 1; high > 0;) {
        if (is_negligible(d, e, high - 1)) {
            high--;
            continue;
        }
        int low = high - 1;
        while (low > 0 && !is_negligible(d, e, low - 1)) low--;
        if (low != top || high != end) { // another block
            top = low, end = high, sweep = 0;
            down = fabs(d[low]) >= fabs(d[high]);
        }
        if (sweep++ == MAX_SWEEPS) return false;
        const piece p = down ? (piece){ high - low + 1, 1, d + low, e + low }
                             : (piece){ high - low + 1, -1, d + high, e + high - 1 };
        sweep_along(&p, w);
        slip_rotate_rows(high - low, down ? w->c_right : w->c_left, down ? w->s_right : w->s_left, n,
                         row_of(V, n, down ? low : high), p.step * n);
    }
    return true;
}

// ------------------------------------------------------------------------------------------------- results

static void make_positive(int n, double *value, double *V)
{
    for (int i = 0; i < n; i++) {
        if (!signbit(value[i])) continue;
        value[i] = -value[i];
        for (int k = 0; k < n; k++) row_of(V, n, i)[k] = -row_of(V, n, i)[k];
    }
}

static void sort_falling(int n, double *value, double *V)
{
    for (int i = 0; i + 1 < n; i++) {
        int most = i;
        for (int k = i + 1; k < n; k++)
            if (value[k] > value[most]) most = k;
        if (most == i) continue;
        const double keep = value[i];
        value[i] = value[most], value[most] = keep;
        swap_rows(n, row_of(V, n, i), row_of(V, n, most));
    }
}

bool slip_svd(int n, double *A, double *value, double *V, double *work)
{
    if (n == 0) return true;
    int exponent;
    double *e = work, *tau = work + n;
    const turns w = { work + n, work + 2 * n, work + 3 * n, work + 4 * n };
    if (!slip_range_enter((size_t)n * (size_t)n, A, &exponent)) return false;
    make_bidiagonal(n, A, value, e, tau, work + 2 * n);
    form_vectors(n, A, tau, V);
    if (!make_diagonal(n, value, e, V, &w)) return false;
    make_positive(n, value, V);
    sort_falling(n, value, V);
    slip_range_leave(n, value, exponent);
    return true;
}
