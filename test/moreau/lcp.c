/// lcp.c: single steps of the slider-crank: the LCP (85) entry by entry, the velocities after, what is not
/// unique.
#include "helper.h"
#include "truth/flores/lcp.h"

enum { COUNT = sizeof flores_lcps / sizeof *flores_lcps };

static slip_sim *at_start(const flores_lcp *p, const char *solver, slip_model **model)
{
    char mu[40], d[40];
    snprintf(mu, sizeof mu, "mu=%.17g", p->mu);
    snprintf(d, sizeof d, "d=%.17g", p->d);
    *model = model_file("models/flores/slider-crank.yaml", (const char *const[4]){ mu, d });
    slip_sim *sim = simulate(*model, solver, p->dt, 1.0);
    static const char *const names[6] = { "th1", "th2", "th3", "th1'", "th2'", "th3'" };
    for (int k = 0; k < 6; k++)
        assert_int_equal(slip_sim_set(sim, names[k], k < 3 ? p->q[k] : p->u[k - 3], NULL), SLIP_OK);
    return sim;
}

// A and b as printed, from what the step assembled
static void compare_lcp(const flores_lcp *p, const slip_moreau *m)
{
    const int n = p->count, size = 3 * n;
    double A[144], b[12];
    assert_int_equal(m->problem.blocks, n);
    for (int i = 0; i < n; i++) assert_int_equal(m->problem.element[i], p->corner[i] - 1);
    slip_lcp_from_planar(n, m->problem.W, m->problem.q, m->problem.mu, A, b);
    for (int i = 0; i < size * size; i++) assert_near(A[i], p->A[i], 1e-10 * (1.0 + fabs(p->A[i])));
    for (int i = 0; i < size; i++) assert_near(b[i], p->b[i], 1e-11 * (1.0 + fabs(p->b[i])));
}

static void one_step(const flores_lcp *p, const char *solver)
{
    slip_model *model;
    slip_sim *sim = at_start(p, solver, &model);
    run_to(sim, 1);
    const slip_moreau *m = inside(sim);
    compare_lcp(p, m);
    for (int k = 0; k < 3; k++) assert_near(m->last.x[3 + k], p->u_E[k], 1e-9);
    bool said = false;
    for (int i = 0; i < p->count; i++) {
        const double *P = m->last.impulse + 3 * (p->corner[i] - 1), N = p->x[i],
                     T = p->x[p->count + i] - p->mu * N;
        if (p->unique) assert_near(P[0], N, 1e-11);
        if (p->unique) assert_near(P[1], T, 1e-11);
        said = said || m->not_unique[p->corner[i] - 1] != NULL;
    }
    assert_int_equal(said, !p->unique);
    // these steps are cut out of a motion and begin a little inside: that warning is no news
    int others = 0;
    for (int k = 0; slip_sim_warning(sim, k); k++) others += !strstr(slip_sim_warning(sim, k), "m inside");
    assert_int_equal(others, 0);
    assert_int_equal(slip_sim_note_at(sim, 0) != NULL, !p->unique);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void test_lcps(void **state)
{
    (void)state;
    static const char *const solvers[] = { "lemke", "enum", "ala", "newton", "auto" };
    for (int k = 0; k < COUNT; k++)
        for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) one_step(&flores_lcps[k], solvers[s]);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_lcps) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
