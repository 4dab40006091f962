/// solver/friction/pgs.c: projected Gauss-Seidel, one unknown after the other.
///
/// The simplest method: cancel w_i by z_i alone, project, go on. A contact updates its normal first and then
/// its tangent on the disc of the new mu r_N. Needs a positive diagonal.
#include <math.h>

#include "solver/problem/solver_record.h"
#include "solver/problem/contact_law.h"
#include "solver/linalg/matrix.h"

enum { OPTION_RELAXATION, OPTION_CHECK_EVERY };

typedef struct pgs_work {
    double *diagonal; // W_ii
    double *v;        // DELASSUS: M^-1 G' z
} pgs_work;

static pgs_work pgs_layout(slip_arena *a, const slip_problem *p)
{
    pgs_work k;
    k.diagonal = SLIP_TAKE(a, double, p->size);
    k.v = SLIP_TAKE(a, double, p->W.form == SLIP_DELASSUS ? p->W.G->cols : 0);
    return k;
}

static slip_status pgs_work_size(const slip_problem *p, const slip_solve_options *o, size_t *bytes)
{
    (void)o;
    slip_arena count = { 0 };
    pgs_layout(&count, p);
    *bytes = count.used;
    return SLIP_OK;
}

static double row_velocity(const slip_problem *p, const pgs_work *k, int i, const double *z)
{
    double w;
    if (p->W.form == SLIP_DELASSUS)
        slip_delassus_gather(&p->W, i, 1, k->v, &w);
    else if (p->W.form == SLIP_DENSE || p->W.block == 1)
        slip_matrix_rows(&p->W, i, 1, z, &w);
    else {
        double rows[3];
        slip_matrix_rows(&p->W, i / p->W.block, p->W.block, z, rows);
        w = rows[i % p->W.block];
    }
    return w + p->q[i];
}

static void set_unknown(const slip_problem *p, const pgs_work *k, int i, double *z, double to)
{
    const double by = to - z[i];
    z[i] = to;
    if (p->W.form == SLIP_DELASSUS && by != 0.0) slip_delassus_scatter(&p->W, i, 1, &by, k->v);
}

// Updates one unknown of a box problem; returns the squared change, in units of w.
static double box_step(const slip_problem *p, const pgs_work *k, int i, double relax, double *z)
{
    double low, high;
    if (!(k->diagonal[i] > 0.0)) return 0.0;
    slip_problem_box(p, i, &low, &high);
    const double old = z[i], w = row_velocity(p, k, i, z);
    set_unknown(p, k, i, z, slip_clamp(old - relax * w / k->diagonal[i], low, high));
    const double change = (z[i] - old) * k->diagonal[i];
    return change * change;
}

static double contact_step(const slip_problem *p, const pgs_work *k, int a, int d, double relax, double *z)
{
    const int n = a * d;
    double change = 0.0, next[2], speed[2];
    if (!(k->diagonal[n] > 0.0)) return 0.0;
    const double old = z[n];
    set_unknown(p, k, n, z, fmax(0.0, old - relax * row_velocity(p, k, n, z) / k->diagonal[n]));
    change += (z[n] - old) * (z[n] - old) * k->diagonal[n] * k->diagonal[n];
    double most = 0.0;
    for (int i = 1; i < d; i++) {
        speed[i - 1] = row_velocity(p, k, n + i, z);
        most = fmax(most, k->diagonal[n + i]);
    }
    if (!(most > 0.0)) return change;
    for (int i = 1; i < d; i++) next[i - 1] = z[n + i] - relax * speed[i - 1] / most;
    slip_project_disc(d, p->mu[a] * z[n], next);
    for (int i = 1; i < d; i++) {
        change += (z[n + i] - next[i - 1]) * (z[n + i] - next[i - 1]) * most * most;
        set_unknown(p, k, n + i, z, next[i - 1]);
    }
    return change;
}

static slip_outcome pgs_run(const slip_problem *p, const slip_solve_options *o, double *z, double *w,
                            void *work, slip_solve_info *info)
{
    slip_arena arena = { .base = work };
    const pgs_work k = pgs_layout(&arena, p);
    const int d = slip_problem_block(p), limit = slip_solver_iteration_limit(o, 20000);
    const double *own = slip_solver_own_options(&slip_solver_pgs, o);
    const int every = (int)own[OPTION_CHECK_EVERY];
    for (int a = 0; a < p->size / d; a++) {
        double block[9];
        slip_matrix_diagonal(&p->W, a, d, block);
        for (int i = 0; i < d; i++) k.diagonal[a * d + i] = block[i * d + i];
    }
    if (p->W.form == SLIP_DELASSUS) {
        for (int i = 0; i < p->W.G->cols; i++) k.v[i] = 0.0;
        for (int i = 0; i < p->size; i++) slip_delassus_scatter(&p->W, i, 1, z + i, k.v);
    }
    double scale = 0.0;
    for (int i = 0; i < p->size; i++) scale += p->q[i] * p->q[i];
    const double small = o->tolerance * o->tolerance * (scale > 0.0 ? scale : 1.0);
    for (int sweep = 1; sweep <= limit; sweep++) {
        double change = 0.0;
        info->iterations++;
        for (int a = 0; a < p->size / d; a++)
            change += d == 1 ? box_step(p, &k, a, own[OPTION_RELAXATION], z)
                             : contact_step(p, &k, a, d, own[OPTION_RELAXATION], z);
        if (!isfinite(change)) return SLIP_DIVERGED;
        // The change is no bound on the error, so it only tells when a true residual is worth its price.
        if (change > small && sweep % every && sweep > 1 && sweep < limit) continue;
        if (slip_solution_judge(p, o, SLIP_OUT_OF_ITERATIONS, z, w, info) == SLIP_CONVERGED)
            return SLIP_CONVERGED;
        if (change == 0.0) return SLIP_STALLED;
    }
    return SLIP_OUT_OF_ITERATIONS;
}

static const slip_option options[] = {
    [OPTION_RELAXATION] = { "relaxation", "", SLIP_WITHIN(1e-3, 1.999), SLIP_DEFAULT(1),
                            "1 is plain Gauss-Seidel" },
    [OPTION_CHECK_EVERY] = { "check_every", "", SLIP_WITHIN(1, 1e6), SLIP_DEFAULT(10),
                             "most sweeps between residual checks" },
};

const slip_solver slip_solver_pgs = {
    .name = "pgs",
    .summary = "projected Gauss-Seidel, scalar: simple, any size, slow tail",
    SLIP_ACCEPTS_BOXES_CONTACTS,
    .reference = "Cryer 1971",
    .forms = SLIP_STORED | SLIP_BIT(SLIP_DELASSUS),
    SLIP_OPTIONS(options),
    .work_size = pgs_work_size,
    .run = pgs_run,
};
