/// collision.h: an impact of a body with constant mass, as the tests of impact laws make it.
#ifndef SLIP_TEST_IMPACT_COLLISION_H
#define SLIP_TEST_IMPACT_COLLISION_H

#include <stdlib.h>
#include <string.h>

#include "physics/impact/impact_law.h"
#include "base/linalg/linalg.h"
#include "slipstick/solver.h"
#include "test.h"

enum { MAX_COORDINATES = 8, MAX_CONTACTS = 6, MAX_SIZE = 3 * MAX_CONTACTS };

/// M u' = rows' P; rows have d per contact, normal first.
typedef struct strike {
    int n, d, contacts;
    double M[MAX_COORDINATES][MAX_COORDINATES], rows[MAX_SIZE][MAX_COORDINATES], u[MAX_COORDINATES];
    double mu[MAX_CONTACTS], e[MAX_CONTACTS], e_t[MAX_CONTACTS];
    bool pressed[MAX_CONTACTS];

    double response[MAX_SIZE][MAX_COORDINATES], W[MAX_SIZE * MAX_SIZE], before[MAX_SIZE];
    double impulse[MAX_SIZE], after[MAX_SIZE], work[MAX_CONTACTS], end[MAX_COORDINATES];
    unsigned char path[MAX_CONTACTS];
    double scratch[6 * MAX_SIZE + MAX_SIZE * MAX_SIZE]; // more than slip_multi_impact_scratch
    double gain;
    int turns;
    bool unfinished;
} strike;

/// A slip_multi_impact's contact problem by the solver that takes it.
static inline bool solve_contacts(void *context, int contacts, const double *W, const double *q,
                                  const double *mu, double *r, double *w)
{
    const int d = *(const int *)context;
    const slip_solver *solver = slip_solver_find(d == 2 ? "lemke" : "auto");
    slip_problem p = slip_problem_contacts(d, contacts, W, q, mu);
    slip_solve_options options = slip_default_solve_options();
    options.tolerance = 1e-12;
    size_t bytes;
    assert_int_equal(slip_solve_work_size(solver, &p, &options, &bytes), SLIP_OK);
    void *work = aligned_alloc(64, (bytes + 64) & ~(size_t)63);
    memset(r, 0, sizeof(double) * (size_t)(d * contacts));
    const slip_outcome outcome = slip_solve(solver, &p, &options, r, w, work, NULL);
    free(work);
    return outcome == SLIP_CONVERGED;
}

/// W and the rates before.
static inline void prepare(strike *s)
{
    const int size = s->d * s->contacts, n = s->n;
    double L[MAX_COORDINATES * MAX_COORDINATES];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) L[i * n + j] = s->M[i][j];
    assert_true(slip_cholesky(n, L));
    for (int i = 0; i < size; i++) {
        memcpy(s->response[i], s->rows[i], sizeof s->response[i]);
        slip_cholesky_solve(n, L, s->response[i]);
        s->before[i] = 0.0;
        for (int k = 0; k < n; k++) s->before[i] += s->rows[i][k] * s->u[k];
    }
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            double w = 0.0;
            for (int k = 0; k < n; k++) w += s->rows[i][k] * s->response[j][k];
            s->W[i * size + j] = w;
        }
}

/// By one law for all contacts, in the given order of a sequence; the rates after into s->end.
static inline bool collide(strike *s, const slip_impact_law *law, slip_impact_order order)
{
    const slip_impact_law *laws[MAX_CONTACTS];
    for (int k = 0; k < s->contacts; k++) laws[k] = law;
    slip_multi_impact c = { .d = s->d,
                            .contacts = s->contacts,
                            .W = s->W,
                            .before = s->before,
                            .mu = s->mu,
                            .e = s->e,
                            .e_t = s->e_t,
                            .law = laws,
                            .pressed = s->pressed,
                            .small = 1e-13,
                            .order = order,
                            .solve = solve_contacts,
                            .context = &s->d,
                            .impulse = s->impulse,
                            .after = s->after,
                            .work = s->work,
                            .path = s->path,
                            .scratch = s->scratch };
    if (!slip_multi_impact_apply(&c)) return false;
    memcpy(s->end, s->u, sizeof s->end);
    for (int i = 0; i < s->d * s->contacts; i++)
        for (int k = 0; k < s->n; k++) s->end[k] += s->impulse[i] * s->response[i][k];
    s->gain = slip_multi_impact_energy_gain(&c);
    s->turns = c.turns;
    s->unfinished = c.unfinished;
    return true;
}

/// J, with the rates v.
static inline double kinetic(const strike *s, const double *v)
{
    double sum = 0.0;
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++) sum += 0.5 * v[i] * s->M[i][j] * v[j];
    return sum;
}

#endif
