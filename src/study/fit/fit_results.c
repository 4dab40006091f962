/// study/fit/fit_results.c: what is done with a fit: its model, its JSON, its residuals as a table.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "study/fit/fit_json.h"
#include "study/fit/fitting.h"

slip_status slip_fit_model(const slip_fit_def *def, const slip_fit *fit, slip_error *error,
                           slip_model **model)
{
    slip_fitting f = { .def = def, .error = error, .p = fit->free_count };
    *model = slip_fitting_model(&f, fit->value);
    return f.status;
}

slip_sim_def slip_fit_settings(const slip_fit_def *def, const slip_fit *fit, const slip_fit_data *data)
{
    slip_sim_def settings = slip_default_sim_def();
    double end = data->rows ? data->t[data->rows - 1] : 0.0;
    for (int k = 0; k < fit->free_count; k++)
        if (strcmp(def->free[k], "t0") == 0) end += fit->value[k];
    settings.formulation = def->formulation;
    settings.relative = def->relative, settings.absolute = def->absolute;
    if (end > 0.0) settings.until = end;
    return settings;
}

// --------------------------------------------------------------------------------------------- JSON

static void add_names(slip_json *json, const char *key, const slip_fit *fit, const bool *chosen)
{
    slip_json_open(json, key, '[');
    for (int k = 0; k < fit->free_count; k++)
        if (!chosen || chosen[k]) slip_json_text(json, NULL, fit->names[k]);
    slip_json_close(json, ']');
}

static void add_residuals(slip_json *json, const slip_fit *fit)
{
    slip_json_bool(json, "lack_of_fit", fit->lack_of_fit);
    slip_json_number(json, "noise", fit->noise);
    slip_json_text(json, "residual_column", fit->residual_column);
    slip_json_number(json, "residual_rms", fit->residual_rms);
    slip_json_number(json, "residual_runs", fit->residual_runs);
    slip_json_number(json, "residual_frequency", fit->residual_frequency);
}

static void add_combinations(slip_json *json, const slip_fit *fit)
{
    slip_json_open(json, "combinations", '[');
    for (int k = 0; k < fit->combination_count; k++) {
        const slip_fit_combination *c = &fit->combination[k];
        slip_json_open(json, NULL, '{');
        slip_json_text(json, "formula", c->formula);
        slip_json_number(json, "value", c->value);
        slip_json_number(json, "error", c->error);
        slip_json_number(json, "low", c->low);
        slip_json_number(json, "high", c->high);
        slip_json_close(json, '}');
    }
    slip_json_close(json, ']');
}

static void add_fit(slip_json *json, const slip_fit *fit)
{
    int p = fit->free_count;
    add_names(json, "free", fit, NULL);
    slip_json_numbers(json, "value", fit->value, p);
    slip_json_numbers(json, "error", fit->error, p);
    slip_json_numbers(json, "error_independent", fit->error_independent, p);
    slip_json_number(json, "effective", fit->effective);
    slip_json_number(json, "confidence", fit->confidence);
    slip_json_numbers(json, "low", fit->low, p);
    slip_json_numbers(json, "high", fit->high, p);
    slip_json_numbers(json, "profile_low", fit->profile_low, p);
    slip_json_numbers(json, "profile_high", fit->profile_high, p);
    slip_json_open(json, "correlation", '[');
    for (int k = 0; k < p; k++) slip_json_numbers(json, NULL, fit->correlation[k], p);
    slip_json_close(json, ']');
    add_names(json, "unseen", fit, fit->unseen);
    add_names(json, "undetermined", fit, fit->undetermined);
    add_combinations(json, fit);
    add_residuals(json, fit);
    add_names(json, "at_bound", fit, fit->at_bound);
    slip_json_number(json, "condition", fit->condition);
    slip_json_number(json, "rms", fit->rms);
    slip_json_number(json, "aic", fit->aic); // of a perfect fit: minus infinity
    slip_json_number(json, "bic", fit->bic);
    slip_json_integer(json, "residuals", fit->residual_count);
    slip_json_integer(json, "iterations", fit->iterations);
    slip_json_integer(json, "runs", fit->runs);
    slip_json_integer(json, "starts", fit->starts);
    slip_json_integer(json, "agreed", fit->agreed);
    slip_json_bool(json, "converged", fit->converged);
    slip_json_bool(json, "exact", fit->exact);
}

void slip_fit_add_json(slip_json *json, const slip_fit *fit, const slip_fit *against)
{
    add_fit(json, fit);
    if (!against) return;
    slip_json_open(json, "against", '{');
    add_fit(json, against);
    slip_json_close(json, '}');
    slip_json_number(json, "aic_difference", against->aic - fit->aic);
    slip_json_number(json, "bic_difference", against->bic - fit->bic);
}

char *slip_fit_json(const slip_fit *fit, const slip_fit *against)
{
    slip_json json = { 0 };
    slip_json_open(&json, NULL, '{');
    slip_fit_add_json(&json, fit, against);
    slip_json_close(&json, '}');
    return slip_json_take(&json);
}

// ---------------------------------------------------------------------------------------------- CSV

slip_status slip_fit_write_csv(const slip_fit *fit, const slip_fit_data *data, const char *path,
                               slip_error *error)
{
    slip_text text = { 0 };
    slip_text_add(&text, "t");
    for (int k = 0; k < data->columns; k++) slip_text_add(&text, ",%s", data->name[k]);
    for (int i = 0; i < data->rows; i++) {
        slip_text_bytes(&text, "\n", 1);
        slip_text_number(&text, data->t[i]);
        for (int k = 0; k < data->columns; k++)
            slip_text_bytes(&text, ",", 1), slip_text_number(&text, fit->residual[i * data->columns + k]);
    }
    slip_text_add(&text, "\n");
    return slip_text_write(&text, path, error);
}
