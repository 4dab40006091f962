/// study/bifurcation/multipliers.c: Floquet multipliers.
#include "study/bifurcation/multipliers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/linalg/periodic_eigenvalues.h"
#include "base/linalg/linalg.h"
#include "base/linalg/lu_complete.h"
#include "study/bifurcation/bifurcation_tolerances.h"

static void matrix_product(int n, const double *A, const double *B, double *C)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) sum += A[i * n + k] * B[k * n + j];
            C[i * n + j] = sum;
        }
}

static int matrix_rank(int n, const double *A, slip_lu_complete *p)
{
    memcpy(p->A, A, (size_t)(n * n) * sizeof *A);
    slip_lu_complete_factor(p, n);
    return p->A && n ? p->rank : 0;
}

// The multiplicity of the eigenvalue 0 is the dimension of the null space of M^n.
static int count_zeros(int n, const double *M, double *power, double *next, slip_lu_complete *p)
{
    memcpy(power, M, (size_t)(n * n) * sizeof *M);
    int rank = matrix_rank(n, power, p);
    for (int round = 1; round < n && rank > 0; round++) {
        matrix_product(n, power, M, next);
        memcpy(power, next, (size_t)(n * n) * sizeof *M);
        int now = matrix_rank(n, power, p);
        if (now == rank) break;
        rank = now;
    }
    return n - rank;
}

static bool has_larger_modulus(double re, double im, double other_re, double other_im)
{
    double a = slip_hypot(re, im), b = slip_hypot(other_re, other_im);
    if (fabs(a - b) > MODULI_EQUAL * fmax(a, b)) return a > b;
    return im > other_im;
}

static void sort_multipliers(int n, double *re, double *im)
{
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && has_larger_modulus(re[k], im[k], re[k - 1], im[k - 1]); k--) {
            double r = re[k], m = im[k];
            re[k] = re[k - 1], im[k] = im[k - 1];
            re[k - 1] = r, im[k - 1] = m;
        }
}

bool slip_multipliers(int n, const double *M, double *re, double *im, int *zeros)
{
    slip_arena a = { 0 };
    void *memory;
    slip_lu_complete p;
    double *A = NULL, *B = NULL, *work = NULL;
    *zeros = 0;
    if (n == 0) return true;
    while (slip_arena_next_pass(&a, &memory)) {
        slip_lu_complete_layout(&a, n, &p);
        A = SLIP_TAKE(&a, double, n *n);
        B = SLIP_TAKE(&a, double, n *n);
        work = SLIP_TAKE(&a, double, SLIP_EIGENVALUES_WORK *n);
    }
    if (!memory) return false;
    *zeros = count_zeros(n, M, A, B, &p);
    memcpy(A, M, (size_t)(n * n) * sizeof *A);
    bool found = slip_eigenvalues(n, A, re, im, work);
    sort_multipliers(n, re, im);
    for (int k = n - *zeros; k < n; k++) re[k] = im[k] = 0.0;
    free(memory);
    return found;
}

bool slip_product_multipliers(int n, int count, const double *A, double *re, double *im, int *zeros)
{
    slip_scaled_complex *values = malloc(((size_t)n + 1) * sizeof *values);
    bool found = values && slip_periodic_eigenvalues(n, count, A, values, zeros);
    for (int k = 0; k < n && found; k++) {
        re[k] = ldexp(values[k].re, values[k].exponent);
        im[k] = ldexp(values[k].im, values[k].exponent);
    }
    free(values);
    return found;
}

// Determinant by LU; overwrites A.
static double lu_product(int n, double *A, int *pivot)
{
    double product = 1.0;
    for (int k = 0; k < n; k++) pivot[k] = k;
    if (!slip_lu(n, A, pivot)) return 0.0;
    for (int k = 0; k < n; k++) product *= A[k * n + k] * (pivot[k] == k ? 1.0 : -1.0);
    return product;
}

double slip_product_determinant(int n, int count, const double *A)
{
    size_t square = (size_t)(n * n);
    double product = 1.0, *copy = malloc((square + 1) * sizeof *copy);
    int *pivot = malloc((size_t)(n + 1) * sizeof *pivot);
    for (int k = 0; k < count && copy && pivot && n; k++) {
        memcpy(copy, A + (size_t)k * square, square * sizeof *copy);
        product *= lu_product(n, copy, pivot);
    }
    if (!copy || !pivot) product = NAN;
    free(copy);
    free(pivot);
    return product;
}
