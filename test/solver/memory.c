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

// work measured for the largest problem serves the smaller ones of a time stepper
static void work_serves_smaller_problems(void **state)
{
    (void)state;
    enum { MOST = 8, N = 3 * MOST };
    static double W[N * N], q[N], mu[MOST], z[N], w[N];
    uint64_t seed = 41;
    for (int d = 2; d <= 3; d++)
        for (int s = 0; s < slip_solver_count(); s++) {
            const slip_solver *solver = slip_solver_get(s);
            slip_solve_options o = slip_default_solve_options();
            o.max_iterations = 50;
            slip_problem p = slip_problem_contacts(d, MOST, W, q, mu);
            if (!slip_solver_accepts(solver, &p) || strcmp(solver->name, "enum") == 0) continue;
            void *work = slip_arena_memory(slip_solve_work_size(solver, &p, &o));
            for (int contacts = 0; contacts <= MOST; contacts++) {
                draw_gram(&seed, d * contacts, d * contacts + 1, W);
                for (int i = 0; i < d * contacts; i++) q[i] = draw_between(&seed, -1, 1), mu[i / d] = 0.5;
                p = slip_problem_contacts(d, contacts, W, q, mu);
                slip_solve(solver, &p, &o, z, w, work, NULL);
            }
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
            slip_status status = slip_problem_read_file(path, &p, &error);
            if (status == SLIP_OK) status = slip_problem_condense(p, &condensed, &error);
            if (status == SLIP_OK) {
                const slip_solve_options o = slip_default_solve_options();
                const size_t bytes = slip_solve_work_size(slip_solver_find("newton"), condensed, &o);
                if (bytes == 0) status = SLIP_NO_MEMORY;
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
