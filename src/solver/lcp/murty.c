/// solver/lcp/murty.c: principal pivoting by the least-index rule (Murty 1974).
///
/// w = M z + q (planar contacts as in Flores 2010, eq 85); while some basic value is negative, exchange the
/// first such pair. There is no path to follow and no extra column, so a pivot costs n^2: the fastest method
/// for small LCPs with positive principal minors, and useless for many others.
#include <math.h>
#include <string.h>

#include "solver/problem/solver_record.h"
#include "solver/linalg/matrix.h"
#include "solver/lcp/lcp_tolerances.h"

typedef struct murty_work {
    int n;     // rows of the LCP
    double *T; // n x (n + 1), last column the constant
    double *q, *W, *x;
    bool *in; // z_i is basic
} murty_work;

static murty_work murty_layout(slip_arena *a, const slip_problem *p)
{
    const bool planar = p->kind == SLIP_KIND_FC2D;
    murty_work k = { .n = planar ? 3 * p->contacts : p->size };
    k.T = SLIP_TAKE(a, double, (size_t)k.n *((size_t)k.n + 1));
    k.q = SLIP_TAKE(a, double, k.n);
    k.x = SLIP_TAKE(a, double, k.n);
    k.in = SLIP_TAKE(a, bool, k.n);
    k.W = SLIP_TAKE(a, double, planar ? (size_t)p->size *(size_t)p->size : 0);
    return k;
}

static slip_status murty_work_size(const slip_problem *p, const slip_solve_options *o, size_t *bytes)
{
    (void)o;
    slip_arena count = { 0 };
    murty_layout(&count, p);
    *bytes = count.used;
    return SLIP_OK;
}

// planar contacts by Flores 2010, eq 85
static void murty_load(const slip_problem *p, const murty_work *k)
{
    const int n = k->n, width = n + 1;
    memset(k->in, 0, sizeof(bool) * (size_t)n);
    if (p->kind == SLIP_KIND_FC2D) {
        slip_matrix_fill(&p->W, k->W);
        slip_lcp_from_planar(p->contacts, k->W, p->q, p->mu, k->T, k->q);
    } else {
        slip_matrix_fill(&p->W, k->T);
        memcpy(k->q, p->q, sizeof(double) * (size_t)n);
    }
    for (int i = n - 1; i >= 0; i--) { // from rows of n to rows of n + 1, in place
        memmove(k->T + (long)i * width, k->T + (long)i * n, sizeof(double) * (size_t)n);
        k->T[(long)i * width + n] = k->q[i];
    }
}

static void murty_exchange(const murty_work *k, int r)
{
    const int n = k->n, width = n + 1;
    double *row = k->T + (long)r * width;
    const double inverse = 1.0 / row[r];
    for (int j = 0; j < width; j++) row[j] *= -inverse;
    row[r] = inverse;
    for (int i = 0; i < n; i++) {
        double *other = k->T + (long)i * width;
        const double f = other[r];
        if (i == r || f == 0.0) continue;
        other[r] = 0.0;
        for (int j = 0; j < width; j++) other[j] += f * row[j];
    }
    k->in[r] = !k->in[r];
}

static slip_outcome murty_run(const slip_problem *p, const slip_solve_options *o, double *z, double *w,
                              void *work, slip_solve_info *info)
{
    (void)w;
    slip_arena arena = { .base = work };
    const murty_work k = murty_layout(&arena, p);
    const int n = k.n, width = n + 1, limit = slip_solver_iteration_limit(o, 4 + 3 * n);
    slip_outcome outcome = SLIP_OUT_OF_ITERATIONS;
    double dust = 0.0;
    murty_load(p, &k);
    for (int i = 0; i < n; i++) dust = fabs(k.q[i]) > dust ? fabs(k.q[i]) : dust;
    dust *= RHS_ROUNDING_RELATIVE;
    for (int count = 0; count < limit; count++) {
        int r = 0;
        while (r < n && !(k.T[(long)r * width + n] < -dust)) r++;
        if (r == n) {
            outcome = SLIP_CONVERGED;
            break;
        }
        if (!(fabs(k.T[(long)r * width + r]) > PIVOT_NONZERO)) {
            outcome = SLIP_STALLED;
            break;
        }
        murty_exchange(&k, r);
        info->iterations++;
    }
    for (int i = 0; i < n; i++) {
        const double value = k.T[(long)i * width + n];
        k.x[i] = k.in[i] && value > 0.0 ? value : 0.0;
    }
    if (p->kind == SLIP_KIND_FC2D)
        slip_planar_from_lcp(p->contacts, p->mu, k.x, z);
    else
        memcpy(z, k.x, sizeof(double) * (size_t)n);
    return outcome;
}

const slip_solver slip_solver_murty = {
    .name = "murty",
    .summary = "least-index principal pivoting: very fast on small P-matrices, dense",
    SLIP_ACCEPTS_LCP_PLANAR,
    .reference = "Murty 1974; Flores 2010, eq 85",
    .forms = SLIP_STORED,
    .max_size = 1000,
    .work_size = murty_work_size,
    .run = murty_run,
};
