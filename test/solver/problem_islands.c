/// split.c: problems that fall apart: islands are found, copied as they are, and solved as if they were
/// alone.
#include <math.h>
#include <string.h>

#include "helpers.h"
#include "scenes.h"
#include "slipstick/solver.h"
#include "solver/problem/problem_islands.h"

enum { D = 3, COPIES = 3 };

typedef struct several {
    slip_problem p;
    int *start, *column;
    double *values, *q, *mu;
} several;

// copies of a problem, contact a of copy c at COPIES a + c, and q of copy c times 2^c
static several copies_of(const slip_problem *one)
{
    const int n = one->contacts, entries = one->W.row_start[n];
    several s = { .start = calloc((size_t)(COPIES * n) + 1, sizeof(int)),
                  .column = calloc((size_t)(COPIES * entries), sizeof(int)),
                  .values = calloc((size_t)(COPIES * entries * D * D), sizeof(double)),
                  .q = calloc((size_t)(COPIES * n * D), sizeof(double)),
                  .mu = calloc((size_t)(COPIES * n), sizeof(double)) };
    int at = 0;
    for (int i = 0; i < COPIES * n; i++) {
        const int a = i / COPIES, c = i % COPIES;
        for (int k = one->W.row_start[a]; k < one->W.row_start[a + 1]; k++, at++) {
            s.column[at] = COPIES * one->W.column[k] + c;
            memcpy(s.values + (long)at * D * D, one->W.values + (long)k * D * D, sizeof(double) * D * D);
        }
        for (int j = 0; j < D; j++) s.q[i * D + j] = ldexp(one->q[a * D + j], c);
        s.mu[i] = one->mu[a];
        s.start[i + 1] = at;
    }
    s.p = *one;
    s.p.size = COPIES * one->size;
    s.p.contacts = COPIES * n;
    s.p.W = slip_matrix_sparse(s.p.size, s.p.size, D, s.start, s.column, s.values);
    s.p.q = s.q;
    s.p.mu = s.mu;
    return s;
}

static void destroy(several *s)
{
    free(s->start), free(s->column), free(s->values), free(s->q), free(s->mu);
}

static void islands_are_copied(void **state)
{
    (void)state;
    scene one = scene_tower(15, 1.0);
    slip_problem *p = scene_problem(&one);
    several all = copies_of(p);
    slip_problem_islands s;
    slip_arena count = { 0 };
    slip_problem_islands_find(&count, &s, &all.p);
    slip_arena found = { .base = slip_arena_memory(count.used) };
    slip_problem_islands_find(&found, &s, &all.p);
    assert_int_equal(s.count, COPIES);
    count = (slip_arena){ 0 };
    slip_problem_islands_layout(&count, &s);
    slip_arena arena = { .base = slip_arena_memory(count.used) };
    slip_problem_islands_layout(&arena, &s);
    double *z = calloc((size_t)all.p.size, sizeof *z);
    for (int i = 0; i < all.p.size; i++) z[i] = i;
    for (int c = 0; c < COPIES; c++) {
        slip_problem_islands_copy_out(&s, c, z);
        assert_int_equal(s.one.contacts, p->contacts);
        assert_memory_equal(s.one.W.column, p->W.column, sizeof(int) * (size_t)p->W.row_start[p->contacts]);
        assert_memory_equal(s.one.W.values, p->W.values,
                            sizeof(double) * D * D * (size_t)p->W.row_start[p->contacts]);
        for (int i = 0; i < p->size; i++) {
            assert_true(s.one.q[i] == ldexp(p->q[i], c));
            assert_true(s.z[i] == (i / D * COPIES + c) * D + i % D);
            s.z[i] = -s.z[i];
        }
        slip_problem_islands_copy_back(&s, c, z);
    }
    for (int i = 0; i < all.p.size; i++) assert_true(z[i] == -i);
    free(z), free(found.base), free(arena.base);
    destroy(&all);
    slip_problem_destroy(p);
    scene_destroy(&one);
}

// each copy moves as it does alone, in its own unit
static void islands_do_not_see_each_other(void **state)
{
    (void)state;
    scene one = scene_heap(4, 5, 2);
    slip_problem *p = scene_problem(&one);
    several all = copies_of(p);
    const slip_solve_options o = slip_default_solve_options();
    bench alone = bench_take("auto", p, &o), together = bench_take("auto", &all.p, &o);
    double scale = 0.0;
    assert_int_equal(bench_solve(&alone, "auto", p, &o), SLIP_CONVERGED);
    assert_int_equal(bench_solve(&together, "auto", &all.p, &o), SLIP_CONVERGED);
    for (int i = 0; i < p->size; i++) scale += p->q[i] * p->q[i];
    for (int i = 0; i < all.p.size; i++) {
        const int a = i / D / COPIES, c = i / D % COPIES;
        assert_true(fabs(together.w[i] - ldexp(alone.w[a * D + i % D], c)) <= ldexp(1e-6 * sqrt(scale), c));
    }
    bench_free(&alone);
    bench_free(&together);
    destroy(&all);
    slip_problem_destroy(p);
    scene_destroy(&one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(islands_are_copied),
        cmocka_unit_test(islands_do_not_see_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
