/// solver/residual.c: the numbers that judge every answer.
#include <float.h>
#include <math.h>

#include "solver/internal.h"
#include "solver/law.h"
#include "solver/matrix.h"

static double norm_or_one(double square)
{
    const double norm = sqrt(square);
    return norm < DBL_EPSILON ? 1.0 : norm;
}

static double sum_squares(int n, const double *x)
{
    double s = 0.0;
    for (int i = 0; i < n; i++) s += x[i] * x[i];
    return s;
}

static slip_residuals finished(double invariant, double standard)
{
    slip_residuals e = { invariant, standard };
    if (isnan(e.invariant)) e.invariant = INFINITY;
    if (isnan(e.standard)) e.standard = INFINITY;
    return e;
}

// |r - P(r - rho v)|^2 / rho^2; inside the cone the difference is rho v itself, and is not computed as
// a difference, so that a huge r cannot hide it
static inline double cone_error(int d, double mu, double rho, const double *r, const double *v)
{
    double y[3], square = 0.0;
    for (int i = 0; i < d; i++) y[i] = r[i] - rho * v[i];
    const double t = d == 2 ? fabs(y[1]) : sqrt(y[1] * y[1] + y[2] * y[2]);
    if (t <= mu * y[0]) {
        for (int i = 0; i < d; i++) square += v[i] * v[i];
        return square;
    }
    // the projection, zero in the polar cone
    const bool polar = mu * t <= -y[0];
    const double n = polar ? 0.0 : (y[0] + mu * t) / (1.0 + mu * mu), s = polar ? 0.0 : mu * n / t;
    for (int i = 0; i < d; i++) {
        const double e = (r[i] - (i == 0 ? n : s * y[i])) / rho;
        square += e * e;
    }
    return square;
}

// z - P(z - w) without the cancellation that would call a huge z a solution
static double box_error(double z, double w, double low, double high)
{
    return slip_clamp(w, z - high, z - low);
}

// the box problem of the optimality conditions: w_x = Q x + q - A' y in the box of x, w_y = A x - b
static slip_residuals qp_residual(const slip_problem *p, const double *z, double *w)
{
    const int n = p->W.rows, m = p->A.rows;
    const double *y = z + n;
    slip_matrix_apply(&p->W, z, w);
    if (m > 0) slip_matrix_apply(&p->A, z, w + n);
    double square = 0.0, scale = sum_squares(n, p->q);
    for (int i = 0; i < n; i++) w[i] += p->q[i];
    for (int k = 0; k < m; k++) {
        w[n + k] -= p->b[k];
        scale += p->b[k] * p->b[k];
        for (int i = 0; i < n; i++) w[i] -= p->A.values[(long)k * n + i] * y[k];
        const double e = k < p->equalities ? w[n + k] : fmin(y[k], w[n + k]);
        square += e * e;
    }
    for (int i = 0; i < n; i++) {
        const double low = p->lower ? p->lower[i] : -INFINITY, high = p->upper ? p->upper[i] : INFINITY;
        const double e = box_error(z[i], w[i], low, high);
        square += e * e;
    }
    const double e = sqrt(square) / norm_or_one(scale);
    return finished(e, e);
}

// One contact's two errors, squared: with the scaling of the invariant residual, and with rho = 1.
static inline void contact_error_pair(int d, double mu, double trace, const double *r, const double *u,
                                      double *scaled, double *plain)
{
    double v[3];
    for (int i = 0; i < d; i++) v[i] = u[i];
    v[0] += mu * (d == 2 ? fabs(u[1]) : sqrt(u[1] * u[1] + u[2] * u[2]));
    *scaled += cone_error(d, mu, trace > 0.0 ? d / trace : 1.0, r, v);
    *plain += cone_error(d, mu, 1.0, r, v);
}

// y = (A z) and size = (|A| |z|) for one block row of side s, and the trace of its diagonal block
static inline double row_and_size(int s, const slip_matrix *A, int at, const double *z, double *y,
                                  double *size)
{
    const int *column;
    const double *values;
    int stride, step, count = slip_matrix_block_row(A, at, s, &column, &values, &stride, &step);
    double trace = 0.0;
    for (int i = 0; i < s; i++) y[i] = size[i] = 0.0;
    for (int k = 0; k < count; k++, values += step) {
        const int to = column ? column[k] : k;
        const double *v = z + (long)to * s;
        for (int i = 0; i < s; i++)
            for (int j = 0; j < s; j++) {
                const double term = values[(long)i * stride + j] * v[j];
                y[i] += term;
                size[i] += fabs(term);
            }
        for (int i = 0; to == at && i < s; i++) trace += values[(long)i * stride + i];
    }
    return trace;
}

// sums over the blocks, from which the residuals are made
typedef struct sums {
    double scaled, plain; // squared errors: of the invariant residual, and with rho = 1
    double q, r, u;       // squared norms
} sums;

static inline void add_block(sums *t, int s, const slip_problem *p, int a, double trace, const double *z,
                             const double *w)
{
    for (int i = a * s; i < (a + 1) * s; i++) {
        t->q += p->q[i] * p->q[i];
        t->r += z[i] * z[i];
        t->u += w[i] * w[i];
    }
    if (s == 1) {
        double low, high;
        slip_box(p, a, &low, &high);
        const double e = box_error(z[a], w[a], low, high);
        t->scaled += e * e;
    } else
        contact_error_pair(s, p->mu[a], trace, z + (long)a * s, w + (long)a * s, &t->scaled, &t->plain);
}

static inline slip_residuals residuals_of(const sums *t, int s)
{
    const double most = t->q > t->r ? (t->q > t->u ? t->q : t->u) : (t->r > t->u ? t->r : t->u);
    const double e = sqrt(t->scaled) / norm_or_one(t->q);
    return finished(e, s == 1 ? e : sqrt(t->plain) / norm_or_one(most));
}

static double rounding_of(double terms, double q)
{
    const double e = DBL_EPSILON * sqrt(terms) / norm_or_one(q);
    return isnan(e) ? INFINITY : e;
}

// the residuals and the rounding of a stored problem in one pass over the matrix
static inline slip_residuals one_pass(int s, const slip_problem *p, const double *z, double *w,
                                      double *rounding)
{
    sums t = { 0 };
    double terms = 0.0;
    for (int a = 0; a < p->size / s; a++) {
        double size[3];
        const double trace = row_and_size(s, &p->W, a, z, w + (long)a * s, size);
        for (int i = 0; i < s; i++) {
            w[a * s + i] += p->q[a * s + i];
            terms += size[i] * size[i];
        }
        add_block(&t, s, p, a, trace, z, w);
    }
    *rounding = rounding_of(terms, t.q);
    return residuals_of(&t, s);
}

static slip_residuals by_products(int s, const slip_problem *p, const double *z, double *w)
{
    sums t = { 0 };
    slip_matrix_apply(&p->W, z, w);
    for (int i = 0; i < p->size; i++) w[i] += p->q[i];
    for (int a = 0; a < p->size / s; a++)
        add_block(&t, s, p, a, s == 1 ? 1.0 : slip_matrix_trace(&p->W, a, s), z, w);
    return residuals_of(&t, s);
}

static bool one_pass_will_do(const slip_problem *p, int d)
{
    if (p->kind == SLIP_KIND_QP) return false;
    return p->W.form == SLIP_DENSE || (p->W.form == SLIP_SPARSE && p->W.block == d);
}

slip_residuals slip_residual_and_rounding(const slip_problem *p, const double *z, double *w, double *rounding)
{
    const int d = slip_problem_block(p);
    if (one_pass_will_do(p, d))
        return d == 1   ? one_pass(1, p, z, w, rounding)
               : d == 2 ? one_pass(2, p, z, w, rounding)
                        : one_pass(3, p, z, w, rounding);
    *rounding = slip_rounding(p, z);
    return slip_residual(p, z, w);
}

slip_residuals slip_residual(const slip_problem *p, const double *z, double *w)
{
    const int d = slip_problem_block(p);
    double rounding;
    if (p->kind == SLIP_KIND_QP) return qp_residual(p, z, w);
    return one_pass_will_do(p, d) ? slip_residual_and_rounding(p, z, w, &rounding) : by_products(d, p, z, w);
}

// sum over the rows of (sum over j of |A_ij x_j|)^2
static double dense_rounding(const slip_matrix *A, int n, const double *x)
{
    double square = 0.0;
    for (int i = 0; i < n; i++) {
        double s = 0.0;
        for (int j = 0; j < n; j++) s += fabs(A->values[(long)i * A->cols + j] * x[j]);
        square += s * s;
    }
    return square;
}

static double sparse_rounding(const slip_matrix *A, const double *x)
{
    const int b = A->block;
    double square = 0.0;
    for (int at = 0; at < A->rows / b; at++)
        for (int i = 0; i < b; i++) {
            double s = 0.0;
            for (int k = A->row_start[at]; k < A->row_start[at + 1]; k++) {
                const double *row = A->values + ((long)k * b + i) * b, *v = x + (long)A->column[k] * b;
                for (int j = 0; j < b; j++) s += fabs(row[j] * v[j]);
            }
            square += s * s;
        }
    return square;
}

double slip_rounding(const slip_problem *p, const double *z)
{
    const int d = slip_problem_block(p), n = p->kind == SLIP_KIND_QP ? p->W.rows : p->size;
    double square = 0.0;
    if (p->W.form == SLIP_DENSE)
        square = dense_rounding(&p->W, n, z);
    else if (p->W.form == SLIP_SPARSE)
        square = sparse_rounding(&p->W, z);
    else // |W_ab| <= sqrt(W_aa W_bb), so the diagonal tells the size of the terms
        for (int a = 0; a < n / d; a++) {
            double block[9];
            slip_matrix_diagonal(&p->W, a, d, block);
            for (int i = 0; i < d; i++) square += pow(block[i * d + i] * z[a * d + i], 2.0);
        }
    return rounding_of(square, sum_squares(n, p->q));
}
