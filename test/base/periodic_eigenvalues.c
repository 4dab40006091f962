/// product.c: eigenvalues of products of matrices, against products that were made from known ones.
#include "base/linalg/periodic_eigenvalues.h"

#include <stdlib.h>
#include <string.h>

#include "alloc_fail.h"
#include "base/linalg/linalg.h"
#include "test.h"

enum { MOST = 16, FACTORS = 50 };

typedef struct scene {
    int n, count;
    double A[FACTORS * MOST * MOST];
    slip_scaled_complex value[MOST];
    int zeros;
} scene;

static uint64_t seed = 1;

static double draw(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) * 0x1p-52 - 1.0;
}

static void draw_orthogonal(int n, double *Q)
{
    for (int i = 0; i < n; i++) {
        double *row = Q + i * n, square = 0.0;
        for (int j = 0; j < n; j++) row[j] = draw();
        for (int round = 0; round < 2; round++)
            for (int k = 0; k < i; k++) {
                double dot = 0.0;
                for (int j = 0; j < n; j++) dot += row[j] * Q[k * n + j];
                for (int j = 0; j < n; j++) row[j] -= dot * Q[k * n + j];
            }
        for (int j = 0; j < n; j++) square += row[j] * row[j];
        for (int j = 0; j < n; j++) row[j] /= sqrt(square);
    }
}

static void multiply(int n, const double *A, const double *B, double *C)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            C[i * n + j] = 0.0;
            for (int k = 0; k < n; k++) C[i * n + j] += A[i * n + k] * B[k * n + j];
        }
}

static double *factor(scene *s, int k)
{
    return s->A + k * s->n * s->n;
}

// A_k := Q_(k+1)' A_k Q_k with other orthogonal matrices everywhere: the product has the same eigenvalues
static void hide(scene *s)
{
    int n = s->n;
    double first[MOST * MOST], Q[MOST * MOST], next[MOST * MOST], turned[MOST * MOST], half[MOST * MOST];
    size_t bytes = (size_t)(n * n) * sizeof *Q;
    draw_orthogonal(n, first);
    memcpy(Q, first, bytes);
    for (int k = 0; k < s->count; k++) {
        if (k + 1 < s->count)
            draw_orthogonal(n, next);
        else
            memcpy(next, first, bytes);
        multiply(n, factor(s, k), Q, half);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) turned[i * n + j] = next[j * n + i];
        multiply(n, turned, half, factor(s, k));
        memcpy(Q, next, bytes);
    }
}

static scene *make(int n, int count)
{
    scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->n = n, s->count = count;
    return s;
}

static void solve(scene *s)
{
    assert_true(slip_periodic_eigenvalues(s->n, s->count, s->A, s->value, &s->zeros));
}

static double re(const scene *s, int k)
{
    return ldexp(s->value[k].re, s->value[k].exponent);
}

static double im(const scene *s, int k)
{
    return ldexp(s->value[k].im, s->value[k].exponent);
}

// from 10^low to 10^high, every third one negative, in factors that share them evenly
static scene *make_range(int n, int count, double low, double high)
{
    scene *s = make(n, count);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < n; i++) {
            double power = high + (low - high) * i / (n - 1.0);
            factor(s, k)[i * n + i] = pow(10.0, power / count) * (i % 3 == 2 && k == 0 ? -1.0 : 1.0);
        }
    hide(s);
    return s;
}

// --------------------------------------------------------------------------------------------------- known

static void twenty_decades(void **state)
{
    (void)state;
    for (int n = 2; n <= MOST; n++) {
        scene *s = make_range(n, FACTORS, -14.0, 6.0);
        solve(s);
        assert_int_equal(s->zeros, 0);
        for (int i = 0; i < n; i++) {
            double wanted = pow(10.0, 6.0 - 20.0 * i / (n - 1.0)) * (i % 3 == 2 ? -1.0 : 1.0);
            assert_near(re(s, i) / wanted, 1.0, 1e-9);
            assert_true(s->value[i].im == 0.0);
        }
        free(s);
    }
}

// no double holds them
static void beyond_doubles(void **state)
{
    (void)state;
    scene *s = make_range(5, FACTORS, -400.0, -320.0);
    solve(s);
    assert_int_equal(s->zeros, 0);
    for (int i = 0; i < 5; i++) {
        double power = log10(fabs(s->value[i].re)) + s->value[i].exponent * log10(2.0);
        assert_near(power, -320.0 - 20.0 * i, 1e-9);
    }
    free(s);
}

// (m e^(i a))^50 in blocks that turn by a, with moduli from 1e-12 to 1
static void pairs(void **state)
{
    (void)state;
    const int n = 8;
    scene *s = make(n, FACTORS);
    for (int k = 0; k < FACTORS; k++)
        for (int i = 0; i < n; i += 2) {
            double m = pow(10.0, -4.0 * (i / 2) / (double)FACTORS), a = 0.011 * (i + 1);
            double *A = factor(s, k) + i * n + i;
            A[0] = A[n + 1] = m * cos(a);
            A[1] = -m * sin(a), A[n] = m * sin(a);
        }
    hide(s);
    solve(s);
    for (int i = 0; i < n; i += 2) {
        double m = pow(10.0, -2.0 * i), a = FACTORS * 0.011 * (i + 1);
        assert_near(re(s, i) / m, cos(a), 1e-11);
        assert_near(im(s, i) / m, fabs(sin(a)), 1e-11);
        assert_true(re(s, i) == re(s, i + 1) && im(s, i) == -im(s, i + 1));
    }
    free(s);
}

// a permutation leaves every shift where it was
static void roots_of_unity(void **state)
{
    (void)state;
    for (int n = 2; n <= MOST; n++)
        for (int count = 1; count < 4; count++) {
            scene *s = make(n, count);
            for (int k = 0; k < count; k++)
                for (int i = 0; i < n; i++) factor(s, k)[(i + (k == 0)) % n * n + i] = 1.0;
            solve(s);
            for (int i = 0; i < n; i++) { // z^n = 1
                double x = 1.0, y = 0.0;
                for (int j = 0; j < n; j++) {
                    double next = x * re(s, i) - y * im(s, i);
                    y = x * im(s, i) + y * re(s, i);
                    x = next;
                }
                assert_near(x, 1.0, 1e-12);
                assert_near(y, 0.0, 1e-12);
            }
            free(s);
        }
}

// --------------------------------------------------------------------------------------------------- zeros

// two factors forget two different directions, a third again the first of them
static void forgotten(void **state)
{
    (void)state;
    const int n = 6;
    scene *s = make(n, 20);
    for (int k = 0; k < 20; k++)
        for (int i = 0; i < n; i++) factor(s, k)[i * n + i] = pow(10.0, -12.0 * i / (n - 1.0) / 20.0);
    factor(s, 3)[0] = factor(s, 11)[4 * n + 4] = factor(s, 15)[0] = 0.0;
    hide(s);
    solve(s);
    assert_int_equal(s->zeros, 2);
    static const int left[] = { 1, 2, 3, 5 };
    for (int i = 0; i < 4; i++) assert_near(re(s, i) / pow(10.0, -2.4 * left[i]), 1.0, 1e-9);
    for (int i = 4; i < n; i++) assert_true(s->value[i].re == 0.0 && s->value[i].im == 0.0);
    free(s);
}

// one rank is lost in a period, but all directions in n of them
static void nilpotent(void **state)
{
    (void)state;
    scene *s = make(5, 4);
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 5; i++)
            if (k || i) factor(s, k)[i * 5 + i - (k == 0)] = 1.0 + i;
    hide(s);
    solve(s);
    assert_int_equal(s->zeros, 5);
    free(s);
    s = make(3, 2);
    solve(s);
    assert_int_equal(s->zeros, 3);
    free(s);
    s = make(0, 2);
    solve(s);
    assert_int_equal(s->zeros, 0);
    free(s);
}

// ------------------------------------------------------------------------------------------ the plain
// product

static double nearest(const scene *s, double x, double y)
{
    double best = INFINITY;
    for (int k = 0; k < s->n; k++) best = fmin(best, hypot(re(s, k) - x, im(s, k) - y));
    return best;
}

// each value of the product as it is formed, found by Francis' method, is among those found here; of factors
// that are orthogonal matrices and a little more
static void as_formed(void **state)
{
    (void)state;
    for (int trial = 0; trial < 200; trial++) {
        int n = 1 + trial % MOST, count = 1 + trial % 7;
        double P[MOST * MOST], next[MOST * MOST], x[MOST], y[MOST], work[8 * MOST];
        scene *s = make(n, count);
        for (int k = 0; k < count; k++) {
            draw_orthogonal(n, factor(s, k));
            for (int i = 0; i < n * n; i++) factor(s, k)[i] += 0.1 * draw();
        }
        memcpy(P, s->A, (size_t)(n * n) * sizeof *P);
        for (int k = 1; k < count; k++) {
            multiply(n, factor(s, k), P, next);
            memcpy(P, next, (size_t)(n * n) * sizeof *P);
        }
        assert_true(slip_eigenvalues(n, P, x, y, work));
        solve(s);
        assert_int_equal(s->zeros, 0);
        for (int k = 0; k < n; k++) assert_true(nearest(s, x[k], y[k]) < 1e-11);
        for (int k = 1; k < n; k++)
            assert_true(hypot(re(s, k), im(s, k)) <= hypot(re(s, k - 1), im(s, k - 1)) * (1.0 + 1e-11));
        free(s);
    }
}

// ----------------------------------------------------------------------------------------------------
// failing

static void not_finite(void **state)
{
    (void)state;
    scene *s = make_range(3, 4, -1.0, 1.0);
    factor(s, 2)[4] = NAN;
    assert_false(slip_periodic_eigenvalues(3, 4, s->A, s->value, &s->zeros));
    factor(s, 2)[4] = INFINITY;
    assert_false(slip_periodic_eigenvalues(3, 4, s->A, s->value, &s->zeros));
    free(s);
}

static void without_memory(void **state)
{
    (void)state;
    scene *s = make_range(3, 4, -1.0, 1.0);
    for (long k = 1;; k++) {
        alloc_fail_at(k);
        bool found = slip_periodic_eigenvalues(3, 4, s->A, s->value, &s->zeros);
        bool failed = alloc_fail_stop() >= k;
        assert_true(found != failed);
        if (!failed) break;
    }
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twenty_decades), cmocka_unit_test(beyond_doubles), cmocka_unit_test(pairs),
        cmocka_unit_test(roots_of_unity), cmocka_unit_test(forgotten),      cmocka_unit_test(nilpotent),
        cmocka_unit_test(as_formed),      cmocka_unit_test(not_finite),     cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
