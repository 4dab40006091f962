/// study/fit/fit_uncertainty.c: uncertainty of a fit: standard errors, intervals, information criteria.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "study/fit/correlated_residuals.h"
#include "base/status.h"
#include "study/fit/fitting.h"
#include "study/fit/identifiability.h"
#include "study/fit/lack_of_fit.h"
#include "study/fit/fit_tolerances.h"

// (J'J)^-1, with variances and correlations for independent residuals.
static bool find_covariance(slip_fitting *f, slip_fit *fit, slip_identifiability *id)
{
    const int p = f->p;
    if (!slip_fitting_jacobian(f, fit->value)) return false;
    fit->exact = !f->no_slopes;
    if (!slip_fitting_identify(f, fit->exact, id)) return false;
    fit->condition = id->condition;
    const double variance = slip_fitting_squares(f, f->r) / fmax(1.0, f->n - p);
    for (int k = 0; k < p; k++) {
        fit->unseen[k] = !(id->root[k] > 0.0);
        fit->undetermined[k] = fit->unseen[k];
        for (int i = 0; i < id->null_count; i++)
            fit->undetermined[k] = fit->undetermined[k] || id->null[i][k] != 0.0;
        fit->error_independent[k] = fit->undetermined[k] ? INFINITY : sqrt(variance * id->C[k][k]);
    }
    for (int j = 0; j < p; j++)
        for (int k = 0; k < p; k++)
            fit->correlation[j][k] = fit->undetermined[j] || fit->undetermined[k]
                                         ? NAN
                                         : id->C[j][k] / sqrt(id->C[j][j] * id->C[k][k]);
    return true;
}

// The contribution of each row of the data to an estimate, C J' r with C a row of (J'J)^-1, into f->trial.
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

/// What is known about one number.
typedef struct spread {
    double error, width; // standard error, half the width of the interval
} spread;

// The spread of an estimate, C being its row of (J'J)^-1, and of its error for independent residuals.
static spread find_spread(slip_fitting *f, const double *C, double independent)
{
    slip_error_distribution s;
    if (f->def->independent) {
        slip_error_distribution_white(independent, f->n - f->p, &s);
    } else {
        influence_series(f, C);
        slip_error_distribution_fit(f->data->t, f->trial, f->data->rows, f->n, f->n - f->p, &s);
    }
    const double width = slip_error_distribution_half_width(&s, f->def->confidence), one = erf(sqrt(0.5));
    return (spread){ f->def->independent ? independent : slip_error_distribution_half_width(&s, one), width };
}

// Standard error and interval of parameter k; returns half the width of the interval.
static double parameter_interval(slip_fitting *f, slip_fit *fit, int k, const double *C)
{
    if (fit->undetermined[k]) return fit->error[k] = INFINITY;
    const spread s = find_spread(f, C, fit->error_independent[k]);
    fit->error[k] = s.error;
    double kept = fit->error_independent[k] / fit->error[k];
    if (kept < 1.0) fit->effective = fmin(fit->effective, f->n * kept * kept);
    return s.width;
}

// The combinations of undetermined parameters that are determined, with their intervals.
static void find_combinations(slip_fitting *f, slip_fit *fit, const slip_identifiability *id, double best)
{
    slip_parameter_combination found[SLIP_FIT_MAX_FREE];
    const double variance = best / fmax(1.0, f->n - f->p);
    fit->combination_count = id->null_count ? slip_fitting_combinations(f, fit->value, id, best, found) : 0;
    for (int i = 0; i < fit->combination_count; i++) {
        slip_fit_combination *c = &fit->combination[i];
        double row[SLIP_FIT_MAX_FREE] = { 0 }, square = 0.0;
        for (int k = 0; k < f->p; k++)
            for (int j = 0; j < f->p; j++) row[k] += found[i].gradient[j] * id->C[j][k];
        for (int k = 0; k < f->p; k++) square += row[k] * found[i].gradient[k];
        const spread s = find_spread(f, row, sqrt(variance * square));
        slip_parameter_combination_print(&found[i], fit->names, f->p, c->formula, sizeof c->formula);
        c->value = found[i].value, c->error = s.error;
        c->low = c->value - s.width, c->high = c->value + s.width;
    }
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

// Intervals are made for residuals that are noise; from others nothing follows about the parameters.
static bool test_lack_of_fit(slip_fitting *f, slip_fit *fit)
{
    slip_lack_of_fit judged = { 0 };
    if (!slip_lack_of_fit_test(f->data, f->noise, f->r, &judged)) return false;
    fit->noise = judged.noise;
    fit->lack_of_fit = judged.kind == SLIP_RESIDUALS_MISFIT;
    fit->residual_runs = judged.runs;
    fit->residual_frequency = judged.frequency;
    snprintf(fit->residual_column, sizeof fit->residual_column, "%s", f->data->name[judged.column]);
    fit->residual_rms = judged.rms;
    return true;
}

static void void_intervals(slip_fit *fit)
{
    for (int k = 0; k < fit->free_count; k++) {
        fit->high[k] = INFINITY, fit->low[k] = -INFINITY;
        fit->profile_low[k] = fit->profile_high[k] = NAN;
    }
    for (int k = 0; k < fit->combination_count; k++) {
        slip_fit_combination *c = &fit->combination[k];
        c->high = INFINITY, c->low = -INFINITY;
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

static void find_profiles(slip_fitting *f, slip_fit *fit, const double *width, double best)
{
    const double variance = best / fmax(1.0, f->n - f->p);
    for (int k = 0; k < f->p; k++) {
        if (fit->undetermined[k]) continue;
        double times = width[k] / fit->error_independent[k];
        double level = best + variance * times * times; // as in a linear model
        fit->profile_low[k] = profile_border(f, fit, k, -1, best, level);
        fit->profile_high[k] = profile_border(f, fit, k, 1, best, level);
    }
}

void slip_fitting_uncertainty(slip_fitting *f, slip_fit *fit, double best)
{
    slip_identifiability id;
    const double N = f->n;
    const bool known = find_covariance(f, fit, &id);
    if (!known) clear_errors(fit);
    f->status = SLIP_OK;
    fit->rms = sqrt(best / N);
    fit->aic = N * slip_ln(best / N) + 2.0 * (f->p + 1);
    fit->bic = N * slip_ln(best / N) + slip_ln(N) * (f->p + 1);
    fit->effective = N;
    double width[SLIP_FIT_MAX_FREE];
    for (int k = 0; k < f->p; k++) {
        width[k] = known ? parameter_interval(f, fit, k, id.C[k]) : INFINITY;
        fit->low[k] = fit->value[k] - width[k];
        fit->high[k] = fit->value[k] + width[k];
        fit->profile_low[k] = fit->profile_high[k] = NAN;
    }
    if (!test_lack_of_fit(f, fit)) {
        f->status = slip_fail(f->error, SLIP_NO_MEMORY, "fit", "out of memory");
        return;
    }
    if (known) find_combinations(f, fit, &id, best);
    if (fit->lack_of_fit)
        void_intervals(fit);
    else if (f->def->profile && known)
        find_profiles(f, fit, width, best);
}
