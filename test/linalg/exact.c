/// exact.c: see exact.h.
#include "exact.h"

#ifndef SLIP_HAVE_MPFR

bool exact_is_there(void)
{
    return false;
}

double exact_dot(int n, const double *a, int of_a, const double *b, int of_b, double c, double d)
{
    long double sum = (long double)c * d;
    for (int k = 0; k < n; k++) sum += (long double)a[k * of_a] * b[k * of_b];
    return (double)sum;
}

double exact_least_singular_value(int n, const double *A)
{
    (void)n, (void)A;
    return 0.0;
}

void exact_singular_values(int n, const double *A, double *value)
{
    (void)n, (void)A, (void)value;
}

void exact_shortest(int n, int rank, const double *B, const double *C, const double *b, double *x)
{
    (void)n, (void)rank, (void)B, (void)C, (void)b, (void)x;
}

#else

#include <mpfr.h>
#include <stdlib.h>

enum { BITS = 320 };

bool exact_is_there(void)
{
    return true;
}

static mpfr_t *numbers(int count)
{
    mpfr_t *x = malloc((size_t)(count > 0 ? count : 1) * sizeof *x);
    if (!x) abort();
    for (int k = 0; k < count; k++) {
        mpfr_init2(x[k], BITS);
        mpfr_set_zero(x[k], 1);
    }
    return x;
}

static void forget(mpfr_t *x, int count)
{
    for (int k = 0; k < count; k++) mpfr_clear(x[k]);
    free(x);
}

// sum += a b, or sum -= a b
static void gather(mpfr_t sum, mpfr_t a, mpfr_t b, bool plus, mpfr_t work)
{
    mpfr_mul(work, a, b, MPFR_RNDN);
    (plus ? mpfr_add : mpfr_sub)(sum, sum, work, MPFR_RNDN);
}

double exact_dot(int n, const double *a, int of_a, const double *b, int of_b, double c, double d)
{
    mpfr_t sum, one, work;
    mpfr_inits2(BITS, sum, one, work, (mpfr_ptr)0);
    mpfr_set_d(sum, c, MPFR_RNDN);
    mpfr_mul_d(sum, sum, d, MPFR_RNDN);
    for (int k = 0; k < n; k++) {
        mpfr_set_d(one, a[k * of_a], MPFR_RNDN);
        mpfr_mul_d(work, one, b[k * of_b], MPFR_RNDN);
        mpfr_add(sum, sum, work, MPFR_RNDN);
    }
    const double result = mpfr_get_d(sum, MPFR_RNDN);
    mpfr_clears(sum, one, work, (mpfr_ptr)0);
    return result;
}

// ------------------------------------------------------------------------------------------------
// elimination

// P M = L U; false when a pivot is zero
static bool eliminate(int n, mpfr_t *M, int *pivot, mpfr_t work)
{
    for (int j = 0; j < n; j++) {
        int best = j;
        for (int i = j + 1; i < n; i++)
            if (mpfr_cmpabs(M[i * n + j], M[best * n + j]) > 0) best = i;
        pivot[j] = best;
        if (mpfr_zero_p(M[best * n + j])) return false;
        for (int k = 0; k < n; k++) mpfr_swap(M[j * n + k], M[best * n + k]);
        for (int i = j + 1; i < n; i++) {
            mpfr_div(M[i * n + j], M[i * n + j], M[j * n + j], MPFR_RNDN);
            for (int k = j + 1; k < n; k++) gather(M[i * n + k], M[i * n + j], M[j * n + k], false, work);
        }
    }
    return true;
}

static void solve(int n, mpfr_t *M, const int *pivot, mpfr_t *x, mpfr_t work)
{
    for (int j = 0; j < n; j++) mpfr_swap(x[j], x[pivot[j]]);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++) gather(x[i], M[i * n + k], x[k], false, work);
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) gather(x[i], M[i * n + k], x[k], false, work);
        mpfr_div(x[i], x[i], M[i * n + i], MPFR_RNDN);
    }
}

static void solve_transposed(int n, mpfr_t *M, const int *pivot, mpfr_t *x, mpfr_t work)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) gather(x[i], M[k * n + i], x[k], false, work);
        mpfr_div(x[i], x[i], M[i * n + i], MPFR_RNDN);
    }
    for (int i = n - 1; i >= 0; i--)
        for (int k = i + 1; k < n; k++) gather(x[i], M[k * n + i], x[k], false, work);
    for (int j = n - 1; j >= 0; j--) mpfr_swap(x[j], x[pivot[j]]);
}

// x := x / |x|; length := |x|
static void normalise(int n, mpfr_t *x, mpfr_t length, mpfr_t work)
{
    mpfr_set_zero(length, 1);
    for (int k = 0; k < n; k++) gather(length, x[k], x[k], true, work);
    mpfr_sqrt(length, length, MPFR_RNDN);
    for (int k = 0; k < n; k++) mpfr_div(x[k], x[k], length, MPFR_RNDN);
}

// |(A' A)^-1 x| for |x| = 1 is 1 / value^2 at the most, and comes near it after a few rounds
double exact_least_singular_value(int n, const double *A)
{
    enum { ROUNDS = 6 };
    mpfr_t *M = numbers(n * n), *x = numbers(n), length, work;
    int *pivot = malloc((size_t)(n + 1) * sizeof *pivot);
    double least = 0.0;
    if (!pivot) abort();
    mpfr_inits2(BITS, length, work, (mpfr_ptr)0);
    for (int k = 0; k < n * n; k++) mpfr_set_d(M[k], A[k], MPFR_RNDN);
    for (int k = 0; k < n; k++) mpfr_set_d(x[k], 1.0 + (k * 7 % 5) / 8.0, MPFR_RNDN);
    normalise(n, x, length, work);
    if (eliminate(n, M, pivot, work)) {
        for (int round = 0; round < ROUNDS; round++) {
            solve_transposed(n, M, pivot, x, work);
            solve(n, M, pivot, x, work);
            normalise(n, x, length, work);
        }
        mpfr_rec_sqrt(length, length, MPFR_RNDN);
        least = mpfr_get_d(length, MPFR_RNDN);
    }
    mpfr_clears(length, work, (mpfr_ptr)0);
    forget(M, n * n), forget(x, n), free(pivot);
    return least;
}

// ---------------------------------------------------------------------------------------- one-sided Jacobi

// rows p and q of M become orthogonal; whether they were not
static bool orthogonalise(int n, mpfr_t *p, mpfr_t *q, mpfr_t *w)
{
    // w: p p, q q, p q, then zeta, t, c, s
    for (int k = 0; k < 3; k++) mpfr_set_zero(w[k], 1);
    for (int k = 0; k < n; k++) {
        gather(w[0], p[k], p[k], true, w[7]);
        gather(w[1], q[k], q[k], true, w[7]);
        gather(w[2], p[k], q[k], true, w[7]);
    }
    mpfr_mul(w[3], w[0], w[1], MPFR_RNDN);
    mpfr_sqrt(w[3], w[3], MPFR_RNDN);
    mpfr_mul_2si(w[3], w[3], -250, MPFR_RNDN);
    if (mpfr_cmpabs(w[2], w[3]) <= 0) return false;
    mpfr_sub(w[3], w[1], w[0], MPFR_RNDN);
    mpfr_div(w[3], w[3], w[2], MPFR_RNDN);
    mpfr_div_2ui(w[3], w[3], 1, MPFR_RNDN); // zeta
    mpfr_sqr(w[4], w[3], MPFR_RNDN);
    mpfr_add_ui(w[4], w[4], 1, MPFR_RNDN);
    mpfr_sqrt(w[4], w[4], MPFR_RNDN);
    mpfr_abs(w[5], w[3], MPFR_RNDN);
    mpfr_add(w[4], w[4], w[5], MPFR_RNDN);
    mpfr_ui_div(w[4], 1, w[4], MPFR_RNDN);
    if (mpfr_sgn(w[3]) < 0) mpfr_neg(w[4], w[4], MPFR_RNDN); // t
    mpfr_sqr(w[5], w[4], MPFR_RNDN);
    mpfr_add_ui(w[5], w[5], 1, MPFR_RNDN);
    mpfr_rec_sqrt(w[5], w[5], MPFR_RNDN);  // c
    mpfr_mul(w[6], w[5], w[4], MPFR_RNDN); // s
    for (int k = 0; k < n; k++) {
        mpfr_mul(w[0], w[5], p[k], MPFR_RNDN);
        mpfr_mul(w[1], w[6], p[k], MPFR_RNDN);
        gather(w[0], w[6], q[k], false, w[7]);
        gather(w[1], w[5], q[k], true, w[7]);
        mpfr_swap(p[k], w[0]), mpfr_swap(q[k], w[1]);
    }
    return true;
}

static int by_falling(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

void exact_singular_values(int n, const double *A, double *value)
{
    mpfr_t *M = numbers(n * n), *w = numbers(8);
    bool turned = true;
    for (int k = 0; k < n * n; k++) mpfr_set_d(M[k], A[k], MPFR_RNDN);
    for (int sweep = 0; sweep < 60 && turned; sweep++) {
        turned = false;
        for (int i = 0; i < n; i++)
            for (int k = i + 1; k < n; k++) turned = orthogonalise(n, M + i * n, M + k * n, w) || turned;
    }
    for (int i = 0; i < n; i++) {
        mpfr_set_zero(w[0], 1);
        for (int k = 0; k < n; k++) gather(w[0], M[i * n + k], M[i * n + k], true, w[7]);
        mpfr_sqrt(w[0], w[0], MPFR_RNDN);
        value[i] = mpfr_get_d(w[0], MPFR_RNDN);
    }
    qsort(value, (size_t)n, sizeof *value, by_falling);
    forget(M, n * n), forget(w, 8);
}

// -------------------------------------------------------------------------------------------- least squares

// x := (G G')^-1 x for `rank` rows of G, row k of which is G[k * of_row + i * of_column]
static void solve_normal(int n, int rank, const double *G, int of_row, int of_column, mpfr_t *x, mpfr_t work)
{
    mpfr_t *M = numbers(rank * rank), *a = numbers(2);
    int *pivot = malloc((size_t)(rank + 1) * sizeof *pivot);
    if (!pivot) abort();
    for (int i = 0; i < rank; i++)
        for (int j = 0; j < rank; j++)
            for (int k = 0; k < n; k++) {
                mpfr_set_d(a[0], G[i * of_row + k * of_column], MPFR_RNDN);
                mpfr_set_d(a[1], G[j * of_row + k * of_column], MPFR_RNDN);
                gather(M[i * rank + j], a[0], a[1], true, work);
            }
    if (!eliminate(rank, M, pivot, work)) abort();
    solve(rank, M, pivot, x, work);
    forget(M, rank * rank), forget(a, 2), free(pivot);
}

void exact_shortest(int n, int rank, const double *B, const double *C, const double *b, double *x)
{
    mpfr_t *y = numbers(rank), *a = numbers(3), work;
    mpfr_init2(work, BITS);
    for (int i = 0; i < rank; i++)
        for (int k = 0; k < n; k++) {
            mpfr_set_d(a[0], B[k * rank + i], MPFR_RNDN);
            mpfr_set_d(a[1], b[k], MPFR_RNDN);
            gather(y[i], a[0], a[1], true, work);
        }
    solve_normal(n, rank, B, 1, rank, y, work);
    solve_normal(n, rank, C, n, 1, y, work);
    for (int k = 0; k < n; k++) {
        mpfr_set_zero(a[2], 1);
        for (int i = 0; i < rank; i++) {
            mpfr_set_d(a[0], C[i * n + k], MPFR_RNDN);
            gather(a[2], a[0], y[i], true, work);
        }
        x[k] = mpfr_get_d(a[2], MPFR_RNDN);
    }
    mpfr_clear(work);
    forget(y, rank), forget(a, 3);
}

#endif
