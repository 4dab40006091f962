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

// sum over contacts of the squared error, with the scaling of the invariant residual or with rho = 1
static double contact_errors(const slip_problem *p, const double *r, const double *u, bool scaled)
{
    const int d = slip_problem_block(p);
    double square = 0.0;
    for (int a = 0; a < p->contacts; a++) {
        const double *ra = r + (long)a * d, *ua = u + (long)a * d;
        double v[3] = { 0.0, 0.0, 0.0 }, rho = 1.0;
        for (int i = 0; i < d; i++) v[i] = ua[i];
        v[0] += p->mu[a] * (d == 2 ? fabs(ua[1]) : sqrt(ua[1] * ua[1] + ua[2] * ua[2]));
        if (scaled) {
            const double trace = slip_matrix_trace(&p->W, a, d);
            rho = trace > 0.0 ? d / trace : 1.0;
        }
        square += cone_error(d, p->mu[a], rho, ra, v);
    }
    return square;
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

static void velocities(const slip_problem *p, const double *z, double *w)
{
    slip_matrix_apply(&p->W, z, w);
    for (int i = 0; i < p->size; i++) w[i] += p->q[i];
}

double slip_residual_only(const slip_problem *p, const double *z, double *w)
{
    if (!slip_is_contact(p)) return slip_residual(p, z, w).invariant;
    velocities(p, z, w);
    const double e = sqrt(contact_errors(p, z, w, true)) / norm_or_one(sum_squares(p->size, p->q));
    return isnan(e) ? INFINITY : e;
}

slip_residuals slip_residual(const slip_problem *p, const double *z, double *w)
{
    const int n = p->size;
    if (p->kind == SLIP_KIND_QP) return qp_residual(p, z, w);
    velocities(p, z, w);
    if (!slip_is_contact(p)) return box_residual(p, z, w);
    const double q = sum_squares(n, p->q), r = sum_squares(n, z), u = sum_squares(n, w);
    const double most = q > r ? (q > u ? q : u) : (r > u ? r : u);
    return finished(sqrt(contact_errors(p, z, w, true)) / norm_or_one(q),
                    sqrt(contact_errors(p, z, w, false)) / norm_or_one(most));
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
    const double e = DBL_EPSILON * sqrt(square) / norm_or_one(sum_squares(n, p->q));
    return isnan(e) ? INFINITY : e;
}
