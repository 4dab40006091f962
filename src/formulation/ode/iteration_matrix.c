/// formulation/ode/iteration_matrix.c: I - scale df/dx of an ODE, factored group by group.
///
/// The states of an element see their own bodies alone, and a position its own rates: both are eliminated one
/// by one, along a pattern that is known before the run, and what is left is a dense matrix over the rates,
/// factored with pivoting. Thirty bodies with seventy contacts are then a matrix of 84 rows instead of 308.
#include "formulation/ode/iteration_matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/linalg/linalg.h"
#include "formulation/ode/ode_jacobian.h"
#include "formulation/ode/ode_tolerances.h"

/// One group, its states in the order of elimination: elements, positions, rates.
typedef struct group {
    int size, sparse;   // states; those that are eliminated along the pattern
    int *order;         // place in the group of each
    int *state;         // of the ODE
    int *below, *right; // of pivot p: below[start_below[p] ..], right[start_right[p] ..]
    int *start_below, *start_right;
    double *A;     // dense rows in the order of elimination; factors after it
    double *dense; // what is left, with pivots and the scale of its rows
    double *row;
    int *pivot;
} group;

struct slip_iteration_matrix {
    slip_ode_jacobian *jacobian;
    int n, group_count;
    group *groups;
    double *part, *raw; // one vector and one matrix over the largest group
    slip_pool *pool;
};

// ------------------------------------------------------------------------------------------ pattern

// elements first, then positions, then rates; in an inclusion everything is left to the dense part
static int elimination_rank(const slip_iteration_matrix *w, int state)
{
    if (state >= 2 * w->n) return w->n > 0 ? 0 : 2;
    return state < w->n ? 1 : 2;
}

static void sort_states(const slip_iteration_matrix *w, group *g, const int *states)
{
    int at = 0;
    for (int rank = 0; rank < 3; rank++) {
        if (rank == 2) g->sparse = at;
        for (int k = 0; k < g->size; k++)
            if (elimination_rank(w, states[k]) == rank) g->order[at] = k, g->state[at++] = states[k];
    }
}

// what elimination without pivoting fills in, and the lists of it; counts only when `below` is NULL
static void eliminate_pattern(const group *g, unsigned char *pattern, int *below, int *right)
{
    size_t m = (size_t)g->size;
    int b = 0, r = 0;
    for (int p = 0; p < g->sparse; p++) {
        g->start_below[p] = b;
        g->start_right[p] = r;
        const unsigned char *pivot = pattern + (size_t)p * m;
        for (int j = p + 1; j < g->size; j++) {
            if (!pivot[j]) continue;
            if (right) right[r] = j;
            r++;
        }
        for (int i = p + 1; i < g->size; i++) {
            unsigned char *row = pattern + (size_t)i * m;
            if (!row[p]) continue;
            if (below) below[b] = i;
            b++;
            for (int j = p + 1; j < g->size; j++) row[j] |= pivot[j];
        }
    }
    g->start_below[g->sparse] = b;
    g->start_right[g->sparse] = r;
}

// the pattern of a group in the order of elimination
static void permute_pattern(const group *g, const unsigned char *raw, unsigned char *pattern)
{
    size_t m = (size_t)g->size;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            pattern[i * m + j] =
                (unsigned char)(i == j || raw[(size_t)g->order[i] * m + (size_t)g->order[j]]);
}

static bool find_pattern(slip_iteration_matrix *w, int k)
{
    group *g = &w->groups[k];
    size_t m = (size_t)g->size;
    unsigned char *raw = malloc(m * m + 1), *pattern = malloc(m * m + 1);
    bool fine = raw && pattern;
    if (fine) {
        slip_ode_jacobian_pattern(w->jacobian, k, raw);
        permute_pattern(g, raw, pattern);
        eliminate_pattern(g, pattern, NULL, NULL);
        g->below = SLIP_POOL_NEW(w->pool, int, g->start_below[g->sparse]);
        g->right = SLIP_POOL_NEW(w->pool, int, g->start_right[g->sparse]);
        fine = g->below && g->right;
        permute_pattern(g, raw, pattern);
        if (fine) eliminate_pattern(g, pattern, g->below, g->right);
    }
    free(raw);
    free(pattern);
    return fine;
}

// --------------------------------------------------------------------------------------------- life

void slip_iteration_matrix_destroy(slip_iteration_matrix *w)
{
    if (!w) return;
    slip_ode_jacobian_destroy(w->jacobian);
    slip_pool_destroy(w->pool);
    free(w);
}

static bool allocate_group(slip_iteration_matrix *w, int k)
{
    group *g = &w->groups[k];
    const int *states;
    int m = g->size = slip_ode_jacobian_group(w->jacobian, k, &states);
    g->order = SLIP_POOL_NEW(w->pool, int, m);
    g->state = SLIP_POOL_NEW(w->pool, int, m);
    g->start_below = SLIP_POOL_NEW(w->pool, int, m + 1);
    g->start_right = SLIP_POOL_NEW(w->pool, int, m + 1);
    g->A = SLIP_POOL_NEW(w->pool, double, (size_t)m *(size_t)m);
    if (!g->order || !g->state || !g->start_below || !g->start_right || !g->A) return false;
    sort_states(w, g, states);
    int d = m - g->sparse;
    g->dense = SLIP_POOL_NEW(w->pool, double, (size_t)d *(size_t)d);
    g->row = SLIP_POOL_NEW(w->pool, double, d);
    g->pivot = SLIP_POOL_NEW(w->pool, int, d);
    return g->dense && g->row && g->pivot && find_pattern(w, k);
}

static bool allocate_iteration_matrix(slip_iteration_matrix *w)
{
    w->group_count = slip_ode_jacobian_group_count(w->jacobian);
    size_t largest = (size_t)slip_ode_jacobian_largest_group(w->jacobian);
    w->pool = slip_pool_create();
    if (!w->pool) return false;
    w->groups = SLIP_POOL_NEW(w->pool, group, w->group_count);
    w->part = SLIP_POOL_NEW(w->pool, double, largest);
    w->raw = SLIP_POOL_NEW(w->pool, double, largest *largest);
    if (!w->groups || !w->part || !w->raw) return false;
    for (int k = 0; k < w->group_count; k++)
        if (!allocate_group(w, k)) return false;
    return true;
}

slip_status slip_iteration_matrix_create(slip_ode *ode, slip_error *error, slip_iteration_matrix **out)
{
    *out = NULL;
    slip_iteration_matrix *w = calloc(1, sizeof *w);
    if (!w) return slip_fail(error, SLIP_NO_MEMORY, "integrator", "out of memory");
    w->n = ode->n;
    slip_status status = slip_ode_jacobian_create(ode, false, error, &w->jacobian);
    if (status == SLIP_OK && !allocate_iteration_matrix(w))
        status = slip_fail(error, SLIP_NO_MEMORY, "integrator", "out of memory");
    if (status != SLIP_OK) {
        slip_iteration_matrix_destroy(w);
        return status;
    }
    *out = w;
    return SLIP_OK;
}

// ------------------------------------------------------------------------------------------- factors

// I - scale df/dx in the order of elimination; false when an entry is not a number
static bool assemble_group(slip_iteration_matrix *w, int k, double scale)
{
    group *g = &w->groups[k];
    int m = g->size;
    double sum = 0.0;
    slip_ode_jacobian_dense(w->jacobian, k, w->raw);
    for (int i = 0; i < m; i++) {
        const double *from = w->raw + (size_t)g->order[i] * (size_t)m;
        double *row = g->A + (size_t)i * (size_t)m;
        for (int j = 0; j < m; j++) {
            double entry = from[g->order[j]];
            sum += 0.0 * entry;
            row[j] = -scale * entry;
        }
        row[i] += 1.0;
    }
    return sum == 0.0;
}

static bool eliminate_sparse(group *g)
{
    size_t m = (size_t)g->size;
    for (int p = 0; p < g->sparse; p++) {
        const double *pivot = g->A + (size_t)p * m;
        if (!(fabs(pivot[p]) > SPARSE_PIVOT)) return false;
        for (int b = g->start_below[p]; b < g->start_below[p + 1]; b++) {
            double *row = g->A + (size_t)g->below[b] * m, factor = row[p] /= pivot[p];
            if (factor == 0.0) continue;
            for (int r = g->start_right[p]; r < g->start_right[p + 1]; r++)
                row[g->right[r]] -= factor * pivot[g->right[r]];
        }
    }
    return true;
}

// what is left, its rows scaled to 1: a stiff contact must not make the others look singular
static bool factor_dense_part(group *g)
{
    int d = g->size - g->sparse;
    if (d == 0) return true;
    for (int i = 0; i < d; i++) {
        const double *from = g->A + (size_t)(g->sparse + i) * (size_t)g->size + g->sparse;
        double largest = 0.0;
        for (int j = 0; j < d; j++) largest = fmax(largest, fabs(from[j]));
        if (!(largest > 0.0)) return false;
        g->row[i] = 1.0 / largest;
        for (int j = 0; j < d; j++) g->dense[i * d + j] = g->row[i] * from[j];
    }
    return slip_lu(d, g->dense, g->pivot);
}

bool slip_iteration_matrix_factor(slip_iteration_matrix *w, double t, const double *x, const double *rate,
                                  double scale)
{
    if (!slip_ode_jacobian_evaluate(w->jacobian, t, x, rate)) return false;
    for (int k = 0; k < w->group_count; k++)
        if (!assemble_group(w, k, scale) || !eliminate_sparse(&w->groups[k]) ||
            !factor_dense_part(&w->groups[k]))
            return false;
    return true;
}

static void solve_group(const group *g, double *y)
{
    size_t m = (size_t)g->size;
    int d = g->size - g->sparse;
    for (int p = 0; p < g->sparse; p++)
        for (int b = g->start_below[p]; b < g->start_below[p + 1]; b++)
            y[g->below[b]] -= g->A[(size_t)g->below[b] * m + (size_t)p] * y[p];
    for (int i = 0; i < d; i++) y[g->sparse + i] *= g->row[i];
    if (d > 0) slip_lu_solve(d, g->dense, g->pivot, y + g->sparse);
    for (int p = g->sparse - 1; p >= 0; p--) {
        const double *row = g->A + (size_t)p * m;
        double sum = y[p];
        for (int r = g->start_right[p]; r < g->start_right[p + 1]; r++)
            sum -= row[g->right[r]] * y[g->right[r]];
        y[p] = sum / row[p];
    }
}

void slip_iteration_matrix_solve(slip_iteration_matrix *w, double *b)
{
    for (int k = 0; k < w->group_count; k++) {
        const group *g = &w->groups[k];
        for (int i = 0; i < g->size; i++) w->part[i] = b[g->state[i]];
        solve_group(g, w->part);
        for (int i = 0; i < g->size; i++) b[g->state[i]] = w->part[i];
    }
}
