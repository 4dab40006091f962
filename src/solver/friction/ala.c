/// solver/friction/ala.c: augmented Lagrangian, as the fixed point of proximal maps (Flores 2010, section 4.1).
///
///     P_N = prox_{R+}(P_N - r xi_N),     P_T = prox_{C_T(P_N)}(P_T - r xi_T),   C_T = disc of mu P_N
/// and z = P_box(z - r w) for box problems. All blocks step together, each with r scaled by its own
/// diagonal. The common factor of r is automatic: it shrinks when a step changes w by more than it may
/// (r |w(z') - w(z)| > 0.9 |z' - z| says that the map expands) and grows when there is room.
#include <math.h>
#include <string.h>

#include "solver/problem/solver_record.h"
#include "solver/problem/contact_law.h"
#include "solver/friction/friction_tolerances.h"

enum { R, SHRINK };

typedef struct ala_work {
    double *rho, *next, *w_next;
} ala_work;

static ala_work ala_layout(slip_arena *a, const slip_problem *p)
{
    ala_work k;
    k.rho = SLIP_TAKE(a, double, p->size);
    k.next = SLIP_TAKE(a, double, p->size);
    k.w_next = SLIP_TAKE(a, double, p->size);
    return k;
}

static slip_status ala_work_size(const slip_problem *p, const slip_solve_options *o, size_t *bytes)
{
    (void)o;
    slip_arena count = { 0 };
    ala_layout(&count, p);
    *bytes = count.used;
    return SLIP_OK;
}

static void apply_operator(const slip_problem *p, const double *z, double *w)
{
    slip_matrix_apply(&p->W, z, w);
    for (int i = 0; i < p->size; i++) w[i] += p->q[i];
}

// one proximal map: next = prox(z - r rho w)
static void proximal_step(const slip_problem *p, const ala_work *k, int d, double r, const double *z,
                          const double *w)
{
    for (int a = 0; a < p->size / d; a++) {
        double *x = k->next + (long)a * d;
        for (int i = 0; i < d; i++) x[i] = z[a * d + i] - r * k->rho[a] * w[a * d + i];
        if (d == 1) {
            double low, high;
            slip_problem_box(p, a, &low, &high);
            x[0] = slip_clamp(x[0], low, high);
        } else {
            x[0] = fmax(0.0, x[0]);
            slip_project_disc(d, p->mu[a] * x[0], x + 1);
        }
    }
}

// r |rho (w' - w)| / |z' - z|, both in the metric that rho makes natural
static double step_expansion(const slip_problem *p, const ala_work *k, int d, double r, const double *z,
                             const double *w)
{
    double dz = 0.0, dw = 0.0;
    for (int i = 0; i < p->size; i++) {
        const double a = k->next[i] - z[i], b = k->w_next[i] - w[i], rho = k->rho[i / d];
        dz += a * a / rho;
        dw += b * b * rho;
    }
    return dz > 0.0 ? r * sqrt(dw / dz) : 0.0;
}

static void ala_prepare(const slip_problem *p, const ala_work *k, int d)
{
    for (int a = 0; a < p->size / d; a++) {
        double block[9], trace = 0.0;
        slip_matrix_diagonal(&p->W, a, d, block);
        for (int i = 0; i < d; i++) trace += fabs(block[i * d + i]);
        k->rho[a] = trace > 0.0 ? d / trace : 1.0;
    }
}

static slip_outcome ala_run(const slip_problem *p, const slip_solve_options *o, double *z, double *w,
                            void *work, slip_solve_info *info)
{
    slip_arena arena = { .base = work };
    const ala_work k = ala_layout(&arena, p);
    const int d = slip_problem_block(p), limit = slip_solver_iteration_limit(o, 20000);
    const size_t bytes = sizeof(double) * (size_t)p->size;
    const double *own = slip_solver_own_options(&slip_solver_ala, o), shrink = own[SHRINK];
    const bool automatic = own[R] == 0.0;
    double r = automatic ? 1.0 : own[R];
    ala_prepare(p, &k, d);
    apply_operator(p, z, w);
    for (int step = 1; step <= limit; step++) {
        info->iterations++;
        proximal_step(p, &k, d, r, z, w);
        apply_operator(p, k.next, k.w_next);
        double grows = automatic ? step_expansion(p, &k, d, r, z, w) : 0.0;
        for (int tries = 0; grows > EXPANSION_TOO_LARGE && tries < 40; tries++) {
            r *= shrink * fmin(1.0, 1.0 / grows);
            proximal_step(p, &k, d, r, z, w);
            apply_operator(p, k.next, k.w_next);
            grows = step_expansion(p, &k, d, r, z, w);
        }
        const bool still = memcmp(z, k.next, bytes) == 0;
        memcpy(z, k.next, bytes);
        memcpy(w, k.w_next, bytes);
        if (automatic && grows < EXPANSION_HAS_ROOM) r /= shrink;
        if (!isfinite(r) || (p->size > 0 && !isfinite(z[0]))) return SLIP_DIVERGED;
        if (step % 10 && step > 10 && !still) continue;
        const double e = slip_residual(p, z, w).invariant;
        if (e <= o->tolerance) return SLIP_CONVERGED;
        if (isinf(e)) return SLIP_DIVERGED;
        if (still) return SLIP_STALLED;
    }
    return SLIP_OUT_OF_ITERATIONS;
}

static const slip_option options[] = {
    [R] = { "r", "", SLIP_WITHIN(0, 1e300), SLIP_DEFAULT(0),
            "augmentation parameter; 0: chosen and adapted by itself" },
    [SHRINK] = { "shrink", "", SLIP_WITHIN(0.1, 0.99), SLIP_DEFAULT(0.67),
                 "r is multiplied by this when a step moves too far" },
};

const slip_solver slip_solver_ala = {
    .name = "ala",
    .summary = "augmented Lagrangian, proximal fixed point with automatic r: needs only products with W",
    SLIP_ACCEPTS_BOXES_CONTACTS,
    .reference = "Flores 2010, eqs 42-43; Alart and Curnier 1991",
    .forms = SLIP_STORED | SLIP_BIT(SLIP_DELASSUS) | SLIP_BIT(SLIP_CALLBACK),
    SLIP_OPTIONS(options),
    .work_size = ala_work_size,
    .run = ala_run,
};
