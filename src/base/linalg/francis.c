/// base/linalg/francis.c: the implicit QR method with two shifts (Francis 1961; Golub and Van Loan, 7.5).
///
/// An eigenvalue, or a pair, splits off at the end of the active block when a subdiagonal entry has become
/// negligible, by the test of M. Ahues and F. Tisseur (A new deflation criterion for the QR algorithm, LAPACK
/// Working Note 122, 1997): what the entry means for the eigenvalues of the 2 x 2 block around it is below
/// rounding, which keeps small eigenvalues of graded matrices.
#include "base/linalg/francis.h"

#include <float.h>
#include <math.h>

#include "base/linalg/kernel.h"

enum { MAX_SWEEPS = 60 };                         // for one eigenvalue or pair
static const double TINY = DBL_MIN / DBL_EPSILON; // entries below are zero, whatever is beside them

typedef struct francis {
    int stride, low, high; // active rows and columns, both included
    double *H;
} francis;

static inline double at(const francis *f, int i, int j)
{
    return row_in(f->H, f->stride, i)[j];
}

// ---------------------------------------------------------------------------------------------- deflation

static bool is_negligible(const francis *f, int k)
{
    const double below = fabs(at(f, k, k - 1)), above = fabs(at(f, k - 1, k));
    if (below <= TINY) return true;
    const double one = at(f, k, k), other = at(f, k - 1, k - 1);
    double size = fabs(one) + fabs(other);
    if (size == 0.0) {
        if (k - 2 >= f->low) size += fabs(at(f, k - 1, k - 2));
        if (k + 1 <= f->high) size += fabs(at(f, k + 1, k));
    }
    if (below > DBL_EPSILON * size) return false;
    const double most = fmax(below, above), least = fmin(below, above);
    const double far = fmax(fabs(one), fabs(other - one)), near = fmin(fabs(one), fabs(other - one));
    const double sum = far + most;
    return least * (most / sum) <= fmax(TINY, DBL_EPSILON * (near * (far / sum)));
}

// first row of the last block that does not fall apart
static int find_start(const francis *f)
{
    int k = f->high;
    while (k > f->low && !is_negligible(f, k)) k--;
    return k;
}

// ------------------------------------------------------------------------------------------------- shifts

/// Two eigenvalues: a pair, or two real ones.
typedef struct couple {
    double re[2], im;
} couple;

// eigenvalues of [a b; c d], the real one nearer to d last
static couple eigenvalues_of_two(double a, double b, double c, double d)
{
    const double size = fmax(fmax(fabs(a), fabs(b)), fmax(fabs(c), fabs(d)));
    if (size == 0.0) return (couple){ 0 };
    const double half = 0.5 * (a / size - d / size), product = (b / size) * (c / size),
                 square = half * half + product;
    if (square < 0.0) return (couple){ { d + half * size, d + half * size }, size * sqrt(-square) };
    const double sum = half + copysign(sqrt(square), half);
    if (sum == 0.0) return (couple){ { d, d }, 0.0 };
    return (couple){ { d + size * sum, d - size * (product / sum) }, 0.0 };
}

// Those of the last 2 x 2 block, twice the nearer one where they are real; others where that goes round in a
// circle (the factors are those of Wilkinson's program: any that fit no pattern will do)
static couple choose_shifts(const francis *f, int sweep)
{
    const int h = f->high;
    if (sweep % 20 == 10) {
        const double size = fabs(at(f, f->low + 1, f->low)) + fabs(at(f, f->low + 2, f->low + 1)),
                     middle = 0.75 * size + at(f, f->low, f->low);
        return eigenvalues_of_two(middle, -0.4375 * size, size, middle);
    }
    if (sweep % 20 == 0 && sweep > 0) {
        const double size = fabs(at(f, h, h - 1)) + fabs(at(f, h - 1, h - 2)),
                     middle = 0.75 * size + at(f, h, h);
        return eigenvalues_of_two(middle, -0.4375 * size, size, middle);
    }
    couple s = eigenvalues_of_two(at(f, h - 1, h - 1), at(f, h - 1, h), at(f, h, h - 1), at(f, h, h));
    if (s.im == 0.0) s.re[0] = s.re[1];
    return s;
}

// ------------------------------------------------------------------------------------------------- sweeps

// direction of the first column of (H - s1)(H - s2) at row k
static void first_column(const francis *f, const couple *s, int k, double x[3])
{
    const double h = at(f, k, k), below = at(f, k + 1, k);
    const double size = fabs(h - s->re[1]) + fabs(s->im) + fabs(below);
    const double part = below / size;
    x[0] = part * at(f, k, k + 1) + (h - s->re[0]) * ((h - s->re[1]) / size) + s->im * (s->im / size);
    x[1] = part * (h + at(f, k + 1, k + 1) - s->re[0] - s->re[1]);
    x[2] = part * at(f, k + 2, k + 1);
    const double sum = fabs(x[0]) + fabs(x[1]) + fabs(x[2]);
    if (sum == 0.0) return;
    for (int c = 0; c < 3; c++) x[c] /= sum;
}

// The bulge begins at the last row where two small subdiagonal entries in a row would hide it
static int find_bulge(const francis *f, const couple *s, double x[3])
{
    int k = f->high - 2;
    for (;; k--) {
        first_column(f, s, k, x);
        if (k == f->low) return k;
        const double left = fabs(at(f, k, k - 1)) * (fabs(x[1]) + fabs(x[2]));
        const double around = fabs(at(f, k - 1, k - 1)) + fabs(at(f, k, k)) + fabs(at(f, k + 1, k + 1));
        if (left <= DBL_EPSILON * fabs(x[0]) * around) return k;
    }
}

// I - tau (1, v, w)(1, v, w)' takes x to a multiple of (1, 0, 0), which is returned. Entries are in the range
// of range.h, so squares do not overflow; where they would underflow, x is brought near 1 first
static double reflector_of_three(const double x[3], double *tau, double *v, double *w)
{
    double a = x[0], b = x[1], c = x[2], unit = 1.0, sum = a * a + b * b + c * c;
    *tau = *v = *w = 0.0;
    if (b == 0.0 && c == 0.0) return a;
    if (!(sum > 0x1p-900)) {
        unit = fmax(fabs(a), fmax(fabs(b), fabs(c)));
        a /= unit, b /= unit, c /= unit;
        sum = a * a + b * b + c * c;
    }
    const double length = copysign(sqrt(sum), a), divisor = a + length;
    *tau = divisor / length;
    *v = b / divisor;
    *w = c / divisor;
    return -length * unit;
}

static void reflect_rows(int count, double *restrict p, double *restrict q, double *restrict r, double tau,
                         double v, double w)
{
    const double tau_v = tau * v, tau_w = tau * w;
    int k = 0;
    for (; k + 4 <= count; k += 4)
        for (int c = k; c < k + 4; c++) {
            const double sum = p[c] + v * q[c] + w * r[c];
            p[c] -= sum * tau;
            q[c] -= sum * tau_v;
            r[c] -= sum * tau_w;
        }
    for (; k < count; k++) {
        const double sum = p[k] + v * q[k] + w * r[k];
        p[k] -= sum * tau;
        q[k] -= sum * tau_v;
        r[k] -= sum * tau_w;
    }
}

static void reflect_columns(int rows, double *restrict A, int stride, double tau, double v, double w)
{
    const double tau_v = tau * v, tau_w = tau * w;
    for (int i = 0; i < rows; i++, A += stride) {
        const double sum = A[0] + v * A[1] + w * A[2];
        A[0] -= sum * tau;
        A[1] -= sum * tau_v;
        A[2] -= sum * tau_w;
    }
}

// the last reflection of a sweep, of two rows and columns
static void reflect_last_two(const francis *f, int start)
{
    const int k = f->high - 1;
    double *p = row_of(f->H, f->stride, k), *q = p + f->stride, tau, v, w;
    const double x[3] = { p[k - 1], q[k - 1], 0.0 };
    p[k - 1] = reflector_of_three(x, &tau, &v, &w);
    q[k - 1] = 0.0;
    for (int c = k; c <= f->high; c++) {
        const double sum = p[c] + v * q[c];
        p[c] -= sum * tau;
        q[c] -= sum * (tau * v);
    }
    for (int i = start; i <= f->high; i++) {
        double *row = row_of(f->H, f->stride, i) + k;
        const double sum = row[0] + v * row[1];
        row[0] -= sum * tau;
        row[1] -= sum * (tau * v);
    }
}

// The bulge is made at row `start` and chased down the diagonal. Within the active block: what is right of it
// and above it has no part in its eigenvalues
static void sweep_down(const francis *f, int start, double x[3])
{
    const int s = f->stride;
    for (int k = start; k + 2 <= f->high; k++) {
        double *p = row_of(f->H, s, k), *q = p + s, *r = q + s, tau, v, w;
        if (k > start) x[0] = p[k - 1], x[1] = q[k - 1], x[2] = r[k - 1];
        const double head = reflector_of_three(x, &tau, &v, &w);
        if (k > start)
            p[k - 1] = head, q[k - 1] = r[k - 1] = 0.0;
        else if (k > f->low)
            p[k - 1] -= p[k - 1] * tau; // the entries below are too small to be seen
        reflect_rows(f->high - k + 1, p + k, q + k, r + k, tau, v, w);
        const int last = k + 3 < f->high ? k + 3 : f->high;
        reflect_columns(last - f->low + 1, row_of(f->H, s, f->low) + k, s, tau, v, w);
    }
    reflect_last_two(f, f->low);
}

bool slip_francis(int n, double *H, int stride, double *re, double *im)
{
    francis f = { .stride = stride, .high = n - 1, .H = H };
    int sweep = 0;
    while (f.high >= 0) {
        f.low = 0;
        f.low = find_start(&f);
        const int h = f.high;
        if (f.low == h) {
            re[h] = at(&f, h, h), im[h] = 0.0;
            f.high -= 1, sweep = 0;
        } else if (f.low == h - 1) {
            const couple c =
                eigenvalues_of_two(at(&f, h - 1, h - 1), at(&f, h - 1, h), at(&f, h, h - 1), at(&f, h, h));
            re[h - 1] = c.re[0], re[h] = c.re[1];
            im[h - 1] = c.im, im[h] = 0.0 - c.im;
            f.high -= 2, sweep = 0;
        } else {
            if (sweep == MAX_SWEEPS) return false;
            double x[3];
            const couple shifts = choose_shifts(&f, sweep++);
            sweep_down(&f, find_bulge(&f, &shifts, x), x);
        }
    }
    return true;
}
