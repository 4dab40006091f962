/// symmetric.c: eigenvalues and eigenvectors of symmetric matrices.
#include <stdlib.h>

#include "measure.h"

enum { EXACT = 12 };

static const double pi = 3.14159265358979323846;
static double A[MOST * MOST], V[MOST * MOST], value[MOST], work[SLIP_SYMMETRIC_WORK * MOST];

// eigenpairs of A, which stays; the upper triangle is not looked at
static void find(const char *name, int n)
{
    memcpy(V, A, sizeof V);
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) V[i * n + j] = NAN;
    if (!slip_symmetric_eigen(n, V, value, work)) fail_msg("%s, n = %d: refused", name, n);
    for (int k = 1; k < n; k++) assert_true(value[k - 1] <= value[k]);
}

// the largest |A v - value v| over all, in n eps |A|
static double residual(int n)
{
    static double M[MOST * MOST];
    const int exponent = take_out(n, A, M);
    double worst = 0.0;
    for (int k = 0; k < n; k++) {
        double sum = 0.0;
        for (int i = 0; i < n; i++) {
            const double error =
                exact_dot(n, M + i * n, 1, V + k * n, 1, -ldexp(value[k], -exponent), V[k * n + i]);
            sum += error * error;
        }
        worst = fmax(worst, sqrt(sum));
    }
    return worst == 0.0 ? 0.0 : worst / (n * DBL_EPSILON * frobenius(n, M) + ldexp(floor_of(n), -exponent));
}

static void pairs(void **state)
{
    (void)state;
    seed_draws(1);
    for (int f = 0; f < family_count; f++)
        for (int s = 0; s < size_count; s++) {
            const int n = sizes[s];
            families[f].fill(n, A);
            make_symmetric(n, A);
            find(families[f].name, n);
            assert_below(residual(n), 2.0, families[f].name, n);
            assert_below(skewness(n, V), 4.0 * n * DBL_EPSILON, families[f].name, n);
        }
}

// Hilbert's matrix and others that are positive definite have their singular values for eigenvalues
static void exact_values(void **state)
{
    (void)state;
    double exact[EXACT];
    if (!exact_is_there()) skip();
    seed_draws(2);
    for (int f = 0; f < family_count; f++)
        for (int n = 1; n <= EXACT; n++) {
            families[f].fill(n, A);
            make_symmetric(n, A);
            find(families[f].name, n);
            exact_singular_values(n, A, exact);
            for (int k = 0; k < n; k++) value[k] = fabs(value[k]);
            for (int k = 0; k < n; k++) { // by falling size
                int most = 0;
                for (int i = 1; i < n; i++)
                    if (value[i] > value[most]) most = i;
                assert_below(fabs(value[most] - exact[k]), n * DBL_EPSILON * exact[0] + floor_of(n),
                             families[f].name, n);
                value[most] = -1.0;
            }
        }
}

static void closed_forms(void **state)
{
    (void)state;
    for (int n = 1; n <= MOST; n++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) A[i * n + j] = i == j ? 2.0 : abs(i - j) == 1 ? -1.0 : 0.0;
        find("chain", n);
        for (int k = 0; k < n; k++) {
            assert_near(value[k], 2.0 - 2.0 * cos((k + 1) * pi / (n + 1)), 4.0 * n * DBL_EPSILON);
            double along = 0.0; // sin(i k pi / (n + 1))
            for (int i = 0; i < n; i++) along += V[k * n + i] * sin((i + 1) * (k + 1) * pi / (n + 1));
            assert_near(fabs(along), sqrt(0.5 * (n + 1)), 1e-12 * n);
        }
    }
}

// Positive definite, with rows that rise by a thousand: the small values have all their digits. Of rows that
// fall they would not, since reflections begin at the last row
static void graded(void **state)
{
    (void)state;
    enum { N = 6 };
    double exact[N];
    if (!exact_is_there()) skip();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) A[i * N + j] = pow(10.0, 3.0 * (i + j)) * (i == j ? 1.0 : 0.25);
    find("graded", N);
    exact_singular_values(N, A, exact);
    for (int k = 0; k < N; k++) assert_near(value[N - 1 - k] / exact[k], 1.0, 1e-14);
}

static bool refuses(int n, double *M)
{
    return !slip_symmetric_eigen(n, M, value, work);
}

static void refusals(void **state)
{
    (void)state;
    double one[1] = { -3.0 };
    assert_true(slip_symmetric_eigen(0, NULL, NULL, NULL));
    assert_true(slip_symmetric_eigen(1, one, value, work));
    assert_true(one[0] == 1.0 && value[0] == -3.0);
    check_refusals(refuses, true);
}

static void many_small(void **state)
{
    (void)state;
    seed_draws(3);
    for (int round = 0; round < 5000; round++) {
        const int n = 2 + round % 9;
        for (int k = 0; k < n * n; k++) A[k] = floor(1.5 * draw() + 0.5);
        make_symmetric(n, A);
        find("small", n);
        assert_below(residual(n), 2.0, "small", n);
        assert_below(skewness(n, V), 4.0 * n * DBL_EPSILON, "small", n);
    }
}

static void against_lapack(void **state)
{
    (void)state;
#ifdef SLIP_HAVE_LAPACKE
    double theirs[MOST], spare[40 * MOST];
    seed_draws(4);
    for (int f = 0; f < family_count; f++)
        for (int s = 1; s < size_count; s++) {
            const int n = sizes[s];
            families[f].fill(n, A);
            make_symmetric(n, A);
            find(families[f].name, n);
            memcpy(V, A, sizeof V);
            assert_int_equal(
                LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'U', n, V, n, theirs, spare, 40 * MOST), 0);
            for (int k = 0; k < n; k++)
                assert_below(fabs(value[k] - theirs[k]),
                             2.0 * n * DBL_EPSILON * frobenius(n, A) + floor_of(n), families[f].name, n);
        }
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs),          cmocka_unit_test(exact_values), cmocka_unit_test(closed_forms),
        cmocka_unit_test(graded),         cmocka_unit_test(refusals),     cmocka_unit_test(many_small),
        cmocka_unit_test(against_lapack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
