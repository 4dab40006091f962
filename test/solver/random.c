/// random.c: problems by the thousand, judged by enumeration, which knows all solutions.
#include <string.h>

#include "helpers.h"

enum { MOST = 12, ROOM = 64 };

// z is one of the solutions that enumeration found, or a solution of a continuum
static bool is_known(const slip_problem *p, const double *z, const double *all, int count)
{
    for (int s = 0; s < count && s < ROOM; s++) {
        double apart = 0.0, size = 1e-8;
        for (int i = 0; i < p->size; i++) {
            apart = fmax(apart, fabs(z[i] - all[s * p->size + i]));
            size = fmax(size, fmax(fabs(z[i]), fabs(all[s * p->size + i])));
        }
        if (apart <= 1e-5 * size) return true;
    }
    return false;
}

// solutions that a tolerance can tell from none: a nearly singular mode may have one at 1e12
static int sound(const slip_problem *p, const double *all, int count, double tolerance)
{
    int good = 0;
    double w[MOST];
    for (int s = 0; s < count && s < ROOM; s++) {
        const double *z = all + s * p->size;
        const slip_residuals e = slip_residual(p, z, w);
        good += e.invariant <= tolerance && e.rounding <= tolerance;
    }
    return good;
}

typedef struct tally {
    int problems, solvable, unsolvable, several, solved[16];
} tally;

// every solver's `converged` must be a solution that exists; `auto` must find one if there is one
static void referee(const slip_problem *p, tally *t)
{
    const slip_solve_options o = slip_default_solve_options();
    static double all[ROOM * MOST];
    size_t bytes;
    assert_int_equal(slip_solve_work_size(slip_solver_find("enum"), p, &o, &bytes), SLIP_OK);
    void *work = slip_arena_memory(bytes);
    bool continuum = false;
    const int count = slip_solutions(p, &o, all, ROOM, &continuum, work);
    free(work);
    assert_true(count >= 0);
    t->problems++;
    t->solvable += count > 0;
    t->unsolvable += count == 0;
    t->several += count > 1;
    for (int s = 0; s < slip_solver_count(); s++) {
        const char *name = slip_solver_get(s)->name;
        if (!slip_solver_accepts(slip_solver_get(s), p) || strcmp(name, "enum") == 0) continue;
        slip_solve_options own = o;
        if (strcmp(name, "auto") != 0) own.max_iterations = 200;
        own.tolerance = 1e-10;
        bench b = bench_take(name, p, &own);
        const slip_outcome outcome = bench_solve(&b, name, p, &own);
        if (outcome == SLIP_CONVERGED) {
            t->solved[s]++;
            assert_true(count > 0);
            if (!continuum && !is_known(p, b.z, all, count))
                fail_msg("%s found a solution that is none", name);
        } else if (strcmp(name, "auto") == 0 && sound(p, all, count, own.tolerance) > 0)
            fail_msg("auto: %s although there are %d solutions (problem %d)", slip_outcome_name(outcome),
                     count, t->problems);
        else if (outcome == SLIP_INFEASIBLE)
            assert_int_equal(count, 0);
        bench_free(&b);
    }
}

static void report(const char *what, const tally *t)
{
    print_message("%s: %d problems, %d solvable, %d with several solutions;", what, t->problems, t->solvable,
                  t->several);
    for (int s = 0; s < slip_solver_count(); s++)
        if (t->solved[s]) print_message(" %s %d", slip_solver_get(s)->name, t->solved[s]);
    print_message("\n");
}

// any matrix at all: positive definite, semidefinite, indefinite, with zeros and repeated rows
static void draw_matrix(uint64_t *seed, int n, double *M)
{
    const int sort = (int)(4.0 * draw(seed));
    if (sort == 0)
        draw_gram(seed, n, n + 1, M);
    else if (sort == 1)
        draw_gram(seed, n, n > 1 ? n - 1 : 1, M);
    else
        for (int i = 0; i < n * n; i++) M[i] = draw(seed) < 0.2 ? 0.0 : draw_between(seed, -1.0, 1.0);
    if (sort == 3)
        for (int i = 0; i < n; i++) M[i * n + i] += 1.5;
}

static void lcps(void **state)
{
    (void)state;
    uint64_t seed = 11;
    tally t = { 0 };
    for (int trial = 0; trial < 4000; trial++) {
        const int n = 1 + (int)(6.0 * draw(&seed));
        double M[36], q[6];
        draw_matrix(&seed, n, M);
        for (int i = 0; i < n; i++) q[i] = draw(&seed) < 0.1 ? 0.0 : draw_between(&seed, -1.0, 1.0);
        const slip_problem p = slip_problem_lcp(n, M, q);
        referee(&p, &t);
    }
    report("LCP", &t);
    assert_true(t.several > 50 && t.unsolvable > 50);
}

static void mixed_problems(void **state)
{
    (void)state;
    uint64_t seed = 12;
    tally t = { 0 };
    for (int trial = 0; trial < 2000; trial++) {
        const int n = 2 + (int)(5.0 * draw(&seed));
        double M[49], q[7];
        draw_matrix(&seed, n, M);
        for (int i = 0; i < n; i++) q[i] = draw_between(&seed, -1.0, 1.0);
        slip_problem p = slip_problem_lcp(n, M, q);
        p.kind = SLIP_KIND_MLCP;
        p.equalities = 1 + (int)(draw(&seed) * (n - 1));
        referee(&p, &t);
    }
    report("MLCP", &t);
}

static void relays(void **state)
{
    (void)state;
    uint64_t seed = 13;
    tally t = { 0 };
    for (int trial = 0; trial < 2000; trial++) {
        const int n = 1 + (int)(5.0 * draw(&seed));
        double M[25], q[5], low[5], high[5];
        draw_matrix(&seed, n, M);
        for (int i = 0; i < n; i++) {
            q[i] = draw_between(&seed, -1.0, 1.0);
            low[i] = draw(&seed) < 0.2 ? -INFINITY : draw_between(&seed, -1.0, 0.0);
            high[i] = draw(&seed) < 0.2 ? INFINITY : draw_between(&seed, 0.0, 1.0);
        }
        slip_problem p = slip_problem_lcp(n, M, q);
        p.kind = SLIP_KIND_RELAY;
        p.lower = low;
        p.upper = high;
        referee(&p, &t);
    }
    report("RELAY", &t);
}

static void planar_contacts(void **state)
{
    (void)state;
    uint64_t seed = 14;
    tally t = { 0 };
    for (int trial = 0; trial < 2000; trial++) {
        const int contacts = 1 + (int)(4.0 * draw(&seed)), n = 2 * contacts;
        double W[64], q[8], mu[4];
        draw_gram(&seed, n, draw(&seed) < 0.5 ? n + 1 : 3, W); // three dofs: redundant from two contacts on
        for (int i = 0; i < n; i++) q[i] = draw_between(&seed, -1.0, 1.0);
        for (int i = 0; i < contacts; i++) mu[i] = draw(&seed) < 0.2 ? 0.0 : draw_between(&seed, 0.0, 1.5);
        const slip_problem p = slip_problem_contacts(2, contacts, W, q, mu);
        referee(&p, &t);
    }
    report("FC2D", &t);
}

// in space there is no referee but the residual; q in the range of W keeps redundant problems solvable
static void spatial_contacts(void **state)
{
    (void)state;
    uint64_t seed = 15;
    int solved = 0, problems = 1500;
    for (int trial = 0; trial < problems; trial++) {
        const int contacts = 1 + (int)(5.0 * draw(&seed)), n = 3 * contacts;
        const int dofs = draw(&seed) < 0.5 ? n + 2 : 6;
        double *G = malloc(sizeof(double) * (size_t)(n * dofs)), W[225], q[15], mu[5], v[32];
        for (int i = 0; i < n * dofs; i++) G[i] = draw_between(&seed, -1.0, 1.0);
        for (int k = 0; k < dofs; k++) v[k] = draw_between(&seed, -1.0, 1.0);
        for (int i = 0; i < n; i++) {
            q[i] = 0.0;
            for (int k = 0; k < dofs; k++) q[i] += G[i * dofs + k] * v[k];
            for (int j = 0; j < n; j++) {
                W[i * n + j] = 0.0;
                for (int k = 0; k < dofs; k++) W[i * n + j] += G[i * dofs + k] * G[j * dofs + k];
            }
        }
        for (int i = 0; i < contacts; i++) mu[i] = draw_between(&seed, 0.0, 1.2);
        const slip_problem p = slip_problem_contacts(3, contacts, W, q, mu);
        solved += solve_once("auto", &p, NULL, NULL) == SLIP_CONVERGED;
        free(G);
    }
    print_message("FC3D: %d of %d solved\n", solved, problems);
    assert_true(solved >= problems * 99 / 100);
}

// strictly convex programs have one answer; the least norm is compared with a ridge that tends to zero
static void quadratic_programs(void **state)
{
    (void)state;
    uint64_t seed = 16;
    int solved = 0, infeasible = 0;
    for (int trial = 0; trial < 400; trial++) {
        const int n = 2 + (int)(4.0 * draw(&seed)), m = (int)(4.0 * draw(&seed)),
                  rank = 1 + (int)(draw(&seed) * n);
        double Q[36], c[6], A[24], b[4], lower[6], z[10], ridge[10];
        draw_gram(&seed, n, rank, Q);
        for (int i = 0; i < n; i++) c[i] = 0.0, lower[i] = draw(&seed) < 0.5 ? 0.0 : -1.0;
        for (int i = 0; i < m * n; i++) A[i] = draw_between(&seed, -1.0, 1.0);
        for (int i = 0; i < m; i++) b[i] = draw_between(&seed, -1.0, 0.6);
        slip_problem p = slip_problem_qp(n, Q, c, m, A, b, lower);
        slip_solve_info info;
        const slip_outcome outcome = solve_once("qp", &p, z, &info);
        infeasible += outcome == SLIP_INFEASIBLE;
        if (outcome == SLIP_INFEASIBLE) continue;
        assert_int_equal(outcome, SLIP_CONVERGED);
        solved++;
        for (int i = 0; i < n; i++) Q[i * n + i] += 1e-7;
        assert_int_equal(solve_once("qp", &p, ridge, NULL), SLIP_CONVERGED);
        for (int i = 0; i < n; i++) assert_near(z[i], ridge[i], 2e-4 * (1.0 + fabs(z[i])));
    }
    print_message("QP: %d solved, %d infeasible\n", solved, infeasible);
    assert_true(solved > 250);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lcps),
        cmocka_unit_test(mixed_problems),
        cmocka_unit_test(relays),
        cmocka_unit_test(planar_contacts),
        cmocka_unit_test(spatial_contacts),
        cmocka_unit_test(quadratic_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
