/// robust.c: degenerate, redundant, badly scaled, unsolvable: an honest outcome every time.
#include <string.h>

#include "helpers.h"
#include "solver/problem/contact_law.h"

static const double FAR[] = { 1e-8, 1e-4, 1.0, 1e4, 1e8 };

// units of force and of velocity change nothing but the numbers
static void scaling_changes_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {
        "Rover1039", "OneObject-i1028-138",  "FrictionContactProblem00071", "FC2D_SliderCrankLagrangian00001",
        "lcp_mmc",   "Confeti-ex03-Fc3D-SBM"
    };
    for (int f = 0; f < 6; f++) {
        slip_problem *p = load_problem(names[f]);
        const int entries = p->W.row_start[p->size / p->W.block] * p->W.block * p->W.block;
        double *values = malloc(sizeof(double) * (size_t)entries),
               *q = malloc(sizeof(double) * (size_t)p->size);
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++) {
                slip_problem scaled = *p;
                for (int k = 0; k < entries; k++) values[k] = p->W.values[k] * FAR[i];
                for (int k = 0; k < p->size; k++) q[k] = p->q[k] * FAR[j];
                scaled.W.values = values;
                scaled.q = q;
                // for an LCP the residual mixes z and w, so only contacts are asked to be invariant
                const slip_outcome outcome = solve_once("auto", &scaled, NULL, NULL);
                if (p->contacts > 0) assert_int_equal(outcome, SLIP_CONVERGED);
            }
        free(values);
        free(q);
        slip_problem_destroy(p);
    }
}

// one contact alone has a solution for every mu when W is positive definite
static void one_contact_for_every_mu(void **state)
{
    (void)state;
    uint64_t seed = 21;
    for (int trial = 0; trial < 20000; trial++) {
        const int d = trial % 2 ? 3 : 2;
        double W[9], q[3], mu = pow(10.0, draw_between(&seed, -4.0, 4.0)), r[3] = { 0 }, u[3];
        draw_gram(&seed, d, d + 1, W);
        if (trial % 10 == 0) mu = 0.0;
        const double size = pow(10.0, draw_between(&seed, -6.0, 6.0));
        for (int i = 0; i < d * d; i++) W[i] *= size;
        for (int i = 0; i < d; i++) q[i] = draw_between(&seed, -1.0, 1.0);
        const slip_problem p = slip_problem_contacts(d, 1, W, q, &mu);
        assert_true(slip_one_contact_solve(d, W, q, mu, r));
        assert_near(slip_residual(&p, r, u).invariant, 0.0, 1e-9);
    }
}

// a box on its face: twelve contacts on six degrees of freedom
static void redundant_contacts_are_solved(void **state)
{
    (void)state;
    uint64_t seed = 22;
    static const char *const solvers[] = { "auto", "nsgs", "newton", "ala" };
    for (int trial = 0; trial < 20; trial++) {
        enum { CONTACTS = 12, N = 3 * CONTACTS };
        static double G[N * 6], W[N * N], q[N], mu[CONTACTS];
        for (int a = 0; a < CONTACTS; a++) { // unit mass and inertia, contact points in a plane below
            const double x = draw_between(&seed, -1, 1), y = draw_between(&seed, -1, 1), z = -0.5;
            const double rows[18] = { 0, 0, 1, y, -x, 0, 1, 0, 0, 0, z, -y, 0, 1, 0, -z, 0, x };
            memcpy(G + a * 18, rows, sizeof rows);
            mu[a] = 0.5;
        }
        double v[6];
        for (int k = 0; k < 6; k++) v[k] = draw_between(&seed, -0.5, 0.5);
        v[2] -= 1.0;
        for (int i = 0; i < N; i++) {
            q[i] = 0.0;
            for (int k = 0; k < 6; k++) q[i] += G[i * 6 + k] * v[k];
            for (int j = 0; j < N; j++) {
                W[i * N + j] = 0.0;
                for (int k = 0; k < 6; k++) W[i * N + j] += G[i * 6 + k] * G[j * 6 + k];
            }
        }
        const slip_problem p = slip_problem_contacts(3, CONTACTS, W, q, mu);
        int count = 0;
        for (int s = 0; s < 4; s++) {
            const slip_solve_options o = slip_default_solve_options();
            bench b = bench_take(solvers[s], &p, &o);
            const slip_outcome outcome = bench_solve(&b, solvers[s], &p, &o);
            if (s == 0) assert_int_equal(outcome, SLIP_CONVERGED);
            count += outcome == SLIP_CONVERGED;
            bench_free(&b);
        }
        assert_true(count >= 3);
    }
}

static void impossible_problems_are_said_to_be(void **state)
{
    (void)state;
    // 0 z = 1: no solution, any method
    const double zero = 0.0, minus = -1.0;
    slip_problem p = slip_problem_lcp(1, &zero, &minus);
    for (int s = 0; s < slip_solver_count(); s++)
        if (slip_solver_accepts(slip_solver_get(s), &p))
            assert_true(solve_once(slip_solver_get(s)->name, &p, NULL, NULL) != SLIP_CONVERGED);
    assert_int_equal(solve_once("auto", &p, NULL, NULL), SLIP_INFEASIBLE);
    // equations that contradict each other
    const double M[4] = { 1, 1, 1, 1 }, q[2] = { 1, 2 };
    p = slip_problem_lcp(2, M, q);
    p.kind = SLIP_KIND_MLCP;
    p.equalities = 2;
    assert_int_equal(solve_once("auto", &p, NULL, NULL), SLIP_INFEASIBLE);
    // a body pressed between two walls that approach each other
    const double W[16] = { 1, 0, -1, 0, 0, 1, 0, 1, -1, 0, 1, 0, 0, 1, 0, 1 }, v[4] = { -1, 0, -1, 0 };
    const double mu[2] = { 0.3, 0.3 };
    p = slip_problem_contacts(2, 2, W, v, mu);
    assert_true(solve_once("auto", &p, NULL, NULL) != SLIP_CONVERGED);
}

static void nothing_to_solve_is_solved(void **state)
{
    (void)state;
    const double none[1] = { 0 };
    const slip_problem lcp = slip_problem_lcp(0, none, none),
                       fc = slip_problem_contacts(3, 0, none, none, none);
    for (int s = 0; s < slip_solver_count(); s++) {
        const slip_solver *solver = slip_solver_get(s);
        if (slip_solver_accepts(solver, &lcp))
            assert_int_equal(solve_once(solver->name, &lcp, NULL, NULL), SLIP_CONVERGED);
        if (slip_solver_accepts(solver, &fc))
            assert_int_equal(solve_once(solver->name, &fc, NULL, NULL), SLIP_CONVERGED);
    }
}

// a guess full of NaN and infinities does no harm; a right guess is kept
static void warm_starts(void **state)
{
    (void)state;
    static const char *const solvers[] = { "auto", "pgs", "ala", "nsgs", "newton" };
    slip_problem *p = load_problem("Rover4516");
    for (int s = 0; s < 5; s++) {
        slip_solve_options o = slip_default_solve_options();
        bench b = bench_take(solvers[s], p, &o);
        o.warm_start = 1.0;
        for (int i = 0; i < p->size; i++) b.z[i] = i % 2 ? NAN : INFINITY;
        const slip_outcome first = bench_solve(&b, solvers[s], p, &o);
        const int cold = b.info.iterations;
        if (first == SLIP_CONVERGED) {
            assert_int_equal(bench_solve(&b, solvers[s], p, &o), SLIP_CONVERGED);
            assert_true(b.info.iterations <= cold && b.info.iterations <= 12);
        }
        bench_free(&b);
    }
    slip_problem_destroy(p);
}

static void same_bits_every_time(void **state)
{
    (void)state;
    static const char *const names[] = { "OneObject-i100000-499", "FrictionContactProblem00237",
                                         "lcp_tobenna", "BuckConverter_mlcp" };
    for (int f = 0; f < 4; f++) {
        slip_problem *p = load_problem(names[f]);
        const slip_solve_options o = slip_default_solve_options();
        bench a = bench_take("auto", p, &o), b = bench_take("auto", p, &o);
        memset(b.work, 0x5a, b.bytes); // what the work held before does not matter
        bench_solve(&a, "auto", p, &o);
        bench_solve(&b, "auto", p, &o);
        assert_memory_equal(a.z, b.z, sizeof(double) * (size_t)p->size);
        assert_int_equal(a.info.iterations, b.info.iterations);
        bench_free(&a);
        bench_free(&b);
        slip_problem_destroy(p);
    }
}

// ---- one problem in four storages ----------------------------------------------------------------

static void apply_dense(void *user, const double *x, double *y)
{
    const slip_problem *p = user;
    slip_matrix_apply(&p->W, x, y);
}
static void diagonal_dense(void *user, int at, int side, double *out)
{
    const slip_problem *p = user;
    slip_matrix_diagonal(&p->W, at, side, out);
}

// a stack of spheres: G and M^-1 given, W assembled, W by callback; each solver that takes the storage
// gets the same motion
static void storages_agree(void **state)
{
    (void)state;
    enum { BALLS = 6, N = 3 * BALLS, DOFS = 6 * BALLS };
    static double values[12 * N], inverse[36 * BALLS], scratch[2 * DOFS], q[N], mu[BALLS];
    static int start[N + 1], column[12 * N], bodies[BALLS + 1];
    int count = 0;
    for (int a = 0; a < BALLS; a++) { // contact a: ball a on ball a - 1, or on the floor
        const double rows[3][6] = { { 0, 0, 1, 0, 0, 0 }, { 1, 0, 0, 0, -0.5, 0 }, { 0, 1, 0, 0.5, 0, 0 } };
        for (int i = 0; i < 3; i++) {
            start[3 * a + i] = count;
            for (int other = a > 0 ? 1 : 0; other >= 0; other--)
                for (int k = 0; k < 6; k++) {
                    const double g = other ? (k < 3 ? -rows[i][k] : rows[i][k]) : rows[i][k];
                    if (g == 0.0) continue;
                    column[count] = 6 * (a - other) + k;
                    values[count++] = g;
                }
        }
        mu[a] = 0.4;
        bodies[a] = 6 * a;
        for (int k = 0; k < 6; k++) inverse[36 * a + 7 * k] = k < 3 ? 1.0 : 10.0;
        for (int i = 0; i < 3; i++) q[3 * a + i] = i == 0 ? (a == 0 ? -0.1 : 0.0) : a == 0 ? 0.02 * i : 0.0;
    }
    start[N] = count;
    bodies[BALLS] = DOFS;
    const slip_matrix G = slip_matrix_sparse(N, DOFS, 1, start, column, values);
    slip_problem free = { .kind = SLIP_KIND_FC3D, .size = N, .contacts = BALLS, .q = q, .mu = mu };
    free.W = (slip_matrix){ .form = SLIP_DELASSUS,
                            .rows = N,
                            .cols = N,
                            .G = &G,
                            .body_count = BALLS,
                            .body_start = bodies,
                            .body_inverse = inverse,
                            .scratch = scratch };
    slip_problem *stored, call = free;
    slip_error error = { 0 };
    assert_int_equal(slip_problem_check(&free, &error), SLIP_OK);
    assert_int_equal(slip_problem_condense(&free, &error, &stored), SLIP_OK);
    call.W = (slip_matrix){ .form = SLIP_CALLBACK,
                            .rows = N,
                            .cols = N,
                            .apply = apply_dense,
                            .diagonal = diagonal_dense,
                            .user = stored };
    double x[N], y[N], z[N];
    uint64_t seed = 3;
    for (int i = 0; i < N; i++) x[i] = draw(&seed);
    slip_matrix_apply(&free.W, x, y);
    slip_matrix_apply(&stored->W, x, z);
    for (int i = 0; i < N; i++) assert_near(y[i], z[i], 1e-12);
    const slip_problem *all[] = { &free, stored, &call };
    for (int form = 0; form < 3; form++)
        for (int s = 0; s < slip_solver_count(); s++)
            if (slip_solver_accepts(slip_solver_get(s), all[form]))
                assert_int_equal(solve_once(slip_solver_get(s)->name, all[form], NULL, NULL), SLIP_CONVERGED);
    slip_problem_destroy(stored);
}

static void options_by_name(void **state)
{
    (void)state;
    slip_solve_options o = slip_default_solve_options();
    slip_error error = { 0 };
    assert_int_equal(slip_solve_option_set(&o, "tolerance=1e-6", &error), SLIP_OK);
    assert_near(o.tolerance, 1e-6, 0.0);
    assert_int_equal(slip_solve_option_set(&o, "newton.inner=50", &error), SLIP_OK);
    assert_near(slip_solve_option(&o, "newton.inner"), 50.0, 0.0);
    assert_near(slip_solve_option(&o, "tolerance"), 1e-6, 0.0);
    assert_true(isnan(slip_solve_option(&o, "newton.iner")));
    assert_int_equal(slip_solve_option_set(&o, "newton.iner=50", &error), SLIP_UNKNOWN_NAME);
    assert_non_null(strstr(error.text, "newton.inner"));
    assert_int_equal(slip_solve_option_set(&o, "tolerance=-1", &error), SLIP_BAD_ARGUMENT);
    assert_int_equal(slip_solve_option_set(&o, "tolerance=nan", &error), SLIP_BAD_ARGUMENT);
    assert_int_equal(slip_solve_option_set(&o, "tolerance", &error), SLIP_BAD_ARGUMENT);
    slip_option_entry entry;
    const slip_solve_options fresh = slip_default_solve_options();
    int count = 0;
    while (slip_solve_option_entry(count, &entry)) {
        const slip_option *option = &entry.option;
        assert_true(option->range.low <= option->value && option->value <= option->range.high &&
                    *option->meaning);
        assert_near(slip_solve_option(&fresh, entry.key), option->value, 0.0);
        count++;
    }
    assert_true(count > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scaling_changes_nothing),
        cmocka_unit_test(one_contact_for_every_mu),
        cmocka_unit_test(redundant_contacts_are_solved),
        cmocka_unit_test(impossible_problems_are_said_to_be),
        cmocka_unit_test(nothing_to_solve_is_solved),
        cmocka_unit_test(warm_starts),
        cmocka_unit_test(same_bits_every_time),
        cmocka_unit_test(storages_agree),
        cmocka_unit_test(options_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
