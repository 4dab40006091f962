/// grid.c: every problem of other people x every solver that takes it.
///
/// `auto` has to reach 1e-8 wherever anybody does; the others have to be honest (bench_solve checks
/// that), within limits that keep the grid short. bench/solver runs the same grid without limits.
#include <glob.h>
#include <string.h>

#include "helpers.h"

static const char *base_name(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/');
    snprintf(name, size, "%s", slash ? slash + 1 : path);
    *strrchr(name, '.') = '\0';
    return name;
}

static void auto_solves_what_anybody_solves(void **state)
{
    (void)state;
    glob_t found;
    int solved = 0;
    assert_int_equal(glob(PROBLEM_FOLDER "*.nsp", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char name[200];
        base_name(found.gl_pathv[i], name, sizeof name);
        if (strcmp(name, "RockPile_tob1") == 0) continue; // nobody does, and finding out takes seconds
        slip_problem *p = load_problem(name);
        slip_solve_info info;
        const slip_outcome outcome = solve_once("auto", p, NULL, &info);
        if (outcome != SLIP_CONVERGED)
            print_error("%s: %s, residual %g\n", name, slip_outcome_name(outcome), info.residual);
        solved += outcome == SLIP_CONVERGED;
        slip_problem_destroy(p);
    }
    assert_int_equal(solved, (int)found.gl_pathc - 1);
    assert_true(solved >= 102);
    globfree(&found);
}

// iterations that make the slow ones short
static double limit_of(const char *solver, int size)
{
    if (strcmp(solver, "newton") == 0) return 60;
    if (strcmp(solver, "nsgs") == 0 || strcmp(solver, "pgs") == 0) return size > 500 ? 20 : 300;
    return size > 500 ? 30 : 500;
}

static void every_solver_is_honest(void **state)
{
    (void)state;
    glob_t found;
    int solved[16] = { 0 }, tried[16] = { 0 };
    assert_int_equal(glob(PROBLEM_FOLDER "*.nsp", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char name[200];
        slip_problem *p = load_problem(base_name(found.gl_pathv[i], name, sizeof name));
        for (int s = 1; s < slip_solver_count(); s++) {
            const slip_solver *solver = slip_solver_get(s);
            slip_solve_options o = slip_default_solve_options();
            if (!slip_solver_accepts(solver, p)) continue;
            if (strcmp(solver->name, "lemke") == 0 && p->size > 300) continue;
            if (strcmp(solver->name, "enum") == 0 && p->size > 12) continue;
            if (strcmp(solver->name, "lemke") != 0) o.max_iterations = limit_of(solver->name, p->size);
            bench b = bench_take(solver->name, p, &o);
            tried[s]++;
            solved[s] += bench_solve(&b, solver->name, p, &o) == SLIP_CONVERGED;
            bench_free(&b);
        }
        slip_problem_destroy(p);
    }
    for (int s = 1; s < slip_solver_count(); s++)
        print_message("%-8s %3d of %3d\n", slip_solver_get(s)->name, solved[s], tried[s]);
    globfree(&found);
    for (int s = 1; s < slip_solver_count(); s++) {
        const char *name = slip_solver_get(s)->name;
        if (strcmp(name, "qp") == 0) continue;
        assert_true(tried[s] > 10);
        // measured 2026: the least that each has to keep solving here
        const double part =
            strcmp(name, "enum") == 0 || strcmp(name, "lemke") == 0 || strcmp(name, "newton") == 0 ? 0.75
                                                                                                   : 0.4;
        if (solved[s] < part * tried[s]) fail_msg("%s solves %d of %d", name, solved[s], tried[s]);
    }
}

// W = H' M^-1 H computed here agrees with the condensed problems on disk
static void condensing_agrees(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        { "GFC3D_TwoRods1", "GFC3D_TwoRods1__cond" },
        { "CubeH8", "CubeH8__cond" },
        { "Box_Stacks-i0122-82-5", "Box_Stacks-i0122-82-5__cond" },
        { "gfc2d_granularflowonwall_00069_00350", "gfc2d_granularflowonwall_00069_00350__cond" },
    };
    for (int i = 0; i < 4; i++) {
        slip_problem *a = load_problem(pairs[i][0]), *b = load_problem(pairs[i][1]);
        assert_int_equal(a->size, b->size);
        double *x = malloc(sizeof(double) * (size_t)a->size * 3);
        double *y = x + a->size, *z = y + a->size, size = 0.0;
        uint64_t seed = 1;
        for (int k = 0; k < a->size; k++) x[k] = draw(&seed);
        slip_matrix_apply(&a->W, x, y);
        slip_matrix_apply(&b->W, x, z);
        for (int k = 0; k < a->size; k++) size = fmax(size, fabs(y[k]));
        for (int k = 0; k < a->size; k++) {
            assert_near(y[k], z[k], 1e-12 * size);
            assert_near(a->q[k], b->q[k], 1e-10 * (1.0 + fabs(b->q[k])));
        }
        free(x);
        slip_problem_destroy(a);
        slip_problem_destroy(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(auto_solves_what_anybody_solves),
        cmocka_unit_test(every_solver_is_honest),
        cmocka_unit_test(condensing_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
