/// papers.c: problems and answers from the papers.
#include <string.h>

#include "helpers.h"
#include "truth/flores/lcp.h"

// Flores 2010: every method gets the motion; the forces too where they are unique
static void slider_crank_steps_are_solved(void **state)
{
    (void)state;
    static const char *const solvers[] = { "auto", "lemke", "enum", "newton" };
    for (size_t s = 0; s < sizeof flores_lcps / sizeof *flores_lcps; s++) {
        const flores_lcp *step = &flores_lcps[s];
        const int n = 3 * step->count;
        const slip_problem p = slip_problem_lcp(n, step->A, step->b);
        for (int k = 0; k < 4; k++) {
            double z[12];
            slip_solve_info info;
            assert_int_equal(solve_once(solvers[k], &p, z, &info), SLIP_CONVERGED);
            const bool exact = strcmp(solvers[k], "newton") != 0;
            if (exact) assert_near(info.residual, 0.0, 2e-12);
            if (step->unique && exact)
                for (int i = 0; i < n; i++) assert_near(z[i], step->x[i], 1e-9 * (1.0 + fabs(step->x[i])));
            if (!step->unique && strcmp(solvers[k], "enum") == 0)
                assert_int_equal(info.uniqueness, SLIP_NOT_UNIQUE);
        }
    }
}

// eq 85 built from W, q, mu is the file's LCP, and its solution maps back to one of the contact problem
static void planar_friction_is_an_lcp(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int trial = 0; trial < 200; trial++) {
        enum { CONTACTS = 3, N = 2 * CONTACTS };
        double W[N * N], q[N], mu[CONTACTS], A[81], b[9], x[9], r[N], u[N];
        draw_gram(&seed, N, N + 1, W);
        for (int i = 0; i < N; i++) q[i] = draw_between(&seed, -1.0, 1.0);
        for (int i = 0; i < CONTACTS; i++) mu[i] = draw_between(&seed, 0.0, 0.6);
        slip_lcp_from_planar(CONTACTS, W, q, mu, A, b);
        const slip_problem lcp = slip_problem_lcp(9, A, b), fc = slip_problem_contacts(2, CONTACTS, W, q, mu);
        if (solve_once("lemke", &lcp, x, NULL) != SLIP_CONVERGED) continue;
        slip_planar_from_lcp(CONTACTS, mu, x, r);
        assert_true(slip_residual(&fc, r, u).invariant < 1e-10);
    }
    const double free[2] = { 0.5, 0.25 }, before[2] = { -1.0, 2.0 }, eps[2] = { 0.4, 0.0 };
    double q[2];
    slip_planar_free_velocity(2, free, before, eps, q);
    assert_near(q[0], 0.5 - 1.4, 1e-15);
    assert_near(q[1], 2.25, 1e-15);
}

static void check_qp(int n, const double *S, const double *A, const double *b, const double *expected)
{
    const double c[8] = { 0 }, lower[8] = { 0 };
    const slip_problem p = slip_problem_qp(n, S, c, n, A, b, lower);
    double z[16];
    assert_int_equal(slip_problem_check(&p, NULL), SLIP_OK);
    assert_int_equal(solve_once("qp", &p, z, NULL), SLIP_CONVERGED);
    for (int i = 0; i < n; i++) assert_near(z[i], expected[i], 1e-9);
    assert_int_equal(solve_once("auto", &p, z, NULL), SLIP_CONVERGED);
    for (int i = 0; i < n; i++) assert_near(z[i], expected[i], 1e-9);
}

// Gomez 2008 section 2.5: sliding block (2.109)-(2.114), particle between planes, and two cases in which
// the quadratic program is not the LCP
static void gauss_programs_are_solved(void **state)
{
    (void)state;
    check_qp(2, (double[]){ 1.625, 0.125, 0.125, 4.625 }, (double[]){ 1.75, -1.25, 0.25, 3.25 },
             (double[]){ 1, 1 }, (double[]){ 0.75, 0.25 });
    check_qp(2, (double[]){ 2, 2, 2, 8 }, (double[]){ 1, -2, 1, 4 }, (double[]){ 1, 1 }, (double[]){ 1, 0 });
    check_qp(2, (double[]){ 3.625, 5.125, 5.125, 12.625 }, (double[]){ 0.25, -2.75, 1.75, 4.75 },
             (double[]){ 1, 1 }, (double[]){ 4, 0 });
    const double c = 0.7071067811865475;
    check_qp(2, (double[]){ 1.09, c, c, 1 }, (double[]){ 1, c, c, 1 }, (double[]){ 1, 0.35355339059327373 },
             (double[]){ 0.9174311926605505, 0.11676992716842063 });
    check_qp(2, (double[]){ 1, 0.9, 0.9, 1.64 }, (double[]){ 1, 0.9, 0.9, 1 },
             (double[]){ 0.9746794344808963, 0.9746794344808963 },
             (double[]){ 0.7925117931408767, 0.26141882065410754 });
    // two planes facing each other: S is singular for mu = 0, and the least norm decides
    for (int k = 0; k < 4; k++) {
        const double mu = (double[]){ 0.0, 0.3, 1.0, 5.0 }[k], m = mu * mu;
        check_qp(2, (double[]){ 1 + m, -1 + m, -1 + m, 1 + m }, (double[]){ 1, -1, -1, 1 },
                 (double[]){ 1, -1 }, (double[]){ 1, 0 });
    }
}

// a table on four legs: the load is shared equally, which only the least norm says
static void least_norm_shares_the_load(void **state)
{
    (void)state;
    double G[4][3] = { { 1, 1, 1 }, { 1, 1, -1 }, { 1, -1, 1 }, { 1, -1, -1 } }, W[16], c[4], z[4];
    const double lower[4] = { 0 };
    for (int i = 0; i < 4; i++) {
        c[i] = -1.0;
        for (int j = 0; j < 4; j++) W[i * 4 + j] = G[i][0] * G[j][0] + G[i][1] * G[j][1] + G[i][2] * G[j][2];
    }
    slip_problem p = slip_problem_qp(4, W, c, 0, NULL, NULL, lower);
    slip_solve_info info;
    assert_int_equal(solve_once("qp", &p, z, &info), SLIP_CONVERGED);
    for (int i = 0; i < 4; i++) assert_near(z[i], 0.25, 1e-12);
    assert_int_equal(info.uniqueness, SLIP_NOT_UNIQUE);
}

static void contradictory_program_is_infeasible(void **state)
{
    (void)state;
    const double Q[1] = { 1.0 }, c[1] = { 0.0 }, A[2] = { 1.0, -1.0 }, b[2] = { 1.0, 1.0 };
    const slip_problem p = slip_problem_qp(1, Q, c, 2, A, b, NULL);
    assert_int_equal(solve_once("qp", &p, NULL, NULL), SLIP_INFEASIBLE);
    assert_int_equal(solve_once("auto", &p, NULL, NULL), SLIP_INFEASIBLE);
}

// Gomez 2008 (2.80)-(2.82): w = A N - b with the sign of A and b giving one, no or two solutions
static void painleve_rod_is_counted(void **state)
{
    (void)state;
    static const struct {
        double A, b;
        int solutions;
    } cases[] = {
        { 0.21730792954889477, 0.29166666666666663, 1 },
        { -0.28269207045110534, 0.2611645496846301, 0 },
        { -0.28269207045110534, -0.821367205045918, 2 },
        { 1.4493587371177714, -0.31618571950499563, 1 },
    };
    for (int k = 0; k < 4; k++) {
        const double q = -cases[k].b;
        const slip_problem p = slip_problem_lcp(1, &cases[k].A, &q);
        slip_solve_info info;
        const slip_outcome outcome = solve_once("enum", &p, NULL, &info);
        assert_int_equal(info.solutions, cases[k].solutions);
        assert_int_equal(outcome, cases[k].solutions ? SLIP_CONVERGED : SLIP_INFEASIBLE);
        if (cases[k].solutions == 0) assert_int_equal(solve_once("lemke", &p, NULL, NULL), SLIP_RAY);
        assert_int_equal(solve_once("auto", &p, NULL, NULL),
                         cases[k].solutions ? SLIP_CONVERGED : SLIP_INFEASIBLE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slider_crank_steps_are_solved),       cmocka_unit_test(planar_friction_is_an_lcp),
        cmocka_unit_test(gauss_programs_are_solved),           cmocka_unit_test(least_norm_shares_the_load),
        cmocka_unit_test(contradictory_program_is_infeasible), cmocka_unit_test(painleve_rod_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
