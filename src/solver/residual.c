/// solver/residual.c: the numbers that judge every answer.
#include <float.h>
#include <math.h>

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
static double cone_error(int d, double mu, double rho, const double *r, const double *v)
{
    double y[3], square = 0.0;
    for (int i = 0; i < d; i++) y[i] = r[i] - rho * v[i];
    const double t = d == 2 ? fabs(y[1]) : sqrt(y[1] * y[1] + y[2] * y[2]);
    if (t <= mu * y[0]) {
        for (int i = 0; i < d; i++) square += v[i] * v[i];
        return square;
    }
    slip_project_cone(d, mu, y);
    for (int i = 0; i < d; i++) {
        const double e = (r[i] - y[i]) / rho;
        square += e * e;
    }
    return square;
}

static slip_residuals contact_residual(const slip_problem *p, const double *r, const double *u)
{
    const int d = slip_problem_block(p), n = p->size;
    double invariant = 0.0, standard = 0.0;
    for (int a = 0; a < p->contacts; a++) {
        const double *ra = r + (long)a * d, *ua = u + (long)a * d;
        double block[9], trace = 0.0, v[3] = { 0.0, 0.0, 0.0 };
        slip_matrix_diagonal(&p->W, a, d, block);
        for (int i = 0; i < d; i++) trace += block[i * d + i], v[i] = ua[i];
        v[0] += p->mu[a] * (d == 2 ? fabs(ua[1]) : sqrt(ua[1] * ua[1] + ua[2] * ua[2]));
        invariant += cone_error(d, p->mu[a], trace > 0.0 ? d / trace : 1.0, ra, v);
        standard += cone_error(d, p->mu[a], 1.0, ra, v);
    }
    const double q = sum_squares(n, p->q), most = fmax(fmax(q, sum_squares(n, r)), sum_squares(n, u));
    return finished(sqrt(invariant) / norm_or_one(q), sqrt(standard) / norm_or_one(most));
}

// z - P(z - w) without the cancellation that would call a huge z a solution
static double box_error(double z, double w, double low, double high)
{
    return slip_clamp(w, z - high, z - low);
}

static slip_residuals box_residual(const slip_problem *p, const double *z, const double *w)
{
    double square = 0.0, low, high;
    for (int i = 0; i < p->size; i++) {
        slip_box(p, i, &low, &high);
        const double e = box_error(z[i], w[i], low, high);
        square += e * e;
    }
    const double e = sqrt(square) / norm_or_one(sum_squares(p->size, p->q));
    return finished(e, e);
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

slip_residuals slip_residual(const slip_problem *p, const double *z, double *w)
{
    if (p->kind == SLIP_KIND_QP) return qp_residual(p, z, w);
    slip_matrix_apply(&p->W, z, w);
    for (int i = 0; i < p->size; i++) w[i] += p->q[i];
    return slip_is_contact(p) ? contact_residual(p, z, w) : box_residual(p, z, w);
}

static double rounding_of_row(const slip_matrix *A, int row, const double *x)
{
    double s = 0.0;
    if (A->form == SLIP_DENSE) {
        for (int j = 0; j < A->cols; j++) s += fabs(A->values[(long)row * A->cols + j] * x[j]);
        return s;
    }
    const int b = A->block, i = row % b;
    for (int k = A->row_start[row / b]; k < A->row_start[row / b + 1]; k++)
        for (int j = 0; j < b; j++)
            s += fabs(A->values[((long)k * b + i) * b + j] * x[(long)A->column[k] * b + j]);
    return s;
}

double slip_rounding(const slip_problem *p, const double *z)
{
    const int d = slip_problem_block(p), n = p->kind == SLIP_KIND_QP ? p->W.rows : p->size;
    double square = 0.0;
    if (p->W.form == SLIP_DENSE || p->W.form == SLIP_SPARSE)
        for (int i = 0; i < n; i++) {
            const double s = rounding_of_row(&p->W, i, z);
            square += s * s;
        }
    else // |W_ab| <= sqrt(W_aa W_bb), so the diagonal tells the size of the terms
        for (int a = 0; a < n / d; a++) {
            double block[9];
            slip_matrix_diagonal(&p->W, a, d, block);
            for (int i = 0; i < d; i++) square += pow(block[i * d + i] * z[a * d + i], 2.0);
        }
    const double e = DBL_EPSILON * sqrt(square) / norm_or_one(sum_squares(n, p->q));
    return isnan(e) ? INFINITY : e;
}
