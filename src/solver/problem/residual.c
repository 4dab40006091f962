/// solver/problem/residual.c: the residuals that judge every solution. Contacts are here, boxes in residual_box.c.
#include "solver/problem/residual.h"

#include <float.h>
#include <math.h>

#include "solver/linalg/compensated_dot.h"
#include "solver/problem/solver_record.h"
#include "solver/problem/contact_law.h"
#include "solver/linalg/matrix.h"
#include "solver/problem/problem_tolerances.h"

slip_residual_norms slip_residual_norms_of(double error, double q, double size, double worst, int rows)
{
    const double square = q > 0.0 ? q : size > 0.0 ? size : 1.0;
    slip_residual_norms e = { sqrt(error / square), SINGLE_ROW_WEIGHT * worst / sqrt(rows > 0 ? rows : 1),
                              DBL_EPSILON * sqrt(size / square) };
    if (isnan(e.whole)) e.whole = INFINITY;
    if (isnan(e.rounding)) e.rounding = INFINITY;
    return e;
}

// The square of E = (r - P(r - rho v)) / rho = v + (y - P(y)) / rho with y = r - rho v. It is written with v
// and not as a difference of r and its projection, in which a huge r would absorb v. For a slipping contact
// the law itself is a difference of numbers as large as *terms.
static inline double cone_error(int d, double mu, double rho, const double *r, const double *v, double *terms)
{
    double y[3], square = 0.0, across = 0.0, along = 0.0, was = 0.0;
    *terms = 0.0;
    for (int i = 0; i < d; i++) y[i] = r[i] - rho * v[i];
    const double t = d == 2 ? fabs(y[1]) : sqrt(y[1] * y[1] + y[2] * y[2]);
    if (y[0] >= 0.0 && t <= mu * y[0]) { // in the cone
        for (int i = 0; i < d; i++) square += v[i] * v[i];
        return square;
    }
    if (mu * t <= -y[0]) { // in the polar cone: P = 0
        for (int i = 0; i < d; i++) square += r[i] * r[i];
        return square / (rho * rho);
    }
    for (int i = 1; i < d; i++) {
        across += v[i] * v[i];
        along += r[i] * v[i];
        was += r[i] * r[i];
    }
    *terms = across + was / (rho * rho);
    was = sqrt(was);
    // (|y_T| - mu y_N) / rho, over 1 + mu^2
    const double back =
        ((rho * across - 2.0 * along) / (t + was) + (was - mu * r[0]) / rho + mu * v[0]) / (1.0 + mu * mu);
    const double normal = v[0] - mu * back;
    square = normal * normal;
    for (int i = 1; i < d; i++) {
        const double e = v[i] + back * (y[i] / t);
        square += e * e;
    }
    return square;
}

// Both squared errors of one contact: with the scaling of the invariant residual, and with rho = 1.
static inline void contact_error_pair(int d, double mu, double mean, const double *r, const double *u,
                                      double *scaled, double *plain, double *terms)
{
    double v[3], unused;
    for (int i = 0; i < d; i++) v[i] = u[i];
    v[0] += mu * (d == 2 ? fabs(u[1]) : sqrt(u[1] * u[1] + u[2] * u[2]));
    const double rho = mean > 0.0 ? 1.0 / mean : 1.0, e = r[0] > rho * u[0] ? u[0] : r[0] / rho;
    *scaled = fmax(cone_error(d, mu, rho, r, v, terms), e * e); // a fast slip would absorb u_N in v_N
    *plain = cone_error(d, mu, 1.0, r, v, &unused);
}

// y = (A z) and size = (|A| |z|) for one block row of side s; 1 / rho: the mean of the diagonal of its block,
// or the largest entry of the row where that is zero
static inline double row_and_size(int s, const slip_matrix *A, int at, const double *z, double *y,
                                  double *size)
{
    const int *column;
    const double *values;
    int stride, step, count = slip_matrix_block_row(A, at, s, &column, &values, &stride, &step);
    double trace = 0.0, most = 0.0;
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
        for (int i = 0; to == at && i < s; i++) trace += fabs(values[(long)i * stride + i]);
    }
    if (trace > 0.0) return trace / s;
    values -= (long)count * step;
    for (int k = 0; k < count; k++, values += step)
        for (int i = 0; i < s * s; i++) most = fmax(most, fabs(values[(long)(i / s) * stride + i % s]));
    return most;
}

// sums over the contacts, from which the residuals are made
typedef struct sums {
    double scaled, plain; // squared errors: of the invariant residual, and with rho = 1
    double q, r, u, size; // squared norms
    double slip;          // squared terms of the law of slipping contacts
    double worst;         // squared error over squared size of one contact
    double largest;       // squared size of one contact
} sums;

// `floor` is the squared size below which the terms of a contact may be the rounding of others.
static inline void add_contact(sums *t, int s, const slip_problem *p, int a, double mean, const double *z,
                               const double *w, const double *terms, double floor)
{
    double scaled, plain, slip, size = 0.0;
    for (int i = a * s; i < (a + 1) * s; i++) {
        t->q += p->q[i] * p->q[i];
        t->r += z[i] * z[i];
        t->u += w[i] * w[i];
        const double all = (terms ? terms[i - a * s] : 0.0) + fabs(p->q[i]);
        size += all * all;
    }
    contact_error_pair(s, p->mu[a], mean, z + (long)a * s, w + (long)a * s, &scaled, &plain, &slip);
    t->scaled += scaled;
    t->plain += plain;
    t->slip += slip;
    t->size += size;
    if (size > t->largest) t->largest = size;
    if (size > floor && scaled > t->worst * size) t->worst = scaled / size;
}

static inline sums one_pass(int s, const slip_problem *p, const double *z, double *w, bool again,
                            double floor)
{
    sums t = { 0 };
    for (int a = 0; a < p->size / s; a++) {
        double size[3], y[3];
        const double mean = row_and_size(s, &p->W, a, z, y, size);
        for (int i = 0; i < s && !again; i++) w[a * s + i] = y[i] + p->q[a * s + i];
        add_contact(&t, s, p, a, mean, z, w, size, floor);
    }
    return t;
}

static sums contact_pass(const slip_problem *p, const double *z, double *w, bool again, double floor)
{
    return p->kind == SLIP_KIND_FC2D ? one_pass(2, p, z, w, again, floor)
                                     : one_pass(3, p, z, w, again, floor);
}

static double standard_of(const sums *t)
{
    const double most = fmax(t->q, fmax(t->r, t->u)), e = sqrt(t->plain / (most > 0.0 ? most : 1.0));
    return isnan(e) ? INFINITY : e;
}

// The residual over the contacts of a stored matrix: in one pass, and in a second one if rounding or a single
// contact requires it.
static slip_residuals contact_residual(const slip_problem *p, const double *z, double *w)
{
    sums t = contact_pass(p, z, w, false, 0.0);
    slip_residual_norms e = slip_residual_norms_of(t.scaled, t.q, t.size, sqrt(t.worst), p->contacts);
    const bool near = e.whole < RESIDUAL_IS_POOR, careful = near && e.rounding > COMPENSATE_ABOVE;
    for (int i = 0; careful && i < p->size; i++) w[i] = slip_compensated_row(&p->W, i, z, p->q[i]);
    if (near && (careful || e.worst > fmax(e.whole, RESIDUAL_IS_ROUNDING))) {
        t = contact_pass(p, z, w, true, ROW_MAY_BE_ROUNDING * ROW_MAY_BE_ROUNDING * t.largest);
        e = slip_residual_norms_of(t.scaled, t.q, t.size, sqrt(t.worst), p->contacts);
    }
    const double of_law = slip_residual_norms_of(0.0, t.q, t.slip, 0.0, p->contacts).rounding;
    return (slip_residuals){ .invariant = fmax(e.worst, e.whole),
                             .standard = standard_of(&t),
                             .rounding = careful ? fmax(DBL_EPSILON * e.rounding, of_law) : e.rounding };
}

// W_ab| <= sqrt(W_aa W_bb), so the diagonal bounds the size of the terms.
static double rounding_by_diagonal(const slip_problem *p, const double *z)
{
    const int d = slip_problem_block(p);
    double size = 0.0, q = 0.0;
    for (int a = 0; a < p->size / d; a++) {
        double block[9];
        slip_matrix_diagonal(&p->W, a, d, block);
        for (int i = 0; i < d; i++) {
            const double scale = d == 1 ? slip_box_scale(p, a) : 1.0, c = p->q[a * d + i];
            const double part = block[i * d + i] * z[a * d + i];
            size += part * part / scale;
            q += c * c / scale;
        }
    }
    return slip_residual_norms_of(0.0, q, size, 0.0, p->size).rounding;
}

// The same for an operator of which only products and diagonal blocks are known.
static slip_residuals contact_residual_of_products(const slip_problem *p, const double *z, double *w)
{
    const int d = slip_problem_block(p);
    sums t = { 0 };
    slip_matrix_apply(&p->W, z, w);
    for (int i = 0; i < p->size; i++) w[i] += p->q[i];
    for (int a = 0; a < p->contacts; a++)
        add_contact(&t, d, p, a, slip_matrix_trace(&p->W, a, d) / d, z, w, NULL, 0.0);
    return (slip_residuals){ .invariant =
                                 slip_residual_norms_of(t.scaled, t.q, t.size, 0.0, p->contacts).whole,
                             .standard = standard_of(&t),
                             .rounding = rounding_by_diagonal(p, z) };
}

bool slip_matrix_has_rows(const slip_problem *p)
{
    return p->W.form == SLIP_DENSE || (p->W.form == SLIP_SPARSE && p->W.block == slip_problem_block(p));
}

slip_residuals slip_residual(const slip_problem *p, const double *z, double *w)
{
    if (slip_problem_is_contact(p))
        return slip_matrix_has_rows(p) ? contact_residual(p, z, w) : contact_residual_of_products(p, z, w);
    if (slip_matrix_has_rows(p)) return slip_box_residual(p, z, w);
    const double e = slip_box_residual_of_products(p, z, w);
    return (slip_residuals){ e, e, rounding_by_diagonal(p, z) };
}
