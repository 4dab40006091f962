/// known.c: small problems with answers known exactly, and solvers that may not claim anything else.
#include <string.h>

#include "helpers.h"
#include "solver/lcp/lemke.h"

static slip_problem *known(const char *name)
{
    char path[200];
    slip_problem *p;
    slip_error error = { 0 };
    snprintf(path, sizeof path, "test/solver/known/%s.nsp", name);
    if (slip_problem_read_file(path, &error, &p) != SLIP_OK) fail_msg("%s: %s", error.where, error.text);
    return p;
}

// every solver that says converged has the answer; `auto` and, where it takes the problem, `enum` say it
static void expect(const char *name, const double *answer)
{
    slip_problem *p = known(name);
    for (int s = 0; s < slip_solver_count(); s++) {
        const slip_solver *solver = slip_solver_get(s);
        double z[8], size = 0.0;
        slip_solve_info info;
        if (!slip_solver_accepts(solver, p)) continue;
        const bool sure = strcmp(solver->name, "auto") == 0 || strcmp(solver->name, "enum") == 0;
        const slip_outcome outcome = solve_once(solver->name, p, z, &info);
        if (sure) assert_int_equal(outcome, SLIP_CONVERGED);
        if (strcmp(solver->name, "enum") == 0) {
            assert_int_equal(info.solutions, 1);
            assert_int_equal(info.uniqueness, SLIP_UNIQUE);
        }
        if (outcome != SLIP_CONVERGED) continue;
        for (int i = 0; i < p->size; i++) size = fmax(size, fabs(answer[i]));
        for (int i = 0; i < p->size; i++)
            if (!(fabs(z[i] - answer[i]) <= 1e-6 * (answer[i] != 0.0 ? fabs(answer[i]) : size)))
                fail_msg("%s by %s: z[%d] = %.17g, expected %.17g", name, solver->name, i, z[i], answer[i]);
    }
    slip_problem_destroy(p);
}

// nobody says converged; those who try every mode say infeasible
static void expect_none(const char *name, bool proved)
{
    slip_problem *p = known(name);
    for (int s = 0; s < slip_solver_count(); s++) {
        const slip_solver *solver = slip_solver_get(s);
        if (!slip_solver_accepts(solver, p)) continue;
        const slip_outcome outcome = solve_once(solver->name, p, NULL, NULL);
        if (outcome == SLIP_CONVERGED) fail_msg("%s by %s: converged", name, solver->name);
        if (proved && (strcmp(solver->name, "enum") == 0 || strcmp(solver->name, "auto") == 0))
            assert_int_equal(outcome, SLIP_INFEASIBLE);
    }
    slip_problem_destroy(p);
}

static void a_box_may_be_narrow(void **state)
{
    (void)state;
    expect("narrow-box", (double[]){ 3e-17, 0.25 });
    slip_problem *p = known("narrow-box"); // the solver of formulation lcp
    assert_int_equal(solve_once("lemke", p, NULL, NULL), SLIP_CONVERGED);
    slip_problem_destroy(p);
}

// One unknown takes a short way where its matrix is dense, to the bits of the pivots: those of the same
// matrix in another form
static void one_alone_has_the_bits_of_pivots(void **state)
{
    (void)state;
    const int start[] = { 0, 1 }, column[] = { 0 };
    uint64_t seed = 7;
    for (int k = 0; k < 20000; k++) {
        const double scale = ldexp(1.0, k % 61 - 30), W[4] = { scale * (1e-3 + draw(&seed)) },
                     q[2] = { (draw(&seed) - 0.9) / scale }, mu = 0.0;
        slip_problem one = slip_problem_lcp(1, W, q), contact = slip_problem_contacts(2, 1, W, q, &mu);
        double z[2], other[2];
        for (int planar = 0; planar < 2; planar++) {
            slip_problem *p = planar ? &contact : &one;
            slip_solve_info info, sparse_info;
            assert_int_equal(solve_once("lemke", p, z, &info), SLIP_CONVERGED);
            p->W = slip_matrix_sparse(p->size, p->size, p->size, start, column, W);
            assert_int_equal(solve_once("lemke", p, other, &sparse_info), SLIP_CONVERGED);
            assert_memory_equal(z, other, (size_t)p->size * sizeof *z);
            assert_int_equal(info.iterations, sparse_info.iterations);
            assert_true(fabs(z[0] - fmax(0.0, -q[0] / W[0])) <= 4e-16 * z[0]);
        }
    }
}

// what an impact of one contact without friction takes, without a judge: the bits of a solve
static void a_struck_contact_has_the_bits_of_a_solve(void **state)
{
    (void)state;
    const slip_solver *lemke = slip_solver_find("lemke");
    slip_solve_options options = slip_default_solve_options();
    uint64_t seed = 11;
    double work[200];
    int taken = 0;
    for (int k = 0; k < 20000; k++) {
        const double scale = ldexp(1.0, k % 61 - 30), W[4] = { scale * (1e-3 + draw(&seed)) },
                     q[2] = { (draw(&seed) - 0.9) / scale }, mu = 0.0;
        const slip_problem p = slip_problem_contacts(2, 1, W, q, &mu);
        double z[2], w[2], judged_z[2], judged_w[2];
        size_t bytes;
        assert_int_equal(slip_solve_work_size(lemke, &p, &options, &bytes), SLIP_OK);
        assert_true(bytes <= sizeof work);
        assert_int_equal(slip_solve(lemke, &p, &options, judged_z, judged_w, work, NULL), SLIP_CONVERGED);
        if (!slip_frictionless_contact_solve(W, q, mu, &options, z, w)) continue;
        taken++;
        assert_memory_equal(z, judged_z, sizeof z);
        assert_memory_equal(w, judged_w, sizeof w);
    }
    assert_true(taken > 15000);
    const double W[4] = { 1.0, 0.1, 0.1, 1.0 }, smooth[4] = { 1.0 }, q[2] = { -1.0 }, up[2] = { 1.0 };
    double z[2], w[2];
    assert_false(slip_frictionless_contact_solve(W, q, 0.0, &options, z, w));      // it couples
    assert_false(slip_frictionless_contact_solve(smooth, q, 0.3, &options, z, w)); // it rubs
    assert_false(slip_frictionless_contact_solve(smooth, up, 0.0, &options, z, w));
    options.tolerance = 1e-16; // there is a judge to ask
    assert_false(slip_frictionless_contact_solve(smooth, q, 0.0, &options, z, w));
}

static void masses_may_be_large(void **state)
{
    (void)state;
    expect("heavy", (double[]){ 280e12, -56e12 });
    slip_problem *p = known("heavy");
    assert_int_equal(solve_once("lemke", p, NULL, NULL), SLIP_CONVERGED);
    slip_problem_destroy(p);
}

static void a_smooth_contact_never_pulls(void **state)
{
    (void)state;
    expect("smooth-open", (double[]){ 0, 0, 0 });
    expect("smooth-beside-rough", (double[]){ 1, -0.4, 0, 0 });
    expect_none("smooth-no-mass", true);
    expect_none("smooth-no-mass-space", false);
}

static void units_do_not_matter(void **state)
{
    (void)state;
    expect("stiff", (double[]){ 0, 1e-9 });
    expect("uneven", (double[]){ 1572864, 2, 1.430511474609375e-06 });
}

static void a_huge_answer_hides_nothing(void **state)
{
    (void)state;
    expect_none("jammed", true);
    const double z[3] = { 1e17, 1e17, 0 };
    double w[3];
    slip_problem *p = known("jammed");
    assert_true(slip_residual(p, z, w).invariant > 0.1);
    slip_problem_destroy(p);
}

static void solutions_are_counted(void **state)
{
    (void)state;
    slip_solve_info info;
    slip_problem *one = known("only-zero"), *line = known("half-line");
    assert_int_equal(solve_once("enum", one, NULL, &info), SLIP_CONVERGED);
    assert_int_equal(info.solutions, 1);
    assert_int_equal(info.uniqueness, SLIP_UNIQUE);
    assert_int_equal(solve_once("enum", line, NULL, &info), SLIP_CONVERGED);
    assert_int_equal(info.uniqueness, SLIP_NOT_UNIQUE);
    slip_problem_destroy(one);
    slip_problem_destroy(line);
}

// a direction that no force can stop: sticking would need an infinite one
static void a_contact_without_inertia_slips(void **state)
{
    (void)state;
    slip_problem *p = known("no-inertia");
    double r[3];
    assert_int_equal(solve_once("auto", p, r, NULL), SLIP_CONVERGED);
    assert_near(r[0], 1.0, 1e-8);
    assert_near(hypot(r[1], r[2]), 0.5, 1e-8);
    assert_near(r[1] * 0.4, r[2] * (0.3 + r[1]), 1e-8); // against the slip
    assert_int_equal(solve_once("nsgs", p, r, NULL), SLIP_CONVERGED);
    slip_problem_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses_may_be_large),
        cmocka_unit_test(a_box_may_be_narrow),
        cmocka_unit_test(a_smooth_contact_never_pulls),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(a_huge_answer_hides_nothing),
        cmocka_unit_test(solutions_are_counted),
        cmocka_unit_test(a_contact_without_inertia_slips),
        cmocka_unit_test(one_alone_has_the_bits_of_pivots),
        cmocka_unit_test(a_struck_contact_has_the_bits_of_a_solve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
