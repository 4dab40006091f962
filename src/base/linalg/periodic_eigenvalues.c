/// base/linalg/periodic_eigenvalues.c: eigenvalues of a product: those that are exactly zero first, the others by periodic QR.
#include "base/linalg/periodic_eigenvalues.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/linalg/dense_tolerances.h"
#include "base/linalg/vectors.h"

slip_scaled_complex slip_scaled_complex_of(double re, double im, int exponent)
{
    double size = fmax(fabs(re), fabs(im));
    int shift = 0;
    if (!(size > 0.0) || !isfinite(size)) return (slip_scaled_complex){ re, im, 0 };
    frexp(size, &shift);
    return (slip_scaled_complex){ ldexp(re, -shift), ldexp(im, -shift), exponent + shift };
}

static bool has_larger_modulus(const slip_scaled_complex *x, const slip_scaled_complex *y)
{
    double a = slip_hypot(x->re, x->im), b = slip_hypot(y->re, y->im);
    if (a == 0.0 || b == 0.0) return a > b;
    if (abs(x->exponent - y->exponent) > 2) return x->exponent > y->exponent;
    b = ldexp(b, y->exponent - x->exponent);
    if (fabs(a - b) > EQUAL_MODULUS_RELATIVE * fmax(a, b)) return a > b;
    return x->im > ldexp(y->im, y->exponent - x->exponent);
}

// By decreasing modulus; moduli that differ by rounding alone are equal.
static void sort_by_modulus(int n, slip_scaled_complex *values)
{
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && has_larger_modulus(&values[k], &values[k - 1]); k--) {
            slip_scaled_complex kept = values[k];
            values[k] = values[k - 1];
            values[k - 1] = kept;
        }
}

// ------------------------------------------------------------------------------------------- exact zeros

/// A basis of the range of the product up to a factor: r columns, stored one after the other, n numbers each.
typedef struct basis {
    int n, count, rank;
    const double *A;
    double *V, *W, *first; // W: image of V under a factor; first: V before the first factor
} basis;

static void subtract_multiple(int n, double factor, const double *x, double *y)
{
    for (int i = 0; i < n; i++) y[i] -= factor * x[i];
}

// W := A_k V
static void apply_factor(basis *b, int k)
{
    int n = b->n;
    const double *A = b->A + (size_t)k * (size_t)(n * n);
    for (int j = 0; j < b->rank; j++)
        for (int i = 0; i < n; i++) b->W[j * n + i] = dot_product(n, A + i * n, b->V + j * n);
}

static int longest_column(int n, int from, int to, const double *W)
{
    int best = from;
    for (int j = from + 1; j < to; j++)
        if (dot_product(n, W + j * n, W + j * n) > dot_product(n, W + best * n, W + best * n)) best = j;
    return best;
}

// V := orthonormal columns that span W: Gram-Schmidt, twice, the longest column first; the rank falls if no
// more than `forgotten` is left of a column.
static void orthonormalize(basis *b, double *W, double forgotten)
{
    int n = b->n, rank = 0;
    for (; rank < b->rank; rank++) {
        double *v = b->V + rank * n, *from = W + longest_column(n, rank, b->rank, W) * n;
        memcpy(v, from, (size_t)n * sizeof *v);
        memcpy(from, W + rank * n, (size_t)n * sizeof *v);
        for (int j = 0; j < rank; j++) subtract_multiple(n, dot_product(n, b->V + j * n, v), b->V + j * n, v);
        double length = sqrt(dot_product(n, v, v));
        if (!(length > forgotten)) break;
        for (int i = 0; i < n; i++) v[i] /= length;
        for (int j = rank + 1; j < b->rank; j++)
            subtract_multiple(n, dot_product(n, v, W + j * n), v, W + j * n);
    }
    b->rank = rank;
}

// Cycles through all factors until none loses a direction: the range of the n-th power of the product.
static void find_range(basis *b)
{
    int n = b->n, before;
    b->rank = n;
    memset(b->V, 0, (size_t)(n * n) * sizeof *b->V);
    for (int i = 0; i < n; i++) b->V[i * n + i] = 1.0;
    do {
        before = b->rank;
        for (int k = 0; k < b->count; k++) {
            apply_factor(b, k);
            orthonormalize(b, b->W, RANK_TOLERANCE);
        }
    } while (b->rank < before && b->rank > 0);
}

// B_k = V_(k+1)' A_k V_k, r x r: the factors within the range, which are regular
static void restrict_factors(basis *b, double *B, double *copy)
{
    int n = b->n, r = b->rank;
    memcpy(b->first, b->V, (size_t)(n * r) * sizeof *b->V);
    for (int k = 0; k < b->count; k++) {
        apply_factor(b, k);
        memcpy(copy, b->W, (size_t)(n * r) * sizeof *copy);
        if (k + 1 < b->count) orthonormalize(b, copy, 0.0);
        const double *next = k + 1 < b->count ? b->V : b->first;
        for (int i = 0; i < r; i++)
            for (int j = 0; j < r; j++)
                B[(size_t)k * (size_t)(r * r) + (size_t)(i * r + j)] =
                    dot_product(n, next + i * n, b->W + j * n);
    }
}

// ----------------------------------------------------------------------------------------------------- all

// Scales by powers of 2, so that the largest entry of each factor is in [0.5, 1); their sum is the exponent.
static bool scale_factors(int n, int count, double *A, int *sum)
{
    *sum = 0;
    for (int k = 0; k < count; k++) {
        double most = 0.0, *factor = A + (size_t)k * (size_t)(n * n);
        int exponent = 0;
        for (int i = 0; i < n * n; i++) {
            if (!isfinite(factor[i])) return false;
            most = fmax(most, fabs(factor[i]));
        }
        if (most > 0.0) frexp(most, &exponent);
        for (int i = 0; i < n * n; i++) factor[i] = ldexp(factor[i], -exponent);
        *sum += exponent;
    }
    return true;
}

// of scaled factors; B has room for as many again, and 4 n x n numbers behind them
static bool find_values(int n, int count, double *A, double *B, slip_scaled_complex *values, int *zeros)
{
    size_t square = (size_t)(n * n);
    double *rest = B + square * (size_t)count;
    basis b = { .n = n, .count = count, .A = A };
    b.V = rest, b.W = rest + square, b.first = rest + 2 * square;
    find_range(&b);
    int rank = b.rank;
    *zeros = n - rank;
    for (int k = rank; k < n; k++) values[k] = (slip_scaled_complex){ 0 };
    if (rank == 0) return true;
    if (rank < n) restrict_factors(&b, B, rest + 3 * square);
    return b.rank == rank && slip_periodic_qr(rank, count, rank < n ? B : A, values);
}

bool slip_periodic_eigenvalues(int n, int count, const double *A, slip_scaled_complex *values, int *zeros)
{
    *zeros = 0;
    if (n == 0) return true;
    size_t square = (size_t)(n * n), all = square * (size_t)count;
    double *room = malloc((2 * all + 4 * square) * sizeof *room);
    if (!room) return false;
    int exponent;
    memcpy(room, A, all * sizeof *room);
    bool found =
        scale_factors(n, count, room, &exponent) && find_values(n, count, room, room + all, values, zeros);
    for (int k = 0; k < n - *zeros && found; k++) values[k].exponent += exponent;
    if (found) sort_by_modulus(n - *zeros, values);
    free(room);
    return found;
}
