/// base/linalg/periodic_qr.c: the periodic Schur form of a product of regular factors.
///
/// A. Bojanczyk, G. Golub, P. Van Dooren, The periodic Schur decomposition: algorithms and applications
/// (Proc. SPIE 1770, 1992): all factors but the last become triangles, the last a Hessenberg matrix H; a step
/// of the implicit QR method with two shifts on the product is a reflection of rows of H, followed through
/// the columns and rows of all others until it comes back as columns of H.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/linalg/periodic_eigenvalues.h"

enum { MAX_SWEEPS_PER_EIGENVALUE = 60 }; // for one eigenvalue or pair

typedef struct product {
    int n, count;
    double *A, *H; // all factors; the last one
} product;

static double *factor_at(const product *p, int k)
{
    return p->A + (size_t)k * (size_t)(p->n * p->n);
}

// --------------------------------------------------------------------------------------------- reflections

/// I - tau v v', of `size` rows from `at` on; v[0] = 1.
typedef struct reflection {
    int at, size;
    double tau, v[3];
} reflection;

// The reflection that maps x to a multiple of (1, 0, 0).
static reflection make_reflection(int at, int size, const double *x)
{
    reflection r = { .at = at, .size = size, .v = { 1.0 } };
    double tail = size > 2 ? slip_hypot(x[1], x[2]) : fabs(x[1]);
    if (tail == 0.0) return r;
    double length = copysign(slip_hypot(x[0], tail), x[0]);
    r.tau = (length + x[0]) / length;
    for (int i = 1; i < size; i++) r.v[i] = x[i] / (x[0] + length);
    return r;
}

static void apply_reflection(const reflection *r, double *x, int stride)
{
    double sum = 0.0;
    for (int i = 0; i < r->size; i++) sum += r->v[i] * x[i * stride];
    sum *= r->tau;
    for (int i = 0; i < r->size; i++) x[i * stride] -= sum * r->v[i];
}

// columns before `from` have zeros there
static void reflect_rows(const product *p, const reflection *r, double *A, int from)
{
    for (int j = from; j < p->n; j++) apply_reflection(r, A + r->at * p->n + j, p->n);
}

// rows from `end` on have zeros there
static void reflect_columns(const product *p, const reflection *r, double *A, int end)
{
    for (int i = 0; i < end; i++) apply_reflection(r, A + i * p->n + r->at, 1);
}

// a reflection of rows that zeroes column j of A below row `at`; columns before j have zeros there
static reflection clear_column(const product *p, double *A, int at, int size, int j)
{
    double x[3] = { 0 };
    for (int i = 0; i < size; i++) x[i] = A[(at + i) * p->n + j];
    reflection r = make_reflection(at, size, x);
    reflect_rows(p, &r, A, j);
    for (int i = 1; i < size; i++) A[(at + i) * p->n + j] = 0.0;
    return r;
}

// After a reflection of rows of H the same reflection is applied to the columns of the first factor, which is
// made triangular again by reflections of its rows, and so on, until it returns as columns of H.
static void chase_reflection(const product *p, reflection first)
{
    reflection list[2] = { first };
    int many = 1, at = first.at, size = first.size;
    for (int k = 0; k < p->count; k++) {
        double *A = factor_at(p, k);
        for (int i = 0; i < many; i++) reflect_columns(p, &list[i], A, A == p->H ? p->n : at + size);
        if (A == p->H) return;
        many = size - 1;
        for (int i = 0; i < many; i++) list[i] = clear_column(p, A, at + i, size - i, at + i);
    }
}

// ------------------------------------------------------------------------------------ the form to begin with

// Makes factor k triangular, column by column, by reflections of two rows, which are columns of the next
// factor.
static void make_triangle(const product *p, int k)
{
    double *A = factor_at(p, k), *next = factor_at(p, k + 1);
    for (int j = 0; j + 1 < p->n; j++)
        for (int i = p->n - 1; i > j; i--) {
            reflection r = clear_column(p, A, i - 1, 2, j);
            reflect_columns(p, &r, next, p->n);
        }
}

static void make_hessenberg(const product *p)
{
    for (int k = 0; k + 1 < p->count; k++) make_triangle(p, k);
    for (int j = 0; j + 2 < p->n; j++)
        for (int i = p->n - 1; i > j + 1; i--) chase_reflection(p, clear_column(p, p->H, i - 1, 2, j));
}

// --------------------------------------------------------------------------------------- parts of the
// product

// U := the rows and columns from `at` on of the product of all triangles, 3 x 3 at the most; returns the
// exponent by which it was scaled
static int multiply_triangles(const product *p, int at, int size, double U[3][3])
{
    int exponent = 0, n = p->n;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) U[i][j] = i == j;
    for (int k = 0; k + 1 < p->count; k++) {
        const double *A = factor_at(p, k) + at * n + at;
        double most = 0.0;
        int shift = 0;
        for (int i = 0; i < size; i++) // a row needs only those below it
            for (int j = size - 1; j >= i; j--) {
                double sum = 0.0;
                for (int l = i; l <= j; l++) sum += A[i * n + l] * U[l][j];
                U[i][j] = sum;
                most = fmax(most, fabs(sum));
            }
        if (most > 0.0) frexp(most, &shift);
        for (int i = 0; i < size; i++)
            for (int j = i; j < size; j++) U[i][j] = ldexp(U[i][j], -shift);
        exponent += shift;
    }
    return exponent;
}

// P := rows `row` on of the product, columns `column` on; `rows` x 2 numbers. Sums begin at column `from`
static int product_corner(const product *p, int row, int rows, int from, int column, double P[3][2])
{
    double U[3][3];
    int size = column + 2 - from, exponent = multiply_triangles(p, from, size, U);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < 2; j++) {
            int last = column + j - from;
            P[i][j] = 0.0;
            for (int l = 0; l <= last; l++) P[i][j] += p->H[(row + i) * p->n + from + l] * U[l][last];
        }
    return exponent;
}

// the product of the diagonal entries of all triangles
static slip_scaled_complex diagonal_product(const product *p, int i)
{
    slip_scaled_complex value = { 1.0, 0.0, 0 };
    for (int k = 0; k + 1 < p->count; k++)
        value = slip_scaled_complex_of(value.re * factor_at(p, k)[i * p->n + i], 0.0, value.exponent);
    return value;
}

// -------------------------------------------------------------------------------------------------- sweeps

// the first column of (P - s)(P - s') but for a factor, where s and s' are the eigenvalues of the last corner
static void first_column(const product *p, int low, int high, int sweep, double *x)
{
    double P[3][2], L[3][2];
    int size = product_corner(p, low, 3, low, low, P);
    int last = product_corner(p, high - 1, 2, high - 2, high - 1, L), top = size > last ? size : last;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++) {
            P[i][j] = ldexp(P[i][j], size - top);
            if (i < 2) L[i][j] = ldexp(L[i][j], last - top);
        }
    double a = L[0][0], d = L[1][1], bc = L[0][1] * L[1][0];
    if (sweep % 10 == 9) { // exceptional shifts break a cycle
        double odd = fabs(L[1][0]) + fabs(L[0][1]);
        a = d = d + 0.75 * odd;
        bc = -0.4375 * odd * odd;
    }
    double r = d - P[0][0], s = a - P[0][0];
    x[0] = (r * s - bc) + P[0][1] * P[1][0];
    x[1] = P[1][0] * (P[1][1] - P[0][0] - r - s);
    x[2] = P[1][0] * P[2][1];
    slip_scaled_complex one = slip_scaled_complex_of(x[0], fmax(fabs(x[1]), fabs(x[2])), 0);
    for (int i = 0; i < 3; i++) x[i] = ldexp(x[i], -one.exponent);
}

static void sweep_once(const product *p, int low, int high, int sweep)
{
    double x[3];
    first_column(p, low, high, sweep, x);
    reflection r = make_reflection(low, 3, x);
    reflect_rows(p, &r, p->H, low);
    chase_reflection(p, r);
    for (int j = low; j + 1 < high; j++) {
        int size = high - j < 3 ? high - j : 3;
        chase_reflection(p, clear_column(p, p->H, j + 1, size, j));
    }
}

// The block that ends at `high` begins at the last row whose subdiagonal entry is rounding.
static int find_low(const product *p, int high)
{
    int n = p->n;
    for (int i = high; i > 0; i--) {
        double near = fabs(p->H[i * n + i]) + fabs(p->H[(i - 1) * n + i - 1]);
        double *entry = &p->H[i * n + i - 1];
        if (near == 0.0) near = 1.0;
        if (fabs(*entry) > DBL_EPSILON * near) continue;
        *entry = 0.0;
        return i;
    }
    return 0;
}

// ------------------------------------------------------------------------------------------------- values

static void take_real_eigenvalue(const product *p, int i, slip_scaled_complex *values)
{
    slip_scaled_complex rest = diagonal_product(p, i);
    values[i] = slip_scaled_complex_of(p->H[i * p->n + i] * rest.re, 0.0, rest.exponent);
}

// The smaller of two real eigenvalues is computed from the determinant, a product of determinants, and keeps
// its digits.
static void take_eigenvalue_pair(const product *p, int i, slip_scaled_complex *values)
{
    double P[3][2], *H = p->H + i * p->n + i;
    int exponent = product_corner(p, i, 2, i, i, P);
    double mean = 0.5 * (P[0][0] + P[1][1]), half = 0.5 * (P[0][0] - P[1][1]);
    double square = half * half + P[0][1] * P[1][0];
    if (square < 0.0) {
        values[i] = slip_scaled_complex_of(mean, sqrt(-square), exponent);
        values[i + 1] = slip_scaled_complex_of(mean, -sqrt(-square), exponent);
        return;
    }
    slip_scaled_complex a = diagonal_product(p, i), b = diagonal_product(p, i + 1);
    double determinant = H[0] * H[p->n + 1] - H[1] * H[p->n];
    values[i] = slip_scaled_complex_of(mean + copysign(sqrt(square), mean), 0.0, exponent);
    double first = values[i].re;
    values[i + 1] = slip_scaled_complex_of(first != 0.0 ? determinant / first * a.re * b.re : 0.0, 0.0,
                                           a.exponent + b.exponent - values[i].exponent);
}

bool slip_periodic_qr(int n, int count, double *A, slip_scaled_complex *values)
{
    product p = { .n = n, .count = count, .A = A };
    p.H = factor_at(&p, count - 1);
    make_hessenberg(&p);
    for (int high = n - 1, sweep = 0; high >= 0; sweep++) {
        int low = find_low(&p, high);
        if (sweep > MAX_SWEEPS_PER_EIGENVALUE) return false;
        if (high - low > 1) {
            sweep_once(&p, low, high, sweep);
            continue;
        }
        if (high == low)
            take_real_eigenvalue(&p, low, values);
        else
            take_eigenvalue_pair(&p, low, values);
        high = low - 1;
        sweep = -1;
    }
    return true;
}
