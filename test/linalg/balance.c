/// balance.c: D^-1 A D with powers of 2, and what it gains.
#include "measure.h"

static double A[MOST * MOST], B[MOST * MOST];

// every entry times a power of 2, so that round a triangle of entries nothing changes
static void check_similarity(const char *name, int n)
{
    for (int i = 0; i < n; i++) {
        assert_true(A[i * n + i] == B[i * n + i]);
        for (int j = 0; j < n; j++) {
            int exponent;
            const double a = A[i * n + j], b = B[i * n + j];
            if ((a == 0.0) != (b == 0.0)) fail_msg("%s, n = %d: %g became %g", name, n, a, b);
            if (a == 0.0) continue;
            const double ratio = frexp(fabs(b / a), &exponent), back = A[j * n + i];
            if (fabs(b) < 1e-290) continue; // subnormal numbers are rounded
            assert_true(ratio == 0.5 && (a > 0.0) == (b > 0.0));
            if (back != 0.0) assert_true(ldexp(1.0, 1 - exponent) == B[j * n + i] / back);
        }
    }
}

static void similarity(void **state)
{
    (void)state;
    seed_draws(1);
    for (int f = 0; f < family_count; f++)
        for (int s = 0; s < size_count; s++) {
            const int n = sizes[s];
            families[f].fill(n, A);
            memcpy(B, A, sizeof B);
            if (strcmp(families[f].name, "subnormal") == 0) continue;
            assert_true(slip_balance(n, B, n));
            check_similarity(families[f].name, n);
            assert_below(frobenius(n, B), frobenius(n, A) * (1.0 + 1e-12), families[f].name, n);
        }
}

// what was unbalanced by powers of 2 is balanced again, up to the last factor or two
static void undoes(void **state)
{
    (void)state;
    seed_draws(2);
    for (int n = 2; n <= MOST; n++) {
        int e[MOST];
        for (int i = 0; i < n; i++) e[i] = (int)(200.0 * draw());
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                A[i * n + j] = draw() + 2.0;
                B[i * n + j] = ldexp(A[i * n + j], e[i] - e[j]);
            }
        assert_true(slip_balance(n, B, n));
        assert_below(frobenius(n, B), 1.5 * frobenius(n, A), "unbalanced", n);
    }
}

// a block in a larger matrix: nothing beside it is touched
static void block_of_larger(void **state)
{
    (void)state;
    enum { N = 7, FROM = 2, SIZE = 4 };
    seed_draws(3);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) A[i * N + j] = B[i * N + j] = draw() * pow(10.0, i - j);
    assert_true(slip_balance(SIZE, B + FROM * (N + 1), N));
    bool changed = false;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            const bool within = i >= FROM && i < FROM + SIZE && j >= FROM && j < FROM + SIZE;
            if (!within) assert_true(A[i * N + j] == B[i * N + j]);
            changed = changed || A[i * N + j] != B[i * N + j];
        }
    assert_true(changed);
}

static bool refuses(int n, double *M)
{
    return !slip_balance(n, M, n);
}

static void refusals(void **state)
{
    (void)state;
    assert_true(slip_balance(0, NULL, 0));
    check_refusals(refuses, false);
}

#ifdef SLIP_HAVE_LAPACKE
// the smaller one of the two that bound eigenvalues
static double least_norm(int n, const double *M)
{
    double rows = 0.0, columns = 0.0;
    for (int i = 0; i < n; i++) {
        double row = 0.0, column = 0.0;
        for (int j = 0; j < n; j++) row += fabs(M[i * n + j]), column += fabs(M[j * n + i]);
        rows = fmax(rows, row), columns = fmax(columns, column);
    }
    return fmin(rows, columns);
}
#endif

static void against_lapack(void **state)
{
    (void)state;
#ifdef SLIP_HAVE_LAPACKE
    seed_draws(4);
    for (int f = 0; f < family_count; f++)
        for (int s = 1; s < size_count; s++) {
            const int n = sizes[s];
            int low, high;
            double scale[MOST];
            families[f].fill(n, A);
            memcpy(B, A, sizeof B);
            if (strcmp(families[f].name, "subnormal") == 0) continue;
            assert_true(slip_balance(n, A, n));
            assert_int_equal(LAPACKE_dgebal_work(LAPACK_COL_MAJOR, 'S', n, B, n, &low, &high, scale), 0);
            assert_below(least_norm(n, A), 2.0 * least_norm(n, B), families[f].name, n);
        }
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(similarity), cmocka_unit_test(undoes),         cmocka_unit_test(block_of_larger),
        cmocka_unit_test(refusals),   cmocka_unit_test(against_lapack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
