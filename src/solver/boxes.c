/// solver/boxes.c: how wrong an answer of a box problem is (LCP, MLCP, RELAY, QP), whatever its units.
///
/// M is the matrix of the problem, for a QP that of its optimality conditions [Q -A'; A 0]. An unknown is
/// either on a bound, and then w may not point into the box, or w is zero. What is near a bound but not on it
/// is put there, and what that does to every row counts as its error, so a number that is small in one unit
/// and not in another cannot pass for zero. problem.h has the formulas.
#include <float.h>
#include <math.h>

#include "solver/careful.h"
#include "solver/internal.h"
#include "solver/law.h"
#include "solver/residual.h"

static const double NEARLY = 1e-6; // part of the terms of a row below which w passes for zero, not z

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

static double constant(const slip_problem *p, int i)
{
    return i < p->W.rows ? p->q[i] : -p->b[i - p->W.rows];
}

static void box_of(const slip_problem *p, int i, double *low, double *high)
{
    if (p->kind != SLIP_KIND_QP) {
        slip_box(p, i, low, high);
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
    double diagonal;      // |M_ii|
} row;

// a plain row, which most are
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
    return r;
}

static row walk(const slip_problem *p, int i, const double *z)
{
    if (p->W.form == SLIP_DENSE && p->kind != SLIP_KIND_QP) return walk_dense(p, i, z);
    strip s[2];
    row r = { .size = fabs(constant(p, i)) };
    const int strips = strips_of(p, i, s);
    for (int part = 0; part < strips; part++)
        for (int k = 0; k < s[part].count; k++) {
            const int j = column_of(&s[part], k);
            const double m = s[part].sign * s[part].values[k * s[part].stride], term = m * z[j];
            r.product += term;
            r.size += fabs(term);
            if (j == i) r.diagonal = fabs(m);
        }
    return r;
}

static double diagonal_of(const slip_problem *p, int i)
{
    double m;
    if (i >= p->W.rows) return 0.0;
    slip_matrix_diagonal(&p->W, i, 1, &m);
    return fabs(m);
}

// D_i^2 where M_ii is zero: what makes |M_ij| <= D_i D_j; 0 for a row of zeros
static double borrowed_scale(const slip_problem *p, int i)
{
    strip s[2];
    double scale = 0.0, most = 0.0;
    const int strips = strips_of(p, i, s);
    for (int part = 0; part < strips; part++)
        for (int k = 0; k < s[part].count; k++) {
            const double m = fabs(s[part].values[k * s[part].stride]);
            const double other = m > 0.0 ? diagonal_of(p, column_of(&s[part], k)) : 0.0;
            most = fmax(most, m);
            if (other > 0.0) scale = fmax(scale, m * m / other);
        }
    return scale > 0.0 ? scale : most;
}

// D_i^2, 0 for a row of zeros
static double scale_of(const slip_problem *p, int i)
{
    const double m = diagonal_of(p, i);
    return m > 0.0 || !slip_has_rows(p) ? m : borrowed_scale(p, i);
}

double slip_box_scale(const slip_problem *p, int i)
{
    const double scale = scale_of(p, i);
    return scale > 0.0 ? scale : 1.0;
}

// ---- errors --------------------------------------------------------------------------------------------

// Whether unknown i is on a bound, or so near that it has to be put there because w is not zero; *gap is the
// way to it, or the way back into the box. If it is not held, w has to be zero.
static bool is_held(const slip_problem *p, int i, const double *z, double w, double *gap)
{
    double low, high;
    box_of(p, i, &low, &high);
    const double inside = slip_clamp(z[i], low, high);
    *gap = z[i] - inside;
    if (w == 0.0) return false;
    const double way = w > 0.0 ? inside - low : inside - high; // w > 0 pushes down
    if (way == 0.0) return true;
    const double scale = scale_of(p, i);
    if (!(fabs(way * scale) < fabs(w)) || scale == 0.0) return false;
    if (fabs(w) <= NEARLY * fabs(constant(p, i)) || fabs(w) <= NEARLY * walk(p, i, z).size) return false;
    *gap += way;
    return true;
}

// The bound nearer to zero: data as much as q, and the only ones where q is zero.
static double bound_size(const slip_problem *p, int i)
{
    double low, high;
    if (p->kind != SLIP_KIND_QP && p->kind != SLIP_KIND_RELAY) return 0.0;
    box_of(p, i, &low, &high);
    const double near = fmin(fabs(low), fabs(high));
    return isinf(near) ? 0.0 : near;
}

typedef struct sums {
    double error, q, size; // squares over D^2, summed over the rows
    double largest;        // size^2 over D^2 of a row
    double worst;          // error over size of a row
    bool gaps;             // some unknown is near a bound, not on it
    bool hopeless;         // a row of zeros is violated
} sums;

// What putting the unknowns on the bounds that they nearly reach does to row i.
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
            is_held(p, j, z, w[j], &gap);
            moved += fabs(m * gap);
        }
    return moved;
}

// What rounding in the unknowns between their bounds may be in row i: where all terms of a row vanish, what
// is left of them is not measured by itself.
static double blur(const slip_problem *p, int i, const double *z)
{
    strip s[2];
    double sum = 0.0;
    const int strips = strips_of(p, i, s);
    for (int part = 0; part < strips; part++)
        for (int k = 0; k < s[part].count; k++) {
            const int j = column_of(&s[part], k);
            double low, high;
            box_of(p, j, &low, &high);
            const double m = s[part].values[k * s[part].stride];
            if (j == i || m == 0.0 || z[j] == low || z[j] == high) continue;
            const row other = walk(p, j, z);
            if (other.diagonal > 0.0) sum += fabs(m) * (other.size / other.diagonal);
        }
    return sum;
}

// One row. The first pass computes w and finds out whether a second is needed, which has all of w and knows
// how large the terms of all rows are.
static void add_row(sums *t, const slip_problem *p, int i, const double *z, double *w, const sums *first)
{
    row r = walk(p, i, z);
    r.size += r.diagonal * bound_size(p, i);
    const double c = constant(p, i), scale = r.diagonal > 0.0 ? r.diagonal : borrowed_scale(p, i);
    double gap;
    if (!first) w[i] = r.product + c;
    const bool held = is_held(p, i, z, w[i], &gap);
    double error = fabs(gap * scale) + (held ? 0.0 : fabs(w[i]));
    t->gaps = t->gaps || gap != 0.0;
    if (first) error += moved_by_gaps(p, i, z, w);
    if (scale == 0.0) { // w_i is a constant: right or wrong, in any unit
        t->hopeless = t->hopeless || error > 0.0;
        return;
    }
    t->error += error * error / scale;
    t->q += c * c / scale;
    t->size += r.size * r.size / scale;
    if (r.size * r.size > t->largest * scale) t->largest = r.size * r.size / scale;
    if (!(error > t->worst * r.size)) return;
    if (first && r.size * r.size <= SLIP_FAINT * SLIP_FAINT * scale * first->largest) return;
    const double size = r.size + (first ? blur(p, i, z) : 0.0);
    if (error > t->worst * size) t->worst = error / size;
}

static sums all_rows(const slip_problem *p, const double *z, double *w, const sums *first)
{
    sums t = { 0 };
    for (int i = 0; i < p->size; i++) add_row(&t, p, i, z, w, first);
    return t;
}

static void careful_rows(const slip_problem *p, const double *z, double *w)
{
    for (int i = 0; i < p->size; i++) {
        strip s[2];
        slip_sum sum = { constant(p, i), 0.0 };
        const int strips = strips_of(p, i, s);
        for (int part = 0; part < strips; part++)
            for (int k = 0; k < s[part].count; k++)
                slip_sum_add_product(&sum, s[part].sign * s[part].values[k * s[part].stride],
                                     z[column_of(&s[part], k)]);
        w[i] = sum.high + sum.low;
    }
}

slip_residuals slip_box_residual(const slip_problem *p, const double *z, double *w)
{
    sums t = all_rows(p, z, w, NULL);
    slip_norms e = slip_norms_of(t.error, t.q, t.size, t.worst, p->size);
    const bool careful = e.rounding > SLIP_CAREFUL;
    if (careful) careful_rows(p, z, w);
    if (careful || t.gaps || e.worst > e.whole) {
        t = all_rows(p, z, w, &t);
        e = slip_norms_of(t.error, t.q, t.size, t.worst, p->size);
    }
    const double residual = fmax(t.hopeless ? 1.0 : e.worst, e.whole);
    return (slip_residuals){ residual, residual, careful ? DBL_EPSILON * e.rounding : e.rounding };
}

// an operator known by its products and its diagonal alone
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
    return slip_norms_of(error, q, error, 0.0, p->size).whole;
}
