/// core.c: arena, pool, text, diagnostics, dense kernels.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diagnostics.h"
#include "base/text.h"
#include "base/linalg/linalg.h"
#include "test.h"

static void arena_measures_what_it_carves(void **state)
{
    (void)state;
    slip_arena count = { 0 };
    SLIP_TAKE(&count, double, 3);
    SLIP_TAKE(&count, char, 65);
    assert_int_equal(count.used, 64 + 128);
    slip_arena real = { .base = slip_arena_memory(count.used) };
    double *a = SLIP_TAKE(&real, double, 3);
    char *b = SLIP_TAKE(&real, char, 65);
    assert_int_equal((uintptr_t)a % 64, 0);
    assert_ptr_equal(b, (char *)a + 64);
    assert_int_equal(real.used, count.used);
    free(real.base);
}

static void pool_refuses_overflow(void **state)
{
    (void)state;
    slip_pool *pool = slip_pool_create();
    assert_null(slip_pool_take(pool, SIZE_MAX / 4, 8));
    assert_non_null(slip_pool_take(pool, 300000, 8));
    assert_string_equal(slip_pool_text(pool, "stick slip", 5), "stick");
    slip_pool_destroy(pool);
}

// what is behind a mark is given back, texts too, and zero when it is taken again
static void pool_goes_back_to_a_mark(void **state)
{
    (void)state;
    slip_pool *pool = slip_pool_create();
    assert_string_equal(slip_pool_text(pool, "kept", 4), "kept");
    double *number = slip_pool_take(pool, 1, sizeof *number);
    assert_int_equal((uintptr_t)number % sizeof *number, 0);
    for (int size = 10; size < 100000; size *= 10) { // within a block, and in blocks of their own
        const slip_pool_mark mark = slip_pool_set_mark(pool);
        for (int k = 0; k < 50; k++) {
            char *taken = slip_pool_take(pool, (size_t)size, 1);
            for (int i = 0; i < size; i++) assert_int_equal(taken[i], 0);
            memset(taken, 'x', (size_t)size);
            assert_string_equal(slip_pool_text(pool, taken, 7), "xxxxxxx");
        }
        slip_pool_rewind(pool, mark);
    }
    slip_pool_destroy(pool);
}

static void diagnostics_point_at_the_place(void **state)
{
    (void)state;
    const char *file = "a: 1\n  floor: {gap: y, fricton: 0.3}\n";
    slip_source source = { .name = "brake.yaml", .text = file, .length = (long)strlen(file) };
    slip_diagnostics *notes = slip_diagnostics_create();
    long at = (long)(strstr(file, "fricton") - file);
    slip_diagnose(notes, SLIP_ERROR, slip_span_at(&source, at, 7), "did you mean 'friction'?",
                  "unknown key '%s'", "fricton");
    char *text = slip_diagnostics_text(notes);
    assert_string_equal(text, "brake.yaml:2:19: error: unknown key 'fricton'\n"
                              "     2 |   floor: {gap: y, fricton: 0.3}\n"
                              "       |                   ^~~~~~~\n"
                              "       = did you mean 'friction'?\n");
    free(text);
    slip_diagnostics_destroy(notes);
}

static void nearest_name_is_near(void **state)
{
    (void)state;
    const char *const names[] = { "gap", "friction", "restitution" };
    char buffer[80];
    assert_string_equal(slip_suggest_name("fricton", names, 3, buffer, 80), "did you mean 'friction'?");
    assert_string_equal(slip_suggest_name("gpa", names, 3, buffer, 80), "did you mean 'gap'?");
    assert_string_equal(slip_suggest_name("zzz", names, 3, buffer, 80), "");
}

// n on both sides of the one beyond which triangles are solved in another order
static void factorisations_solve(void **state)
{
    (void)state;
    enum { MOST = 60 };
    static double A[MOST * MOST], F[MOST * MOST], x[MOST], b[MOST];
    int pivot[MOST];
    for (int n = 1; n <= MOST; n += 7) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) A[i * n + j] = i == j ? n + 1.0 : cos(3.0 * i * j + i + j);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) A[i * n + j] = A[j * n + i];
        for (int kind = 0; kind < 2; kind++) {
            memcpy(F, A, sizeof(double) * (size_t)(n * n));
            if (kind == 1 && n > 2) F[n - 1] = A[n - 1] = 7.0; // LU: not symmetric
            for (int i = 0; i < n; i++) {
                b[i] = 0.0;
                for (int j = 0; j < n; j++) b[i] += A[i * n + j] * (j + 1);
            }
            if (kind == 0) {
                assert_true(slip_cholesky(n, F));
                slip_cholesky_solve(n, F, b);
            } else {
                assert_true(slip_lu(n, F, pivot));
                slip_lu_solve(n, F, pivot, b);
            }
            memcpy(x, b, sizeof x);
            for (int i = 0; i < n; i++) assert_near(x[i], i + 1, 1e-11 * n);
        }
    }
}

static void singular_is_refused(void **state)
{
    (void)state;
    double A[4] = { 1, 2, 2, 4 }, B[4] = { 1, 2, 2, 4 };
    int pivot[2];
    assert_false(slip_cholesky(2, A) && A[3] > 1e-7);
    assert_false(slip_lu(2, B, pivot));
}

// a rotation by a, grown by 2: 2 cos a +- 2 i sin a; and a matrix without rows
static void finds_eigenvalues(void **state)
{
    (void)state;
    double a = 0.7, A[4] = { 2 * cos(a), -2 * sin(a), 2 * sin(a), 2 * cos(a) }, re[2], im[2], work[32];
    assert_true(slip_eigenvalues(2, A, re, im, work));
    for (int k = 0; k < 2; k++) {
        assert_near(re[k], 2 * cos(a), 1e-14);
        assert_near(fabs(im[k]), 2 * sin(a), 1e-14);
    }
    assert_near(im[0] + im[1], 0.0, 1e-14);
    assert_true(slip_eigenvalues(0, A, re, im, work));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_eigenvalues),
        cmocka_unit_test(arena_measures_what_it_carves),
        cmocka_unit_test(pool_refuses_overflow),
        cmocka_unit_test(pool_goes_back_to_a_mark),
        cmocka_unit_test(diagnostics_point_at_the_place),
        cmocka_unit_test(nearest_name_is_near),
        cmocka_unit_test(factorisations_solve),
        cmocka_unit_test(singular_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
