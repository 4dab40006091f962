/// solver/enum.c: every contact mode, every solution.
///
/// Each block is in one of a few states (on a bound or not; open, sticking, slipping either way). A
/// choice of states turns the problem into linear equations; solutions whose signs fit are solutions of
/// the problem, and there are no others. A singular mode is decided by non-negative least squares.
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "solver/internal.h"
#include "solver/law.h"
#include "solver/matrix.h"
#include "solver/nnls.h"

enum { ACCEPT, APART };

enum { KEPT = 64, MOST_SIZE = 64 };
static const double MOST_MODES = 4.2e6;

enum state { AT_LOW, AT_HIGH, BETWEEN, OPEN, STICK, SLIP_UP, SLIP_DOWN };

typedef struct unknown {
    int at;       // entry of z
    double along; // FC2D slip: z[at + 1] = along z[at]
    bool free;    // may be negative
} unknown;

typedef struct enumeration {
    const slip_problem *p;
    const double *own; // its options
    int n, blocks, d;
    double *W, *J, *x, *z, *w, *kept;
    int *state, *choice, *pivot, *row;
    unknown *unknowns;
    int unknown_count, row_count;
    slip_nnls nnls;
    double *out;
    int most, found, kept_count, modes;
    bool continuum;
} enumeration;

static void layout(slip_arena *a, enumeration *k, const slip_problem *p)
{
    const int n = p->size, columns = 4 * n + 2, rows = 3 * n + 2;
    const size_t square = (size_t)n * (size_t)n;
    *k = (enumeration){ .p = p, .n = n, .d = slip_problem_block(p) };
    k->blocks = n / k->d;
    k->W = SLIP_TAKE(a, double, square);
    k->J = SLIP_TAKE(a, double, square);
    k->x = SLIP_TAKE(a, double, n);
    k->z = SLIP_TAKE(a, double, n);
    k->w = SLIP_TAKE(a, double, n);
    k->kept = SLIP_TAKE(a, double, KEPT *(size_t)n);
    k->state = SLIP_TAKE(a, int, n);
    k->choice = SLIP_TAKE(a, int, n);
    k->pivot = SLIP_TAKE(a, int, n);
    k->row = SLIP_TAKE(a, int, n);
    k->unknowns = SLIP_TAKE(a, unknown, n);
    slip_nnls_layout(a, &k->nnls, rows, columns);
}

static slip_status work_size(const slip_problem *p, const slip_solve_options *o, size_t *bytes)
{
    (void)o;
    slip_arena count = { 0 };
    enumeration k;
    layout(&count, &k, p);
    *bytes = count.used;
    return SLIP_OK;
}

// the states that block b can be in; returns how many
static int states_of(const slip_problem *p, int b, int *states)
{
    if (slip_is_contact(p)) {
        states[0] = OPEN, states[1] = STICK, states[2] = SLIP_UP, states[3] = SLIP_DOWN;
        return 4;
    }
    double low, high;
    int count = 0;
    slip_box(p, b, &low, &high);
    if (isfinite(low)) states[count++] = AT_LOW;
    states[count++] = BETWEEN;
    if (isfinite(high)) states[count++] = AT_HIGH;
    return count;
}

static bool too_many(const slip_problem *p)
{
    double modes = 1.0;
    int states[4];
    for (int b = 0; b < p->size / slip_problem_block(p); b++) modes *= states_of(p, b, states);
    return modes > MOST_MODES;
}

static void add_unknown(enumeration *k, int at, double along, bool free)
{
    k->unknowns[k->unknown_count++] = (unknown){ at, along, free };
    k->row[k->row_count++] = at;
}

// fixed entries of z, the unknowns and the equations of the present choice of states
static void open_mode(enumeration *k)
{
    k->unknown_count = k->row_count = 0;
    for (int i = 0; i < k->n; i++) k->z[i] = 0.0;
    for (int b = 0; b < k->blocks; b++) {
        const int at = b * k->d;
        double low = 0.0, high = 0.0;
        if (k->d == 1) slip_box(k->p, b, &low, &high);
        switch (k->state[b]) {
        case AT_LOW:
            k->z[at] = low;
            break;
        case AT_HIGH:
            k->z[at] = high;
            break;
        case BETWEEN:
            add_unknown(k, at, 0.0, isinf(low));
            break;
        case STICK:
            add_unknown(k, at, 0.0, false);
            add_unknown(k, at + 1, 0.0, true);
            break;
        case SLIP_UP:
            add_unknown(k, at, -k->p->mu[b], false);
            break;
        case SLIP_DOWN:
            add_unknown(k, at, k->p->mu[b], false);
            break;
        default:
            break;
        }
    }
}

static double fixed_part(const enumeration *k, int row)
{
    double s = k->p->q[row];
    for (int j = 0; j < k->n; j++) s += k->W[(long)row * k->n + j] * k->z[j];
    return s;
}

static double coefficient(const enumeration *k, int row, const unknown *x)
{
    const double *W = k->W + (long)row * k->n + x->at;
    return x->along != 0.0 ? W[0] + x->along * W[1] : W[0];
}

static void place(enumeration *k, int i, double value)
{
    const unknown *x = &k->unknowns[i];
    k->z[x->at] = value;
    if (x->along != 0.0) k->z[x->at + 1] = x->along * value;
}

static bool solve_regular(enumeration *k)
{
    const int m = k->unknown_count;
    for (int i = 0; i < m; i++) {
        k->x[i] = -fixed_part(k, k->row[i]);
        for (int j = 0; j < m; j++) k->J[i * m + j] = coefficient(k, k->row[i], &k->unknowns[j]);
    }
    if (!slip_lu(m, k->J, k->pivot)) return false;
    slip_lu_solve(m, k->J, k->pivot, k->x);
    for (int i = 0; i < m; i++) place(k, i, k->x[i]);
    return true;
}

// ---- singular modes: equations and inequalities as E y = f, y >= 0 -------------------------------

typedef struct system_size {
    int rows, cols, slack;
} system_size;

static double *entry(enumeration *k, const system_size *s, int col)
{
    return k->nnls.E + (long)s->rows * s->cols + col;
}

// row: (unknowns' coefficients) . x + constant - sign slack = 0, slack >= 0 (sign 0: an equation)
static void add_row(enumeration *k, system_size *s, int row, double constant, double sign)
{
    memset(entry(k, s, 0), 0, sizeof(double) * (size_t)s->cols);
    for (int j = 0; j < k->unknown_count; j++) {
        const double c = row >= 0 ? coefficient(k, row, &k->unknowns[j]) : 0.0;
        *entry(k, s, 2 * j) = c;
        if (k->unknowns[j].free) *entry(k, s, 2 * j + 1) = -c;
    }
    if (sign != 0.0) *entry(k, s, s->slack++) = -sign;
    k->nnls.f[s->rows] = -constant;
    s->rows++;
}

static void set_coefficient(enumeration *k, const system_size *s, int at, double c)
{
    system_size last = *s;
    last.rows--;
    for (int j = 0; j < k->unknown_count; j++)
        if (k->unknowns[j].at == at) {
            *entry(k, &last, 2 * j) = c;
            if (k->unknowns[j].free) *entry(k, &last, 2 * j + 1) = -c;
        }
}

static void fill_system(enumeration *k, system_size *s)
{
    *s = (system_size){ .cols = 2 * k->unknown_count + 2 * k->n, .slack = 2 * k->unknown_count };
    for (int i = 0; i < k->unknown_count; i++) add_row(k, s, k->row[i], fixed_part(k, k->row[i]), 0.0);
    for (int b = 0; b < k->blocks; b++) {
        const int at = b * k->d;
        double low, high;
        switch (k->state[b]) {
        case AT_LOW:
            add_row(k, s, at, fixed_part(k, at), 1.0);
            break;
        case AT_HIGH:
            add_row(k, s, at, fixed_part(k, at), -1.0);
            break;
        case OPEN:
            add_row(k, s, at, fixed_part(k, at), 1.0);
            break;
        case SLIP_UP:
            add_row(k, s, at + 1, fixed_part(k, at + 1), 1.0);
            break;
        case SLIP_DOWN:
            add_row(k, s, at + 1, fixed_part(k, at + 1), -1.0);
            break;
        case STICK:
            for (int side = -1; side <= 1; side += 2) {
                add_row(k, s, -1, 0.0, 1.0);
                set_coefficient(k, s, at, k->p->mu[b]);
                set_coefficient(k, s, at + 1, side);
            }
            break;
        case BETWEEN:
            slip_box(k->p, b, &low, &high);
            if (isfinite(low) && low != 0.0) {
                add_row(k, s, -1, -low, 1.0);
                set_coefficient(k, s, at, 1.0);
            }
            if (isfinite(high)) {
                add_row(k, s, -1, -high, -1.0);
                set_coefficient(k, s, at, 1.0);
            }
            break;
        }
    }
}

static double value_of(const enumeration *k, int j)
{
    return k->nnls.y[2 * j] - (k->unknowns[j].free ? k->nnls.y[2 * j + 1] : 0.0);
}

// a fixed weight for each unknown, no two alike
static double weight(int j)
{
    return 1.0 + fmod(0.6180339887498949 * (j + 1), 1.0);
}

// NNLS, optionally with the weighted sum of the unknowns pinned
static bool feasible(enumeration *k, bool pinned, double sum)
{
    system_size s;
    double scale = 0.0;
    fill_system(k, &s);
    if (pinned) {
        add_row(k, &s, -1, -sum, 0.0);
        for (int j = 0; j < k->unknown_count; j++) set_coefficient(k, &s, k->unknowns[j].at, weight(j));
    }
    for (int i = 0; i < s.rows; i++) scale += k->nnls.f[i] * k->nnls.f[i];
    const double off = slip_nnls_solve(&k->nnls, s.rows, s.cols);
    return off >= 0.0 && off <= k->own[ACCEPT] * fmax(sqrt(scale), 1e-300);
}

static bool solve_singular(enumeration *k)
{
    if (!feasible(k, false, 0.0)) return false;
    const int m = k->unknown_count;
    double sum = 0.0, size = 0.0;
    for (int j = 0; j < m; j++) {
        k->x[j] = value_of(k, j);
        sum += weight(j) * k->x[j];
        size += fabs(k->x[j]);
    }
    // another point with another weighted sum proves a continuum
    if (feasible(k, true, sum + 1e-2 * size) || feasible(k, true, sum - 1e-2 * size)) k->continuum = true;
    for (int j = 0; j < m; j++) place(k, j, k->x[j]);
    return true;
}

// ---- signs, duplicates, the loop -----------------------------------------------------------------

static bool signs_fit(enumeration *k)
{
    double most_z = 0.0, most_w = 0.0;
    for (int i = 0; i < k->n; i++) {
        k->w[i] = fixed_part(k, i);
        most_z = fmax(most_z, fabs(k->z[i]));
        most_w = fmax(most_w, fmax(fabs(k->w[i]), fabs(k->p->q[i])));
    }
    if (!isfinite(most_z) || !isfinite(most_w)) return false;
    const double dz = k->own[ACCEPT] * most_z, dw = k->own[ACCEPT] * most_w;
    for (int b = 0; b < k->blocks; b++) {
        const double *z = k->z + (long)b * k->d, *w = k->w + (long)b * k->d;
        double low, high;
        bool fits = true;
        switch (k->state[b]) {
        case AT_LOW:
        case OPEN:
            fits = w[0] >= -dw;
            break;
        case AT_HIGH:
            fits = w[0] <= dw;
            break;
        case BETWEEN:
            slip_box(k->p, b, &low, &high);
            fits = z[0] >= low - dz && z[0] <= high + dz;
            break;
        case STICK:
            fits = fabs(z[1]) <= k->p->mu[b] * z[0] + dz;
            break;
        case SLIP_UP:
            fits = z[0] >= -dz && w[1] >= -dw;
            break;
        case SLIP_DOWN:
            fits = z[0] >= -dz && w[1] <= dw;
            break;
        }
        if (!fits) return false;
    }
    return true;
}

static void keep(enumeration *k)
{
    for (int s = 0; s < k->kept_count; s++) {
        double apart = 0.0, size = 0.0;
        for (int i = 0; i < k->n; i++) {
            apart = fmax(apart, fabs(k->kept[(long)s * k->n + i] - k->z[i]));
            size = fmax(size, fmax(fabs(k->z[i]), fabs(k->kept[(long)s * k->n + i])));
        }
        if (apart <= k->own[APART] * size) return;
    }
    const size_t bytes = sizeof(double) * (size_t)k->n;
    if (k->kept_count < KEPT) memcpy(k->kept + (long)k->kept_count++ * k->n, k->z, bytes);
    if (k->found < k->most) memcpy(k->out + (long)k->found * k->n, k->z, bytes);
    k->found++;
}

static void enumerate(enumeration *k)
{
    int states[4];
    for (int b = 0; b < k->blocks; b++) k->choice[b] = 0;
    for (;;) {
        for (int b = 0; b < k->blocks; b++) {
            states_of(k->p, b, states);
            k->state[b] = states[k->choice[b]];
        }
        k->modes++;
        open_mode(k);
        if ((solve_regular(k) || solve_singular(k)) && signs_fit(k)) keep(k);
        int b = 0; // the next choice, as an odometer
        while (b < k->blocks && ++k->choice[b] == states_of(k->p, b, states)) k->choice[b++] = 0;
        if (b == k->blocks) return;
    }
}

static bool set_up(enumeration *k, const slip_problem *p, const slip_solve_options *o, void *work)
{
    slip_arena arena = { .base = work };
    if (!slip_solver_accepts(&slip_solver_enum, p) || too_many(p)) return false;
    layout(&arena, k, p);
    k->own = slip_own(&slip_solver_enum, o);
    slip_matrix_fill(&p->W, k->W);
    return true;
}

int slip_solutions(const slip_problem *p, const slip_solve_options *o, double *solutions, int most,
                   bool *continuum, void *work)
{
    enumeration k;
    if (!set_up(&k, p, o, work)) return -1;
    k.out = solutions;
    k.most = most;
    enumerate(&k);
    if (continuum) *continuum = k.continuum;
    return k.found;
}

// of several solutions the smallest: a jammed body is held by any force, and this is the least
static int smallest(const enumeration *k)
{
    int best = 0;
    double least = INFINITY;
    for (int s = 0; s < k->kept_count; s++) {
        double square = 0.0;
        for (int i = 0; i < k->n; i++) square += k->kept[(long)s * k->n + i] * k->kept[(long)s * k->n + i];
        if (square < least) least = square, best = s;
    }
    return best;
}

static slip_outcome run(const slip_problem *p, const slip_solve_options *o, double *z, double *w, void *work,
                        slip_solve_info *info)
{
    (void)w;
    enumeration k;
    if (!set_up(&k, p, o, work)) return SLIP_UNSUITED;
    enumerate(&k);
    info->iterations++;
    info->solutions = k.found;
    if (k.found == 0) return SLIP_INFEASIBLE;
    info->uniqueness = k.found == 1 && !k.continuum ? SLIP_UNIQUE : SLIP_NOT_UNIQUE;
    memcpy(z, k.kept + (long)smallest(&k) * k.n, sizeof(double) * (size_t)k.n);
    return SLIP_CONVERGED;
}

static const slip_option options[] = {
    [ACCEPT] = { "accept", "", SLIP_WITHIN(0, 1e-3), SLIP_DEFAULT(1e-9),
                 "sign violation, relative, that a mode may have" },
    [APART] = { "apart", "", SLIP_WITHIN(0, 1), SLIP_DEFAULT(1e-7),
                "solutions nearer than this, relative, count as one" },
};

const slip_solver slip_solver_enum = {
    .name = "enum",
    .summary = "tries every mode and counts the solutions: exact, small problems only, the referee",
    SLIP_TAKES_BOXES_PLANAR,
    .reference = "Song 2001, section 2; Flores 2010, section 1.1",
    .forms = SLIP_STORED,
    .max_size = MOST_SIZE,
    .quick = 6,
    SLIP_OPTIONS(options),
    .work_size = work_size,
    .run = run,
};
