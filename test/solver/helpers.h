/// helpers.h: what the solver tests share: memory for one solve, random numbers, problems on disk.
#ifndef SLIP_TEST_SOLVER_HELPERS_H
#define SLIP_TEST_SOLVER_HELPERS_H

#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "slipstick/solver.h"
#include "test.h"

#define PROBLEM_FOLDER "test/problems/"

/// Memory of one solve.
typedef struct bench {
    slip_solve_info info;
    double *z, *w;
    void *work;
    size_t bytes;
} bench;

static inline bench bench_take(const char *solver, const slip_problem *p, const slip_solve_options *o)
{
    bench b = { .z = calloc((size_t)p->size + 1, sizeof(double)),
                .w = calloc((size_t)p->size + 1, sizeof(double)) };
    assert_int_equal(slip_solve_work_size(slip_solver_find(solver), p, o, &b.bytes), SLIP_OK);
    b.work = slip_arena_memory(b.bytes);
    return b;
}

static inline void bench_free(bench *b)
{
    free(b->z);
    free(b->w);
    free(b->work);
}

/// Solves from zero and checks what holds for every answer: finite, and `converged` only when true.
static inline slip_outcome bench_solve(bench *b, const char *solver, const slip_problem *p,
                                       const slip_solve_options *o)
{
    const slip_outcome outcome = slip_solve(slip_solver_find(solver), p, o, b->z, b->w, b->work, &b->info);
    for (int i = 0; i < p->size; i++) assert_true(isfinite(b->z[i]) && isfinite(b->w[i]));
    const slip_residuals e = slip_residual(p, b->z, b->w);
    if (outcome != SLIP_UNSUITED) assert_true(e.invariant == b->info.residual);
    const bool good = e.invariant <= o->tolerance && e.rounding <= o->tolerance;
    assert_true((outcome == SLIP_CONVERGED) == (outcome != SLIP_UNSUITED && good));
    return outcome;
}

static inline slip_outcome solve_once(const char *solver, const slip_problem *p, double *z,
                                      slip_solve_info *info)
{
    const slip_solve_options o = slip_default_solve_options();
    bench b = bench_take(solver, p, &o);
    const slip_outcome outcome = bench_solve(&b, solver, p, &o);
    for (int i = 0; z && i < p->size; i++) z[i] = b.z[i];
    if (info) *info = b.info;
    bench_free(&b);
    return outcome;
}

/// Numbers that look random and are the same everywhere: splitmix64.
static inline double draw(uint64_t *seed)
{
    uint64_t x = (*seed += 0x9e3779b97f4a7c15u);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}
static inline double draw_between(uint64_t *seed, double low, double high)
{
    return low + (high - low) * draw(seed);
}

/// W = G G' with G n x m random, so of rank min(n, m).
static inline void draw_gram(uint64_t *seed, int n, int m, double *W)
{
    double *G = malloc(sizeof(double) * (size_t)(n * m + 1));
    for (int i = 0; i < n * m; i++) G[i] = draw_between(seed, -1.0, 1.0);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            W[i * n + j] = 0.0;
            for (int k = 0; k < m; k++) W[i * n + j] += G[i * m + k] * G[j * m + k];
        }
    free(G);
}

/// A problem under test/problems, condensed if it is a global one.
static inline slip_problem *load_problem(const char *name)
{
    char path[300];
    slip_problem *p, *condensed;
    slip_error error = { 0 };
    snprintf(path, sizeof path, PROBLEM_FOLDER "%s.nsp", name);
    if (slip_problem_read_file(path, &error, &p) != SLIP_OK) fail_msg("%s: %s", error.where, error.text);
    if (p->kind != SLIP_KIND_GFC2D && p->kind != SLIP_KIND_GFC3D) return p;
    if (slip_problem_condense(p, &error, &condensed) != SLIP_OK) fail_msg("%s: %s", error.where, error.text);
    slip_problem_destroy(p);
    return condensed;
}

#endif
