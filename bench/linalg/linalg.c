/// linalg.c: dense linear algebra beside LAPACK, which is on a serial OpenBLAS where that is installed.
///
/// Usage: bench_linalg [passes]. One row per routine and size: the best time of one call over the passes, of
/// ours, of LAPACK's, and how many times the other's ours is. Both get the same random matrix, copied afresh
/// before each call; the time of the copy counts for neither. Fails when a row is above 1.5.
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "base/linalg/linalg.h"

enum { MOST = 100, SPARE = 64 };

static const double LIMIT = 1.5;

/// What a call works on: `given` is copied to A before it.
typedef struct scene {
    int n, pivot[MOST];
    double given[MOST * MOST], A[MOST * MOST], V[MOST * MOST], x[MOST], y[MOST], work[SPARE * MOST];
} scene;

typedef void call(scene *s);

// ------------------------------------------------------------------------------------------------- pairs

static void our_cholesky(scene *s)
{
    slip_cholesky(s->n, s->A);
}

static void their_cholesky(scene *s)
{
    LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', s->n, s->A, s->n);
}

static void our_lu(scene *s)
{
    slip_lu(s->n, s->A, s->pivot);
}

static void their_lu(scene *s)
{
    LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, s->n, s->n, s->A, s->n, s->pivot);
}

static void our_lu_solve(scene *s)
{
    slip_lu_solve(s->n, s->A, s->pivot, s->x);
}

static void their_lu_solve(scene *s)
{
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', s->n, 1, s->A, s->n, s->pivot, s->x, s->n);
}

static void our_balance(scene *s)
{
    slip_balance(s->n, s->A, s->n);
}

static void their_balance(scene *s)
{
    int low, high;
    LAPACKE_dgebal_work(LAPACK_COL_MAJOR, 'S', s->n, s->A, s->n, &low, &high, s->x);
}

static void our_eigenvalues(scene *s)
{
    slip_eigenvalues(s->n, s->A, s->x, s->y, s->work);
}

static void their_eigenvalues(scene *s)
{
    LAPACKE_dgeev_work(LAPACK_COL_MAJOR, 'N', 'N', s->n, s->A, s->n, s->x, s->y, NULL, 1, NULL, 1, s->work,
                       SPARE * s->n);
}

static void our_symmetric(scene *s)
{
    slip_symmetric_eigen(s->n, s->A, s->x, s->work);
}

static void their_symmetric(scene *s)
{
    LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'U', s->n, s->A, s->n, s->x, s->work, SPARE * s->n);
}

static void our_svd(scene *s)
{
    slip_svd(s->n, s->A, s->x, s->V, s->work);
}

static void their_svd(scene *s)
{
    double unused[1];
    LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'A', 'N', s->n, s->n, s->A, s->n, s->x, s->V, s->n, unused, 1,
                        s->work, SPARE * s->n);
}

static void our_least_squares(scene *s)
{
    slip_least_squares(s->n, s->A, s->x, 1e-10, s->pivot, s->work);
}

static void their_least_squares(scene *s)
{
    int rank;
    memset(s->pivot, 0, sizeof s->pivot);
    LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, s->n, s->n, 1, s->A, s->n, s->x, s->n, s->pivot, 1e-10, &rank,
                        s->work, SPARE * s->n);
}

static void copy_alone(scene *s)
{
    (void)s;
}

/// `solves`: A comes factored.
static const struct routine {
    const char *name;
    call *ours, *theirs;
    bool definite, solves;
} routines[] = {
    { "cholesky", our_cholesky, their_cholesky, true, false },
    { "lu", our_lu, their_lu, false, false },
    { "lu solve", our_lu_solve, their_lu_solve, false, true },
    { "balance", our_balance, their_balance, false, false },
    { "eigenvalues", our_eigenvalues, their_eigenvalues, false, false },
    { "symmetric eigen", our_symmetric, their_symmetric, true, false },
    { "svd", our_svd, their_svd, false, false },
    { "least squares", our_least_squares, their_least_squares, false, false },
};

// ---------------------------------------------------------------------------------------------------- times

static double draw(void)
{
    static unsigned long long seed = 1;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) * 0x1p-52 - 1.0;
}

static void prepare(scene *s, const struct routine *r, int n)
{
    s->n = n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            s->given[i * n + j] = draw();
            s->given[j * n + i] = r->definite ? s->given[i * n + j] : draw();
        }
    for (int i = 0; i < n && r->definite; i++) s->given[i * n + i] += n;
    if (r->solves) slip_lu(n, s->given, s->pivot);
}

// us of one call, with the copy
static double time_call(scene *s, call *what, int calls)
{
    const size_t bytes = (size_t)s->n * (size_t)s->n * sizeof *s->A;
    const double start = processor_time();
    for (int k = 0; k < calls; k++) {
        memcpy(s->A, s->given, bytes);
        for (int i = 0; i < s->n; i++) s->x[i] = 1.0 / (1 + i);
        what(s);
    }
    return 1e6 * (processor_time() - start) / calls;
}

static bool compare(scene *s, const struct routine *r, int n, int passes)
{
    const int calls = 1 + (int)(2e5 / (n * n * (r->solves ? 1.0 : n) + 300.0));
    double best[3] = { INFINITY, INFINITY, INFINITY };
    call *const what[3] = { copy_alone, r->ours, r->theirs };
    prepare(s, r, n);
    for (int pass = 0; pass < passes; pass++)
        for (int k = 0; k < 3; k++) best[k] = fmin(best[k], time_call(s, what[k], calls));
    const double ours = best[1] - best[0], theirs = best[2] - best[0];
    printf("%-16s %4d %10.3f %10.3f %7.2f%s\n", r->name, n, ours, theirs, ours / theirs,
           ours > LIMIT * theirs ? "   above the limit" : "");
    return ours <= LIMIT * theirs;
}

int main(int count, char **given)
{
    static const int sizes[] = { 2, 3, 6, 10, 30, MOST };
    static scene s;
    const int passes = count > 1 ? atoi(given[1]) : 30;
    bool fine = true;
    printf("%-16s %4s %10s %10s %7s\n", "routine", "n", "ours, us", "LAPACK, us", "ours is");
    for (size_t r = 0; r < sizeof routines / sizeof *routines; r++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            fine = compare(&s, &routines[r], sizes[k], passes) && fine;
    return fine ? 0 : 1;
}
