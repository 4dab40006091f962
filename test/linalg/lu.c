/// lu.c: P A = L U and solutions, in exact arithmetic, against the textbook's loops and against LAPACK.
#include "measure.h"

static double A[MOST * MOST], LU[MOST * MOST], B[MOST * MOST];
static int pivot[MOST];

static void swap(double *a, double *b)
{
    const double keep = *a;
    *a = *b, *b = keep;
}

// |P A - L U| below n eps |L||U|, entry by entry (Higham, 9.3)
static void check_factors(const char *name, int n)
{
    memcpy(B, A, sizeof B);
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n && pivot[j] != j; k++) swap(&B[j * n + k], &B[pivot[j] * n + k]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const int terms = i <= j ? i : j + 1; // of L with its stored entries
            double row[MOST + 1], size = 0.0;
            for (int k = 0; k < terms; k++) {
                assert_true(fabs(LU[i * n + k]) <= 1.0);
                row[k] = LU[i * n + k], size += fabs(row[k] * LU[k * n + j]);
            }
            double error = exact_dot(terms, row, 1, LU + j, n, -1.0, B[i * n + j]);
            if (i <= j) error += LU[i * n + j], size += fabs(LU[i * n + j]);
            assert_below(fabs(error), n * DBL_EPSILON * size + floor_of(n), name, n);
        }
}

// |A x - b| below 3 n eps |L||U||x| (Higham, 9.4), here with rows of the product of sizes
static void check_solution(const char *name, int n)
{
    double x[MOST], b[MOST], y[MOST] = { 0 }, size[MOST] = { 0 };
    for (int i = 0; i < n; i++) x[i] = b[i] = draw();
    slip_lu_solve(n, LU, pivot, x);
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) y[i] += fabs(LU[i * n + j] * x[j]);
    for (int i = 0; i < n; i++) {
        size[i] = y[i];
        for (int j = 0; j < i; j++) size[i] += fabs(LU[i * n + j]) * y[j];
    }
    for (int j = n - 1; j >= 0; j--) swap(&size[j], &size[pivot[j]]);
    for (int i = 0; i < n; i++) {
        const double error = fabs(exact_dot(n, A + i * n, 1, x, 1, -1.0, b[i]));
        assert_below(error, 3.0 * n * DBL_EPSILON * size[i] + floor_of(n), name, n);
    }
}

static void residuals(void **state)
{
    (void)state;
    seed_draws(1);
    for (int f = 0; f < family_count; f++)
        for (int s = 0; s < size_count; s++) {
            const int n = sizes[s];
            families[f].fill(n, A);
            memcpy(LU, A, sizeof LU);
            const bool fine = slip_lu(n, LU, pivot);
            if (families[f].regular && n <= 16 && !fine) fail_msg("%s, n = %d: refused", families[f].name, n);
            if (!fine || take_out(n, A, B) > 900) continue; // sums of the check would overflow
            check_factors(families[f].name, n);
            if (frobenius(n, A) > 1e-300) check_solution(families[f].name, n); // else x may overflow
        }
}

static bool by_the_book(int n, double *M, int *row)
{
    for (int j = 0; j < n; j++) {
        row[j] = j;
        for (int i = j + 1; i < n; i++)
            if (fabs(M[i * n + j]) > fabs(M[row[j] * n + j])) row[j] = i;
        for (int k = 0; k < n && row[j] != j; k++) swap(&M[j * n + k], &M[row[j] * n + k]);
        for (int i = j + 1; i < n; i++) {
            M[i * n + j] /= M[j * n + j];
            for (int k = j + 1; k < n; k++) M[i * n + k] -= M[i * n + j] * M[j * n + k];
        }
    }
    return true;
}

static void same_bits(void **state)
{
    (void)state;
    int row[MOST];
    seed_draws(2);
    for (int n = 0; n <= MOST; n++) {
        for (int k = 0; k < n * n; k++) A[k] = B[k] = draw();
        assert_true(slip_lu(n, A, pivot));
        assert_true(by_the_book(n, B, row));
        assert_memory_equal(A, B, (size_t)n * (size_t)n * sizeof *A);
        assert_memory_equal(pivot, row, (size_t)n * sizeof *row);
    }
}

static bool refuses(int n, double *M)
{
    return !slip_lu(n, M, pivot);
}

static void refusals(void **state)
{
    (void)state;
    assert_true(slip_lu(0, NULL, NULL));
    for (int n = 1; n <= 12; n++) {
        memset(A, 0, sizeof A);
        assert_true(refuses(n, A));
        for (int k = 0; k < n * n; k++) A[k] = 1.0 + k % n; // equal rows
        assert_int_equal(refuses(n, A), n > 1);
        for (int k = 0; k < n * n; k++) A[k] = draw();
        for (int i = 0; i < n; i++) A[i * n + n / 2] = 0.0; // an empty column
        assert_true(refuses(n, A));
    }
    check_refusals(refuses, false);
    // overflow on the way is no answer either
    double large[4] = { 1e308, 1e308, -1e308, 1e308 };
    large[1] = 1.7e308;
    assert_true(refuses(2, large));
}

static void against_lapack(void **state)
{
    (void)state;
#ifdef SLIP_HAVE_LAPACKE
    seed_draws(3);
    for (int s = 1; s < size_count; s++) {
        const int n = sizes[s];
        int theirs[MOST];
        double x[MOST], y[MOST];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) A[i * n + j] = B[j * n + i] = draw();
        for (int i = 0; i < n; i++) x[i] = y[i] = draw();
        assert_true(slip_lu(n, A, pivot));
        assert_int_equal(LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, B, n, theirs), 0);
        for (int i = 0; i < n; i++) {
            assert_int_equal(pivot[i] + 1, theirs[i]);
            for (int j = 0; j < n; j++) assert_near(A[i * n + j], B[j * n + i], 1e-12 * n);
        }
        slip_lu_solve(n, A, pivot, x);
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, B, n, theirs, y, n);
        double size = 0.0;
        for (int i = 0; i < n; i++) size = fmax(size, fabs(y[i]));
        for (int i = 0; i < n; i++) assert_near(x[i], y[i], 1e-11 * n * size);
    }
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(residuals),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(refusals),
        cmocka_unit_test(against_lapack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
