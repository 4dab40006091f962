/// least_squares.c: shortest solutions of systems that may be singular.
#include "measure.h"

static double A[MOST * MOST], M[MOST * MOST], b[MOST], x[MOST], work[SLIP_LEAST_SQUARES_WORK * MOST];
static int order[MOST];

static int find(int n, double least)
{
    memcpy(M, A, sizeof M);
    memcpy(x, b, sizeof x);
    const int rank = slip_least_squares(n, M, x, least, order, work);
    bool seen[MOST] = { 0 };
    for (int k = 0; k < n; k++) {
        assert_in_range(order[k], 0, n - 1);
        assert_false(seen[order[k]]);
        seen[order[k]] = true;
    }
    return rank;
}

static double length(int n, const double *v)
{
    double most = 0.0, sum = 0.0;
    for (int k = 0; k < n; k++) most = fmax(most, fabs(v[k]));
    for (int k = 0; k < n && most > 0.0; k++) sum += (v[k] / most) * (v[k] / most);
    return most * sqrt(sum);
}

// |A x - b| below n eps (|A||x| + |b|): x solves a system nearby
static void check_residual(const char *name, int n)
{
    double r[MOST];
    const double size = frobenius(n, A);
    for (int i = 0; i < n; i++) r[i] = exact_dot(n, A + i * n, 1, x, 1, -1.0, b[i]);
    assert_below(length(n, r), n * DBL_EPSILON * (size * length(n, x) + length(n, b)) + floor_of(n), name, n);
}

static void regular(void **state)
{
    (void)state;
    seed_draws(1);
    for (int f = 0; f < family_count; f++)
        for (int s = 0; s < size_count; s++) {
            const int n = sizes[s];
            if (!families[f].regular) continue;
            families[f].fill(n, A);
            for (int i = 0; i < n; i++) b[i] = draw();
            const int rank = find(n, 1e-15);
            if (rank < n && n <= 16) fail_msg("%s, n = %d: rank %d", families[f].name, n, rank);
            if (rank == n && frobenius(n, A) < 1e300) check_residual(families[f].name, n);
        }
}

// Whole numbers of known rank, b in the range of A and not, against normal equations in exact arithmetic.
// What an error of A does to x is n eps times its condition, and its square where b is not in the range
static void deficient(void **state)
{
    (void)state;
    static double B[MOST * MOST], C[MOST * MOST], exact[MOST];
    if (!exact_is_there()) skip();
    seed_draws(2);
    for (int n = 1; n <= 20; n++)
        for (int rank = 1; rank <= n; rank++)
            for (int inside = 0; inside < 2; inside++) {
                fill_of_rank(n, rank, B, C, A);
                for (int i = 0; i < n; i++) x[i] = floor(4.0 * draw());
                for (int i = 0; i < n; i++)
                    b[i] = inside ? exact_dot(n, A + i * n, 1, x, 1, 0.0, 0.0) : draw();
                assert_int_equal(find(n, 1e-10), rank);
                exact_shortest(n, rank, B, C, b, exact);
                const double size = length(n, exact);
                for (int i = 0; i < n; i++) assert_near(x[i], exact[i], 1e-12 * n * size);
            }
}

// The rank that is decided is one that the singular values allow: as many are above `least` of the largest,
// within the factor by which estimates and a sequence of columns are known to be off
static void ranks(void **state)
{
    (void)state;
    static double B[MOST * MOST], V[MOST * MOST], value[MOST], room[SLIP_SVD_WORK * MOST];
    const double limits[] = { 1e-12, 1e-10, 1e-9, 1e-5 };
    seed_draws(3);
    for (int f = 0; f < family_count; f++)
        for (int s = 1; s < size_count; s++)
            for (int l = 0; l < 4; l++) {
                const int n = sizes[s];
                families[f].fill(n, A);
                for (int i = 0; i < n; i++) b[i] = draw();
                const int rank = find(n, limits[l]);
                memcpy(B, A, sizeof B);
                assert_true(slip_svd(n, B, value, V, room));
                int surely = 0, perhaps = 0;
                for (int k = 0; k < n; k++) {
                    surely += value[k] > 10.0 * n * limits[l] * value[0];
                    perhaps += value[k] > 0.1 / n * limits[l] * value[0];
                }
                if (rank < surely || rank > perhaps)
                    fail_msg("%s, n = %d, %g: rank %d, not in %d ... %d", families[f].name, n, limits[l],
                             rank, surely, perhaps);
            }
}

// a load on four legs is shared evenly: nothing else is shorter
static void closed_forms(void **state)
{
    (void)state;
    for (int n = 2; n <= MOST; n++) {
        for (int k = 0; k < n * n; k++) A[k] = 3.0;
        for (int i = 0; i < n; i++) b[i] = 6.0;
        assert_int_equal(find(n, 1e-10), 1);
        for (int i = 0; i < n; i++) assert_near(x[i], 2.0 / n, 1e-14);
    }
    memset(A, 0, sizeof A);
    assert_int_equal(find(5, 1e-10), 0);
    for (int i = 0; i < 5; i++) assert_true(x[i] == 0.0);
    // far from 1 in both, the quotient is not
    const double large[4] = { 3e300, 1e300, 1e300, 3e300 };
    memcpy(A, large, sizeof large);
    b[0] = 5e300, b[1] = 7e300;
    assert_int_equal(find(2, 1e-10), 2);
    assert_near(x[0], 1.0, 1e-15);
    assert_near(x[1], 2.0, 1e-15);
    const double small[4] = { 3e-310, 1e-310, 1e-310, 3e-310 };
    memcpy(A, small, sizeof small);
    b[0] = 5e-310, b[1] = 7e-310;
    assert_int_equal(find(2, 1e-10), 2);
    assert_near(x[0], 1.0, 1e-12);
    assert_near(x[1], 2.0, 1e-12);
}

static bool refuses(int n, double *Z)
{
    for (int i = 0; i < n; i++) x[i] = 1.0;
    return slip_least_squares(n, Z, x, 1e-10, order, work) < 0;
}

static void refusals(void **state)
{
    (void)state;
    double one[1] = { 4.0 };
    assert_int_equal(slip_least_squares(0, NULL, NULL, 1e-10, NULL, NULL), 0);
    x[0] = NAN;
    assert_int_equal(slip_least_squares(1, one, x, 1e-10, order, work), -1);
    x[0] = 2.0;
    assert_int_equal(slip_least_squares(1, one, x, 1e-10, order, work), 1);
    assert_true(x[0] == 0.5);
    check_refusals(refuses, false);
}

static void against_lapack(void **state)
{
    (void)state;
#ifdef SLIP_HAVE_LAPACKE
    static double Z[MOST * MOST], B[MOST * MOST], C[MOST * MOST];
    double y[MOST], spare[80 * MOST];
    seed_draws(4);
    for (int n = 1; n <= 30; n++)
        for (int rank = 1; rank <= n; rank++) {
            int theirs, pivot[MOST] = { 0 };
            fill_of_rank(n, rank, B, C, A);
            for (int i = 0; i < n; i++) b[i] = y[i] = draw();
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) Z[j * n + i] = A[i * n + j];
            assert_int_equal(LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, n, n, 1, Z, n, y, n, pivot, 1e-10, &theirs,
                                                 spare, 80 * MOST),
                             0);
            assert_int_equal(find(n, 1e-10), theirs);
            for (int i = 0; i < n; i++) assert_near(x[i], y[i], 1e-12 * n * length(n, y));
        }
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regular),      cmocka_unit_test(deficient), cmocka_unit_test(ranks),
        cmocka_unit_test(closed_forms), cmocka_unit_test(refusals),  cmocka_unit_test(against_lapack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
