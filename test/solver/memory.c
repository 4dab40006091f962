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
        cmocka_unit_test(failed_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
