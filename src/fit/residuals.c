/// fit/residuals.c: one run of the model, compared with the data.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "fit/fitting.h"
#include "sim/sim.h"
#include "slipstick/diagnostics.h"

slip_model *slip_fitting_load(slip_fitting *f, const double *x)
{
    char text[SLIP_FIT_MAX_FREE][128];
    const char *changes[SLIP_FIT_MAX_FREE];
    int count = 0;
    for (int k = 0; k < f->p; k++) {
        if (strcmp(f->def->free[k], "t0") == 0) continue;
        snprintf(text[k], sizeof text[k], "%.90s=%.17g", f->def->free[k], x[k]);
        changes[count++] = text[k];
    }
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    f->status = notes ? slip_model_vary(f->def->model, changes, count, notes, &model) : SLIP_NO_MEMORY;
    if (f->status != SLIP_OK) {
        char *said = notes ? slip_diagnostics_text(notes) : NULL;
        slip_fail(f->error, f->status, slip_model_file(f->def->model), "%.150s",
                  said ? said : "out of memory");
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

static void compare(const slip_fitting *f, const int *column, int row, const double *model, double *r)
{
    int c = f->data->columns;
    for (int k = 0; k < c; k++) r[row * c + k] = f->data->value[row * c + k] - model[column[k]];
}

// steps through the run and looks at every time of the data
static bool sample(slip_fitting *f, slip_sim *sim, double shift, double *r)
{
    int column[SLIP_FIT_MAX_COLUMNS];
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
    slip_sim_run_on(sim);
    slip_run_outcome outcome = slip_sim_observe(sim);
    for (int k = 0; k < f->data->rows && outcome == SLIP_RUNNING; k++) {
        double t = fmax(f->data->t[k] + shift, 0.0);
        while (outcome == SLIP_RUNNING && slip_sim_reach(sim) < t)
            outcome = f->def->stop && *f->def->stop ? SLIP_STOPPED : slip_sim_step(sim);
        if (outcome == SLIP_DONE) outcome = SLIP_RUNNING;
        if (outcome != SLIP_RUNNING) break;
        if (slip_sim_time(sim) >= t)
            slip_sim_columns(sim, row);
        else
            outcome = slip_sim_peek(sim, t, row);
        compare(f, column, k, row, r);
    }
    free(row);
    if (outcome == SLIP_STOPPED)
        f->status = slip_fail(f->error, SLIP_BAD_ARGUMENT, "fit", "stopped before a search had ended");
    return outcome == SLIP_RUNNING;
}

bool slip_fitting_residuals(slip_fitting *f, const double *x, double *r)
{
    double shift = 0.0;
    for (int k = 0; k < f->p; k++)
        if (strcmp(f->def->free[k], "t0") == 0) shift = x[k];
    slip_model *model = slip_fitting_load(f, x);
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

double slip_fitting_squares(const slip_fitting *f, const double *r)
{
    double sum = 0.0;
    for (int k = 0; k < f->n; k++) sum += r[k] * r[k];
    return sum;
}
