/// verdict/contact/redundant_modes.c: forces of a combination of modes whose rows depend on one another.
///
/// Equations and inequalities are written as E y = f, y >= 0 and decided by non-negative least squares. A
/// contact that sticks has N = (y1 + y2)/(2 mu), T = (y2 - y1)/2; a friction with the limit F has T = y2 - F,
/// y1 + y2 = 2 F; one that slides has N = y. Rows of what opens or starts to slide have a slack.
#include "verdict/contact/redundant_modes.h"

#include <math.h>
#include <string.h>

#include "solver/linalg/nnls.h"
#include "verdict/contact/verdict_tolerances.h"

enum { MAX_ROWS = 3 * SLIP_SET_MAX_CONTACTS, MAX_COLUMNS = 4 * SLIP_SET_MAX_CONTACTS };

typedef struct table {
    const slip_contact_set *set;
    slip_contact_branch *s;
    int rows, cols, first[SLIP_SET_MAX_CONTACTS];                  // first variable of each contact
    double E[MAX_ROWS * MAX_COLUMNS], f[MAX_ROWS], size[MAX_ROWS]; // size: of the terms of a row
    slip_nnls nnls;
    _Alignas(64) char room[160 * 1024];
} table;

// N and T of contact i as multiples of its variable number v
static void force_coefficients(const table *t, int i, int v, double *N, double *T)
{
    const slip_contact_set *set = t->set;
    bool sticks = t->s->mode[i] == SLIP_IS_STICKING;
    *N = !set->contact[i] ? 0.0 : sticks ? 0.5 / set->mu[i] : 1.0;
    *T = sticks ? (v ? 0.5 : -0.5) : 0.0;
    if (sticks && !set->contact[i]) *T = v ? 1.0 : 0.0;
}

static int variables_of(const table *t, int i)
{
    return t->s->mode[i] == SLIP_IS_STICKING ? 2 : t->set->contact[i] && t->s->mode[i] != SLIP_IS_OPEN;
}

static double constant_of(const table *t, int row)
{
    const slip_contact_set *set = t->set;
    double sum = slip_mode_offset(set, t->s->mode, row);
    for (int i = 0; i < set->count; i++)
        if (!set->contact[i] && t->s->mode[i] == SLIP_IS_STICKING)
            sum -= set->mu[i] * slip_mode_response(set, t->s->mode, row, 2 * i + 1);
    return sum;
}

// a row of the set as an equation; slack > 0: at least zero, < 0: at most
static void add_equation(table *t, int row, int slack)
{
    const slip_contact_set *set = t->set;
    double *E = t->E + t->rows * MAX_COLUMNS, N, T;
    memset(E, 0, MAX_COLUMNS * sizeof *E);
    for (int i = 0; i < set->count; i++)
        for (int v = 0; v < variables_of(t, i); v++) {
            force_coefficients(t, i, v, &N, &T);
            if (N != 0.0) E[t->first[i] + v] += N * slip_mode_response(set, t->s->mode, row, 2 * i);
            if (T != 0.0) E[t->first[i] + v] += T * slip_mode_response(set, t->s->mode, row, 2 * i + 1);
        }
    if (slack) E[t->cols++] = -slack;
    t->f[t->rows++] = -constant_of(t, row);
}

static void add_limit(table *t, int i)
{
    double *E = t->E + t->rows * MAX_COLUMNS;
    memset(E, 0, MAX_COLUMNS * sizeof *E);
    E[t->first[i]] = E[t->first[i] + 1] = 1.0;
    t->f[t->rows++] = 2.0 * t->set->mu[i];
}

static void write_equations(table *t)
{
    const slip_contact_set *set = t->set;
    t->rows = t->cols = 0;
    for (int i = 0; i < set->count; i++) t->first[i] = t->cols, t->cols += variables_of(t, i);
    for (int i = 0; i < set->count; i++) {
        unsigned char mode = t->s->mode[i];
        if (set->contact[i]) add_equation(t, 2 * i, mode == SLIP_IS_OPEN);
        if (mode == SLIP_IS_STICKING) add_equation(t, 2 * i + 1, 0);
        if (mode == SLIP_IS_STICKING && !set->contact[i]) add_limit(t, i);
        bool starts = mode != SLIP_IS_OPEN && mode != SLIP_IS_STICKING && set->slips[i] && set->mu[i] > 0.0 &&
                      !set->slide[i];
        if (starts) add_equation(t, 2 * i + 1, slip_mode_direction(mode));
    }
}

// y >= least; true when there is such a point, which is then in nnls.y
static bool find_point(table *t, double least)
{
    slip_nnls *k = &t->nnls;
    double size = 0.0;
    for (int r = 0; r < t->rows; r++) {
        k->f[r] = t->f[r];
        size = fmax(size, fabs(t->f[r]));
        for (int c = 0; c < t->cols; c++) {
            k->E[r * t->cols + c] = t->E[r * MAX_COLUMNS + c];
            k->f[r] -= least * t->E[r * MAX_COLUMNS + c];
        }
    }
    double left = slip_nnls_solve(k, t->rows, t->cols);
    if (!(left >= 0.0 && left <= NNLS_RESIDUAL * size + NONZERO_FORCE)) return false;
    for (int c = 0; c < t->cols; c++) k->y[c] += least;
    return true;
}

static double force_of(const table *t)
{
    double most = 0.0;
    for (int r = 0; r < t->rows; r++)
        for (int c = 0; c < t->cols; c++) {
            double e = fabs(t->E[r * MAX_COLUMNS + c]);
            if (e > 0.0 && fabs(t->f[r]) > 0.0) most = fmax(most, fabs(t->f[r]) / e);
        }
    return most;
}

static void read_solution(table *t)
{
    const slip_contact_set *set = t->set;
    int at[SLIP_SET_MAX_ROWS], m = slip_mode_unknowns(set, t->s->mode, at);
    double x[SLIP_SET_MAX_ROWS], N, T;
    for (int k = 0; k < m; k++) {
        int i = at[k] / 2;
        x[k] = at[k] % 2 && !set->contact[i] ? -set->mu[i] : 0.0;
        for (int v = 0; v < variables_of(t, i); v++) {
            force_coefficients(t, i, v, &N, &T);
            x[k] += (at[k] % 2 ? T : N) * t->nnls.y[t->first[i] + v];
        }
    }
    slip_mode_distribute(set, m, at, x, t->s);
}

// The rows of the set whose rates the mode leaves free do not change along forces that keep the others: each
// is a combination of them. Least squares without signs would say so too; here by elimination
static bool free_rows_unaffected(const slip_contact_set *set, const unsigned char *mode)
{
    int at[SLIP_SET_MAX_ROWS], m = slip_mode_unknowns(set, mode, at), rank = 0, pivot[SLIP_SET_MAX_ROWS];
    double R[SLIP_SET_MAX_ROWS][SLIP_SET_MAX_ROWS], most = 0.0;
    for (int k = 0; k < m; k++)
        for (int j = 0; j < m; j++)
            R[k][j] = slip_mode_response(set, mode, at[k], at[j]), most = fmax(most, fabs(R[k][j]));
    for (int k = 0; k < m; k++) { // rows one by one against those before, by their largest entry
        for (int p = 0; p < rank; p++) {
            double by = R[k][pivot[p]] / R[p][pivot[p]];
            for (int j = 0; j < m; j++) R[k][j] -= by * R[p][j];
        }
        int best = 0;
        for (int j = 0; j < m; j++)
            if (fabs(R[k][j]) > fabs(R[k][best])) best = j;
        if (m == 0 || fabs(R[k][best]) <= DEPENDENT_ROW * most) continue;
        for (int j = 0; j < m; j++) R[rank][j] = R[k][j];
        pivot[rank++] = best;
    }
    for (int r = 0; r < 2 * set->count; r++) {
        double row[SLIP_SET_MAX_ROWS];
        if (r % 2 && !set->slips[r / 2]) continue;
        for (int j = 0; j < m; j++) row[j] = slip_mode_response(set, mode, r, at[j]);
        for (int p = 0; p < rank; p++) {
            double by = row[pivot[p]] / R[p][pivot[p]];
            for (int j = 0; j < m; j++) row[j] -= by * R[p][j];
        }
        for (int j = 0; j < m; j++)
            if (fabs(row[j]) > INDEPENDENT_ENTRY * most) return false;
    }
    return true;
}

slip_redundancy slip_mode_solve_redundant(const slip_contact_set *set, slip_contact_branch *s)
{
    table t;
    t.set = set, t.s = s;
    slip_arena arena = { .base = t.room };
    write_equations(&t);
    slip_nnls_layout(&arena, &t.nnls, t.rows, t.cols);
    if (arena.used > sizeof t.room) return SLIP_REDUNDANT_UNDECIDED;
    s->dependent = true;
    s->on_the_edge = !find_point(&t, INTERIOR_MARGIN * force_of(&t));
    if (s->on_the_edge && !find_point(&t, 0.0)) return SLIP_REDUNDANT_INFEASIBLE;
    read_solution(&t);
    return free_rows_unaffected(set, s->mode) ? SLIP_REDUNDANT_ONE_MOTION : SLIP_REDUNDANT_UNDECIDED;
}
