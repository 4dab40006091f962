/// solver/lcp/enumeration_singular.c: modes whose equations do not determine their unknowns.
///
/// Equations and inequalities of the mode are written as E y = f, y >= 0 in equilibrated form and decided by
/// non-negative least squares. From a point of such a mode there is a continuum of solutions if some
/// direction preserves the equations and the active inequalities; a second point, which is judged by its
/// residual too, proves it.
#include <float.h>
#include <math.h>
#include <string.h>

#include "solver/linalg/compensated_dot.h"
#include "solver/lcp/enumeration.h"
#include "solver/problem/contact_law.h"
#include "solver/lcp/lcp_tolerances.h"

void slip_mode_singular_layout(slip_arena *a, slip_enumeration *k)
{
    slip_nnls_layout(a, &k->nnls, 3 * k->n + 2, 4 * k->n + 2);
    k->point = SLIP_TAKE(a, double, k->n);
    k->way = SLIP_TAKE(a, double, k->n);
    k->halves = SLIP_TAKE(a, double, 2 * (size_t)k->n * (size_t)k->n);
}

// ---- E y = f -------------------------------------------------------------------------------------------

// A row of the system: either w of an entry, or an inequality among the unknowns of one block.
typedef struct line {
    int row;             // of w; -1 for none
    int at;              // first entry of the block
    double first, other; // coefficients of its unknowns at and at + 1, where row < 0
    double constant;
    double sign; // >= 0 or <= 0; 0 for an equation
} line;

typedef struct table {
    int rows, cols, slack;
    bool directions; // directions of a cone at k->point, instead of points
    double tight;
} table;

static double line_coefficient(const slip_enumeration *k, const line *l, int j)
{
    const slip_mode_unknown *x = &k->unknowns[j];
    const double s = k->scale[x->at];
    if (l->row >= 0) return slip_mode_coefficient(k, l->row, x) * k->scale[l->row] * s;
    return x->at == l->at ? l->first : x->at == l->at + 1 ? l->other : 0.0;
}

static double constant_of(const slip_enumeration *k, const line *l)
{
    return l->row >= 0 ? slip_mode_row(k, l->row) * k->scale[l->row] : l->constant / k->scale[l->at];
}

// The value of the line at k->point.
static double value_at_point(const slip_enumeration *k, const line *l)
{
    double value = constant_of(k, l);
    for (int j = 0; j < k->unknown_count; j++) value += line_coefficient(k, l, j) * k->point[j];
    return value;
}

static void add_line(slip_enumeration *k, table *t, line l)
{
    if (t->directions && l.sign != 0.0 && l.sign * value_at_point(k, &l) > t->tight) return;
    double *row = k->nnls.E + (long)t->rows * t->cols;
    memset(row, 0, sizeof(double) * (size_t)t->cols);
    for (int j = 0; j < k->unknown_count; j++) {
        const double c = line_coefficient(k, &l, j);
        row[2 * j] = c;
        if (k->unknowns[j].free) row[2 * j + 1] = -c;
    }
    if (l.sign != 0.0) row[t->slack++] = -l.sign;
    k->nnls.f[t->rows++] = t->directions ? 0.0 : -constant_of(k, &l);
}

static void add_state(slip_enumeration *k, table *t, int b)
{
    const int at = b * k->d;
    double low, high;
    switch (k->state[b]) {
    case AT_LOW:
    case OPEN:
        add_line(k, t, (line){ .row = at, .at = at, .sign = 1.0 });
        break;
    case AT_HIGH:
        add_line(k, t, (line){ .row = at, .at = at, .sign = -1.0 });
        break;
    case SLIP_UP:
        if (k->p->mu[b] > 0.0) add_line(k, t, (line){ .row = at + 1, .at = at, .sign = 1.0 });
        break;
    case SLIP_DOWN:
        add_line(k, t, (line){ .row = at + 1, .at = at, .sign = -1.0 });
        break;
    case STICK:
        for (int side = -1; side <= 1; side += 2)
            add_line(k, t, (line){ .row = -1, .at = at, .first = k->p->mu[b], .other = side, .sign = 1.0 });
        break;
    case BETWEEN:
        slip_problem_box(k->p, b, &low, &high);
        if (isfinite(low) && low != 0.0)
            add_line(k, t, (line){ .row = -1, .at = at, .first = 1.0, .constant = -low, .sign = 1.0 });
        if (isfinite(high))
            add_line(k, t, (line){ .row = -1, .at = at, .first = 1.0, .constant = -high, .sign = -1.0 });
        break;
    }
}

static table fill_table(slip_enumeration *k, bool directions, double tight)
{
    table t = { .cols = 2 * k->unknown_count + 2 * k->n,
                .slack = 2 * k->unknown_count,
                .directions = directions,
                .tight = tight };
    for (int i = 0; i < k->unknown_count; i++)
        add_line(k, &t, (line){ .row = k->unknowns[i].at, .at = k->unknowns[i].at });
    for (int b = 0; b < k->blocks; b++) add_state(k, &t, b);
    return t;
}

// Solves into x; false if there is no solution, and k->unclear is set if that is not certain.
static bool solve_nnls(slip_enumeration *k, const table *t, double *x)
{
    double scale = 0.0;
    for (int i = 0; i < t->rows; i++) scale += k->nnls.f[i] * k->nnls.f[i];
    const double off = slip_nnls_solve(&k->nnls, t->rows, t->cols);
    if (off < 0.0) k->unclear = true;
    if (off < 0.0 || off > NNLS_RESIDUAL_TOLERANCE * sqrt(scale)) return false;
    double most = 0.0;
    for (int j = 0; j < k->unknown_count; j++) {
        x[j] = k->nnls.y[2 * j] - (k->unknowns[j].free ? k->nnls.y[2 * j + 1] : 0.0);
        most = fmax(most, fabs(x[j]));
    }
    for (int j = 0; j < k->unknown_count;
         j++) // what rounding leaves of a zero would be judged by itself if q is 0
        if (fabs(x[j]) <= UNKNOWN_ROUNDING_RELATIVE * most) x[j] = 0.0;
    return true;
}

// ---- a continuum ---------------------------------------------------------------------------------------

static double largest_entry(int n, const double *x)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

// A fixed weight for each unknown; all are different.
static double direction_weight(int j)
{
    return 1.0 + fmod(0.7548776662466927 * (j + 1) * (j + 1) + 0.5698402909980532, 1.0);
}

// A direction from k->point along which the weighted sum of the unknowns changes by `sign`. Unknowns that are
// not at zero may decrease.
static bool find_feasible_direction(slip_enumeration *k, double sign)
{
    const int m = k->unknown_count;
    const double tight = TIGHT_CONSTRAINT_TOLERANCE * largest_entry(m, k->point);
    bool free[64];
    for (int j = 0; j < m; j++) {
        free[j] = k->unknowns[j].free;
        k->unknowns[j].free = free[j] || k->point[j] > tight;
    }
    table t = fill_table(k, true, tight);
    double *row = k->nnls.E + (long)t.rows * t.cols;
    memset(row, 0, sizeof(double) * (size_t)t.cols);
    for (int j = 0; j < m; j++) {
        row[2 * j] = direction_weight(j);
        if (k->unknowns[j].free) row[2 * j + 1] = -direction_weight(j);
    }
    k->nnls.f[t.rows++] = sign;
    const bool found = solve_nnls(k, &t, k->way);
    for (int j = 0; j < m; j++) k->unknowns[j].free = free[j];
    return found;
}

static void place_all(slip_enumeration *k, double step)
{
    for (int j = 0; j < k->unknown_count; j++)
        slip_mode_set_unknown(k, j, (k->point[j] + step * k->way[j]) * k->scale[k->unknowns[j].at]);
}

// Whether some step along k->way ends at another solution; its length is found by halving.
static bool reaches_other_solution(slip_enumeration *k, const double *from)
{
    double size = k->force;
    for (int i = 0; i < k->n; i++) size = fmax(size, fabs(from[i]) / k->scale[i]);
    double step = (size > 0.0 ? size : 1.0) / largest_entry(k->unknown_count, k->way);
    for (int half = 0; half < 20; half++, step *= 0.5) {
        place_all(k, step);
        const double moved = slip_mode_distance(k, from, k->z);
        if (slip_mode_residual(k) <= k->tolerance &&
            slip_mode_distance(k, from, k->z) > fmax(k->apart, 0.5 * moved))
            return true;
    }
    return false;
}

static bool is_continuum(slip_enumeration *k)
{
    double from[64];
    memcpy(from, k->z, sizeof(double) * (size_t)k->n);
    bool found = false;
    for (double sign = 1.0; sign >= -1.0 && !found; sign -= 2.0) {
        for (int j = 0; j < k->unknown_count; j++)
            slip_mode_set_unknown(k, j, 0.0); // the constants of the lines
        found = find_feasible_direction(k, sign) && reaches_other_solution(k, from);
    }
    memcpy(k->z, from, sizeof(double) * (size_t)k->n);
    return found;
}

// ---- singular, or only nearly --------------------------------------------------------------------------

// a -= f b for numbers in double-double form.
static void subtract_product(double *a, double f, double f_low, const double *b)
{
    slip_compensated_sum s = { a[0], a[1] };
    slip_compensated_sum_add_product(&s, -f, b[0]);
    s.low -= f * b[1] + f_low * b[0];
    a[0] = s.high + s.low;
    a[1] = (s.high - a[0]) + s.low;
}

// Elimination with twice the digits, which tells a matrix that is exactly singular from one that rounding has
// made regular; the solution of the latter lies far away.
static bool is_exactly_singular(slip_enumeration *k)
{
    const int m = k->unknown_count;
    double(*A)[2] = (double(*)[2])(void *)k->halves, top = 0.0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            const int row = k->unknowns[i].at;
            const double *W = k->W + (long)row * k->n + k->unknowns[j].at, along = k->unknowns[j].along;
            slip_compensated_sum s = { W[0], 0.0 };
            if (along != 0.0) slip_compensated_sum_add_product(&s, along, W[1]);
            const double even = k->scale[row] * k->scale[k->unknowns[j].at];
            A[i * m + j][0] = s.high * even;
            A[i * m + j][1] = s.low * even;
            top = fmax(top, fabs(A[i * m + j][0]));
        }
    for (int c = 0; c < m; c++) { // complete pivoting
        int r = c, s = c;
        for (int i = c; i < m; i++)
            for (int j = c; j < m; j++)
                if (fabs(A[i * m + j][0]) > fabs(A[r * m + s][0])) r = i, s = j;
        if (fabs(A[r * m + s][0]) <= EXACTLY_SINGULAR_PIVOT * top) return true;
        for (int part = 0; part < 2; part++) {
            for (int j = 0; j < m; j++) {
                const double keep = A[c * m + j][part];
                A[c * m + j][part] = A[r * m + j][part], A[r * m + j][part] = keep;
            }
            for (int i = 0; i < m; i++) {
                const double keep = A[i * m + c][part];
                A[i * m + c][part] = A[i * m + s][part], A[i * m + s][part] = keep;
            }
        }
        const double *pivot = A[c * m + c];
        for (int i = c + 1; i < m; i++) {
            const double f = A[i * m + c][0] / pivot[0];
            double rest[2] = { A[i * m + c][0], A[i * m + c][1] };
            subtract_product(rest, f, 0.0, pivot);
            const double f_low = rest[0] / pivot[0];
            for (int j = c + 1; j < m; j++) subtract_product(A[i * m + j], f, f_low, A[c * m + j]);
        }
    }
    return false;
}

bool slip_mode_singular(slip_enumeration *k)
{
    for (int j = 0; j < k->unknown_count; j++) slip_mode_set_unknown(k, j, 0.0);
    const table t = fill_table(k, false, 0.0);
    if (!k->unclear && !k->continuum && k->found < 2 && !is_exactly_singular(k)) k->unclear = true;
    if (!solve_nnls(k, &t, k->point)) return false;
    memset(k->way, 0, sizeof(double) * (size_t)k->n);
    place_all(k, 0.0);
    if (!(slip_mode_residual(k) <= k->tolerance)) {
        k->unclear = true;
        return false;
    }
    for (int j = 0; j < k->unknown_count; j++) // on its bounds, as it was judged
        k->point[j] = k->z[k->unknowns[j].at] / k->scale[k->unknowns[j].at];
    if (!k->continuum) k->continuum = is_continuum(k);
    return true;
}
