/// fit/fit.c: Levenberg and Marquardt's method over whole runs, and what the result is worth.
#include "slipstick/fit.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/dense.h"
#include "core/status.h"
#include "fit/starts.h"
#include "run/sim.h"
#include "slipstick/diagnostics.h"
#include "slipstick/model.h"

typedef struct fitting {
    const slip_fit_def *def;
    const slip_fit_data *data;
    slip_error *error;
    int p, n;                        // free parameters, residuals
    bool held[SLIP_FIT_MOST_FREE];   // kept where it is, while a profile is drawn
    double *r, *trial, *J, *shifted; // residuals, of a trial, n x p, of a difference
    double scale[SLIP_FIT_MOST_FREE];
    int runs;
    slip_status status;
} fitting;

slip_fit_def slip_default_fit_def(void)
{
    return (slip_fit_def){
        .relative = NAN, .absolute = NAN, .max_iterations = 40, .confidence = 0.9, .starts = 1
    };
}

// ------------------------------------------------------------------------------------------ one run

static slip_model *load(fitting *f, const double *x)
{
    char text[SLIP_FIT_MOST_FREE][128];
    const char *sets[SLIP_FIT_MOST_FREE + 64];
    int count = 0;
    for (int k = 0; k < f->def->override_count && k < 64; k++) sets[count++] = f->def->overrides[k];
    for (int k = 0; k < f->p && x; k++) {
        if (strcmp(f->def->free[k], "t0") == 0) continue;
        snprintf(text[k], sizeof text[k], "%.90s=%.17g", f->def->free[k], x[k]);
        sets[count++] = text[k];
    }
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    f->status = notes ? slip_model_read_file(f->def->model, sets, count, notes, &model) : SLIP_NO_MEMORY;
    if (f->status != SLIP_OK) {
        char *said = notes ? slip_diagnostics_text(notes) : NULL;
        slip_fail(f->error, f->status, f->def->model, "%.150s", said ? said : "cannot be read");
        free(said);
    }
    slip_diagnostics_destroy(notes);
    return model;
}

static int column_of(const slip_sim *sim, const char *name)
{
    for (int k = 0; k < slip_sim_column_count(sim); k++)
        if (strcmp(slip_sim_column_name(sim, k), name) == 0) return k;
    return -1;
}

static void compare(const fitting *f, const int *column, int row, const double *model, double *r)
{
    int c = f->data->columns;
    for (int k = 0; k < c; k++) r[row * c + k] = f->data->value[row * c + k] - model[column[k]];
}

// steps through the run and looks at every time of the data
static bool sample(fitting *f, slip_sim *sim, double shift, double *r)
{
    int column[SLIP_FIT_MOST_COLUMNS];
    for (int k = 0; k < f->data->columns; k++) {
        column[k] = column_of(sim, f->data->name[k]);
        if (column[k] < 0) {
            f->status = slip_fail(f->error, SLIP_UNKNOWN_NAME, f->data->name[k],
                                  "is a column of the data, but no coordinate, rate or record of the model");
            return false;
        }
    }
    double *row = malloc((size_t)slip_sim_column_count(sim) * sizeof *row);
    if (!row) return f->status = SLIP_NO_MEMORY, false;
    slip_run_outcome outcome = slip_sim_observe(sim);
    for (int k = 0; k < f->data->rows && outcome == SLIP_RUNNING; k++) {
        double t = fmax(f->data->t[k] + shift, 0.0);
        while (outcome == SLIP_RUNNING && slip_sim_reach(sim) < t) outcome = slip_sim_step(sim);
        if (outcome == SLIP_DONE) outcome = SLIP_RUNNING;
        if (outcome != SLIP_RUNNING) break;
        if (slip_sim_time(sim) >= t)
            slip_sim_columns(sim, row);
        else
            outcome = slip_sim_peek(sim, t, row);
        compare(f, column, k, row, r);
    }
    free(row);
    return outcome == SLIP_RUNNING;
}

// residuals at x; false when the run cannot be made, with f->status set when it is nobody's parameter's fault
static bool residuals(fitting *f, const double *x, double *r)
{
    double shift = 0.0;
    for (int k = 0; k < f->p; k++)
        if (strcmp(f->def->free[k], "t0") == 0) shift = x[k];
    slip_model *model = load(f, x);
    if (!model) return false;
    slip_sim_def def = slip_default_sim_def();
    def.formulation = f->def->formulation;
    def.relative = f->def->relative, def.absolute = f->def->absolute;
    def.until = fmax(f->data->t[f->data->rows - 1] + shift, 0.0) * (1 + 1e-9) + 1e-9;
    slip_sim *sim = NULL;
    bool good = false;
    f->runs++;
    f->status = slip_sim_create(model, &def, f->error, &sim);
    if (f->status == SLIP_OK) good = sample(f, sim, shift, r);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return good;
}

static double squares(const fitting *f, const double *r)
{
    double sum = 0.0;
    for (int k = 0; k < f->n; k++) sum += r[k] * r[k];
    return sum;
}

// --------------------------------------------------------------------------------- least squares

static double lower_bound(const fitting *f, int k)
{
    return f->def->lower ? f->def->lower[k] : -INFINITY;
}

static double upper_bound(const fitting *f, int k)
{
    return f->def->upper ? f->def->upper[k] : INFINITY;
}

static double within(const fitting *f, int k, double x)
{
    return fmin(fmax(x, lower_bound(f, k)), upper_bound(f, k));
}

// central differences, one-sided at a bound: the noise of error control is divided by 2e-3 of a parameter,
// not by less
static bool jacobian(fitting *f, double *x)
{
    for (int k = 0; k < f->p; k++) {
        double step = 1e-3 * f->scale[k], keep = x[k];
        for (int i = 0; i < f->n && f->held[k]; i++) f->J[i * f->p + k] = 0.0;
        if (f->held[k]) continue;
        double above = within(f, k, keep + step), below = within(f, k, keep - step);
        x[k] = above;
        bool good = residuals(f, x, f->trial);
        x[k] = below;
        good = good && residuals(f, x, f->shifted);
        x[k] = keep;
        if (!good) return false;
        for (int i = 0; i < f->n; i++) f->J[i * f->p + k] = (f->trial[i] - f->shifted[i]) / (above - below);
    }
    return true;
}

// J'J and J'r
static void normal_equations(const fitting *f, double *A, double *g)
{
    int p = f->p;
    memset(A, 0, (size_t)(p * p) * sizeof *A);
    memset(g, 0, (size_t)p * sizeof *g);
    for (int i = 0; i < f->n; i++)
        for (int j = 0; j < p; j++) {
            g[j] += f->J[i * p + j] * f->r[i];
            for (int k = 0; k <= j; k++) A[j * p + k] += f->J[i * p + j] * f->J[i * p + k];
        }
    for (int j = 0; j < p; j++)
        for (int k = 0; k < j; k++) A[k * p + j] = A[j * p + k];
}

// kept where it is, or at a bound that the sum of squares pushes against
static bool is_held(const fitting *f, int k, const double *x, const double *g)
{
    return f->held[k] || (x[k] <= lower_bound(f, k) && g[k] > 0.0) ||
           (x[k] >= upper_bound(f, k) && g[k] < 0.0);
}

// one damped step from x into next; false when the damped matrix is singular
static bool damped(const fitting *f, const double *A, const double *g, double lambda, const double *x,
                   double *next)
{
    double B[SLIP_FIT_MOST_FREE * SLIP_FIT_MOST_FREE], d[SLIP_FIT_MOST_FREE];
    int p = f->p;
    memcpy(B, A, (size_t)(p * p) * sizeof *B);
    for (int k = 0; k < p; k++) {
        bool held = is_held(f, k, x, g);
        for (int j = 0; j < p && held; j++) B[k * p + j] = B[j * p + k] = 0.0;
        B[k * p + k] += held ? 0.0 : lambda * A[k * p + k];
        if (B[k * p + k] == 0.0) B[k * p + k] = 1.0;
        d[k] = held ? 0.0 : -g[k];
    }
    if (!slip_cholesky(p, B)) return false;
    slip_cholesky_solve(p, B, d);
    for (int k = 0; k < p; k++) next[k] = within(f, k, x[k] + d[k]);
    return true;
}

// minimises from x on; the sum of squares in *best. False when not even the start can be run
static bool minimise(fitting *f, double *x, double *best, int *iterations, bool *converged)
{
    double A[SLIP_FIT_MOST_FREE * SLIP_FIT_MOST_FREE], g[SLIP_FIT_MOST_FREE], next[SLIP_FIT_MOST_FREE],
        lambda = 1e-3;
    *converged = false;
    if (!residuals(f, x, f->r)) return false;
    *best = squares(f, f->r);
    for (*iterations = 0; *iterations < f->def->max_iterations && !*converged; ++*iterations) {
        if (!jacobian(f, x)) return f->status == SLIP_OK;
        normal_equations(f, A, g);
        bool better = false;
        for (int trial = 0; trial < 12 && !better && !*converged; trial++, lambda *= 10.0) {
            if (!damped(f, A, g, lambda, x, next)) continue;
            double moved = 0.0;
            for (int k = 0; k < f->p; k++) moved = fmax(moved, fabs(next[k] - x[k]) / f->scale[k]);
            if (!residuals(f, next, f->trial)) {
                if (f->status != SLIP_OK && f->status != SLIP_BAD_MODEL) return false;
                continue; // out of range: shorter
            }
            double sum = squares(f, f->trial);
            better = sum < *best;
            *converged = moved < 1e-6 || (better && *best - sum < 1e-10 * *best);
            if (!better) continue;
            memcpy(x, next, (size_t)f->p * sizeof *x);
            memcpy(f->r, f->trial, (size_t)f->n * sizeof *f->r);
            *best = sum;
            lambda *= 1e-2; // and the loop multiplies by 10
        }
        if (!better) *converged = true; // no downhill step left
        if (f->def->progress && !f->def->progress(f->def->context, *iterations + 1, sqrt(*best / f->n)))
            break;
    }
    f->status = SLIP_OK;
    return true;
}

// -------------------------------------------------------------------------------------- what it is worth

// two-sided quantile of the normal distribution by bisection on erfc
static double normal_quantile(double confidence)
{
    double low = 0.0, high = 10.0;
    for (int k = 0; k < 80; k++) {
        double middle = 0.5 * (low + high);
        if (1.0 - erfc(middle / sqrt(2.0)) < confidence)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static bool covariance(fitting *f, double *x, slip_fit *fit)
{
    int p = f->p;
    double A[SLIP_FIT_MOST_FREE * SLIP_FIT_MOST_FREE], g[SLIP_FIT_MOST_FREE],
        C[SLIP_FIT_MOST_FREE][SLIP_FIT_MOST_FREE];
    if (!jacobian(f, x)) return false;
    normal_equations(f, A, g);
    double variance = squares(f, f->r) / fmax(1.0, f->n - p), root[SLIP_FIT_MOST_FREE];
    bool all = true;
    for (int k = 0; k < p; k++) {
        root[k] = sqrt(A[k * p + k]);
        fit->unseen[k] = !(root[k] > 0.0);
        all = all && !fit->unseen[k];
    }
    if (!all) return false;
    for (int j = 0; j < p; j++)
        for (int k = 0; k < p; k++) A[j * p + k] /= root[j] * root[k];
    if (!slip_cholesky(p, A)) return false;
    double least = INFINITY, most = 0.0; // diagonal of the factor: a cheap condition number
    for (int k = 0; k < p; k++) least = fmin(least, A[k * p + k]), most = fmax(most, A[k * p + k]);
    fit->condition = most / least;
    for (int k = 0; k < p; k++) {
        double e[SLIP_FIT_MOST_FREE] = { 0 };
        e[k] = 1.0;
        slip_cholesky_solve(p, A, e);
        for (int j = 0; j < p; j++) C[j][k] = variance * e[j] / (root[j] * root[k]);
    }
    for (int j = 0; j < p; j++) {
        fit->error[j] = sqrt(C[j][j]);
        for (int k = 0; k < p; k++) fit->correlation[j][k] = C[j][k] / sqrt(C[j][j] * C[k][k]);
    }
    return true;
}

// no covariance: nothing is known about errors, and that is not the same as no correlation
static void forget_errors(slip_fit *fit)
{
    fit->condition = INFINITY;
    for (int j = 0; j < fit->free_count; j++) {
        fit->error[j] = INFINITY;
        for (int k = 0; k < fit->free_count; k++) fit->correlation[j][k] = NAN;
    }
}

// where the best sum of squares with parameter k held there has grown to `level`: the border of the profile
static double profile_border(fitting *f, const slip_fit *fit, int k, int side, double best, double level)
{
    double x[SLIP_FIT_MOST_FREE], a = 0.0, b = 0.0, fa = best - level, fb = NAN, width = 1.3 * fit->error[k];
    memcpy(x, fit->value, sizeof x);
    f->held[k] = true;
    for (int round = 0; round < 14; round++) {
        double s = isnan(fb) ? b + width * (1 << (round > 4 ? 4 : round))
                             : a + (b - a) * fmin(fmax(-fa / (fb - fa), 0.1), 0.9);
        double y[SLIP_FIT_MOST_FREE], sum;
        int iterations;
        bool converged;
        memcpy(y, x, sizeof y);
        y[k] = within(f, k, fit->value[k] + side * s);
        s = fabs(y[k] - fit->value[k]);
        if (s <= b && isnan(fb)) break; // a bound: the profile does not end before it
        if (!minimise(f, y, &sum, &iterations, &converged)) break;
        double value = sum - level;
        if (value < 0.0) {
            a = s, fa = value;
            memcpy(x, y, sizeof x);
            if (isnan(fb)) b = s;
        } else {
            b = s, fb = value;
        }
        if (!isnan(fb) && (b - a < 0.01 * b || fabs(value) < 1e-3 * (level - best))) break;
    }
    f->held[k] = false;
    return isnan(fb) ? within(f, k, side > 0 ? INFINITY : -INFINITY)
                     : fit->value[k] + side * (fabs(fa) < fabs(fb) ? a : b);
}

static void judge(fitting *f, slip_fit *fit, double best)
{
    double z = normal_quantile(f->def->confidence), N = f->n;
    fit->rms = sqrt(best / N);
    fit->aic = N * log(best / N) + 2.0 * (f->p + 1);
    fit->bic = N * log(best / N) + log(N) * (f->p + 1);
    for (int k = 0; k < f->p; k++) {
        fit->low[k] = fit->value[k] - z * fit->error[k];
        fit->high[k] = fit->value[k] + z * fit->error[k];
        fit->profile_low[k] = fit->profile_high[k] = NAN;
    }
    double level = best * (1.0 + z * z / fmax(1.0, N - f->p));
    for (int k = 0; k < f->p && f->def->profile; k++) {
        fit->profile_low[k] = profile_border(f, fit, k, -1, best, level);
        fit->profile_high[k] = profile_border(f, fit, k, 1, best, level);
    }
}

// ------------------------------------------------------------------------------------------ the whole

// the guess, and how large a change of each parameter is a large one
static bool first_guess(fitting *f, double *x)
{
    slip_model *model = load(f, NULL);
    if (!model) return false;
    for (int k = 0; k < f->p; k++) {
        bool shift = strcmp(f->def->free[k], "t0") == 0;
        x[k] = shift ? 0.0 : NAN;
        for (int j = 0; j < slip_model_parameter_count(model); j++)
            if (strcmp(slip_model_parameter_name(model, j), f->def->free[k]) == 0)
                x[k] = slip_model_parameter_value(model, j);
        if (isnan(x[k])) {
            f->status = slip_fail(f->error, SLIP_UNKNOWN_NAME, f->def->free[k], "is no parameter of %s",
                                  f->def->model);
            break;
        }
        if (f->def->start) x[k] = f->def->start[k];
        x[k] = within(f, k, x[k]);
        f->scale[k] = x[k] != 0.0 ? fabs(x[k]) : shift ? 0.01 * f->data->t[f->data->rows - 1] : 1.0;
        double width = upper_bound(f, k) - lower_bound(f, k);
        if (isfinite(width)) f->scale[k] = fmax(f->scale[k], 0.1 * width);
    }
    slip_model_destroy(model);
    return f->status == SLIP_OK;
}

slip_status slip_fit_guess(const slip_fit_def *def, const slip_fit_data *data, slip_error *error, double *x,
                           double *scale)
{
    fitting f = { .def = def, .data = data, .error = error, .p = def->free_count };
    if (first_guess(&f, x)) memcpy(scale, f.scale, sizeof f.scale);
    return f.status;
}

static slip_status check(const slip_fit_def *def, const slip_fit_data *data, slip_error *error)
{
    if (def->free_count < 1 || def->free_count > SLIP_FIT_MOST_FREE)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "free", "1 to %d parameters, got %d", SLIP_FIT_MOST_FREE,
                         def->free_count);
    if (data->rows * data->columns <= def->free_count)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "data", "%d values cannot determine %d parameters",
                         data->rows * data->columns, def->free_count);
    if (!(def->confidence > 0.0 && def->confidence < 1.0))
        return slip_fail(error, SLIP_BAD_ARGUMENT, "confidence", "lies between 0 and 1, got %g",
                         def->confidence);
    for (int k = 0; k < def->free_count && def->lower && def->upper; k++)
        if (!(def->lower[k] < def->upper[k]))
            return slip_fail(error, SLIP_BAD_ARGUMENT, def->free[k], "its bounds %g and %g leave nothing",
                             def->lower[k], def->upper[k]);
    return SLIP_OK;
}

slip_status slip_fit_run(const slip_fit_def *def, const slip_fit_data *data, slip_error *error,
                         slip_fit **out)
{
    *out = NULL;
    slip_status status = check(def, data, error);
    if (status != SLIP_OK) return status;
    slip_error local = { 0 };
    if (def->starts > 1) return slip_fit_from_many(def, data, error ? error : &local, out);
    fitting f = { .def = def,
                  .data = data,
                  .error = error ? error : &local,
                  .p = def->free_count,
                  .n = data->rows * data->columns };
    size_t n = (size_t)f.n, p = (size_t)f.p;
    slip_fit *fit = calloc(1, sizeof *fit);
    double *memory = calloc(n * (p + 3), sizeof *memory);
    if (!fit || !memory) {
        free(fit), free(memory);
        return slip_fail(error, SLIP_NO_MEMORY, "fit", "out of memory");
    }
    f.r = memory, f.trial = memory + n, f.shifted = memory + 2 * n, f.J = memory + 3 * n;
    double best = NAN;
    fit->free_count = f.p;
    fit->residual_count = f.n;
    bool good =
        first_guess(&f, fit->value) && minimise(&f, fit->value, &best, &fit->iterations, &fit->converged);
    if (!good && f.status == SLIP_OK)
        f.status = slip_fail(f.error, SLIP_BAD_ARGUMENT, "start",
                             "the model cannot be run with the parameters it starts from");
    if (good) {
        fit->residual = malloc(n * sizeof *fit->residual);
        if (fit->residual) memcpy(fit->residual, f.r, n * sizeof *fit->residual);
        if (!covariance(&f, fit->value, fit)) forget_errors(fit);
        f.status = SLIP_OK;
        judge(&f, fit, best);
        f.status = fit->residual ? SLIP_OK : SLIP_NO_MEMORY;
    }
    for (int k = 0; k < f.p; k++)
        fit->at_bound[k] = fit->value[k] <= lower_bound(&f, k) || fit->value[k] >= upper_bound(&f, k);
    fit->starts = fit->agreed = 1;
    fit->runs = f.runs;
    free(memory);
    if (f.status != SLIP_OK) {
        slip_fit_free(fit);
        return f.status;
    }
    *out = fit;
    return SLIP_OK;
}

void slip_fit_free(slip_fit *fit)
{
    if (fit) free(fit->residual);
    free(fit);
}
