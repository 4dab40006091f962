/// memory.c: solving allocates nothing, and failed allocations elsewhere are survived.
#include <string.h>

#include "alloc_fail.h"
#include "helpers.h"

static void solving_allocates_nothing(void **state)
{
    (void)state;
    static const char *const names[] = { "lcp_mmc",
                                         "deltasigma2_mlcp",
                                         "relay1",
                                         "FrictionContactProblem00071",
                                         "OneObject-i1028-138",
                                         "Spheres-i099-356-679",
                                         "FrictionContact3D_1c" };
    for (int f = 0; f < 7; f++) {
        slip_problem *p = load_problem(names[f]);
        for (int s = 0; s < slip_solver_count(); s++) {
            const slip_solver *solver = slip_solver_get(s);
            slip_solve_options o = slip_default_solve_options();
            if (!slip_solver_accepts(solver, p) || (strcmp(solver->name, "enum") == 0 && p->size > 10))
                continue;
            if (strcmp(solver->name, "auto") != 0) o.max_iterations = 30;
            bench b = bench_take(solver->name, p, &o);
            alloc_fail_at(0);
            slip_solve(solver, p, &o, b.z, b.w, b.work, &b.info);
            assert_int_equal(alloc_fail_stop(), 0);
            bench_free(&b);
        }
        slip_problem_destroy(p);
    }
}

// work measured for the largest problem serves the smaller ones of a time stepper; with a tolerance of
// zero every stage of `auto` is reached. Bytes past the end must stay as they are.
static void work_serves_smaller_problems(void **state)
{
    (void)state;
    enum { MOST = 17, N = 3 * MOST, PAST = 4096 };
    static double W[N * N], q[N], mu[MOST], z[N], w[N];
    uint64_t seed = 41;
    for (int d = 1; d <= 3; d++)
        for (int s = 0; s < slip_solver_count(); s++) {
            const slip_solver *solver = slip_solver_get(s);
            slip_solve_options o = slip_default_solve_options();
            o.tolerance = 0.0;
            slip_solve_option_set(&o, "auto.effort=0.01", NULL);
            o.max_iterations = strcmp(solver->name, "auto") == 0 ? 0.0 : 20.0;
            slip_problem p = d == 1 ? slip_problem_lcp(N, W, q) : slip_problem_contacts(d, MOST, W, q, mu);
            if (!slip_solver_accepts(solver, &p) || strcmp(solver->name, "enum") == 0) continue;
            size_t bytes;
            assert_int_equal(slip_solve_work_size(solver, &p, &o, &bytes), SLIP_OK);
            unsigned char *work = slip_arena_memory(bytes + PAST);
            memset(work + bytes, 0x5a, PAST);
            for (int count = 0; count <= (d == 1 ? N : MOST); count++) {
                if (d < 3 && count > 5 && count <= 20 / d) continue; // to the last mode: long
                if (count > 6 && count % 4) continue;
                const int n = d * count;
                draw_gram(&seed, n, n + 1, W);
                for (int i = 0; i < n; i++) q[i] = draw_between(&seed, -1, 1), mu[i / d % MOST] = 0.5;
                p = d == 1 ? slip_problem_lcp(n, W, q) : slip_problem_contacts(d, count, W, q, mu);
                slip_solve(solver, &p, &o, z, w, work, NULL);
            }
            for (int i = 0; i < PAST; i++) assert_int_equal(work[bytes + (size_t)i], 0x5a);
            free(work);
        }
}

// a sparse LCP whose factor is too large for Newton: the work for `auto` still holds all that it touches
static void a_factor_too_large_is_measured(void **state)
{
    (void)state;
    enum { N = 8000, EACH = 20, PAST = 4096, MOST = 64 };
    int *near = calloc((size_t)N * MOST, sizeof *near), *start = calloc(N + 1, sizeof *start);
    int *column = calloc((size_t)N * MOST, sizeof *column);
    int count[N] = { 0 };
    double *values = calloc((size_t)N * MOST, sizeof *values), *q = calloc(N, sizeof *q);
    double *z = calloc(N, sizeof *z), *w = calloc(N, sizeof *w);
    uint64_t seed = 5;
    for (int i = 0; i < N; i++) {
        q[i] = draw_between(&seed, -1.0, 0.5);
        for (int k = 0; k < EACH; k++) {
            const int j = (int)(draw(&seed) * N);
            if (j == i || count[i] == MOST - 1 || count[j] == MOST - 1) continue;
            near[i * MOST + count[i]++] = j;
            near[j * MOST + count[j]++] = i;
        }
    }
    for (int i = 0; i < N; i++) { // rows in order, each neighbour once, the diagonal among them
        int *row = near + (long)i * MOST, used = start[i];
        row[count[i]++] = i;
        for (int last = -1; used - start[i] < MOST;) {
            int next = N;
            for (int k = 0; k < count[i]; k++)
                if (row[k] > last && row[k] < next) next = row[k];
            if (next == N) break;
            column[used] = last = next;
            values[used++] = next == i ? 1.0 : -0.0155;
        }
        start[i + 1] = used;
    }
    slip_problem p = { .kind = SLIP_KIND_LCP, .size = N, .q = q };
    p.W = slip_matrix_sparse(N, N, 1, start, column, values);
    const slip_solve_options o = slip_default_solve_options();
    size_t bytes;
    assert_int_equal(slip_problem_check(&p, NULL), SLIP_OK);
    assert_int_equal(slip_solve_work_size(slip_solver_find("auto"), &p, &o, &bytes), SLIP_OK);
    unsigned char *work = slip_arena_memory(bytes + PAST);
    memset(work + bytes, 0x5a, PAST);
    assert_int_equal(slip_solve(slip_solver_find("auto"), &p, &o, z, w, work, NULL), SLIP_CONVERGED);
    assert_int_equal(slip_solve(slip_solver_find("newton"), &p, &o, z, w, work, NULL), SLIP_UNSUITED);
    for (int i = 0; i < PAST; i++) assert_int_equal(work[bytes + (size_t)i], 0x5a);
    void *all[] = { near, start, column, values, q, z, w, work };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

static void failed_allocations_are_survived(void **state)
{
    (void)state;
    static const char *const names[] = { "GFC3D_TwoRods1", "gfc2d_granularflowonwall_00069_00350" };
    for (int f = 0; f < 2; f++)
        for (long k = 1;; k++) {
            char path[200];
            slip_problem *p = NULL, *condensed = NULL;
            slip_error error = { 0 };
            snprintf(path, sizeof path, PROBLEM_FOLDER "%s.nsp", names[f]);
            alloc_fail_at(k);
            slip_status status = slip_problem_read_file(path, &error, &p);
            if (status == SLIP_OK) status = slip_problem_condense(p, &error, &condensed);
            if (status == SLIP_OK) {
                const slip_solve_options o = slip_default_solve_options();
                size_t bytes;
                status = slip_solve_work_size(slip_solver_find("newton"), condensed, &o, &bytes);
            }
            const bool finished = alloc_fail_stop() < k;
            assert_int_equal(status, finished ? SLIP_OK : SLIP_NO_MEMORY);
            slip_problem_destroy(p);
            slip_problem_destroy(condensed);
            if (finished) break;
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solving_allocates_nothing),
        cmocka_unit_test(work_serves_smaller_problems),
        cmocka_unit_test(a_factor_too_large_is_measured),
        cmocka_unit_test(failed_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
