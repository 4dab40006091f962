/// solver/lcp/enumeration.c: enumerates every contact mode, and so finds every solution.
///
/// Each block is in one of a few states (on a bound or not; open, sticking, slipping either way). A choice of
/// states, a mode, turns the problem into linear equations. Their solutions with the right signs are
/// solutions of the problem, and there are no others. The equations are equilibrated, solved, and refined
/// with twice the digits, and every point is judged by its residual before it counts. Singular modes are in
/// enumeration_singular.c.
#include "solver/lcp/enumeration.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/linalg/linalg.h"
#include "solver/problem/contact_law.h"
#include "solver/linalg/compensated_dot.h"
#include "solver/linalg/equilibrate.h"
#include "solver/linalg/matrix.h"
#include "solver/lcp/lcp_tolerances.h"

enum { OPTION_APART };
enum { MAX_KEPT_SOLUTIONS = 64, MAX_UNKNOWNS = 64 };
static const double MAX_MODES = 4.2e6;

static void enumeration_layout(slip_arena *a, slip_enumeration *k, const slip_problem *p)
{
    const int n = p->size;
    const size_t square = (size_t)n * (size_t)n;
    *k = (slip_enumeration){ .p = p, .n = n, .d = slip_problem_block(p) };
    k->blocks = n / k->d;
    k->W = SLIP_TAKE(a, double, square);
    k->J = SLIP_TAKE(a, double, square);
    double **vectors[] = { &k->x, &k->b, &k->z, &k->w, &k->scale };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) *vectors[i] = SLIP_TAKE(a, double, n);
    k->kept = SLIP_TAKE(a, double, MAX_KEPT_SOLUTIONS *(size_t)n);
    k->state = SLIP_TAKE(a, int, n);
    k->choice = SLIP_TAKE(a, int, n);
    k->pivot = SLIP_TAKE(a, int, n);
    k->unknowns = SLIP_TAKE(a, slip_mode_unknown, n);
    slip_mode_singular_layout(a, k);
}

static slip_status enumeration_work_size(const slip_problem *p, const slip_solve_options *o, size_t *bytes)
{
    (void)o;
    slip_arena count = { 0 };
    slip_enumeration k;
    enumeration_layout(&count, &k, p);
    *bytes = count.used;
    return SLIP_OK;
}

// ---- modes ---------------------------------------------------------------------------------------------

// Lists the states that block b can be in and returns their number. A closed contact without friction has a
// single one, since the sign of its slip does not matter.
static int states_of(const slip_problem *p, int b, int *states)
{
    int count = 0;
    if (slip_problem_is_contact(p)) {
        states[count++] = OPEN;
        if (p->mu[b] > 0.0) states[count++] = STICK;
        states[count++] = SLIP_UP;
        if (p->mu[b] > 0.0) states[count++] = SLIP_DOWN;
        return count;
    }
    double low, high;
    slip_problem_box(p, b, &low, &high);
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
    return modes > MAX_MODES;
}

static void add_unknown(slip_enumeration *k, int at, double along, bool free)
{
    k->unknowns[k->unknown_count++] = (slip_mode_unknown){ at, along, free };
}

// Sets the fixed entries of z and lists the unknowns of the present mode.
static void set_up_mode(slip_enumeration *k)
{
    k->unknown_count = 0;
    for (int i = 0; i < k->n; i++) k->z[i] = 0.0;
    for (int b = 0; b < k->blocks; b++) {
        const int at = b * k->d;
        double low = 0.0, high = 0.0;
        if (k->d == 1) slip_problem_box(k->p, b, &low, &high);
        switch (k->state[b]) {
        case AT_LOW:
            k->z[at] = low;
            break;
        case AT_HIGH:
            k->z[at] = high;
            break;
        case BETWEEN:
            add_unknown(k, at, 0.0, low != 0.0);
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

double slip_mode_row(const slip_enumeration *k, int row)
{
    double s = k->p->q[row];
    for (int j = 0; j < k->n; j++) s += k->W[(long)row * k->n + j] * k->z[j];
    return s;
}

double slip_mode_coefficient(const slip_enumeration *k, int row, const slip_mode_unknown *x)
{
    const double *W = k->W + (long)row * k->n + x->at;
    return x->along != 0.0 ? W[0] + x->along * W[1] : W[0];
}

void slip_mode_set_unknown(slip_enumeration *k, int i, double value)
{
    const slip_mode_unknown *x = &k->unknowns[i];
    k->z[x->at] = value;
    if (x->along != 0.0) k->z[x->at + 1] = x->along * value;
}

// ---- regular modes -------------------------------------------------------------------------------------

// The ratio of the largest to the smallest pivot: an estimate of the digits lost.
static double pivot_ratio(const slip_enumeration *k)
{
    const int m = k->unknown_count;
    double most = 0.0, least = INFINITY;
    for (int i = 0; i < m; i++) {
        most = fmax(most, fabs(k->J[i * m + i]));
        least = fmin(least, fabs(k->J[i * m + i]));
    }
    return m > 0 ? most / least : 1.0;
}

static bool solve_regular(slip_enumeration *k)
{
    const int m = k->unknown_count;
    for (int i = 0; i < m; i++) {
        const int row = k->unknowns[i].at;
        k->x[i] = -slip_mode_row(k, row) * k->scale[row];
        for (int j = 0; j < m; j++)
            k->J[i * m + j] =
                slip_mode_coefficient(k, row, &k->unknowns[j]) * k->scale[row] * k->scale[k->unknowns[j].at];
    }
    if (!slip_lu(m, k->J, k->pivot)) return false;
    slip_lu_solve(m, k->J, k->pivot, k->x);
    for (int i = 0; i < m; i++) slip_mode_set_unknown(k, i, k->x[i] * k->scale[k->unknowns[i].at]);
    return true;
}

// Corrections from residuals with twice the digits; returns the relative size of the last one.
static double refine_solution(slip_enumeration *k)
{
    const int m = k->unknown_count;
    const slip_matrix W = slip_matrix_dense(k->n, k->n, k->W);
    double ratio = 0.0;
    for (int pass = 0; pass < 4 && m > 0; pass++) {
        double most = 0.0, moved = 0.0;
        for (int i = 0; i < m; i++) {
            const int row = k->unknowns[i].at;
            k->b[i] = -slip_compensated_row(&W, row, k->z, k->p->q[row]) * k->scale[row];
        }
        slip_lu_solve(m, k->J, k->pivot, k->b);
        for (int i = 0; i < m; i++) {
            k->x[i] += k->b[i];
            most = fmax(most, fabs(k->x[i]));
            moved = fmax(moved, fabs(k->b[i]));
            slip_mode_set_unknown(k, i, k->x[i] * k->scale[k->unknowns[i].at]);
        }
        ratio = most > 0.0 ? moved / most : 0.0;
        if (ratio <= REFINED_ROUNDINGS * DBL_EPSILON) break;
    }
    return isnan(ratio) ? INFINITY : ratio;
}

// ---- signs ---------------------------------------------------------------------------------------------

// The violation of the sign conditions by z, relative to the largest unknown, all equilibrated.
static double violation_of_z(const slip_enumeration *k)
{
    double most = 0.0, off = 0.0, low, high;
    for (int i = 0; i < k->n; i++) most = fmax(most, fabs(k->z[i]) / k->scale[i]);
    for (int b = 0; b < k->blocks; b++) {
        const double *z = k->z + (long)b * k->d, s = k->scale[b * k->d];
        if (k->state[b] == BETWEEN) {
            slip_problem_box(k->p, b, &low, &high);
            off = fmax(off, fmax(low - z[0], z[0] - high) / s);
        } else if (k->state[b] == STICK) {
            off = fmax(off, fmax(-z[0], fabs(z[1]) - k->p->mu[b] * z[0]) / s);
        } else if (k->state[b] == SLIP_UP || k->state[b] == SLIP_DOWN) {
            off = fmax(off, -z[0] / s);
        }
    }
    return off > 0.0 ? off / most : 0.0;
}

// The violation of the sign conditions by w, relative to the largest terms of a row.
static double violation_of_w(slip_enumeration *k)
{
    double most = 0.0, off = 0.0;
    for (int i = 0; i < k->n; i++) {
        double size = fabs(k->p->q[i]);
        for (int j = 0; j < k->n; j++) size += fabs(k->W[(long)i * k->n + j] * k->z[j]);
        most = fmax(most, size * k->scale[i]);
    }
    for (int b = 0; b < k->blocks; b++) {
        const int at = b * k->d;
        const double s = k->scale[at];
        if (k->state[b] == AT_LOW || k->state[b] == OPEN)
            off = fmax(off, -slip_mode_row(k, at) * s);
        else if (k->state[b] == AT_HIGH)
            off = fmax(off, slip_mode_row(k, at) * s);
        else if (k->state[b] == SLIP_UP && k->p->mu[b] > 0.0)
            off = fmax(off, -slip_mode_row(k, at + 1) * s);
        else if (k->state[b] == SLIP_DOWN)
            off = fmax(off, slip_mode_row(k, at + 1) * s);
    }
    return off > 0.0 ? off / most : 0.0;
}

double slip_mode_residual(slip_enumeration *k)
{
    double low, high;
    for (int b = 0; b < k->blocks; b++) {
        double *z = k->z + (long)b * k->d;
        if (k->state[b] == BETWEEN) {
            slip_problem_box(k->p, b, &low, &high);
            z[0] = slip_clamp(z[0], low, high);
        } else if (k->d == 2) {
            z[0] = fmax(z[0], 0.0);
            const double hold = k->p->mu[b] * z[0];
            z[1] = slip_clamp(z[1], -hold, hold);
        }
    }
    return slip_residual(k->p, k->z, k->w).invariant;
}

double slip_mode_distance(const slip_enumeration *k, const double *a, const double *b)
{
    double apart = 0.0, size = DISTINCT_UNKNOWN_SCALE * k->force;
    for (int i = 0; i < k->n; i++) {
        apart = fmax(apart, fabs(a[i] - b[i]) / k->scale[i]);
        size = fmax(size, fmax(fabs(a[i]), fabs(b[i])) / k->scale[i]);
    }
    return apart > 0.0 ? apart / size : 0.0;
}

// ---- the loop ------------------------------------------------------------------------------------------

static void keep_solution(slip_enumeration *k)
{
    for (int s = 0; s < k->kept_count; s++)
        if (slip_mode_distance(k, k->kept + (long)s * k->n, k->z) <= k->apart) return;
    const size_t bytes = sizeof(double) * (size_t)k->n;
    if (k->kept_count < MAX_KEPT_SOLUTIONS)
        memcpy(k->kept + (long)k->kept_count++ * k->n, k->z, bytes);
    else
        k->unclear = true;
    if (k->found < k->most) memcpy(k->out + (long)k->found * k->n, k->z, bytes);
    k->found++;
}

// Whether the present mode has a solution, in z. Modes that clearly have none are excluded in ordinary
// precision; the others are refined and judged.
static bool mode_has_solution(slip_enumeration *k)
{
    set_up_mode(k);
    if (!solve_regular(k)) return slip_mode_singular(k);
    const double lost = PIVOT_ROUNDINGS * DBL_EPSILON * pivot_ratio(k),
                 clear = fmax(SIGN_VIOLATION_TOLERANCE, lost);
    if (violation_of_z(k) > clear || violation_of_w(k) > clear) return false;
    if (refine_solution(k) > REFINEMENT_DIVERGES) return slip_mode_singular(k);
    const double off = fmax(violation_of_z(k), violation_of_w(k)), e = slip_mode_residual(k);
    if (e > k->tolerance) {
        k->unclear = k->unclear || off <= EXACT_RESIDUAL; // a solution so large that its digits do not
                                                          // suffice to judge it
        return false;
    }
    k->unclear = k->unclear || e > EXACT_RESIDUAL;
    return true;
}

static void enumerate_modes(slip_enumeration *k)
{
    int states[4];
    for (int b = 0; b < k->blocks; b++) k->choice[b] = 0;
    for (;;) {
        for (int b = 0; b < k->blocks; b++) {
            states_of(k->p, b, states);
            k->state[b] = states[k->choice[b]];
        }
        if (mode_has_solution(k)) keep_solution(k);
        int b = 0; // counts through all modes as an odometer
        while (b < k->blocks && ++k->choice[b] == states_of(k->p, b, states)) k->choice[b++] = 0;
        if (b == k->blocks) return;
    }
}

// Finds the scales, the same for both unknowns of a contact, and the size of q in them.
static void find_scales(slip_enumeration *k)
{
    slip_equilibrate(k->n, k->W, k->scale);
    for (int b = 0; k->d == 2 && b < k->blocks; b++)
        k->scale[2 * b] = k->scale[2 * b + 1] = fmin(k->scale[2 * b], k->scale[2 * b + 1]);
    for (int i = 0; i < k->n; i++) {
        bool any = false; // a row of zeros does not determine a scale
        for (int j = 0; j < k->n; j++) any = any || k->W[(long)i * k->n + j] != 0.0;
        if (any) k->force = fmax(k->force, fabs(k->p->q[i]) * k->scale[i]);
    }
}

static bool set_up(slip_enumeration *k, const slip_problem *p, const slip_solve_options *o, void *work)
{
    slip_arena arena = { .base = work };
    if (!slip_solver_accepts(&slip_solver_enum, p) || too_many(p)) return false;
    enumeration_layout(&arena, k, p);
    k->apart = slip_solver_own_options(&slip_solver_enum, o)[OPTION_APART];
    k->tolerance = o->tolerance;
    slip_matrix_fill(&p->W, k->W);
    find_scales(k);
    return true;
}

int slip_solutions(const slip_problem *p, const slip_solve_options *o, double *solutions, int most,
                   bool *continuum, void *work)
{
    slip_enumeration k;
    if (!set_up(&k, p, o, work)) return -1;
    k.out = solutions;
    k.most = most;
    enumerate_modes(&k);
    if (continuum) *continuum = k.continuum;
    return k.found;
}

// The smallest of several solutions: a jammed body can be held by any force, and this is the least one.
static int smallest_solution(const slip_enumeration *k)
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

static slip_outcome enumeration_run(const slip_problem *p, const slip_solve_options *o, double *z, double *w,
                                    void *work, slip_solve_info *info)
{
    (void)w;
    slip_enumeration k;
    if (!set_up(&k, p, o, work)) return SLIP_UNSUITED;
    enumerate_modes(&k);
    info->iterations++;
    if (k.found == 0) {
        info->solutions = k.unclear ? -1 : 0;
        return k.unclear ? SLIP_STALLED : SLIP_INFEASIBLE;
    }
    info->solutions = k.found;
    info->uniqueness = k.found > 1 || k.continuum ? SLIP_NOT_UNIQUE
                       : k.unclear                ? SLIP_UNIQUENESS_UNKNOWN
                                                  : SLIP_UNIQUE;
    memcpy(z, k.kept + (long)smallest_solution(&k) * k.n, sizeof(double) * (size_t)k.n);
    return SLIP_CONVERGED;
}

static const slip_option options[] = {
    [OPTION_APART] = { "apart", "", SLIP_WITHIN(0, 1), SLIP_DEFAULT(1e-7),
                       "solutions nearer than this, relative, count as one" },
};

const slip_solver slip_solver_enum = {
    .name = "enum",
    .summary = "tries every mode and counts the solutions: exact, small problems only, the referee",
    SLIP_ACCEPTS_BOXES_PLANAR,
    .reference = "Song 2001, section 2; Flores 2010, section 1.1",
    .forms = SLIP_STORED,
    .max_size = MAX_UNKNOWNS,
    .fast_up_to = 6,
    .fallback_rank = 2,
    SLIP_OPTIONS(options),
    .work_size = enumeration_work_size,
    .run = enumeration_run,
};
