/// cholesky.c: A = L L', in exact arithmetic and against LAPACK.
#include <stdlib.h>

#include "measure.h"

// |L L' - A| below (n + 1) eps sqrt(a_ii a_jj) (Higham, Accuracy and Stability of Numerical Algorithms, 10.1)
static void check_factor(const char *name, int n, const double *A)
{
    static double L[MOST * MOST];
    memcpy(L, A, (size_t)n * (size_t)n * sizeof *L);
    if (!slip_cholesky(n, L)) fail_msg("%s, n = %d: not positive definite", name, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (j > i) {
                assert_true(L[i * n + j] == A[i * n + j]); // left alone
                continue;
            }
            const double error = fabs(exact_dot(j + 1, L + i * n, 1, L + j * n, 1, -1.0, A[i * n + j]));
            assert_below(error, (n + 1) * DBL_EPSILON * sqrt(A[i * n + i]) * sqrt(A[j * n + j]), name, n);
        }
}

// G G' + 1
static void fill_definite(int n, double *A)
{
    static double G[MOST * MOST];
    for (int k = 0; k < n * n; k++) G[k] = draw();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i * n + j] = exact_dot(n, G + i * n, 1, G + j * n, 1, i == j, 1.0);
}

static void residuals(void **state)
{
    (void)state;
    static double A[MOST * MOST];
    seed_draws(1);
    for (int s = 0; s < size_count; s++) {
        const int n = sizes[s];
        fill_definite(n, A);
        check_factor("random", n, A);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) A[i * n + j] *= ldexp(1.0, -(20 * i % 450) - (20 * j % 450));
        check_factor("graded", n, A);
    }
    for (int n = 1; n <= 12; n++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) A[i * n + j] = 1.0 / (i + j + 1);
        check_factor("hilbert", n, A);
    }
}

// whole numbers stay whole: the factor that was multiplied out comes back
static void whole_numbers(void **state)
{
    (void)state;
    static double L[MOST * MOST], A[MOST * MOST];
    for (int s = 0; s < size_count; s++) {
        const int n = sizes[s];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                L[i * n + j] = j > i ? 0.0 : j == i ? 1 + i % 3 : (i * 5 + j * 3) % 7 - 3;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) A[i * n + j] = exact_dot(n, L + i * n, 1, L + j * n, 1, 0.0, 0.0);
        assert_true(slip_cholesky(n, A));
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++) assert_true(A[i * n + j] == L[i * n + j]);
    }
}

// the three loops of a textbook, entry by entry
static bool by_the_book(int n, double *A)
{
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double sum = A[i * n + j];
            for (int k = 0; k < j; k++) sum -= A[i * n + k] * A[j * n + k];
            if (i == j && !(sum > 0.0)) return false;
            A[i * n + j] = i == j ? sqrt(sum) : sum / A[j * n + j];
        }
    return true;
}

static void same_bits(void **state)
{
    (void)state;
    static double A[MOST * MOST], B[MOST * MOST];
    seed_draws(2);
    for (int n = 0; n <= MOST; n++) {
        fill_definite(n, A);
        memcpy(B, A, sizeof B);
        assert_true(slip_cholesky(n, A));
        assert_true(by_the_book(n, B));
        assert_memory_equal(A, B, (size_t)n * (size_t)n * sizeof *A);
    }
}

static bool refuses(int n, double *A)
{
    return !slip_cholesky(n, A);
}

static void refusals(void **state)
{
    (void)state;
    double zero[1] = { 0.0 }, negative[1] = { -1.0 }, saddle[4] = { 1.0, 2.0, 2.0, 1.0 },
           flat[9] = { 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0 };
    assert_true(slip_cholesky(0, NULL));
    assert_true(refuses(1, zero));
    assert_true(refuses(1, negative));
    assert_true(refuses(2, saddle));
    assert_true(refuses(3, flat));
    check_refusals(refuses, true);
}

// the same answer to the question whether A - shift is positive definite, off the edge
static void against_lapack(void **state)
{
    (void)state;
#ifdef SLIP_HAVE_LAPACKE
    static double A[MOST * MOST], B[MOST * MOST];
    seed_draws(3);
    for (int s = 1; s < size_count; s++)
        for (int shift = -2; shift <= 4; shift++) {
            const int n = sizes[s];
            fill_definite(n, A);
            for (int i = 0; i < n; i++) A[i * n + i] -= 0.7 * shift;
            memcpy(B, A, sizeof B);
            const bool ours = slip_cholesky(n, A),
                       theirs = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', n, B, n) == 0;
            assert_int_equal(ours, theirs);
            for (int i = 0; i < n && ours; i++)
                for (int j = 0; j <= i; j++) assert_near(A[i * n + j], B[i * n + j], 1e-11 * n);
        }
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(residuals), cmocka_unit_test(whole_numbers),  cmocka_unit_test(same_bits),
        cmocka_unit_test(refusals),  cmocka_unit_test(against_lapack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
