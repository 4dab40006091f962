/// base/linalg/symmetric.c: eigenvalues and eigenvectors of symmetric matrices.
///
/// Reflections make the matrix tridiagonal, rotations then diagonal: the implicit QL method with Wilkinson's
/// shift (Golub and Van Loan, 8.3; Parlett, The Symmetric Eigenvalue Problem, 8). A sweep goes from the end
/// with the larger diagonal entry to the other, so that graded matrices keep their small eigenvalues; in
/// memory, one way is the other with its steps reversed.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/linalg/kernel.h"
#include "base/linalg/linalg.h"
#include "base/linalg/range.h"
#include "base/linalg/reflector.h"
#include "base/linalg/rotation.h"

enum { MAX_SWEEPS = 60 }; // until a piece falls apart

// ------------------------------------------------------------------------------------------- tridiagonal

// y := A v for the symmetric matrix whose lower triangle A holds
static void times_symmetric(int n, const double *A, int stride, const double *v, double *y)
{
    for (int i = 0; i < n; i++) {
        const double *row = row_in(A, stride, i);
        y[i] = row[i] * v[i] + dot(i, row, v);
        subtract(i, y, -v[i], row);
    }
}

// A := H A H in the leading i rows and columns; H from v, with the 1 in its last place
static void reflect_both_sides(int n, double *A, int stride, const double *v, double tau, double *w)
{
    times_symmetric(n, A, stride, v, w);
    const double half = 0.5 * tau * tau * dot(n, w, v);
    for (int k = 0; k < n; k++) w[k] = tau * w[k] - half * v[k];
    for (int i = 0; i < n; i++) subtract_two(i + 1, row_of(A, stride, i), v[i], w, w[i], v);
}

// From the last row up: row i becomes (0, e, d), and holds v of its reflection before them until V is formed
static void make_tridiagonal(int n, double *A, double *d, double *e, double *tau, double *work)
{
    for (int i = n - 1; i > 0; i--) {
        double *v = row_of(A, n, i);
        d[i] = v[i];
        tau[i] = slip_reflector(i - 1, &v[i - 1], v);
        e[i - 1] = v[i - 1];
        v[i - 1] = 1.0;
        if (tau[i] != 0.0) reflect_both_sides(i, A, n, v, tau[i], work);
    }
    d[0] = A[0];
}

// A := the product of all reflections, one row per column of it; grows from the first row and column
static void form_vectors(int n, double *A, const double *tau)
{
    A[0] = 1.0;
    for (int i = 1; i < n; i++) {
        double *row = row_of(A, n, i);
        slip_reflect_right(i, i, A, n, row, tau[i]);
        memset(row, 0, (size_t)i * sizeof *row);
        row[i] = 1.0;
        for (int k = 0; k < i; k++) row_of(A, n, k)[i] = 0.0;
    }
}

// ----------------------------------------------------------------------------------------------- diagonal

/// A piece of the diagonal, seen from the end at which sweeps begin: entry k is d[k * step].
typedef struct piece {
    int count; // entries; one less besides the diagonal
    ptrdiff_t step;
    double *d, *e;
} piece;

static bool is_negligible(const double *d, const double *e, int k)
{
    return fabs(e[k]) <= DBL_EPSILON * (fabs(d[k]) + fabs(d[k + 1])) || fabs(e[k]) < DBL_MIN;
}

// the eigenvalue of the 2 x 2 block at the far end that is nearer to its last entry
static double choose_shift(double before, double beside, double last)
{
    const double half = 0.5 * (before - last);
    if (half == 0.0) return last - fabs(beside);
    const double part = beside / (half + copysign(slip_hypot(half, beside), half));
    return last - beside * part;
}

// The bulge goes from the near end to the far one, where e becomes small; c and s are the rotations of
// neighbours
static void sweep_along(const piece *p, double *c, double *s)
{
    const ptrdiff_t t = p->step;
    double *d = p->d, *e = p->e;
    const ptrdiff_t far = (p->count - 1) * t;
    const double shift = choose_shift(d[far - t], e[far - t], d[far]);
    double x = d[0] - shift, y = e[0];
    for (int k = 0; k + 1 < p->count; k++, d += t, e += t) {
        const double r = slip_rotation(x, y, &c[k], &s[k]);
        if (k > 0) e[-t] = r;
        // [c s; -s c] [d e; e d] [c -s; s c]
        const double one = d[0], other = d[t], between = e[0];
        const double turned = s[k] * (other - one) + 2.0 * c[k] * between, moved = s[k] * turned;
        d[0] = one + moved;
        d[t] = other - moved;
        e[0] = c[k] * turned - between;
        if (k + 2 < p->count) {
            x = e[0];
            y = s[k] * e[t];
            e[t] *= c[k];
        }
    }
}

static bool make_diagonal(int n, double *d, double *e, double *V, double *c, double *s)
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
        if (low != top || high != end) { // another piece
            top = low, end = high, sweep = 0;
            down = fabs(d[low]) >= fabs(d[high]);
        }
        if (sweep++ == MAX_SWEEPS) return false;
        const piece p = down ? (piece){ high - low + 1, 1, d + low, e + low }
                             : (piece){ high - low + 1, -1, d + high, e + high - 1 };
        sweep_along(&p, c, s);
        slip_rotate_rows(high - low, c, s, n, row_of(V, n, down ? low : high), p.step * n);
    }
    return true;
}

// by insertion of the least: vectors change places at most once each
static void sort_rising(int n, double *value, double *V)
{
    for (int i = 0; i + 1 < n; i++) {
        int least = i;
        for (int k = i + 1; k < n; k++)
            if (value[k] < value[least]) least = k;
        if (least == i) continue;
        const double keep = value[i];
        value[i] = value[least], value[least] = keep;
        swap_rows(n, row_of(V, n, i), row_of(V, n, least));
    }
}

bool slip_symmetric_eigen(int n, double *A, double *value, double *work)
{
    if (n == 0) return true;
    int exponent;
    double *e = work, *c = work + n, *s = work + 2 * n;
    for (int i = 0; i < n; i++) // the upper triangle does not count
        for (int k = i + 1; k < n; k++) row_of(A, n, i)[k] = 0.0;
    if (!slip_range_enter((size_t)n * (size_t)n, A, &exponent)) return false;
    make_tridiagonal(n, A, value, e, c, s);
    form_vectors(n, A, c);
    if (!make_diagonal(n, value, e, A, c, s)) return false;
    sort_rising(n, value, A);
    slip_range_leave(n, value, exponent);
    return true;
}
