/// solver/lcp/qp.c: convex quadratic programs, and of all minimisers the one of least norm (Gomez 2008, 2.39).
///
/// 1. Lemke's method on the optimality conditions. For a semidefinite Q it ends with a minimiser, or on a ray,
///    because there is none or because of rounding. Newton's method is tried then, and infeasibility is
///    reported only if it is proved (feasibility.c).
/// 2. The minimisers are the feasible x with Q x = Q x*, c'x = c'x*. With N a basis of the null space of
///    [Q; c'; equations], x = x_r + N s, and the least |s| under the remaining inequalities is a least
///    distance problem, solved as non-negative least squares (Lawson and Hanson). The multipliers of
///    step 1 serve every minimiser, so the residual of the pair judges the result.
#include <float.h>
#include <math.h>
#include <string.h>

#include "solver/problem/solver_record.h"
#include "solver/linalg/nnls.h"
#include "solver/lcp/lemke_pivoting.h"
#include "solver/problem/feasibility.h"
#include "solver/lcp/lcp_tolerances.h"
#include "base/linalg/vectors.h"

typedef struct qp_work {
    slip_lemke_pivoting pivoting;
    slip_nnls nnls;
    slip_feasibility solvable;
    slip_problem conditions; // optimality conditions as a box problem
    double *M, *c, *low, *high;
    void *newton;
    int n, m;
    double *basis, *null, *row, *x, *s; // orthonormal rows, orthonormal null vectors
    int null_count;
} qp_work;

static int bounds_of(const slip_problem *p, int i)
{
    return (p->lower && isfinite(p->lower[i])) + (p->upper && isfinite(p->upper[i]));
}

static void qp_layout(slip_arena *a, qp_work *k, const slip_problem *p)
{
    const int n = p->W.rows, m = p->A.rows;
    int bounds = 0, both = 0;
    for (int i = 0; i < n; i++) {
        bounds += bounds_of(p, i);
        both += bounds_of(p, i) != 1; // doubly bounded or free: two rows
    }
    k->n = n;
    k->m = m;
    slip_lemke_pivoting_layout(a, &k->pivoting, n + m, n + m + both + p->equalities);
    slip_nnls_layout(a, &k->nnls, n + 1, m + bounds);
    slip_feasibility_layout(a, &k->solvable, p);
    k->M = SLIP_TAKE(a, double, (size_t)p->size *(size_t)p->size);
    k->c = SLIP_TAKE(a, double, p->size);
    k->low = SLIP_TAKE(a, double, p->size);
    k->high = SLIP_TAKE(a, double, p->size);
    k->basis = SLIP_TAKE(a, double, (size_t)n *(size_t)n);
    k->null = SLIP_TAKE(a, double, (size_t)n *(size_t)n);
    k->row = SLIP_TAKE(a, double, n);
    k->x = SLIP_TAKE(a, double, n);
    k->s = SLIP_TAKE(a, double, n);
}

// the optimality conditions as a box problem: [Q -A'; A 0], (c, -b)
static void state_conditions(qp_work *k, const slip_problem *p)
{
    k->conditions = slip_problem_lcp(p->size, k->M, k->c);
    k->conditions.kind = SLIP_KIND_RELAY;
    k->conditions.lower = k->low;
    k->conditions.upper = k->high;
}

static slip_status qp_work_size(const slip_problem *p, const slip_solve_options *o, size_t *bytes)
{
    slip_arena count = { 0 };
    qp_work k;
    size_t newton;
    qp_layout(&count, &k, p);
    state_conditions(&k, p);
    const slip_status status = slip_solver_newton.work_size(&k.conditions, o, &newton);
    *bytes = count.used + newton;
    return status;
}

static void qp_load(qp_work *k, const slip_problem *p)
{
    const int n = k->n, m = k->m, N = n + m;
    memset(k->M, 0, sizeof(double) * (size_t)N * (size_t)N);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) k->M[(long)i * N + j] = p->W.values[(long)i * n + j];
        k->c[i] = p->q[i];
        k->low[i] = p->lower ? p->lower[i] : -INFINITY;
        k->high[i] = p->upper ? p->upper[i] : INFINITY;
    }
    for (int r = 0; r < m; r++) {
        for (int j = 0; j < n; j++) {
            const double a = p->A.values[(long)r * n + j];
            k->M[(long)(n + r) * N + j] = a;
            k->M[(long)j * N + n + r] = -a;
        }
        k->c[n + r] = -p->b[r];
        k->low[n + r] = r < p->equalities ? -INFINITY : 0.0;
        k->high[n + r] = INFINITY;
    }
    const size_t bytes = sizeof(double) * (size_t)N;
    memcpy(k->pivoting.M, k->M, bytes * (size_t)N);
    memcpy(k->pivoting.q, k->c, bytes);
    memcpy(k->pivoting.low, k->low, bytes);
    memcpy(k->pivoting.high, k->high, bytes);
}

// Adds v to `count` orthonormal rows unless it depends on them; Gram-Schmidt twice.
static int extend_basis(int n, double *rows, int count, const double *v, double *work)
{
    const double before = sqrt(dot_product(n, v, v));
    memcpy(work, v, sizeof(double) * (size_t)n);
    for (int pass = 0; pass < 2; pass++)
        for (int r = 0; r < count; r++) {
            const double s = dot_product(n, rows + (long)r * n, work);
            for (int i = 0; i < n; i++) work[i] -= s * rows[(long)r * n + i];
        }
    const double after = sqrt(dot_product(n, work, work));
    if (count == n || !(after > BASIS_DEPENDENT_RELATIVE * before) || !(after > 0.0)) return count;
    for (int i = 0; i < n; i++) rows[(long)count * n + i] = work[i] / after;
    return count + 1;
}

static void find_null_space(qp_work *k, const slip_problem *p)
{
    const int n = k->n;
    int rank = 0;
    for (int i = 0; i < n; i++) rank = extend_basis(n, k->basis, rank, p->W.values + (long)i * n, k->row);
    rank = extend_basis(n, k->basis, rank, p->q, k->row);
    for (int r = 0; r < p->equalities; r++)
        rank = extend_basis(n, k->basis, rank, p->A.values + (long)r * n, k->row);
    // The components of the unit vectors orthogonal to the basis span the null space; they are stored after
    // the basis.
    k->null_count = 0;
    int all = rank;
    for (int i = 0; i < n && all < n; i++) {
        memset(k->s, 0, sizeof(double) * (size_t)n);
        k->s[i] = 1.0;
        all = extend_basis(n, k->basis, all, k->s, k->row);
    }
    for (int r = rank; r < all; r++)
        memcpy(k->null + (long)k->null_count++ * n, k->basis + (long)r * n, sizeof(double) * (size_t)n);
}

// One inequality g'x >= h in the coordinates s: a column of [(G N)'; h']. Components that are only rounding,
// because the row is orthogonal to the null space, are cleared; otherwise they would be taken for a
// direction.
static void add_inequality(qp_work *k, int column, const double *g, double h)
{
    const int columns = k->nnls.cols;
    const double size = sqrt(dot_product(k->n, g, g)),
                 far = fabs(h) + size * sqrt(dot_product(k->n, k->x, k->x));
    for (int j = 0; j < k->null_count; j++) {
        const double e = dot_product(k->n, g, k->null + (long)j * k->n);
        k->nnls.E[(long)j * columns + column] = fabs(e) > NULL_COMPONENT_RELATIVE * size ? e : 0.0;
    }
    const double e = h - dot_product(k->n, g, k->x);
    k->nnls.E[(long)k->null_count * columns + column] = fabs(e) > NULL_COMPONENT_RELATIVE * far ? e : 0.0;
}

static void fill_inequalities(qp_work *k, const slip_problem *p)
{
    int column = 0;
    for (int r = p->equalities; r < k->m; r++)
        add_inequality(k, column++, p->A.values + (long)r * k->n, p->b[r]);
    for (int i = 0; i < k->n; i++)
        for (int side = 1; side >= -1; side -= 2) {
            const double bound =
                side > 0 ? (p->lower ? p->lower[i] : -INFINITY) : (p->upper ? p->upper[i] : INFINITY);
            if (isinf(bound)) continue;
            memset(k->row, 0, sizeof(double) * (size_t)k->n);
            k->row[i] = side;
            add_inequality(k, column++, k->row, side * bound);
        }
    for (; column < k->nnls.cols; column++)
        for (int j = 0; j <= k->null_count; j++) k->nnls.E[(long)j * k->nnls.cols + column] = 0.0;
}

// Least |s| with G N s >= h - G x_r: y >= 0 minimises |E y - e|, and s = -t / t_last, t = E y - e.
static bool least_distance(qp_work *k, const slip_problem *p, const double *z)
{
    const int n = k->n, last = k->null_count;
    memcpy(k->x, z, sizeof(double) * (size_t)n);
    for (int j = 0; j < k->null_count; j++) {
        const double s = dot_product(n, k->null + (long)j * n, k->x);
        for (int i = 0; i < n; i++) k->x[i] -= s * k->null[(long)j * n + i];
    }
    fill_inequalities(k, p);
    memset(k->nnls.f, 0, sizeof(double) * (size_t)(last + 1));
    k->nnls.f[last] = 1.0;
    if (!(slip_nnls_solve(&k->nnls, last + 1, k->nnls.cols) > LEAST_DISTANCE_INFEASIBLE)) return false;
    const double *t = k->nnls.f; // now e - E y
    for (int j = 0; j < last; j++) {
        const double s = -t[j] / t[last];
        for (int i = 0; i < n; i++) k->x[i] += s * k->null[(long)j * n + i];
    }
    return true;
}

// a minimiser and its multipliers into z
static slip_outcome find_minimiser(qp_work *k, const slip_problem *p, const slip_solve_options *o, double *z,
                                   double *w, slip_solve_info *info)
{
    const size_t bytes = sizeof(double) * (size_t)p->size;
    slip_outcome outcome = slip_lemke_pivoting_solve(&k->pivoting, o, info);
    memcpy(z, k->pivoting.z, bytes);
    if (outcome == SLIP_CONVERGED && slip_residual(p, z, w).invariant <= o->tolerance) return outcome;
    if (outcome != SLIP_CONVERGED && slip_feasibility_no_minimiser(&k->solvable, p)) return SLIP_INFEASIBLE;
    memset(z, 0, bytes);
    return slip_solver_newton.run(&k->conditions, o, z, w, k->newton, info) == SLIP_CONVERGED
               ? SLIP_CONVERGED
               : (outcome == SLIP_CONVERGED ? SLIP_STALLED : outcome);
}

static slip_outcome qp_run(const slip_problem *p, const slip_solve_options *o, double *z, double *w,
                           void *work, slip_solve_info *info)
{
    slip_arena arena = { .base = work };
    qp_work k;
    qp_layout(&arena, &k, p);
    k.newton = arena.base + arena.used;
    state_conditions(&k, p);
    qp_load(&k, p);
    const slip_outcome outcome = find_minimiser(&k, p, o, z, w, info);
    if (outcome != SLIP_CONVERGED) return outcome;
    find_null_space(&k, p);
    if (k.null_count == 0) info->uniqueness = SLIP_UNIQUE;
    if (slip_solver_own_options(&slip_solver_qp, o)[SLIP_QP_MIN_NORM] == 0.0 || k.null_count == 0)
        return SLIP_CONVERGED;
    // The point of least norm replaces the first one only if its residual is as small.
    const double before = slip_residual(p, z, w).invariant;
    if (!least_distance(&k, p, z)) return SLIP_CONVERGED;
    double moved = 0.0, size = 0.0;
    for (int i = 0; i < k.n; i++) {
        const double keep = z[i];
        z[i] = k.x[i];
        k.x[i] = keep;
        moved = fmax(moved, fabs(z[i] - keep));
        size = fmax(size, fabs(keep));
    }
    const double after = slip_residual(p, z, w).invariant;
    if (after > fmax(o->tolerance, before))
        memcpy(z, k.x, sizeof(double) * (size_t)k.n);
    else if (moved > MINIMISER_MOVED_RELATIVE * size)
        info->uniqueness = SLIP_NOT_UNIQUE;
    return SLIP_CONVERGED;
}

static const slip_option options[] = {
    [SLIP_QP_MIN_NORM] = { "min_norm", "", SLIP_WITHIN(0, 1), SLIP_DEFAULT(1),
                           "1: among the minimisers the one of least norm" },
};

const slip_solver slip_solver_qp = {
    .name = "qp",
    .summary = "convex quadratic program by pivoting; of all minimisers the one of least norm",
    SLIP_ACCEPTS_QP,
    .reference = "Gomez 2008, eq 2.39; Lawson and Hanson 1974",
    .forms = SLIP_BIT(SLIP_DENSE),
    .max_size = 2000,
    SLIP_OPTIONS(options),
    .work_size = qp_work_size,
    .run = qp_run,
};
