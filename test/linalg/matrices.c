/// matrices.c: see matrices.h.
#include "matrices.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static uint64_t seed = 1;

double draw(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) * 0x1p-52 - 1.0;
}

void seed_draws(unsigned number)
{
    seed = number;
    for (int k = 0; k < 4; k++) draw();
}

static void fill_random(int n, double *A)
{
    for (int k = 0; k < n * n; k++) A[k] = draw();
}

// rows and columns fall by 10 each
static void fill_graded(int n, double *A)
{
    fill_random(n, A);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i * n + j] *= pow(10.0, -0.5 * (i + j));
}

// rows rise by 10 each, columns fall
static void fill_unbalanced(int n, double *A)
{
    fill_random(n, A);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i * n + j] *= pow(10.0, 0.5 * (i - j));
}

void fill_of_rank(int n, int rank, double *B, double *C, double *A)
{
    for (int k = 0; k < n * rank; k++) B[k] = floor(3.5 * draw() + 0.5), C[k] = floor(3.5 * draw() + 0.5);
    // whatever was drawn, the first rows and columns make both independent
    for (int i = 0; i < rank; i++) B[i * rank + i] += 40.0, C[i * n + i] += 40.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            A[i * n + j] = 0.0;
            for (int r = 0; r < rank; r++) A[i * n + j] += B[i * rank + r] * C[r * n + j];
        }
}

static void fill_deficient(int n, double *A)
{
    static double B[MOST * MOST], C[MOST * MOST];
    fill_of_rank(n, (2 * n + 2) / 3, B, C, A);
}

static void fill_hilbert(int n, double *A)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i * n + j] = 1.0 / (i + j + 1);
}

// Hessenberg, determinant 1; the smaller half of its eigenvalues is ill-conditioned (Frank 1958)
static void fill_frank(int n, double *A)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i * n + j] = j < i - 1 ? 0.0 : n - (i > j ? i : j);
}

// orthogonal times whole numbers, each of them three times, times the transposed one
static void fill_repeated(int n, double *A)
{
    double v[MOST], square = 0.0;
    for (int i = 0; i < n; i++) v[i] = draw() + 1.5, square += v[i] * v[i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += (1 + k / 3) * ((i == k) - 2.0 * v[i] * v[k] / square) *
                       ((j == k) - 2.0 * v[j] * v[k] / square);
            A[i * n + j] = sum;
        }
}

static void fill_jordan(int n, double *A)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i * n + j] = i == j ? 0.5 : j == i + 1 ? 1.0 : 0.0;
}

// eigenvalues on the unit circle: shifts of the usual kind never move it
static void fill_cycle(int n, double *A)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i * n + j] = j == (i + 1) % n;
}

// J. Grcar 1989: normal it is not
static void fill_grcar(int n, double *A)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i * n + j] = j == i - 1 ? -1.0 : j >= i && j <= i + 3;
}

// W. Kahan 1966: columns of equal length, and no small entry on the diagonal of R
static void fill_kahan(int n, double *A)
{
    const double c = 0.285, s = sqrt(1.0 - c * c);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i * n + j] = pow(s, i) * (j < i ? 0.0 : j == i ? 1.0 : -c);
}

static void fill_zero(int n, double *A)
{
    memset(A, 0, (size_t)n * (size_t)n * sizeof *A);
}

static void fill_identity(int n, double *A)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i * n + j] = i == j;
}

// triangular after an exchange of coordinates
static void fill_hidden_triangle(int n, double *A)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const int p = i * 7 % n, q = j * 7 % n; // an exchange unless 7 divides n
            A[i * n + j] = p <= q ? draw() : 0.0;
        }
}

// two blocks that meet in a tiny entry
static void fill_nearly_split(int n, double *A)
{
    fill_random(n, A);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if ((i < n / 2) != (j < n / 2)) A[i * n + j] *= 1e-17;
}

static void fill_scaled(int n, double *A, double by)
{
    fill_random(n, A);
    for (int k = 0; k < n * n; k++) A[k] *= by;
}

static void fill_huge(int n, double *A)
{
    fill_scaled(n, A, 1e305);
}

static void fill_tiny(int n, double *A)
{
    fill_scaled(n, A, 1e-290);
}

static void fill_subnormal(int n, double *A)
{
    fill_scaled(n, A, 1e-311);
}

// entries from 1e-150 to 1e150
static void fill_wild(int n, double *A)
{
    for (int k = 0; k < n * n; k++) {
        const double size = 150.0 * draw();
        A[k] = draw() * pow(10.0, size);
    }
}

static void fill_ones(int n, double *A)
{
    for (int k = 0; k < n * n; k++) A[k] = 1.0;
}

const family families[] = {
    { "random", fill_random, true },
    { "graded", fill_graded, false },
    { "unbalanced", fill_unbalanced, false },
    { "deficient", fill_deficient, false },
    { "hilbert", fill_hilbert, false },
    { "frank", fill_frank, false },
    { "repeated", fill_repeated, true },
    { "jordan", fill_jordan, false },
    { "cycle", fill_cycle, true },
    { "grcar", fill_grcar, true },
    { "kahan", fill_kahan, true },
    { "zero", fill_zero, false },
    { "identity", fill_identity, true },
    { "hidden triangle", fill_hidden_triangle, false },
    { "nearly split", fill_nearly_split, true },
    { "huge", fill_huge, true },
    { "tiny", fill_tiny, true },
    { "subnormal", fill_subnormal, false },
    { "wild", fill_wild, false },
    { "ones", fill_ones, false },
};
const int family_count = sizeof families / sizeof *families;

const int sizes[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 24, 25, 30, MOST };
const int size_count = sizeof sizes / sizeof *sizes;

void make_symmetric(int n, double *A)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) A[i * n + j] = A[j * n + i] = 0.5 * A[i * n + j] + 0.5 * A[j * n + i];
}

double frobenius(int n, const double *A)
{
    double most = 0.0, sum = 0.0;
    for (int k = 0; k < n * n; k++) most = fmax(most, fabs(A[k]));
    if (most == 0.0) return 0.0;
    for (int k = 0; k < n * n; k++) sum += (A[k] / most) * (A[k] / most);
    return most * sqrt(sum);
}
