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

static slip_residuals contact_residual(const slip_problem *p, const double *r, const double *u)
{
    const int d = slip_problem_block(p), n = p->size;
    double invariant = 0.0, standard = 0.0;
    for (int a = 0; a < p->contacts; a++) {
        const double *ra = r + (long)a * d, *ua = u + (long)a * d;
        double block[9], trace = 0.0, v[3], x[3], y[3];
        slip_matrix_diagonal(&p->W, a, d, block);
        for (int i = 0; i < d; i++) trace += block[i * d + i];
        const double rho = trace > 0.0 ? d / trace : 1.0;
        const double t = d == 2 ? fabs(ua[1]) : sqrt(ua[1] * ua[1] + ua[2] * ua[2]);
        for (int i = 0; i < d; i++) v[i] = ua[i];
        v[0] += p->mu[a] * t;
        for (int i = 0; i < d; i++) x[i] = ra[i] - rho * v[i], y[i] = ra[i] - v[i];
        slip_project_cone(d, p->mu[a], x);
        slip_project_cone(d, p->mu[a], y);
        for (int i = 0; i < d; i++) {
            const double e = (ra[i] - x[i]) / rho, s = ra[i] - y[i];
            invariant += e * e;
            standard += s * s;
        }
    }
    const double q = norm_or_one(sum_squares(n, p->q));
    const double most =
        fmax(fmax(sqrt(sum_squares(n, p->q)), sqrt(sum_squares(n, r))), sqrt(sum_squares(n, u)));
    return finished(sqrt(invariant) / q, sqrt(standard) / norm_or_one(most * most));
}

static slip_residuals box_residual(const slip_problem *p, const double *z, const double *w)
{
    double square = 0.0, low, high;
    for (int i = 0; i < p->size; i++) {
        slip_box(p, i, &low, &high);
        const double e = z[i] - slip_clamp(z[i] - w[i], low, high);
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
        const double e = k < p->equalities ? w[n + k] : y[k] - fmax(0.0, y[k] - w[n + k]);
        square += e * e;
    }
    for (int i = 0; i < n; i++) {
        const double low = p->lower ? p->lower[i] : -INFINITY, high = p->upper ? p->upper[i] : INFINITY;
        const double e = z[i] - slip_clamp(z[i] - w[i], low, high);
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
