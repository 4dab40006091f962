/// study/fit/fit.c: parameters of a model from data: where the search starts, and the answer put together.
#include "slipstick/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diagnostics.h"
#include "base/status.h"
#include "base/text.h"
#include "study/fit/fit_search.h"
#include "study/fit/fitting.h"
#include "study/fit/lack_of_fit.h"
#include "study/fit/multistart.h"
#include "study/fit/fit_tolerances.h"

slip_fit_def slip_default_fit_def(void)
{
    return (slip_fit_def){ .relative = NAN, .absolute = NAN, .max_iterations = 40, .confidence = 0.9 };
}

static slip_status unknown_parameter(slip_fitting *f, const char *name)
{
    const slip_model *model = f->def->model;
    const char *names[64];
    int count = 0;
    for (; count < 64 && count < slip_model_parameter_count(model); count++)
        names[count] = slip_model_parameter_name(model, count);
    char near[96];
    slip_suggest_name(name, names, count, near, sizeof near);
    return slip_fail(f->error, SLIP_UNKNOWN_NAME, name, "is not a parameter of %s%s%s",
                     slip_model_file(model), near[0] ? "; " : "", near);
}

// The start of the search, and the size of each parameter.
static bool first_guess(slip_fitting *f, double *x)
{
    const slip_model *model = f->def->model;
    for (int k = 0; k < f->p; k++) {
        bool shift = strcmp(f->def->free[k], "t0") == 0;
        x[k] = shift ? 0.0 : NAN;
        for (int j = 0; j < slip_model_parameter_count(model); j++)
            if (strcmp(slip_model_parameter_name(model, j), f->def->free[k]) == 0)
                x[k] = slip_model_parameter_value(model, j);
        if (isnan(x[k])) {
            f->status = unknown_parameter(f, f->def->free[k]);
            break;
        }
        if (f->def->start) x[k] = f->def->start[k];
        x[k] = slip_fitting_clamp(f, k, x[k]);
        f->scale[k] = x[k] != 0.0 ? fabs(x[k])
                      : shift     ? SCALE_OF_RECORD * f->data->t[f->data->rows - 1]
                                  : 1.0;
        double width = slip_fitting_bounds_width(f, k);
        if (isfinite(width)) f->scale[k] = fmax(f->scale[k], SCALE_OF_BOUNDS * width);
    }
    return f->status == SLIP_OK;
}

slip_status slip_fit_initial_guess(const slip_fit_def *def, const slip_fit_data *data, slip_error *error,
                                   double *x, double *scale)
{
    slip_fitting f = { .def = def, .data = data, .error = error, .p = def->free_count };
    if (first_guess(&f, x)) memcpy(scale, f.scale, sizeof f.scale);
    return f.status;
}

static slip_status check_fit_def(const slip_fit_def *def, const slip_fit_data *data, slip_error *error)
{
    if (!def->model) return slip_fail(error, SLIP_BAD_ARGUMENT, "model", "must be given");
    if (def->free_count < 1 || def->free_count > SLIP_FIT_MAX_FREE)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "free", "1 to %d parameters, got %d", SLIP_FIT_MAX_FREE,
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

static bool keep_names(slip_fit *fit, const slip_fit_def *def)
{
    for (int k = 0; k < def->free_count; k++) {
        slip_text copy = { 0 };
        slip_text_add(&copy, "%s", def->free[k]);
        fit->names[k] = slip_text_take(&copy);
        if (!fit->names[k]) return false;
    }
    return true;
}

// Runs the search; fit_uncertainty.c judges the result.
static void run_search(slip_fitting *f, slip_fit *fit)
{
    double best = NAN;
    bool good = first_guess(f, fit->value) &&
                slip_fitting_search(f, fit->value, &best, &fit->iterations, &fit->converged);
    if (!good && f->status == SLIP_OK)
        f->status = slip_fail(f->error, SLIP_BAD_ARGUMENT, "start",
                              "the model cannot be run with the parameters it starts from");
    if (good) memcpy(fit->residual, f->r, (size_t)f->n * sizeof *fit->residual);
    fit->rms = sqrt(best / f->n);
    for (int k = 0; k < f->p; k++) fit->at_bound[k] = slip_fitting_at_bound(f, k, fit->value[k]);
    fit->starts = fit->agreed = 1;
}

static void run_uncertainty(slip_fitting *f, slip_fit *fit)
{
    double start[SLIP_FIT_MAX_FREE];
    if (!first_guess(f, start)) return;
    f->finishing = true;
    memcpy(f->r, fit->residual, (size_t)f->n * sizeof *f->r);
    slip_fitting_uncertainty(f, fit, slip_fitting_squares(f, f->r));
}

static void search_and_judge(slip_fitting *f, slip_fit *fit)
{
    run_search(f, fit);
    if (f->status == SLIP_OK) run_uncertainty(f, fit);
}

// Calls `action` with a workspace; a NULL `fit` counts as out of memory.
static slip_status with_workspace(slip_fitting *f, slip_fit *fit,
                                  void (*action)(slip_fitting *f, slip_fit *fit))
{
    f->p = f->def->free_count, f->n = f->data->rows * f->data->columns;
    size_t n = (size_t)f->n, p = (size_t)f->p;
    double *memory = calloc(n * (2 * p + 3), sizeof *memory);
    if (fit && memory && slip_fit_data_noise(f->data, f->noise)) {
        f->r = memory, f->trial = memory + n, f->shifted = memory + 2 * n, f->J = memory + 3 * n;
        f->slopes = f->J + n * p;
        action(f, fit);
        fit->runs += f->runs;
    } else {
        f->status = slip_fail(f->error, SLIP_NO_MEMORY, "fit", "out of memory");
    }
    slip_fitting_destroy(f);
    free(memory);
    return f->status;
}

static slip_fit *create_fit(const slip_fit_def *def, int residuals)
{
    slip_fit *fit = calloc(1, sizeof *fit);
    if (!fit) return NULL;
    fit->free_count = def->free_count;
    fit->residual_count = residuals;
    fit->confidence = def->confidence;
    fit->residual = calloc((size_t)residuals, sizeof *fit->residual);
    if (keep_names(fit, def) && fit->residual) return fit;
    slip_fit_destroy(fit);
    return NULL;
}

// Calls `action` with a new fit, which is returned if there is no error.
static slip_status with_new_fit(slip_fitting *f, void (*action)(slip_fitting *f, slip_fit *fit),
                                slip_fit **out)
{
    slip_fit *fit = create_fit(f->def, f->data->rows * f->data->columns);
    const slip_status status = with_workspace(f, fit, action);
    if (status == SLIP_OK)
        *out = fit;
    else
        slip_fit_destroy(fit);
    return status;
}

slip_status slip_fit_search(const slip_fit_def *def, const slip_fit_data *data, slip_error *error,
                            slip_fit_search_end *end, slip_fit **out)
{
    slip_fitting f = { .def = def, .data = data, .error = error };
    const slip_status status = with_new_fit(&f, run_search, out);
    slip_lack_of_fit judged = { 0 };
    *end = (slip_fit_search_end){ .no_slopes = f.no_slopes, .interrupted = f.interrupted };
    if (status == SLIP_OK && slip_lack_of_fit_test(data, f.noise, (*out)->residual, &judged))
        end->noise = judged.kind == SLIP_RESIDUALS_NOISE;
    return status;
}

slip_status slip_fit_find_uncertainty(const slip_fit_def *def, const slip_fit_data *data, slip_error *error,
                                      bool no_slopes, slip_fit *fit)
{
    slip_fitting f = { .def = def, .data = data, .error = error, .no_slopes = no_slopes };
    return with_workspace(&f, fit, run_uncertainty);
}

slip_status slip_fit_run(const slip_fit_def *def, const slip_fit_data *data, slip_error *error,
                         slip_fit **out)
{
    *out = NULL;
    slip_status status = check_fit_def(def, data, error);
    if (status != SLIP_OK) return status;
    slip_error local = { 0 };
    if (!error) error = &local;
    if (def->starts != 1) return slip_fit_multistart(def, data, error, out);
    slip_fitting f = { .def = def, .data = data, .error = error };
    return with_new_fit(&f, search_and_judge, out);
}

void slip_fit_destroy(slip_fit *fit)
{
    if (!fit) return;
    for (int k = 0; k < SLIP_FIT_MAX_FREE; k++) free(fit->names[k]);
    free(fit->residual);
    free(fit);
}
