/// solver/friction/apg.c: accelerated projected gradient, for problems too large to factor.
///
/// With the slip term s = mu |u_T| frozen a contact problem with symmetric W is the convex program
///     min 1/2 r'Wr + (q + s e_N)'r   over the product of the cones K,
/// solved by Nesterov's method in the metric of the diagonal blocks, with backtracking and restart. Then
/// s is brought up to date and the program starts from where it is; a fixed point satisfies Coulomb's
/// law exactly. Box problems have no slip term.
#include <math.h>
#include <string.h>

#include "solver/problem/solver_record.h"
#include "solver/problem/contact_law.h"
#include "solver/friction/friction_tolerances.h"

enum { RESTART, INNER };

typedef struct apg_work {
    double *rho, *slip, *y, *gy, *next, *gradient;
} apg_work;

static apg_work apg_layout(slip_arena *a, const slip_problem *p)
{
    apg_work k;
    double **all[] = { &k.rho, &k.slip, &k.y, &k.gy, &k.next, &k.gradient };
    for (int i = 0; i < 6; i++) *all[i] = SLIP_TAKE(a, double, p->size);
    return k;
}

static slip_status apg_work_size(const slip_problem *p, const slip_solve_options *o, size_t *bytes)
{
    (void)o;
    slip_arena count = { 0 };
    apg_layout(&count, p);
    *bytes = count.used;
    return SLIP_OK;
}

static void gradient(const slip_problem *p, const apg_work *k, int d, const double *z, double *g)
{
    slip_matrix_apply(&p->W, z, g);
    for (int i = 0; i < p->size; i++) g[i] += p->q[i];
    for (int a = 0; a < p->contacts && d > 1; a++) g[a * d] += k->slip[a];
}

static void project_blocks(const slip_problem *p, int d, double *z)
{
    for (int a = 0; a < p->size / d; a++) {
        if (d == 1) {
            double low, high;
            slip_problem_box(p, a, &low, &high);
            z[a] = slip_clamp(z[a], low, high);
        } else
            slip_project_cone(d, p->mu[a], z + (long)a * d);
    }
}

static void update_slip(const slip_problem *p, const apg_work *k, int d, const double *w)
{
    for (int a = 0; a < p->contacts && d > 1; a++) {
        const double *u = w + (long)a * d;
        k->slip[a] = p->mu[a] * (d == 2 ? fabs(u[1]) : sqrt(u[1] * u[1] + u[2] * u[2]));
    }
}

static void apg_prepare(const slip_problem *p, const apg_work *k, int d)
{
    for (int a = 0; a < p->size / d; a++) {
        double block[9], trace = 0.0;
        slip_matrix_diagonal(&p->W, a, d, block);
        for (int i = 0; i < d; i++) trace += fabs(block[i * d + i]);
        k->rho[a] = trace > 0.0 ? d / trace : 1.0;
    }
}

// next = P(y - t rho g(y)), with t halved until the quadratic model bounds the objective:
// (next - y)'(g(next) - g(y)) <= |next - y|^2 / t in the metric of rho
static double step_from(const slip_problem *p, const apg_work *k, int d, double t)
{
    gradient(p, k, d, k->y, k->gy);
    for (int tries = 0; tries < 60; tries++) {
        for (int i = 0; i < p->size; i++) k->next[i] = k->y[i] - t * k->rho[i / d] * k->gy[i];
        project_blocks(p, d, k->next);
        gradient(p, k, d, k->next, k->gradient);
        double curve = 0.0, far = 0.0;
        for (int i = 0; i < p->size; i++) {
            const double by = k->next[i] - k->y[i];
            curve += by * (k->gradient[i] - k->gy[i]);
            far += by * by / k->rho[i / d];
        }
        if (!(curve * t > far * (1.0 + MODEL_VIOLATION_RELATIVE))) break;
        t *= APG_STEP_SHRINK;
    }
    return t;
}

static slip_outcome apg_run(const slip_problem *p, const slip_solve_options *o, double *z, double *w,
                            void *work, slip_solve_info *info)
{
    slip_arena arena = { .base = work };
    const apg_work k = apg_layout(&arena, p);
    const int d = slip_problem_block(p), limit = slip_solver_iteration_limit(o, 20000);
    const double *own = slip_solver_own_options(&slip_solver_apg, o);
    const int inner = (int)own[INNER];
    const size_t bytes = sizeof(double) * (size_t)p->size;
    double theta = 1.0, t = 1.0;
    apg_prepare(p, &k, d);
    memset(k.slip, 0, bytes);
    project_blocks(p, d, z);
    double e = slip_residual(p, z, w).invariant;
    if (e <= o->tolerance) return SLIP_CONVERGED;
    update_slip(p, &k, d, w);
    memcpy(k.y, z, bytes);
    for (int step = 1; step <= limit; step++) {
        info->iterations++;
        t = step_from(p, &k, d, fmin(1.05 * t, 1e6));
        double uphill = 0.0;
        for (int i = 0; i < p->size; i++) uphill += k.gy[i] * (k.next[i] - z[i]);
        const double theta_next = 0.5 * (1.0 + sqrt(1.0 + 4.0 * theta * theta));
        double beta = (theta - 1.0) / theta_next;
        theta = theta_next;
        if (own[RESTART] > 0.0 && uphill > 0.0) theta = 1.0, beta = 0.0;
        for (int i = 0; i < p->size; i++) k.y[i] = k.next[i] + beta * (k.next[i] - z[i]);
        memcpy(z, k.next, bytes);
        if (step % (d > 1 && inner < 10 ? inner : 10)) continue;
        e = slip_residual(p, z, w).invariant;
        if (e <= o->tolerance) return SLIP_CONVERGED;
        if (isinf(e)) return SLIP_DIVERGED;
        if (d > 1 && step % inner == 0) { // a new program, from here
            update_slip(p, &k, d, w);
            memcpy(k.y, z, bytes);
            theta = 1.0;
        }
    }
    return SLIP_OUT_OF_ITERATIONS;
}

static const slip_option options[] = {
    [RESTART] = { "restart", "", SLIP_WITHIN(0, 1), SLIP_DEFAULT(1),
                  "1: momentum restarts when it points uphill" },
    [INNER] = { "inner", "", SLIP_WITHIN(1, 1e6), SLIP_DEFAULT(50),
                "steps between updates of the slip term mu |u_T|" },
};

const slip_solver slip_solver_apg = {
    .name = "apg",
    .summary = "accelerated projected gradient: linear cost per step, any size, no matrix needed",
    SLIP_ACCEPTS_BOXES_CONTACTS,
    .reference = "Nesterov 1983; De Saxce and Feng 1998",
    .forms = SLIP_STORED | SLIP_BIT(SLIP_DELASSUS) | SLIP_BIT(SLIP_CALLBACK),
    SLIP_OPTIONS(options),
    .work_size = apg_work_size,
    .run = apg_run,
};
