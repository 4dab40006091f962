/// invariants.c: laws that hold in every step of every model, on random ones.
///
/// A random model has a dense mass matrix, constant forces, and contacts with straight gaps and slips in
/// random directions; everything about a step can then be computed again here, from the numbers alone.
#include "helper.h"

enum { MAX_N = 6, MAX_C = 5, MODELS = 120, STEPS = 150 };
static const double dt = 1e-3;

typedef struct machine {
    int n, contacts;
    double M[MAX_N][MAX_N], h[MAX_N], c[MAX_C], N[MAX_C][MAX_N], T[MAX_C][MAX_N], mu[MAX_C];
    double drift[MAX_C]; // belts
    double e, e_T;
    double start[MAX_N], rate[MAX_N];
} machine;

// the same numbers everywhere: a generator of our own
static double uniform(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

static machine random_machine(uint64_t *seed, bool frictionless)
{
    machine r = { .n = 2 + (int)uniform(seed, 0, 5), .contacts = 1 + (int)uniform(seed, 0, 5) };
    double root[MAX_N][MAX_N];
    for (int i = 0; i < r.n; i++)
        for (int j = 0; j < r.n; j++) root[i][j] = uniform(seed, -1, 1);
    for (int i = 0; i < r.n; i++)
        for (int j = 0; j < r.n; j++) {
            r.M[i][j] = i == j ? 0.5 : 0.0;
            for (int k = 0; k < r.n; k++) r.M[i][j] += root[i][k] * root[j][k];
        }
    r.e = uniform(seed, 0, 1);
    // u_E = -e u_A is always possible with one e for everything; several contacts with belts or different e
    // can contradict each other, one cannot
    r.e_T = r.contacts == 1 ? uniform(seed, 0, 1) : r.e;
    for (int i = 0; i < r.n; i++) {
        r.h[i] = uniform(seed, -5, 5);
        r.start[i] = uniform(seed, -0.1, 0.1);
        r.rate[i] = uniform(seed, -1, 1);
    }
    for (int k = 0; k < r.contacts; k++) {
        double at = 0.0;
        for (int i = 0; i < r.n; i++) {
            r.N[k][i] = uniform(seed, -1, 1);
            r.T[k][i] = uniform(seed, -1, 1);
            at += r.N[k][i] * r.start[i];
        }
        r.c[k] = uniform(seed, 0, 0.02) - at;
        r.mu[k] = frictionless ? 0.0 : uniform(seed, 0, 0.8);
        r.drift[k] = r.contacts > 1 ? 0.0 : uniform(seed, -0.5, 0.5);
    }
    return r;
}

static void add_form(slip_text *text, int n, const double *w, const char *prime)
{
    for (int i = 0; i < n; i++) slip_text_add(text, "%s(%.17g)*q%d%s", i ? " + " : "", w[i], i, prime);
}

// `mirrored` turns the sense of every slip, which changes nothing but the signs of what slips; `printed`: one
// internal step for each step
static slip_model *model_of(const machine *r, bool mirrored, bool printed)
{
    slip_text text = { 0 };
    slip_text_add(&text, "slipstick: 1\nname: Random\ncoordinates:\n");
    for (int i = 0; i < r->n; i++)
        slip_text_add(&text, "  q%d: {start: %.17g, rate: %.17g}\n", i, r->start[i], r->rate[i]);
    slip_text_add(&text, "mass:\n");
    for (int i = 0; i < r->n; i++) {
        slip_text_add(&text, "  - [");
        for (int j = 0; j <= i; j++) slip_text_add(&text, "%s%.17g", j ? ", " : "", r->M[i][j]);
        slip_text_add(&text, "]\n");
    }
    slip_text_add(&text, "forces:\n");
    for (int i = 0; i < r->n; i++) slip_text_add(&text, "  q%d: %.17g\n", i, r->h[i]);
    slip_text_add(&text, "contacts:\n");
    for (int k = 0; k < r->contacts; k++) {
        double T[MAX_N];
        for (int i = 0; i < r->n; i++) T[i] = mirrored ? -r->T[k][i] : r->T[k][i];
        slip_text_add(&text, "  c%d:\n    gap: \"%.17g + ", k, r->c[k]);
        add_form(&text, r->n, r->N[k], "");
        slip_text_add(&text, "\"\n    slip': \"%.17g + ", mirrored ? -r->drift[k] : r->drift[k]);
        add_form(&text, r->n, T, "'");
        slip_text_add(&text, "\"\n    friction: %.17g\n    restitution: %.17g\n    restitution_t: %.17g\n",
                      r->mu[k], r->e, r->e_T);
    }
    if (printed) slip_text_add(&text, "run: {substeps: 1}\n");
    slip_model *model = model_text(text.data);
    slip_text_destroy(&text);
    return model;
}

static double form(int n, const double *w, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += w[i] * x[i];
    return sum;
}

// one step from (q, u), computed again
static void check_step(const machine *r, const slip_moreau *m, const double *q, const double *u)
{
    const double *end = m->last.x, *v = m->last.x + r->n;
    double middle[MAX_N], taken = 0.0;
    for (int i = 0; i < r->n; i++) {
        middle[i] = q[i] + 0.5 * dt * u[i];
        assert_near(end[i], middle[i] + 0.5 * dt * v[i], 1e-15 * (1.0 + fabs(end[i])));
        double momentum = dt * r->h[i]; // (41)
        for (int k = 0; k < r->contacts; k++)
            momentum += r->N[k][i] * m->last.impulse[3 * k] + r->T[k][i] * m->last.impulse[3 * k + 1];
        for (int j = 0; j < r->n; j++) momentum -= r->M[i][j] * (v[j] - u[j]);
        assert_near(momentum, 0.0, 1e-12);
    }
    for (int k = 0; k < r->contacts; k++) {
        const double P = m->last.impulse[3 * k], S = m->last.impulse[3 * k + 1];
        const double before = form(r->n, r->N[k], u), after = form(r->n, r->N[k], v),
                     xi = after + r->e * before;
        const double slip_before = form(r->n, r->T[k], u) + r->drift[k],
                     slip = form(r->n, r->T[k], v) + r->drift[k];
        const double xi_T = slip + r->e_T * slip_before;
        if (r->c[k] + form(r->n, r->N[k], middle) > m->slack[k]) {
            assert_true(P == 0.0 && S == 0.0); // no force at a distance
            continue;
        }
        assert_true(P >= 0.0 && xi >= -1e-10);
        assert_near(P * xi, 0.0, 1e-10);
        assert_true(after >= -r->e * fmax(0.0, before) - 1e-10); // no deeper than restitution asks for
        assert_true(fabs(S) <= r->mu[k] * P * (1.0 + 1e-10) + 1e-18);
        assert_true(S * xi_T <= 1e-10); // against the slip
        if (fabs(xi_T) > 1e-8) assert_near(fabs(S), r->mu[k] * P, 1e-9);
        taken -= 0.5 * P * (before + after) + 0.5 * S * (slip_before + slip);
    }
    // one restitution and no friction: impulses never add energy
    bool smooth = true;
    for (int k = 0; k < r->contacts; k++) smooth = smooth && r->mu[k] == 0.0;
    bool closing =
        true; // a contact that was opening may be closed by the others; Newton then gives back its part
    for (int k = 0; k < r->contacts; k++)
        closing = closing && (m->last.impulse[3 * k] == 0.0 || form(r->n, r->N[k], u) <= 0.0);
    if (smooth && closing) assert_true(taken >= -1e-12);
}

// A step made of internal ones: what holds for their sums, since masses, forces and rows are constant here.
// Steps of many strikes may leave some to be caught inside
static void check_refined(const machine *r, const slip_moreau *m, const double *q, const double *u)
{
    const double *v = m->last.x + r->n;
    for (int i = 0; i < r->n; i++) {
        double momentum = dt * r->h[i];
        for (int k = 0; k < r->contacts; k++)
            momentum += r->N[k][i] * m->last.impulse[3 * k] + r->T[k][i] * m->last.impulse[3 * k + 1];
        for (int j = 0; j < r->n; j++) momentum -= r->M[i][j] * (v[j] - u[j]);
        if (m->last.projected == 0.0) assert_near(momentum, 0.0, 1e-11);
    }
    for (int k = 0; k < r->contacts; k++) {
        const double P = m->last.impulse[3 * k], S = m->last.impulse[3 * k + 1];
        const double gap = r->c[k] + form(r->n, r->N[k], m->last.x), was = r->c[k] + form(r->n, r->N[k], q);
        assert_true(P >= 0.0 && fabs(S) <= r->mu[k] * P * (1.0 + 1e-10) + 1e-18);
        assert_true(gap >= fmin(0.0, was) - 2.0 * m->slack[k]); // nothing sinks
    }
}

static void run_random(bool frictionless, bool printed, const char *solver, uint64_t seed)
{
    for (int k = 0; k < MODELS; k++) {
        const machine r = random_machine(&seed, frictionless);
        slip_model *model = model_of(&r, false, printed);
        slip_sim *sim = simulate(model, solver, dt, 1.0);
        double x[2 * MAX_N];
        for (int step = 0; step < STEPS; step++) {
            memcpy(x, sim->method->state, sizeof(double) * 2 * (size_t)r.n);
            const slip_run_outcome outcome = slip_sim_step(sim);
            if (outcome != SLIP_RUNNING)
                fail_msg("model %d, step %d: %s", k, step, slip_log_failure(sim->method->log));
            (printed ? check_step : check_refined)(&r, inside(sim), x, x + r.n);
        }
        if (frictionless) assert_true(printed || measure(sim, "energy_gained") == 0.0);
        slip_energy e = slip_sim_energy(sim);
        assert_near(e.kinetic + e.potential - e.start, e.work - e.friction - e.impact + e.numerical,
                    1e-11 * (1.0 + fabs(e.kinetic)));
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

static void test_laws(void **state)
{
    (void)state;
    run_random(true, true, "lemke", 1);
    run_random(false, true, "lemke", 2);
    run_random(false, true, "auto", 3);
    run_random(false, true, "newton", 4);
}

static void test_refined_laws(void **state)
{
    (void)state;
    run_random(true, false, "lemke", 1);
    run_random(false, false, "auto", 2);
}

// slips counted the other way round, and the same run once more: the same motion
static void test_symmetry(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int k = 0; k < MODELS; k++) {
        const machine r = random_machine(&seed, false);
        slip_model *plain = model_of(&r, false, k % 2), *mirrored = model_of(&r, true, k % 2);
        slip_sim *sims[3] = { simulate(plain, "lemke", dt, 1.0), simulate(mirrored, "lemke", dt, 1.0),
                              simulate(plain, "lemke", dt, 1.0) };
        for (int s = 0; s < 3; s++) run_to(sims[s], 60);
        for (int i = 0; i < 2 * r.n; i++) {
            assert_near(sims[1]->method->state[i], sims[0]->method->state[i],
                        1e-9 * (1.0 + fabs(sims[0]->method->state[i])));
            assert_true(sims[2]->method->state[i] == sims[0]->method->state[i]);
        }
        for (int s = 0; s < 3; s++) slip_sim_destroy(sims[s]);
        slip_model_destroy(plain);
        slip_model_destroy(mirrored);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_laws), cmocka_unit_test(test_refined_laws),
                                        cmocka_unit_test(test_symmetry) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
