/// bodylu.c: the factor of a large island solves its system, to the same bits on any number of threads; what
/// is singular is said by all of them.
#include "solver/body/body_sparse_lu.h"

#include <string.h>

#include "helpers.h"
#include "scenes.h"

typedef struct island_case {
    scene s;
    slip_delassus_operator system;
    slip_island island;
    slip_body_lu lu;
    bool *on;
    double *K, *x, *r;
    void *memory;
} island_case;

static double *numbers(slip_arena *a, int count)
{
    return SLIP_TAKE(a, double, count);
}

static void layout(slip_arena *a, island_case *k)
{
    const slip_body_problem *b = &k->s.b;
    slip_delassus_operator_layout(a, &k->system, b->dimension, b->side, b->bodies, b->contacts);
    slip_body_lu_layout(a, &k->lu, b->side, b->bodies, b->contacts, 20L * b->contacts);
    k->on = SLIP_TAKE(a, bool, b->contacts);
    k->K = numbers(a, b->contacts * 9);
    k->r = numbers(a, b->contacts * 3);
    k->x = numbers(a, (b->bodies + 1) * b->side);
}

// some contacts are open; K is neither symmetric nor alike
static void start(island_case *k, scene s)
{
    slip_arena arena = { 0 };
    uint64_t seed = 5;
    *k = (island_case){ .s = s };
    layout(&arena, k);
    k->memory = slip_arena_memory(arena.used);
    arena = (slip_arena){ .base = k->memory };
    layout(&arena, k);
    slip_delassus_operator_sort(&k->system, &s.b);
    k->island = slip_delassus_operator_whole(&k->system);
    slip_delassus_operator_fill(&k->island, &s.b, s.r);
    for (int c = 0; c < s.b.contacts; c++) {
        k->on[c] = draw(&seed) < 0.9;
        for (int i = 0; i < 9; i++) k->K[9 * c + i] = (i % 4 == 0 ? 100.0 : 10.0) * draw(&seed);
    }
}

static void finish(island_case *k)
{
    free(k->memory);
    scene_destroy(&k->s);
}

static bool factor(island_case *k, slip_thread_pool *thread_pool)
{
    k->island.thread_pool = thread_pool;
    slip_body_lu_begin(&k->lu, k->s.b.bodies);
    assert_true(slip_body_lu_analyse(&k->lu, &k->island, k->on));
    return slip_body_lu_factor(&k->lu, &k->island, k->on, k->K);
}

static void solve(island_case *k)
{
    for (int i = 0; i < 6 * k->s.b.bodies; i++) k->x[i] = 1.0 + i % 7;
    slip_body_lu_solve(&k->lu, k->x);
}

// x + M^-1 H' K H x is what was asked for, with the products of the sweeps
static void check(island_case *k)
{
    const int contacts = k->s.b.contacts, n = 6 * k->s.b.bodies;
    double *Kr = calloc((size_t)contacts * 3, sizeof *Kr), *v = calloc((size_t)n + 6, sizeof *v), most = 0.0;
    slip_island_gather(&k->island, k->x, k->r);
    for (int c = 0; c < contacts; c++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3 && k->on[c]; j++)
                Kr[3 * c + i] += k->K[9 * c + 3 * i + j] * k->r[3 * c + j];
    slip_island_scatter(&k->island, Kr, v);
    for (int i = 0; i < n; i++) most = fmax(most, fabs(k->x[i] + v[i] - 1.0 - i % 7));
    assert_true(most < 1e-8);
    free(Kr), free(v);
}

static void same_on(scene s, bool shared)
{
    island_case k;
    start(&k, s);
    const size_t bytes = sizeof(double) * 6 * (size_t)s.b.bodies;
    double *one = malloc(bytes);
    assert_true(factor(&k, NULL));
    solve(&k);
    check(&k);
    memcpy(one, k.x, bytes);
    for (int threads = 2; threads < 6; threads++) {
        slip_thread_pool *thread_pool = slip_thread_pool_create(threads);
        for (int again = 0; again < 3; again++) {
            assert_true(factor(&k, thread_pool));
            assert_int_equal(k.lu.share.groups > 3 && slip_etree_top_size(&k.lu.share) > 3, shared);
            memset(k.x, 0, bytes);
            solve(&k);
            assert_memory_equal(one, k.x, bytes);
        }
        slip_thread_pool_destroy(thread_pool);
    }
    free(one);
    finish(&k);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    same_on(scene_wall(40, 20, false), true);
    same_on(scene_wall(30, 30, true), true);
    same_on(scene_tower(400, 3.0), false); // nothing to share
}

// at the bottom and at the top of the tree
static void singular_is_said(void **state)
{
    (void)state;
    island_case k;
    start(&k, scene_wall(40, 20, false));
    slip_thread_pool *thread_pool = slip_thread_pool_create(3);
    for (int c = 0; c < k.s.b.contacts; c += 97) {
        const double keep = k.K[9 * c];
        if (!k.on[c]) continue;
        k.K[9 * c] = NAN;
        assert_false(factor(&k, NULL));
        assert_false(factor(&k, thread_pool));
        k.K[9 * c] = keep;
        assert_true(factor(&k, thread_pool));
    }
    slip_thread_pool_destroy(thread_pool);
    finish(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(threads_do_not_matter),
                                        cmocka_unit_test(singular_is_said) };
    return cmocka_run_group_tests_name("solver.bodylu", tests, NULL, NULL);
}
