/// solver/friction/newton_solver.c: the solver `newton`: the loop of newton_loop.c over stored matrices, dense or
/// block-sparse.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/linalg/linalg.h"
#include "solver/problem/contact_law.h"
#include "solver/linalg/block_lu.h"
#include "solver/friction/supernodes.h"
#include "solver/problem/solver_record.h"
#include "solver/linalg/matrix.h"
#include "solver/friction/newton_loop.h"
#include "solver/friction/friction_tolerances.h"

enum { DENSE_MAX_UNKNOWNS = 48, MLCP_DENSE_MAX_UNKNOWNS = 1500 };
static const long MAX_FACTOR_BLOCKS = 20000000,
                  MAX_MATRIX_ENTRIES = 100000000; // of the factor, of the matrix

typedef struct newton {
    slip_newton loop;
    bool dense, grouped;
    slip_block_lu lu;       // of the contacts
    slip_supernodes groups; // in its place
    double *J;              // dense system over the active unknowns
    int *index, *pivot;
} newton;

static long entry_count(const slip_matrix *W, int side)
{
    const long nodes = W->rows / side;
    return W->form == SLIP_DENSE ? nodes * nodes : W->row_start[nodes];
}

// equations may have a zero diagonal and need row exchanges
static bool is_dense(const slip_problem *p)
{
    return p->size <= DENSE_MAX_UNKNOWNS || p->kind == SLIP_KIND_MLCP;
}

// The memory for groups depends on their number, so they are found first.
static void layout_groups(slip_arena *a, newton *m, const slip_problem *p)
{
    *m = (newton){ .dense = is_dense(p) };
    if (!m->dense && p->kind == SLIP_KIND_FC3D) slip_supernodes_layout(a, &m->groups, p->contacts);
}

static void layout_order(slip_arena *a, newton *m, const slip_problem *p)
{
    const int d = slip_problem_block(p);
    if (!m->dense) slip_block_lu_layout_order(a, &m->lu, p->size / d, d, entry_count(&p->W, d));
}

// The ordering comes first: the rest depends on its fill.
static void newton_layout(slip_arena *a, newton *m, const slip_problem *p, long blocks)
{
    const int n = p->size;
    slip_newton_layout(a, &m->loop, p);
    if (m->dense) {
        m->J = SLIP_TAKE(a, double, (size_t)n *(size_t)n);
        m->index = SLIP_TAKE(a, int, n);
        m->pivot = SLIP_TAKE(a, int, n);
    } else {
        slip_block_lu_layout(a, m->grouped ? &m->groups.lu : &m->lu, blocks);
    }
}

static bool too_large(const slip_problem *p)
{
    const int d = slip_problem_block(p);
    if (p->W.form == SLIP_SPARSE && p->W.block != d) return true;
    return entry_count(&p->W, d) > MAX_MATRIX_ENTRIES ||
           (p->kind == SLIP_KIND_MLCP && p->size > MLCP_DENSE_MAX_UNKNOWNS);
}

// Prepares groups if there are any, else the contacts themselves; returns the number of blocks of the factor.
static long newton_prepare(slip_arena *a, newton *m, const slip_problem *p)
{
    layout_groups(a, m, p);
    if (m->dense) return 0;
    const size_t before = a->used;
    m->grouped = slip_supernodes_find(&m->groups, p);
    if (m->grouped) {
        slip_supernodes_layout_matrix(a, &m->groups);
        m->grouped = slip_supernodes_fill(&m->groups, p);
    }
    if (m->grouped) return slip_block_lu_order(&m->groups.lu, &m->groups.X);
    a->used = before;
    layout_order(a, m, p);
    return slip_block_lu_order(&m->lu, &p->W);
}

// An upper bound on the bytes of newton_prepare for a sparse problem; 0 if there is no memory to find out.
static size_t prepare_size(const slip_problem *p)
{
    newton m;
    slip_arena first = { 0 };
    layout_groups(&first, &m, p);
    slip_arena plain = first, grouped = first;
    layout_order(&plain, &m, p);
    first = (slip_arena){ .base = slip_arena_memory(plain.used) };
    if (!first.base) return 0;
    layout_groups(&first, &m, p);
    const bool found = slip_supernodes_find(&m.groups, p);
    free(first.base);
    if (found) slip_supernodes_layout_matrix(&grouped, &m.groups);
    return grouped.used > plain.used ? grouped.used : plain.used;
}

// The fill of the factor is known only after ordering, which needs memory of its own. The workspace of a
// dense problem serves all problems of its size, whichever blocks of them are empty.
static slip_status newton_work_size(const slip_problem *p, const slip_solve_options *o, size_t *bytes)
{
    (void)o;
    newton m;
    slip_arena count = { 0 };
    if (too_large(p)) return SLIP_UNSUPPORTED;
    const long nodes = p->size / slip_problem_block(p);
    long blocks = nodes * (nodes - 1) / 2;
    if (is_dense(p) || p->W.form == SLIP_DENSE) {
        layout_groups(&count, &m, p);
        layout_order(&count, &m, p);
    } else {
        count.used = prepare_size(p);
        slip_arena order = { .base = count.used > 0 ? slip_arena_memory(count.used) : NULL };
        if (!order.base) return SLIP_NO_MEMORY;
        blocks = newton_prepare(&order, &m, p);
        free(order.base);
    }
    // otherwise the run fails at the ordering again
    if (blocks <= MAX_FACTOR_BLOCKS) newton_layout(&count, &m, p, blocks);
    *bytes = count.used;
    return SLIP_OK;
}

// rows of one active block: B W + A + eps B over the active columns; both lists ascend
static inline void dense_rows(int d, const newton *all, int at, int m)
{
    const slip_newton *k = &all->loop;
    const int a = all->index[at] / d, *column;
    const double *values, *A = k->A + (long)a * d * d, *B = k->B + (long)a * d * d;
    int stride, step, count = slip_matrix_block_row(&k->p->W, a, d, &column, &values, &stride, &step);
    double *rows = all->J + (long)at * m;
    memset(rows, 0, sizeof(double) * (size_t)(m * d));
    for (int e = 0, c = 0; e < count; e++) {
        const int b = (column ? column[e] : e) * d;
        while (c < m && all->index[c] < b) c += d;
        if (c == m) break;
        if (all->index[c] != b) continue;
        const double *V = values + (long)e * step;
        for (int i = 0; i < d; i++)
            for (int j = 0; j < d; j++) {
                double s = 0.0;
                for (int l = 0; l < d; l++) s += B[i * d + l] * V[(long)l * stride + j];
                rows[(long)i * m + c + j] += s;
            }
    }
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) rows[(long)i * m + at + j] += A[i * d + j] + k->eps[a] * B[i * d + j];
}

static bool dense_step(slip_newton *k)
{
    const newton *all = k->user;
    const int d = k->d;
    int m = 0;
    for (int a = 0; a < k->nodes; a++)
        for (int i = 0; i < d && k->on[a]; i++) all->index[m++] = a * d + i;
    for (int r = 0; r < m; r++) k->w_try[r] = k->step[all->index[r]];
    for (int at = 0; at < m; at += d) {
        if (d == 3)
            dense_rows(3, all, at, m);
        else if (d == 2)
            dense_rows(2, all, at, m);
        else
            dense_rows(1, all, at, m);
    }
    if (!slip_lu(m, all->J, all->pivot)) return false;
    slip_lu_solve(m, all->J, all->pivot, k->w_try);
    for (int r = 0; r < m; r++) k->step[all->index[r]] = k->w_try[r];
    return true;
}

static bool sparse_step(slip_newton *k)
{
    newton *all = k->user;
    const int d = k->d;
    for (int a = 0; a < k->nodes; a++) // the proximal weight joins the diagonal: A + eps B
        for (long i = (long)a * d * d; i < (long)(a + 1) * d * d && k->on[a]; i++)
            k->A[i] += k->eps[a] * k->B[i];
    if (!slip_block_lu_factor(&all->lu, &k->p->W, k->A, k->B, k->on)) return false;
    slip_block_lu_solve(&all->lu, k->on, k->step);
    return true;
}

static bool grouped_step(slip_newton *k)
{
    newton *all = k->user;
    return slip_supernodes_step(&all->groups, k);
}

static bool set_up(newton *m, const slip_problem *p, void *work)
{
    slip_arena arena = { .base = work };
    const long blocks = newton_prepare(&arena, m, p);
    if (blocks > MAX_FACTOR_BLOCKS) return false;
    newton_layout(&arena, m, p, blocks);
    if (m->grouped)
        slip_block_lu_analyse(&m->groups.lu, &m->groups.X);
    else if (!m->dense)
        slip_block_lu_analyse(&m->lu, &p->W);
    m->loop.solve = m->dense ? dense_step : m->grouped ? grouped_step : sparse_step;
    m->loop.user = m;
    return true;
}

// With many contacts and a residual that is large, the all-stick solution replaces the starting point if it
// is closer.
static void try_all_stick(newton *m, const slip_problem *p, double *z, double *w, slip_solve_info *info)
{
    if (m->dense || p->W.form != SLIP_SPARSE || !slip_problem_is_contact(p)) return;
    const double before = slip_residual(p, z, w).invariant;
    if (before < TRY_ALL_STICK_ABOVE ||
        !slip_newton_all_stick(&m->loop, ALL_STICK_REGULARIZATION, m->loop.best))
        return;
    info->iterations++;
    if (slip_residual(p, m->loop.best, w).invariant < before)
        memcpy(z, m->loop.best, sizeof(double) * (size_t)p->size);
}

static slip_outcome newton_run(const slip_problem *p, const slip_solve_options *o, double *z, double *w,
                               void *work, slip_solve_info *info)
{
    newton m;
    if (p->size == 0) return SLIP_CONVERGED;
    if (too_large(p) || !set_up(&m, p, work)) return SLIP_UNSUITED;
    try_all_stick(&m, p, z, w, info);
    const double *own = slip_solver_own_options(&slip_solver_newton, o);
    const slip_newton_options ways = { .proximal = own[SLIP_NEWTON_PROXIMAL],
                                       .least = own[SLIP_NEWTON_LEAST],
                                       .inner = own[SLIP_NEWTON_INNER],
                                       .rho = own[SLIP_NEWTON_RHO],
                                       .limit = slip_solver_iteration_limit(o, 1000) };
    return slip_newton_loop(&m.loop, &ways, o->tolerance, z, w, info);
}

static const slip_option options[] = {
    [SLIP_NEWTON_PROXIMAL] = { "proximal", "", SLIP_WITHIN(0, 1e3), SLIP_DEFAULT(1e-3),
                               "first proximal weight, relative to diag W; adapted" },
    [SLIP_NEWTON_LEAST] = { "least", "", SLIP_WITHIN(0, 1), SLIP_DEFAULT(1e-10), "smallest proximal weight" },
    [SLIP_NEWTON_INNER] = { "inner", "", SLIP_WITHIN(1, 1e4), SLIP_DEFAULT(25),
                            "Newton steps per proximal step" },
    [SLIP_NEWTON_RHO] = { "rho", "", SLIP_WITHIN(0, 1e6), SLIP_DEFAULT(0),
                          "augmentation relative to 1/diag W; 0: 10 in space, 1 in the plane, 100 for "
                          "boxes" },
};

const slip_solver slip_solver_newton = {
    .name = "newton",
    .summary = "semismooth Newton in a proximal loop, sparse: fast and accurate, redundant contacts welcome",
    SLIP_ACCEPTS_BOXES_CONTACTS,
    .reference = "Alart and Curnier 1991; Rockafellar 1976",
    .forms = SLIP_STORED,
    SLIP_OPTIONS(options),
    .work_size = newton_work_size,
    .run = newton_run,
};
