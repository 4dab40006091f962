/// svd.c: singular values and right singular vectors.
#include "measure.h"

enum { EXACT = 12 };

static double A[MOST * MOST], B[MOST * MOST], V[MOST * MOST], W[MOST * MOST], value[MOST],
    work[SLIP_SVD_WORK * MOST];

static void find(const char *name, int n)
{
    memcpy(B, A, sizeof B);
    if (!slip_svd(n, B, value, V, work)) fail_msg("%s, n = %d: refused", name, n);
    for (int k = 0; k < n; k++) assert_true(value[k] >= 0.0 && !signbit(value[k]));
    for (int k = 1; k < n; k++) assert_true(value[k - 1] >= value[k]);
}

// A V' has orthogonal columns as long as the values. A + E = U' S V says of two columns (A v)(A w) that it is
// below |E| (value_v + value_w); and of one that its length is off by |E| at the most. In n eps |A|
static double residual(int n)
{
    static double M[MOST * MOST];
    const int exponent = take_out(n, A, M);
    const double unit = n * DBL_EPSILON * frobenius(n, M) + ldexp(floor_of(n), -exponent);
    double worst = 0.0;
    if (unit == 0.0) return 0.0;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) W[k * n + i] = exact_dot(n, M + i * n, 1, V + k * n, 1, 0.0, 0.0);
    for (int k = 0; k < n; k++) {
        const double s = ldexp(value[k], -exponent),
                     length = sqrt(exact_dot(n, W + k * n, 1, W + k * n, 1, 0.0, 0.0));
        worst = fmax(worst, fabs(length - s) / unit);
        for (int i = 0; i < k; i++) {
            const double both = fabs(exact_dot(n, W + k * n, 1, W + i * n, 1, 0.0, 0.0));
            worst = fmax(worst, both / (unit * (s + ldexp(value[i], -exponent) + unit)));
        }
    }
    return worst;
}

static void triples(void **state)
{
    (void)state;
    seed_draws(1);
    for (int f = 0; f < family_count; f++)
        for (int s = 0; s < size_count; s++) {
            const int n = sizes[s];
            families[f].fill(n, A);
            find(families[f].name, n);
            assert_below(residual(n), 2.0, families[f].name, n);
            assert_below(skewness(n, V), 4.0 * n * DBL_EPSILON, families[f].name, n);
        }
}

static void exact_values(void **state)
{
    (void)state;
    double exact[EXACT];
    if (!exact_is_there()) skip();
    seed_draws(2);
    for (int f = 0; f < family_count; f++)
        for (int n = 1; n <= EXACT; n++) {
            families[f].fill(n, A);
            find(families[f].name, n);
            exact_singular_values(n, A, exact);
            for (int k = 0; k < n; k++)
                assert_below(fabs(value[k] - exact[k]), n * DBL_EPSILON * exact[0] + floor_of(n),
                             families[f].name, n);
        }
}

// all ranks: as many values are zero as there should be, and their vectors are taken to nothing
static void ranks(void **state)
{
    (void)state;
    static double P[MOST * MOST], Q[MOST * MOST];
    seed_draws(3);
    for (int n = 1; n <= 30; n++)
        for (int rank = 0; rank <= n; rank++) {
            fill_of_rank(n, rank, P, Q, A);
            find("rank", n);
            const double small = n * DBL_EPSILON * frobenius(n, A);
            for (int k = 0; k < n; k++) {
                if (k < rank) assert_true(value[k] > 1.0);
                if (k < rank) continue;
                assert_below(value[k], small, "rank", n);
                for (int i = 0; i < n; i++)
                    assert_below(fabs(exact_dot(n, A + i * n, 1, V + k * n, 1, 0.0, 0.0)), small, "rank", n);
            }
        }
}

// bidiagonal already, with zeros and tiny numbers in all places
static void bidiagonal(void **state)
{
    (void)state;
    const double sizes_of[] = { 1.0, 0.0, 1e-17, 1e-200, 1e-8, 0.5 };
    seed_draws(4);
    for (int round = 0; round < 4000; round++) {
        const int n = 2 + round % 8;
        memset(A, 0, sizeof A);
        for (int i = 0; i < n; i++) {
            A[i * n + i] = sizes_of[(int)(3.0 * (draw() + 1.0))] * (1.0 + 0.1 * draw());
            if (i + 1 < n) A[i * n + i + 1] = sizes_of[(int)(3.0 * (draw() + 1.0))] * draw();
        }
        find("bidiagonal", n);
        assert_below(residual(n), 2.0, "bidiagonal", n);
        assert_below(skewness(n, V), 4.0 * n * DBL_EPSILON, "bidiagonal", n);
    }
}

static bool refuses(int n, double *M)
{
    return !slip_svd(n, M, value, V, work);
}

static void refusals(void **state)
{
    (void)state;
    double one[1] = { -3.0 };
    assert_true(slip_svd(0, NULL, NULL, NULL, NULL));
    assert_true(slip_svd(1, one, value, V, work));
    assert_true(value[0] == 3.0 && fabs(V[0]) == 1.0);
    check_refusals(refuses, false);
}

static void against_lapack(void **state)
{
    (void)state;
#ifdef SLIP_HAVE_LAPACKE
    double theirs[MOST], spare[40 * MOST], unused[1];
    seed_draws(5);
    for (int f = 0; f < family_count; f++)
        for (int s = 1; s < size_count; s++) {
            const int n = sizes[s];
            families[f].fill(n, A);
            find(families[f].name, n);
            memcpy(B, A, sizeof B);
            assert_int_equal(LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'A', n, n, B, n, theirs, unused, 1, W,
                                                 n, spare, 40 * MOST),
                             0);
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
        cmocka_unit_test(triples),    cmocka_unit_test(exact_values), cmocka_unit_test(ranks),
        cmocka_unit_test(bidiagonal), cmocka_unit_test(refusals),     cmocka_unit_test(against_lapack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
