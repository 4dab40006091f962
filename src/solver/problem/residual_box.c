/// solver/problem/residual_box.c: residual of a box problem (LCP, MLCP, RELAY, QP), independent of its units.
///
/// M is the matrix of the problem, for a QP that of its optimality conditions [Q -A'; A 0]. An unknown is
/// either on a bound, and then w must not point into the box, or w is zero. An unknown that is near a bound
/// but not on it is moved there, and the effect on every row counts as its error, so that a number which is
/// small in one unit and not in another cannot pass for zero. problem.h has the formulas.
#include <float.h>
#include <math.h>

#include "solver/linalg/compensated_dot.h"
#include "solver/problem/solver_record.h"
#include "solver/problem/contact_law.h"
#include "solver/problem/residual.h"
#include "solver/problem/problem_tolerances.h"

// entries of one row of M: values with a stride, in consecutive columns or in those listed
typedef struct strip {
    const double *values;
    const int *column;
    int first, count;
    long stride;
    double sign;
} strip;

static int strips_of(const slip_problem *p, int i, strip s[2])
{
    const slip_matrix *W = &p->W;
    const int n = W->rows;
    if (i >= n) {
        s[0] = (strip){ p->A.values + (long)(i - n) * n, NULL, 0, n, 1, 1.0 };
        return 1;
    }
    if (W->form == SLIP_SPARSE) {
        const int from = W->row_start[i];
        s[0] = (strip){ W->values + from, W->column + from, 0, W->row_start[i + 1] - from, 1, 1.0 };
        return 1;
    }
    s[0] = (strip){ W->values + (long)i * n, NULL, 0, n, 1, 1.0 };
    if (p->kind != SLIP_KIND_QP) return 1;
    s[1] = (strip){ p->A.values + i, NULL, n, p->A.rows, n, -1.0 };
    return 2;
}

static inline int column_of(const strip *s, int k)
{
    return s->column ? s->column[k] : s->first + k;
}

static double row_constant(const slip_problem *p, int i)
{
    return i < p->W.rows ? p->q[i] : -p->b[i - p->W.rows];
}

static void box_of(const slip_problem *p, int i, double *low, double *high)
{
    if (p->kind != SLIP_KIND_QP) {
        slip_problem_box(p, i, low, high);
    } else if (i < p->W.rows) {
        *low = p->lower ? p->lower[i] : -INFINITY;
        *high = p->upper ? p->upper[i] : INFINITY;
    } else {
        *low = i - p->W.rows < p->equalities ? -INFINITY : 0.0;
        *high = INFINITY;
    }
}

// ---- scales --------------------------------------------------------------------------------------------

typedef struct row {
    double product, size; // sum of M_ij z_j, and of their magnitudes with that of the constant
    double scale;         // D_i^2: |M_ii|, or the largest entry where that is zero
} row;

// A dense row, the usual case.
static row walk_dense(const slip_problem *p, int i, const double *z)
{
    const int n = p->W.rows;
    const double *values = p->W.values + (long)i * n;
    row r = { 0.0, fabs(p->q[i]), fabs(values[i]) };
    for (int j = 0; j < n; j++) {
        const double term = values[j] * z[j];
        r.product += term;
        r.size += fabs(term);
    }
    if (r.scale > 0.0) return r;
    for (int j = 0; j < n; j++)
        if (fabs(values[j]) > r.scale) r.scale = fabs(values[j]);
    return r;
}

static row walk_row(const slip_problem *p, int i, const double *z)
{
    if (p->W.form == SLIP_DENSE && p->kind != SLIP_KIND_QP) return walk_dense(p, i, z);
    strip s[2];
    row r = { .size = fabs(row_constant(p, i)) };
    double most = 0.0;
    const int strips = strips_of(p, i, s);
    for (int part = 0; part < strips; part++)
        for (int k = 0; k < s[part].count; k++) {
            const int j = column_of(&s[part], k);
            const double m = s[part].sign * s[part].values[k * s[part].stride], term = m * z[j],
                         size = fabs(m);
            r.product += term;
            r.size += fabs(term);
            if (j == i) r.scale = size;
            if (size > most) most = size;
        }
    if (r.scale == 0.0) r.scale = most;
    return r;
}

static double diagonal_of(const slip_problem *p, int i)
{
    double m;
    if (i >= p->W.rows) return 0.0;
    slip_matrix_diagonal(&p->W, i, 1, &m);
    return fabs(m);
}

// A scale with |M_ij| <= D_i D_j for a row without a diagonal: from neighbours with a diagonal, or from those
// whose scale was found in this way; 0 if there are none.
static double scale_from_neighbours(const slip_problem *p, int i, int depth)
{
    strip s[2];
    double scale = 0.0;
    const int strips = strips_of(p, i, s);
    for (int part = 0; part < strips; part++)
        for (int k = 0; k < s[part].count; k++) {
            const int j = column_of(&s[part], k);
            const double m = s[part].values[k * s[part].stride];
            if (m == 0.0 || j == i) continue;
            const double diagonal = diagonal_of(p, j), other = diagonal > 0.0 || depth == 0
                                                                   ? diagonal
                                                                   : scale_from_neighbours(p, j, depth - 1);
            if (other > 0.0) scale = fmax(scale, m * m / other);
        }
    return scale;
}

double slip_box_scale(const slip_problem *p, int i)
{
    strip s[2];
    double scale = diagonal_of(p, i);
    for (int depth = 0; scale == 0.0 && depth < 2 && slip_matrix_has_rows(p); depth++)
        scale = scale_from_neighbours(p, i, depth);
    const int strips = scale == 0.0 && slip_matrix_has_rows(p) ? strips_of(p, i, s) : 0;
    for (int part = 0; part < strips; part++)
        for (int k = 0; k < s[part].count; k++) scale = fmax(scale, fabs(s[part].values[k * s[part].stride]));
    return scale > 0.0 ? scale : 1.0;
}

// ---- errors --------------------------------------------------------------------------------------------

// Whether unknown i is on a bound, or so near that it has to be moved there because w is not zero; *gap is
// the distance to the bound, or back into the box. Otherwise w has to be zero. `r` is its row, NULL if not
// known.
static bool is_on_bound(const slip_problem *p, int i, const double *z, double w, const row *r, double *gap)
{
    double low, high;
    box_of(p, i, &low, &high);
    const double inside = slip_clamp(z[i], low, high);
    *gap = z[i] - inside;
    if (w == 0.0) return false;
    const double way = w > 0.0 ? inside - low : inside - high; // w > 0 pushes down
    if (way == 0.0) return true;
    if (isinf(way) || fabs(w) <= ZERO_W_TOLERANCE * fabs(row_constant(p, i))) return false;
    const row own = r ? *r : walk_row(p, i, z);
    if (!(fabs(way * own.scale) < fabs(w)) || own.scale == 0.0 || fabs(w) <= ZERO_W_TOLERANCE * own.size)
        return false;
    *gap += way;
    return true;
}

// The finite bound closer to zero, which is data as much as q is.
static double bound_size(const slip_problem *p, int i)
{
    double low, high;
    box_of(p, i, &low, &high);
    const double near = fmin(fabs(low), fabs(high));
    return isinf(near) ? 0.0 : near;
}

// The effect of the bounds on row i.
static double bounds_in_row(const slip_problem *p, int i)
{
    strip s[2];
    double sum = 0.0;
    if (p->kind != SLIP_KIND_QP && p->kind != SLIP_KIND_RELAY) return 0.0;
    const int strips = strips_of(p, i, s);
    for (int part = 0; part < strips; part++)
        for (int k = 0; k < s[part].count; k++) {
            const double m = s[part].values[k * s[part].stride];
            if (m != 0.0) sum += fabs(m) * bound_size(p, column_of(&s[part], k));
        }
    return sum;
}

// A gap relative to the size of the box; 0 if the box has none, because its only bound is zero.
static double part_of_box(const slip_problem *p, int i, double gap)
{
    double low, high;
    box_of(p, i, &low, &high);
    const double size = fmax(isinf(low) ? 0.0 : fabs(low), isinf(high) ? 0.0 : fabs(high));
    return size > 0.0 ? fabs(gap) / size : 0.0;
}

typedef struct sums {
    double error, data, size; // squares over D^2, summed over the rows
    double largest;           // size^2 over D^2 of a row
    double worst;             // error over size of a row
    bool gaps;                // some unknown is near a bound, not on it
    double off_bound;         // largest gap as a part of its box
    bool infeasible_row;      // a row of zeros is violated
} sums;

// The change of row i when all unknowns are moved to the bounds that they nearly reach.
static double moved_by_gaps(const slip_problem *p, int i, const double *z, const double *w)
{
    strip s[2];
    double moved = 0.0;
    const int strips = strips_of(p, i, s);
    for (int part = 0; part < strips; part++)
        for (int k = 0; k < s[part].count; k++) {
            const int j = column_of(&s[part], k);
            const double m = s[part].values[k * s[part].stride];
            double gap;
            if (m == 0.0) continue;
            is_on_bound(p, j, z, w[j], NULL, &gap);
            moved += fabs(m * gap);
        }
    return moved;
}

// An estimate of the rounding of the unknowns between their bounds in row i: where all terms of a row vanish,
// the remainder cannot be measured against the row itself. Negative if there is no such unknown.
static double rounding_in_row(const slip_problem *p, int i, const double *z)
{
    strip s[2];
    double sum = -1.0;
    const int strips = strips_of(p, i, s);
    for (int part = 0; part < strips; part++)
        for (int k = 0; k < s[part].count; k++) {
            const int j = column_of(&s[part], k);
            double low, high;
            box_of(p, j, &low, &high);
            const double m = s[part].values[k * s[part].stride];
            if (m == 0.0 || z[j] == low || z[j] == high) continue;
            sum = fmax(sum, 0.0);
            const double diagonal = j == i ? 0.0 : diagonal_of(p, j);
            if (diagonal > 0.0) sum += fabs(m) * (walk_row(p, j, z).size / diagonal);
        }
    return sum;
}

// Adds one row. The first pass computes w and decides whether a second one is needed, which knows all of w
// and the size of the terms of all rows.
static void add_row(sums *t, const slip_problem *p, int i, const double *z, double *w, const sums *first)
{
    const row r = walk_row(p, i, z);
    const double c = row_constant(p, i), scale = r.scale, bounds = bounds_in_row(p, i),
                 data = fabs(c) + bounds, size = r.size + bounds;
    double gap;
    if (!first) w[i] = r.product + c;
    const bool held = is_on_bound(p, i, z, w[i], &r, &gap);
    double error = fabs(gap * scale) + (held ? 0.0 : fabs(w[i]));
    t->gaps = t->gaps || gap != 0.0;
    if (gap != 0.0) t->off_bound = fmax(t->off_bound, part_of_box(p, i, gap));
    if (first) error += moved_by_gaps(p, i, z, w);
    if (scale == 0.0) { // w_i is a constant: right or wrong, in any unit
        t->infeasible_row = t->infeasible_row || error > 0.0 || gap != 0.0;
        return;
    }
    t->error += error * error / scale;
    t->data += data * data / scale;
    t->size += size * size / scale;
    if (size * size > t->largest * scale) t->largest = size * size / scale;
    if (!(error > t->worst * size)) return;
    const double more = first ? rounding_in_row(p, i, z) : -1.0, all = size + fmax(more, 0.0);
    if (more >= 0.0 && size * size <= ROW_MAY_BE_ROUNDING * ROW_MAY_BE_ROUNDING * scale * first->largest)
        return;
    if (error > t->worst * all) t->worst = error / all;
}

static sums all_rows(const slip_problem *p, const double *z, double *w, const sums *first)
{
    sums t = { 0 };
    for (int i = 0; i < p->size; i++) add_row(&t, p, i, z, w, first);
    return t;
}

static void compensated_rows(const slip_problem *p, const double *z, double *w)
{
    for (int i = 0; i < p->size; i++) {
        strip s[2];
        slip_compensated_sum sum = { row_constant(p, i), 0.0 };
        const int strips = strips_of(p, i, s);
        for (int part = 0; part < strips; part++)
            for (int k = 0; k < s[part].count; k++)
                slip_compensated_sum_add_product(&sum, s[part].sign * s[part].values[k * s[part].stride],
                                                 z[column_of(&s[part], k)]);
        w[i] = sum.high + sum.low;
    }
}

slip_residuals slip_box_residual(const slip_problem *p, const double *z, double *w)
{
    sums t = all_rows(p, z, w, NULL);
    slip_residual_norms e = slip_residual_norms_of(t.error, t.data, t.size, t.worst, p->size);
    const bool near = e.whole < RESIDUAL_IS_POOR, careful = near && e.rounding > COMPENSATE_ABOVE;
    if (careful) compensated_rows(p, z, w);
    if (near && (careful || t.gaps || e.worst > fmax(e.whole, RESIDUAL_IS_ROUNDING))) {
        t = all_rows(p, z, w, &t);
        e = slip_residual_norms_of(t.error, t.data, t.size, t.worst, p->size);
    }
    const double residual = fmax(fmax(t.infeasible_row ? 1.0 : e.worst, e.whole), t.off_bound);
    return (slip_residuals){ residual, residual, careful ? DBL_EPSILON * e.rounding : e.rounding };
}

// The same for an operator of which only products and the diagonal are known.
double slip_box_residual_of_products(const slip_problem *p, const double *z, double *w)
{
    double error = 0.0, q = 0.0;
    slip_matrix_apply(&p->W, z, w);
    for (int i = 0; i < p->size; i++) {
        double low, high;
        const double scale = slip_box_scale(p, i);
        w[i] += p->q[i];
        box_of(p, i, &low, &high);
        const double e = slip_clamp(w[i], (z[i] - high) * scale, (z[i] - low) * scale);
        error += e * e / scale;
        q += p->q[i] * p->q[i] / scale;
    }
    return slip_residual_norms_of(error, q, error, 0.0, p->size).whole;
}
