/// study/analysis/critical_parameter.c: up to where along a parameter the contact problem at the start has one solution.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"
#include "model/model.h"
#include "slipstick/analysis.h"
#include "slipstick/domain_map.h"
#include "slipstick/diagnostics.h"

slip_critical_def slip_default_critical_def(void)
{
    return (slip_critical_def){ .low = 0.0, .high = 1.0, .intervals = 64 };
}

static slip_status load_variation(const slip_critical_def *def, double value, slip_error *error,
                                  slip_model **model)
{
    char text[128];
    const char *const change = text;
    snprintf(text, sizeof text, "%.90s=%.17g", def->parameter, value);
    slip_diagnostics *notes = slip_diagnostics_create();
    if (!notes) return slip_fail(error, SLIP_NO_MEMORY, def->parameter, "out of memory");
    slip_status status = slip_model_vary(def->model, &change, 1, notes, model);
    if (status != SLIP_OK) {
        char *said = slip_diagnostics_text(notes);
        slip_fail(error, status, slip_model_file(def->model), "%.150s", said ? said : "out of memory");
        free(said);
    }
    slip_diagnostics_destroy(notes);
    return status;
}

// solutions at the start of the model
static slip_status count_at(const slip_critical_def *def, double value, slip_error *error, int *solutions)
{
    slip_model *model = NULL;
    slip_analysis *analysis = NULL;
    slip_status status = load_variation(def, value, error, &model);
    if (status != SLIP_OK) return status;
    status = slip_analysis_create(model, NULL, error, &analysis);
    size_t n = (size_t)model->coordinate_count;
    double *x = malloc((2 * n + 1) * sizeof *x);
    if (status == SLIP_OK && !x) status = slip_fail(error, SLIP_NO_MEMORY, def->parameter, "out of memory");
    for (size_t k = 0; k < n && status == SLIP_OK; k++)
        x[k] = model->coordinates[k].start, x[n + k] = model->coordinates[k].rate;
    if (status == SLIP_OK) status = slip_analysis_at(analysis, 0.0, x, x + n, error);
    if (status == SLIP_OK) {
        *solutions = slip_analysis_solution_count(analysis);
        if (slip_analysis_contact_count(analysis) == 0)
            status = slip_fail(error, SLIP_UNSUPPORTED, slip_model_file(def->model),
                               "nothing touches at the start, so there is no contact problem");
        else if (*solutions < 0)
            status = slip_fail(error, SLIP_UNSUPPORTED, slip_model_file(def->model),
                               "too many contacts touch at the start to count solutions");
    }
    free(x);
    slip_analysis_destroy(analysis);
    slip_model_destroy(model);
    return status;
}

// between a and b, where the count leaves border->before, to rounding
static slip_status bisect_critical(const slip_critical_def *def, double a, double b, slip_error *error,
                                   slip_critical *border)
{
    for (double c = 0.5 * (a + b); c > a && c < b; c = 0.5 * (a + b)) {
        int here;
        slip_status status = count_at(def, c, error, &here);
        if (status != SLIP_OK) return status;
        if (here == border->before)
            a = c;
        else
            b = c, border->after = here;
    }
    border->at = a;
    return SLIP_OK;
}

static slip_status check_critical_def(const slip_critical_def *def, slip_error *error)
{
    if (!def->model || !def->parameter)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "critical", "a model and a parameter must be given");
    if (!isfinite(def->low) || !isfinite(def->high) || !(def->low < def->high) || def->intervals < 1)
        return slip_fail(error, SLIP_BAD_ARGUMENT, def->parameter,
                         "is looked at from a number to a larger one, got %g:%g", def->low, def->high);
    return SLIP_OK;
}

slip_status slip_find_critical(const slip_critical_def *def, slip_error *error, slip_critical *out)
{
    *out = (slip_critical){ .at = NAN };
    slip_status status = check_critical_def(def, error);
    if (status != SLIP_OK) return status;
    snprintf(out->parameter, sizeof out->parameter, "%s", def->parameter);
    out->low = def->low, out->high = def->high;
    status = count_at(def, def->low, error, &out->before);
    out->after = out->before;
    double width = (def->high - def->low) / def->intervals;
    for (int k = 1; status == SLIP_OK && k <= def->intervals && out->after == out->before; k++) {
        double b = k < def->intervals ? def->low + k * width : def->high;
        status = count_at(def, b, error, &out->after);
        if (status == SLIP_OK && out->after != out->before)
            return bisect_critical(def, def->low + (k - 1) * width, b, error, out);
    }
    return status;
}

static const char *solutions_text(int count)
{
    return count == 0 ? "no solution" : count == 1 ? "one solution" : "several solutions";
}

const char *slip_critical_text(const slip_critical *c, char *text, size_t size)
{
    if (isnan(c->at))
        snprintf(text, size, "%s from %g to %g: %s throughout", c->parameter, c->low, c->high,
                 solutions_text(c->before));
    else
        snprintf(text, size, "%s from %g to %.14g: %s; above: %s", c->parameter, c->low, c->at,
                 solutions_text(c->before), solutions_text(c->after));
    return text;
}
