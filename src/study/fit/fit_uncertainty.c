/// study/fit/fit_uncertainty.c: uncertainty of a fit: standard errors, intervals, information criteria.
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "study/fit/correlated_residuals.h"
#include "study/fit/fitting.h"
#include "base/linalg/linalg.h"
#include "study/fit/fit_tolerances.h"

// J'J and J'r
static void normal_equations(const slip_fitting *f, double *A, double *g)
{
    int p = f->p;
    memset(A, 0, (size_t)(p * p) * sizeof *A);
    memset(g, 0, (size_t)p * sizeof *g);
    for (int i = 0; i < f->n; i++)
        for (int j = 0; j < p; j++) {
            g[j] += f->J[j * f->n + i] * f->r[i];
            for (int k = 0; k <= j; k++) A[j * p + k] += f->J[j * f->n + i] * f->J[k * f->n + i];
        }
    for (int j = 0; j < p; j++)
        for (int k = 0; k < j; k++) A[k * p + j] = A[j * p + k];
}

// Factors J'J after scaling its diagonal to ones; `root` holds the roots of the diagonal. False when it is
// singular.
static bool factor_normal_matrix(slip_fitting *f, slip_fit *fit, double *A, double *root)
{
    int p = f->p;
    double g[SLIP_FIT_MAX_FREE];
    bool all = true;
    if (!slip_fitting_jacobian(f, fit->value)) return false;
    fit->exact = !f->no_slopes;
    normal_equations(f, A, g);
    for (int k = 0; k < p; k++) {
        root[k] = sqrt(A[k * p + k]);
        fit->unseen[k] = !(root[k] > 0.0);
        all = all && !fit->unseen[k];
    }
    if (!all) return false;
    for (int j = 0; j < p; j++)
        for (int k = 0; k < p; k++) A[j * p + k] /= root[j] * root[k];
    if (!slip_cholesky(p, A)) return false;
    double least = INFINITY, most = 0.0; // the diagonal of the factor gives a cheap condition number
    for (int k = 0; k < p; k++) least = fmin(least, A[k * p + k]), most = fmax(most, A[k * p + k]);
    fit->condition = most / least;
    return true;
}

// C = (J'J)^-1: variances and correlations for independent residuals.
static bool find_covariance(slip_fitting *f, slip_fit *fit, double C[][SLIP_FIT_MAX_FREE])
{
    int p = f->p;
    double A[SLIP_FIT_MAX_FREE * SLIP_FIT_MAX_FREE], root[SLIP_FIT_MAX_FREE];
    if (!factor_normal_matrix(f, fit, A, root)) return false;
    double variance = slip_fitting_squares(f, f->r) / fmax(1.0, f->n - p);
    for (int k = 0; k < p; k++) {
        double e[SLIP_FIT_MAX_FREE] = { 0 };
        e[k] = 1.0;
        slip_cholesky_solve(p, A, e);
        for (int j = 0; j < p; j++) C[j][k] = e[j] / (root[j] * root[k]);
    }
    for (int j = 0; j < p; j++) {
        fit->error_independent[j] = sqrt(variance * C[j][j]);
        for (int k = 0; k < p; k++) fit->correlation[j][k] = C[j][k] / sqrt(C[j][j] * C[k][k]);
    }
    return true;
}

// The contribution of each row of the data to the estimate of parameter k, (J'J)^-1 J' r, into f->trial.
static void influence_series(slip_fitting *f, const double *C)
{
    int columns = f->data->columns;
    for (int i = 0; i < f->data->rows; i++) {
        double sum = 0.0;
        for (int c = i * columns; c < (i + 1) * columns; c++)
            for (int j = 0; j < f->p; j++) sum += C[j] * f->J[j * f->n + c] * f->r[c];
        f->trial[i] = sum;
    }
}

// Standard error and interval of parameter k; returns half the width of the interval.
static double interval_half_width(slip_fitting *f, slip_fit *fit, int k, const double *C)
{
    slip_error_distribution s;
    if (f->def->independent) {
        slip_error_distribution_white(fit->error_independent[k], f->n - f->p, &s);
    } else {
        influence_series(f, C);
        slip_error_distribution_fit(f->data->t, f->trial, f->data->rows, f->n, f->n - f->p, &s);
    }
    double width = slip_error_distribution_half_width(&s, f->def->confidence), one = erf(sqrt(0.5));
    fit->error[k] =
        f->def->independent ? fit->error_independent[k] : slip_error_distribution_half_width(&s, one);
    double kept = fit->error_independent[k] / fit->error[k];
    if (kept < 1.0) fit->effective = fmin(fit->effective, f->n * kept * kept);
    return width;
}

// Without a covariance the errors are unknown (NaN), which is not the same as uncorrelated.
static void clear_errors(slip_fit *fit)
{
    fit->condition = INFINITY;
    for (int j = 0; j < fit->free_count; j++) {
        fit->error[j] = fit->error_independent[j] = INFINITY;
        for (int k = 0; k < fit->free_count; k++) fit->correlation[j][k] = NAN;
    }
}

// The border of the profile: the value of parameter k at which the smallest sum of squares, with k held,
// reaches `level`.
static double profile_border(slip_fitting *f, const slip_fit *fit, int k, int side, double best, double level)
{
    double x[SLIP_FIT_MAX_FREE], a = 0.0, b = 0.0, fa = best - level, fb = NAN,
                                 width = FIRST_BORDER * fit->error[k];
    memcpy(x, fit->value, sizeof x);
    f->held[k] = true;
    for (int round = 0; round < 14; round++) {
        double s = isnan(fb) ? b + width * (1 << (round > 4 ? 4 : round))
                             : a + (b - a) * fmin(fmax(-fa / (fb - fa), BORDER_INSET_LOW), BORDER_INSET_HIGH);
        double y[SLIP_FIT_MAX_FREE], sum;
        int iterations;
        bool converged;
        memcpy(y, x, sizeof y);
        y[k] = slip_fitting_clamp(f, k, fit->value[k] + side * s);
        s = fabs(y[k] - fit->value[k]);
        if (s <= b && isnan(fb)) break; // a bound of the parameter is reached before the border
        if (!slip_fitting_minimise(f, y, &sum, &iterations, &converged)) break;
        double value = sum - level;
        if (value < 0.0) {
            a = s, fa = value;
            memcpy(x, y, sizeof x);
            if (isnan(fb)) b = s;
        } else {
            b = s, fb = value;
        }
        if (!isnan(fb) && (b - a < BORDER_DISTANCE * b || fabs(value) < BORDER_LEVEL * (level - best))) break;
    }
    f->held[k] = false;
    return isnan(fb) ? slip_fitting_clamp(f, k, side > 0 ? INFINITY : -INFINITY)
                     : fit->value[k] + side * (fabs(fa) < fabs(fb) ? a : b);
}

void slip_fitting_uncertainty(slip_fitting *f, slip_fit *fit, double best)
{
    double C[SLIP_FIT_MAX_FREE][SLIP_FIT_MAX_FREE], N = f->n, variance = best / fmax(1.0, N - f->p);
    bool known = find_covariance(f, fit, C);
    if (!known) clear_errors(fit);
    f->status = SLIP_OK;
    fit->rms = sqrt(best / N);
    fit->aic = N * slip_ln(best / N) + 2.0 * (f->p + 1);
    fit->bic = N * slip_ln(best / N) + slip_ln(N) * (f->p + 1);
    fit->effective = N;
    double width[SLIP_FIT_MAX_FREE];
    for (int k = 0; k < f->p; k++) {
        width[k] = known ? interval_half_width(f, fit, k, C[k]) : INFINITY;
        fit->low[k] = fit->value[k] - width[k];
        fit->high[k] = fit->value[k] + width[k];
        fit->profile_low[k] = fit->profile_high[k] = NAN;
    }
    for (int k = 0; k < f->p && f->def->profile && known; k++) {
        double times = width[k] / fit->error_independent[k];
        double level = best + variance * times * times; // as in a linear model
        fit->profile_low[k] = profile_border(f, fit, k, -1, best, level);
        fit->profile_high[k] = profile_border(f, fit, k, 1, best, level);
    }
}
