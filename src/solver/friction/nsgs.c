/// solver/friction/nsgs.c: block Gauss-Seidel: each contact is solved exactly while the impulses of the others are kept.
#include <math.h>

#include "base/elementary.h"
#include "solver/problem/solver_record.h"
#include "solver/problem/contact_law.h"
#include "solver/linalg/matrix.h"

typedef struct nsgs_work {
    double *block; // diagonal blocks W_aa
    double *v;     // DELASSUS: M^-1 G' r
} nsgs_work;

static nsgs_work nsgs_layout(slip_arena *a, const slip_problem *p)
{
    nsgs_work k;
    k.block = SLIP_TAKE(a, double, (size_t)p->size *(size_t)slip_problem_block(p));
    k.v = SLIP_TAKE(a, double, p->W.form == SLIP_DELASSUS ? p->W.G->cols : 0);
    return k;
}

static slip_status nsgs_work_size(const slip_problem *p, const slip_solve_options *o, size_t *bytes)
{
    (void)o;
    slip_arena count = { 0 };
    nsgs_layout(&count, p);
    *bytes = count.used;
    return SLIP_OK;
}

static void nsgs_prepare(const slip_problem *p, const nsgs_work *k, int d, const double *r)
{
    for (int a = 0; a < p->contacts; a++) slip_matrix_diagonal(&p->W, a, d, k->block + (long)a * d * d);
    if (p->W.form != SLIP_DELASSUS) return;
    for (int i = 0; i < p->W.G->cols; i++) k->v[i] = 0.0;
    for (int a = 0; a < p->contacts; a++) slip_delassus_scatter(&p->W, a, d, r + (long)a * d, k->v);
}

// Solves one contact; returns the squared change, in terms of a velocity.
static inline double contact_step(const slip_problem *p, const nsgs_work *k, int a, int d, double relax,
                                  double *r)
{
    const double *W = k->block + (long)a * d * d;
    double *ra = r + (long)a * d, q[3], next[3], by[3], change = 0.0, trace = 0.0;
    if (p->W.form == SLIP_DELASSUS)
        slip_delassus_gather(&p->W, a, d, k->v, q);
    else
        slip_matrix_rows(&p->W, a, d, r, q);
    for (int i = 0; i < d; i++) {
        q[i] += p->q[a * d + i];
        for (int j = 0; j < d; j++) q[i] -= W[i * d + j] * ra[j];
        next[i] = ra[i];
    }
    if (!slip_one_contact_solve(d, W, q, p->mu[a], next)) return 0.0;
    for (int i = 0; i < d; i++) {
        by[i] = relax * (next[i] - ra[i]);
        ra[i] += by[i];
        change += by[i] * by[i];
        trace += W[i * d + i];
    }
    if (p->W.form == SLIP_DELASSUS) slip_delassus_scatter(&p->W, a, d, by, k->v);
    return change * (trace / d) * (trace / d);
}

// Sweeps over all contacts, with block sizes as constants.
static double sweep_contacts(const slip_problem *p, const nsgs_work *k, int d, double relax, double *r)
{
    double change = 0.0;
    if (d == 3)
        for (int a = 0; a < p->contacts; a++) change += contact_step(p, k, a, 3, relax, r);
    else
        for (int a = 0; a < p->contacts; a++) change += contact_step(p, k, a, 2, relax, r);
    return change;
}

// sweeps still needed at the rate seen since the last check
static double predicted_sweeps(double now, double before, int between, double tolerance)
{
    if (!(now < before)) return INFINITY;
    return between * slip_ln(now / tolerance) / slip_ln(before / now);
}

static slip_outcome nsgs_run(const slip_problem *p, const slip_solve_options *o, double *r, double *w,
                             void *work, slip_solve_info *info)
{
    slip_arena arena = { .base = work };
    const nsgs_work k = nsgs_layout(&arena, p);
    const int d = slip_problem_block(p), limit = slip_solver_iteration_limit(o, 10000);
    const double *own = slip_solver_own_options(&slip_solver_nsgs, o), give_up = own[SLIP_NSGS_GIVE_UP];
    double scale = 0.0, before = INFINITY;
    int last_check = 0;
    for (int i = 0; i < p->size; i++) scale += p->q[i] * p->q[i];
    const double small = o->tolerance * o->tolerance * (scale > 0.0 ? scale : 1.0);
    nsgs_prepare(p, &k, d, r);
    for (int sweep = 1; sweep <= limit; sweep++) {
        info->iterations++;
        const double change = sweep_contacts(p, &k, d, own[SLIP_NSGS_RELAXATION], r);
        if (!isfinite(change)) return SLIP_DIVERGED;
        // The change is no bound on the error, so it only tells when a true residual is worth its price.
        if (change > small && sweep - last_check < 10 && sweep < limit && sweep > 1) continue;
        if (slip_solution_judge(p, o, SLIP_OUT_OF_ITERATIONS, r, w, info) == SLIP_CONVERGED)
            return SLIP_CONVERGED;
        const double e = info->residual;
        if (change == 0.0) return SLIP_STALLED;
        if (give_up > 0.0 && last_check > 0 && sweep - last_check >= 5 &&
            predicted_sweeps(e, before, sweep - last_check, o->tolerance) > give_up * limit)
            return SLIP_OUT_OF_ITERATIONS;
        if (sweep - last_check >= 5) before = e, last_check = sweep;
    }
    return SLIP_OUT_OF_ITERATIONS;
}

static const slip_option options[] = {
    [SLIP_NSGS_RELAXATION] = { "relaxation", "", SLIP_WITHIN(1e-3, 1.999), SLIP_DEFAULT(1),
                               "1 is plain block Gauss-Seidel" },
    [SLIP_NSGS_GIVE_UP] = { "give_up", "", SLIP_WITHIN(0, 1), SLIP_DEFAULT(0),
                            "stop when sweeps to go exceed this part of the limit; 0: never" },
};

const slip_solver slip_solver_nsgs = {
    .name = "nsgs",
    .summary = "block Gauss-Seidel with exact one-contact solutions: robust, any size, any mu",
    SLIP_ACCEPTS_CONTACTS,
    .reference = "Jourdan, Alart and Jean 1998",
    .forms = SLIP_STORED | SLIP_BIT(SLIP_DELASSUS),
    SLIP_OPTIONS(options),
    .work_size = nsgs_work_size,
    .run = nsgs_run,
};
