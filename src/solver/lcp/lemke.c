/// solver/lcp/lemke.c: complementary pivoting for LCP, mixed and box problems, and planar friction.
///
/// Planar contacts go through the LCP of Flores 2010 (eq 85). The method is finite and exact up to rounding;
/// for matrices outside its class it may end on a ray, which is reported.
#include "solver/lcp/lemke.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/linalg/linalg.h"
#include "solver/problem/contact_law.h"
#include "solver/problem/solver_record.h"
#include "solver/linalg/matrix.h"
#include "solver/lcp/lemke_pivoting.h"
#include "solver/lcp/lcp_tolerances.h"

typedef struct lemke_work {
    slip_lemke_pivoting k;
    double *W; // FC2D: the dense Delassus matrix
} lemke_work;

static int lcp_size(const slip_problem *p)
{
    return p->kind == SLIP_KIND_FC2D ? 3 * p->contacts : p->size;
}

static int max_rows(const slip_problem *p)
{
    int rows = lcp_size(p);
    if (p->kind == SLIP_KIND_MLCP) rows += p->equalities;
    for (int i = 0; p->kind == SLIP_KIND_RELAY && i < p->size; i++)
        rows += isfinite(p->lower[i]) == isfinite(p->upper[i]);
    return rows;
}

static void lemke_layout(slip_arena *a, lemke_work *k, const slip_problem *p)
{
    slip_lemke_pivoting_layout(a, &k->k, lcp_size(p), max_rows(p));
    k->W = SLIP_TAKE(a, double,
                     p->kind == SLIP_KIND_FC2D && p->W.form != SLIP_DENSE ? (size_t)p->size * (size_t)p->size
                                                                          : 0);
}

static slip_status lemke_work_size(const slip_problem *p, const slip_solve_options *o, size_t *bytes)
{
    (void)o;
    slip_arena count = { 0 };
    lemke_work k;
    lemke_layout(&count, &k, p);
    *bytes = count.used;
    return SLIP_OK;
}

static void lemke_load(lemke_work *work, const slip_problem *p)
{
    slip_lemke_pivoting *k = &work->k;
    if (p->kind == SLIP_KIND_FC2D) {
        const double *W = p->W.values;
        if (p->W.form != SLIP_DENSE) {
            slip_matrix_fill(&p->W, work->W);
            W = work->W;
        }
        slip_lcp_from_planar(p->contacts, W, p->q, p->mu, k->M, k->q);
        for (int i = 0; i < k->n; i++) k->low[i] = 0.0, k->high[i] = INFINITY;
        return;
    }
    slip_matrix_fill(&p->W, k->M);
    memcpy(k->q, p->q, sizeof(double) * (size_t)p->size);
    for (int i = 0; i < p->size; i++) slip_problem_box(p, i, &k->low[i], &k->high[i]);
}

// A z + b = 0 for one unknown, with the operations to which pivoting and refinement reduce in this case, so
// that the bits are the same. Scaling by powers of two is exact within these bounds.
static bool solve_one(double A, double b, const slip_solve_options *o, double *z)
{
    const double least = 0x1p-100, most = 0x1p100;
    if (!(A > least && A < most && b < -least && b > -most) || slip_solver_iteration_limit(o, 100) < 2 ||
        !(slip_solver_own_options(&slip_solver_lemke, o)[SLIP_LEMKE_REFINE] > 0.0))
        return false;
    const double pivoted = -b * (1.0 / A), before = b + A * pivoted;
    double x = pivoted;
    for (int pass = 0; pass < 2; pass++) x += (-b - A * x) / A;
    const double after = b + A * x;
    *z = after * after <= before * before ? x : pivoted;
    return true;
}

// A contact without friction and without coupling to its tangent.
static bool is_frictionless(const double *W, const double *q, double mu)
{
    return mu == 0.0 && W[1] == 0.0 && W[2] == 0.0 && W[3] == 0.0 && q[1] == 0.0;
}

static bool solve_one_contact(const slip_problem *p, const slip_solve_options *o, double *z,
                              slip_solve_info *info)
{
    const bool planar = p->kind == SLIP_KIND_FC2D;
    if (p->size != (planar ? 2 : 1) || p->W.form != SLIP_DENSE) return false;
    if (planar ? !is_frictionless(p->W.values, p->q, p->mu[0]) : p->kind != SLIP_KIND_LCP) return false;
    if (!solve_one(p->W.values[0], p->q[0], o, z)) return false;
    if (planar) z[1] = 0.0;
    info->iterations = 2;
    return true;
}

// The residual of this solution is a few roundings of q, so it need not be computed if the tolerance is
// larger than that.
bool slip_frictionless_contact_solve(const double *W, const double *q, double mu, const slip_solve_options *o,
                                     double *z, double *w)
{
    if (!is_frictionless(W, q, mu) || !(o->tolerance >= CLOSED_FORM_ROUNDINGS * DBL_EPSILON) ||
        !solve_one(W[0], q[0], o, z))
        return false;
    w[0] = W[0] * z[0] + q[0];
    z[1] = w[1] = 0.0;
    return true;
}

static slip_outcome lemke_run(const slip_problem *p, const slip_solve_options *o, double *z, double *w,
                              void *memory, slip_solve_info *info)
{
    (void)w;
    if (solve_one_contact(p, o, z, info)) return SLIP_CONVERGED;
    slip_arena arena = { .base = memory };
    lemke_work work;
    lemke_layout(&arena, &work, p);
    lemke_load(&work, p);
    const slip_outcome outcome = slip_lemke_pivoting_solve(&work.k, o, info);
    if (p->kind == SLIP_KIND_FC2D)
        slip_planar_from_lcp(p->contacts, p->mu, work.k.z, z);
    else
        memcpy(z, work.k.z, sizeof(double) * (size_t)p->size);
    return outcome;
}

static const slip_option options[] = {
    [SLIP_LEMKE_PIVOT] = { "pivot", "", SLIP_WITHIN(0, 1e-3), SLIP_DEFAULT(1e-9),
                           "entries below this part of their column are zero" },
    [SLIP_LEMKE_REFINE] = { "refine", "", SLIP_WITHIN(0, 1), SLIP_DEFAULT(1),
                            "1: solve the final basis again to regain digits" },
};

const slip_solver slip_solver_lemke = {
    .name = "lemke",
    .summary = "complementary pivoting, lexicographic: finite, exact, dense",
    SLIP_ACCEPTS_BOXES_PLANAR,
    .reference = "Lemke 1965; Flores 2010, eq 85",
    .forms = SLIP_STORED,
    .max_size = 2700,
    .fast_up_to = 100,
    .fallback_rank = 1,
    SLIP_OPTIONS(options),
    .work_size = lemke_work_size,
    .run = lemke_run,
};
