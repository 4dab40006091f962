/// fit_report.c: a fit as a page.
#include "fit_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"
#include "terminal.h"

// ------------------------------------------------------------------------------------- the fitted run

// with the estimates, "mu=0.123"; t0 is not a parameter of the model
static slip_model *fitted_model(const cli_fit_report *what)
{
    char text[SLIP_FIT_MOST_FREE][120];
    const char *changes[SLIP_FIT_MOST_FREE];
    int count = 0;
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    for (int k = 0; k < what->fit->free_count; k++) {
        if (strcmp(what->names[k], "t0") == 0) continue;
        snprintf(text[k], sizeof text[k], "%.80s=%.17g", what->names[k], what->fit->value[k]);
        changes[count++] = text[k];
    }
    if (notes) slip_model_vary(what->model, changes, count, notes, &model);
    slip_diagnostics_destroy(notes);
    return model;
}

static double shift_of(const cli_fit_report *what)
{
    for (int k = 0; k < what->fit->free_count; k++)
        if (strcmp(what->names[k], "t0") == 0) return what->fit->value[k];
    return 0.0;
}

// as long as the data
static slip_status record(const cli_args *args, const cli_fit_report *what, const slip_model *model,
                          slip_recording *recording, slip_error *error)
{
    slip_sim_def def = slip_default_sim_def();
    slip_run_def run = slip_default_run_def();
    slip_run_info info;
    slip_sim *sim = NULL;
    if (cli_args_has(args, "formulation")) def.formulation = cli_args_value(args, "formulation")->text;
    if (cli_args_has(args, "relative")) def.relative = cli_args_value(args, "relative")->number;
    if (cli_args_has(args, "absolute")) def.absolute = cli_args_value(args, "absolute")->number;
    double end = what->data->rows ? what->data->t[what->data->rows - 1] + shift_of(what) : 0.0;
    if (end > 0.0) def.until = end;
    def.draw = true;
    run.observer = slip_recording_observer(recording);
    slip_status status = slip_sim_create(model, &def, error, &sim);
    if (status == SLIP_OK) status = slip_run(sim, &run, &info, error);
    slip_sim_destroy(sim);
    return status;
}

// ------------------------------------------------------------------------------------------- findings

enum { MOST_FOUND = 3 * SLIP_FIT_MOST_FREE + 4, FOUND_LENGTH = 240 };

typedef struct findings {
    char text[MOST_FOUND][FOUND_LENGTH];
    slip_finding list[MOST_FOUND];
    int count;
} findings;

static char *next(findings *f, slip_tone tone)
{
    f->list[f->count] = (slip_finding){ tone, f->text[f->count] };
    return f->text[f->count++];
}

static void find(findings *f, const cli_fit_report *what)
{
    const slip_fit *fit = what->fit;
    for (int k = 0; k < fit->free_count; k++)
        snprintf(next(f, SLIP_TONE_GOOD), FOUND_LENGTH,
                 "%.60s = %.6g, standard error %.2g; %g %% interval %.6g to %.6g.", what->names[k],
                 fit->value[k], fit->error[k], 100.0 * what->confidence, fit->low[k], fit->high[k]);
    for (int k = 0; k < fit->free_count; k++) {
        if (fit->unseen[k])
            snprintf(next(f, SLIP_TONE_BAD), FOUND_LENGTH, "The data do not depend on %.60s at all.",
                     what->names[k]);
        if (fit->at_bound[k])
            snprintf(next(f, SLIP_TONE_WARN), FOUND_LENGTH,
                     "%.60s is stopped by its bound, which its interval does not know.", what->names[k]);
    }
    if (!(fit->condition < 10.0))
        snprintf(next(f, SLIP_TONE_WARN), FOUND_LENGTH,
                 "The data hardly determine these parameters together (condition %.3g).", fit->condition);
    snprintf(next(f, fit->converged ? SLIP_TONE_PLAIN : SLIP_TONE_BAD), FOUND_LENGTH,
             "Residuals of rms %.4g over %d values; %d iterations, %d runs%s.", fit->rms, fit->residual_count,
             fit->iterations, fit->runs, fit->converged ? "" : "; NOT converged");
    if (fit->starts > 1)
        snprintf(next(f, fit->agreed > 1 ? SLIP_TONE_PLAIN : SLIP_TONE_WARN), FOUND_LENGTH,
                 "%d of %d starts ended at this sum of squares%s.", fit->agreed, fit->starts,
                 fit->agreed == 1 ? ": there may be a better one still" : "");
}

int cli_fit_report_write(const cli_args *args, const cli_fit_report *what, cli_json_text *object, int code)
{
    findings *found = calloc(1, sizeof *found);
    slip_model *model = fitted_model(what);
    slip_recording *recording = NULL;
    slip_error error = { .text = "out of memory" };
    slip_status status = found && model ? slip_recording_create(NULL, &error, &recording) : SLIP_NO_MEMORY;
    if (status == SLIP_OK) status = record(args, what, model, recording, &error);
    slip_report_def def = slip_default_report_def();
    def.model = what->model;
    if (status == SLIP_OK) {
        find(found, what);
        def.runs = &recording, def.run_count = 1;
        def.found = found->list, def.found_count = found->count;
        def.fitted = what->fit, def.data = what->data;
        code = cli_report_object(args, &def, "fit", object, code);
    } else {
        code = cli_report_error(false, &error);
        if (object->stream) fclose(object->stream);
        free(object->text);
    }
    slip_recording_destroy(recording);
    slip_model_destroy(model);
    free(found);
    return code;
}
