/// eigenvalues.c: of general matrices. An eigenvalue is right when a matrix nearby has it: its distance from
/// A is the least singular value of A - lambda.
#include <stdlib.h>

#include "measure.h"

enum { EXACT = 12 }; // rows, for distances in exact arithmetic

static const double pi = 3.14159265358979323846;
static double A[MOST * MOST], B[MOST * MOST], re[MOST], im[MOST], work[SLIP_EIGENVALUES_WORK * MOST];

static void find(const char *name, int n)
{
    memcpy(B, A, sizeof B);
    if (!slip_eigenvalues(n, B, re, im, work)) fail_msg("%s, n = %d: refused", name, n);
    for (int k = 0; k < n; k++) {
        if (im[k] == 0.0) continue;
        assert_true(im[k] > 0.0 && k + 1 < n && re[k + 1] == re[k] && im[k + 1] == -im[k]);
        k++;
    }
}

// the least singular value of [A - re, im; -im, A - re], which is that of the complex matrix
static double distance(int n, const double *M, double x, double y)
{
    static double Z[4 * EXACT * EXACT];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double d = M[i * n + j] - (i == j ? x : 0.0), o = i == j ? y : 0.0;
            Z[i * 2 * n + j] = Z[(n + i) * 2 * n + n + j] = d;
            Z[i * 2 * n + n + j] = o, Z[(n + i) * 2 * n + j] = -o;
        }
    return exact_least_singular_value(2 * n, Z);
}

// of the whole set: A - lambda is rounded once itself
static double worst_distance(int n)
{
    static double M[EXACT * EXACT];
    const int exponent = take_out(n, A, M);
    double worst = 0.0;
    for (int k = 0; k < n; k++)
        worst = fmax(worst, distance(n, M, ldexp(re[k], -exponent), ldexp(im[k], -exponent)));
    return worst / (n * DBL_EPSILON * frobenius(n, M) + ldexp(floor_of(n), -exponent));
}

static void backward_errors(void **state)
{
    (void)state;
    seed_draws(1);
    for (int f = 0; f < family_count; f++)
        for (int s = 0; s < size_count; s++) {
            const int n = sizes[s];
            families[f].fill(n, A);
            find(families[f].name, n);
            if (n == 0 || n > EXACT || !exact_is_there() || frobenius(n, A) == 0.0) continue;
            assert_below(worst_distance(n), 2.0, families[f].name, n);
        }
}

// the sum of all is the trace, the sum of squares that of A A
static void sums(void **state)
{
    (void)state;
    seed_draws(2);
    for (int f = 0; f < family_count; f++)
        for (int s = 1; s < size_count; s++) {
            const int n = sizes[s];
            families[f].fill(n, B);
            const int exponent = take_out(n, B, A);
            (void)exponent;
            find(families[f].name, n);
            double trace = 0.0, square = 0.0;
            for (int k = 0; k < n; k++) {
                trace += re[k] - A[k * n + k];
                square += re[k] * re[k] - im[k] * im[k] - exact_dot(n, A + k * n, 1, A + k, n, 0.0, 0.0);
            }
            const double size = frobenius(n, A), bound = 4.0 * n * DBL_EPSILON * size;
            assert_below(fabs(trace), bound * sqrt(n), families[f].name, n);
            assert_below(fabs(square), 2.0 * bound * size * sqrt(n), families[f].name, n);
        }
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void closed_forms(void **state)
{
    (void)state;
    for (int n = 1; n <= MOST; n++) {
        for (int i = 0; i < n; i++) // roots of unity
            for (int j = 0; j < n; j++) A[i * n + j] = j == (i + 1) % n;
        find("cycle", n);
        double angle[MOST];
        for (int k = 0; k < n; k++) {
            assert_near(hypot(re[k], im[k]), 1.0, 1e-14 * n);
            angle[k] = atan2(im[k], re[k]) / (2.0 * pi / n);
            if (angle[k] < -0.5 * n + 0.25) angle[k] += n;
        }
        qsort(angle, (size_t)n, sizeof *angle, by_size);
        for (int k = 0; k < n; k++) assert_near(angle[k], k - (n - 1) / 2, 1e-13 * n);

        for (int i = 0; i < n; i++) // 2 - 2 cos(k pi / (n + 1)), hidden by a scaling
            for (int j = 0; j < n; j++)
                A[i * n + j] = ldexp(i == j ? 2.0 : abs(i - j) == 1 ? -1.0 : 0.0, 9 * (i % 2 - j % 2));
        find("chain", n);
        qsort(re, (size_t)n, sizeof *re, by_size);
        for (int k = 0; k < n; k++) {
            assert_true(im[k] == 0.0);
            assert_near(re[k], 2.0 - 2.0 * cos((k + 1) * pi / (n + 1)), 1e-14 * n);
        }
    }
    const double turn[4] = { cos(1.0), -sin(1.0), sin(1.0), cos(1.0) };
    memcpy(A, turn, sizeof turn);
    find("turn", 2);
    assert_near(re[0], cos(1.0), 1e-16);
    assert_near(im[0], sin(1.0), 2e-16);
}

// what an exchange of coordinates makes triangular has its diagonal for eigenvalues, bit by bit
static void hidden_triangles(void **state)
{
    (void)state;
    seed_draws(3);
    for (int n = 1; n <= MOST; n++) {
        int place[MOST];
        double diagonal[MOST];
        for (int i = 0; i < n; i++) place[i] = i;
        for (int i = n - 1; i > 0; i--) {
            const int other = (int)((draw() + 1.0) * 0.5 * i), keep = place[i];
            place[i] = place[other], place[other] = keep;
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) A[place[i] * n + place[j]] = j >= i ? draw() * pow(10.0, j - i) : 0.0;
        for (int i = 0; i < n; i++) diagonal[i] = A[i * n + i];
        find("hidden triangle", n);
        qsort(diagonal, (size_t)n, sizeof *diagonal, by_size);
        qsort(re, (size_t)n, sizeof *re, by_size);
        assert_memory_equal(re, diagonal, (size_t)n * sizeof *re);
    }
}

static bool refuses(int n, double *M)
{
    return !slip_eigenvalues(n, M, re, im, work);
}

static void refusals(void **state)
{
    (void)state;
    assert_true(slip_eigenvalues(0, NULL, NULL, NULL, NULL));
    check_refusals(refuses, false);
}

// Thousands of small matrices of few different numbers, where iterations get stuck if they ever do; their
// eigenvalues are right as sets of sums
static void many_small(void **state)
{
    (void)state;
    seed_draws(4);
    for (int round = 0; round < 20000; round++) {
        const int n = 2 + round % 7;
        for (int k = 0; k < n * n; k++) A[k] = floor(1.5 * draw() + 0.5);
        find("small", n);
        double trace = 0.0;
        for (int k = 0; k < n; k++) trace += re[k] - A[k * n + k];
        assert_near(trace, 0.0, 1e-13);
    }
}

#ifdef SLIP_HAVE_LAPACKE
// the largest distance of one of ours from the nearest of theirs
static double difference(int n, const double *x, const double *y)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
        double least = INFINITY;
        for (int k = 0; k < n; k++) least = fmin(least, hypot(re[i] - x[k], im[i] - y[k]));
        worst = fmax(worst, least);
    }
    return worst;
}
#endif

static void against_lapack(void **state)
{
    (void)state;
#ifdef SLIP_HAVE_LAPACKE
    // where eigenvalues are well-conditioned, both sets agree; elsewhere both are as near to A
    const char *well[] = {
        "random", "repeated", "cycle", "identity", "zero", "nearly split", "ones", "tiny"
    };
    double x[MOST], y[MOST], spare[40 * MOST];
    seed_draws(5);
    for (int f = 0; f < family_count; f++)
        for (int s = 1; s < size_count; s++) {
            const int n = sizes[s];
            bool agrees = false;
            for (size_t k = 0; k < sizeof well / sizeof *well; k++)
                agrees = agrees || strcmp(well[k], families[f].name) == 0;
            if (!agrees) continue;
            families[f].fill(n, A);
            find(families[f].name, n);
            memcpy(B, A, sizeof B);
            const int info = LAPACKE_dgeev_work(LAPACK_ROW_MAJOR, 'N', 'N', n, B, n, x, y, NULL, n, NULL, n,
                                                spare, 40 * MOST);
            assert_int_equal(info, 0);
            assert_below(difference(n, x, y), 1e-12 * frobenius(n, A), families[f].name, n);
        }
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backward_errors),  cmocka_unit_test(sums),     cmocka_unit_test(closed_forms),
        cmocka_unit_test(hidden_triangles), cmocka_unit_test(refusals), cmocka_unit_test(many_small),
        cmocka_unit_test(against_lapack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
