/// study/fit/fit_residuals.c: one run of the model, compared with the data.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "study/fit/fitting.h"
#include "simulation/sim/sim.h"
#include "slipstick/diagnostics.h"
#include "study/fit/fit_tolerances.h"

slip_model *slip_fitting_model(slip_fitting *f, const double *x)
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

static int column_index(const slip_sim *sim, const char *name)
{
    for (int k = 0; k < slip_sim_column_count(sim); k++)
        if (strcmp(slip_sim_column_name(sim, k), name) == 0) return k;
    return -1;
}

/// Quantities that are read from a run at the times of the data.
typedef struct run_reading {
    slip_fitting *f;
    int column[SLIP_FIT_MAX_COLUMNS];
    int slope[SLIP_FIT_MAX_FREE][SLIP_FIT_MAX_COLUMNS]; ///< columns d(x)/d(p); -1: not read
    double *r;                                          ///< residuals; NULL: not wanted
    double *J;                                          ///< their derivatives, columns of `stride`
    int stride;
} run_reading;

static void compare_row(const run_reading *a, int row, const double *model)
{
    const slip_fit_data *data = a->f->data;
    const int c = data->columns;
    for (int k = 0; k < c && a->r; k++) a->r[row * c + k] = data->value[row * c + k] - model[a->column[k]];
    for (int p = 0; p < a->f->p; p++)
        for (int k = 0; k < c && a->slope[p][k] >= 0; k++)
            a->J[(size_t)p * (size_t)a->stride + (size_t)(row * c + k)] = -model[a->slope[p][k]];
}

static bool find_columns(run_reading *a, const slip_sim *sim)
{
    slip_fitting *f = a->f;
    for (int k = 0; k < f->data->columns; k++) {
        a->column[k] = column_index(sim, f->data->name[k]);
        if (a->column[k] < 0) {
            f->status = slip_fail(f->error, SLIP_UNKNOWN_NAME, f->data->name[k],
                                  "is a column of the data, but no coordinate, rate or record of the model");
            return false;
        }
    }
    return true;
}

// Runs the simulation and samples it at every time of the data.
static bool sample_run(const run_reading *a, slip_sim *sim, double shift)
{
    slip_fitting *f = a->f;
    double *row = malloc((size_t)slip_sim_column_count(sim) * sizeof *row);
    if (!row) return f->status = SLIP_NO_MEMORY, false;
    slip_sim_ignore_stop(sim);
    slip_run_outcome outcome = slip_sim_observe(sim);
    for (int k = 0; k < f->data->rows && outcome == SLIP_RUNNING; k++) {
        double t = fmax(f->data->t[k] + shift, 0.0);
        while (outcome == SLIP_RUNNING && slip_sim_next_step_end(sim) < t)
            outcome = !f->finishing && f->def->stop && *f->def->stop ? SLIP_STOPPED : slip_sim_step(sim);
        if (outcome == SLIP_DONE) outcome = SLIP_RUNNING;
        if (outcome != SLIP_RUNNING) break;
        if (slip_sim_time(sim) >= t)
            slip_sim_columns(sim, row);
        else
            outcome = slip_sim_peek(sim, t, row);
        compare_row(a, k, row);
    }
    free(row);
    if (outcome == SLIP_STOPPED)
        f->interrupted = true,
        f->status = slip_fail(f->error, SLIP_BAD_ARGUMENT, "fit", "stopped before a search had ended");
    return outcome == SLIP_RUNNING;
}

// Starts the simulation with parameters x, and returns the shift of the clock of the data; NULL with
// f->status set.
static slip_sim *start_run(slip_fitting *f, const double *x, const char *sensitivity, double *shift)
{
    slip_sim_def def = slip_default_sim_def();
    slip_model *model = slip_fitting_model(f, x);
    if (!model) return NULL;
    *shift = 0.0;
    for (int k = 0; k < f->p; k++)
        if (strcmp(f->def->free[k], "t0") == 0) *shift = x[k];
    def.formulation = f->def->formulation;
    def.relative = f->def->relative, def.absolute = f->def->absolute;
    def.until = fmax(f->data->t[f->data->rows - 1] + *shift, 0.0) * (1 + RUN_MARGIN) + RUN_MARGIN;
    def.sensitivity = sensitivity;
    f->runs++;
    f->status = f->sim ? slip_sim_restart(f->sim, model, &def, f->error)
                       : slip_sim_create(model, &def, f->error, &f->sim);
    slip_model_destroy(f->model); // no longer used by the simulation
    f->model = model;
    return f->status == SLIP_OK ? f->sim : NULL;
}

bool slip_fitting_residuals(slip_fitting *f, const double *x, double *r)
{
    run_reading a = { .f = f, .r = r };
    double shift;
    memset(a.slope, -1, sizeof a.slope);
    slip_sim *sim = start_run(f, x, NULL, &shift);
    return sim && find_columns(&a, sim) && sample_run(&a, sim, shift);
}

// ------------------------------------------------------------------------------------------- derivatives

static bool is_wanted(const slip_fitting *f, int k)
{
    return !f->held[k] && strcmp(f->def->free[k], "t0") != 0;
}

static bool find_derivative_columns(run_reading *a, const slip_sim *sim)
{
    const slip_fitting *f = a->f;
    char name[256];
    if (!slip_derivative_columns_exact(sim->derivatives)) return false;
    for (int p = 0; p < f->p; p++)
        for (int k = 0; k < f->data->columns && is_wanted(f, p); k++) {
            snprintf(name, sizeof name, "d(%.63s)/d(%.100s)", f->data->name[k], f->def->free[p]);
            a->slope[p][k] = column_index(sim, name);
            if (a->slope[p][k] < 0) return false;
        }
    return true;
}

static bool derivatives_known(const run_reading *a)
{
    for (int p = 0; p < a->f->p; p++)
        for (int i = 0; i < a->f->n && is_wanted(a->f, p); i++)
            if (!isfinite(a->J[(size_t)p * (size_t)a->stride + (size_t)i])) return false;
    return true;
}

bool slip_fitting_sensitivities(slip_fitting *f, const double *x, double *J, int stride)
{
    run_reading a = { .f = f, .J = J, .stride = stride };
    slip_text names = { 0 };
    double shift;
    memset(a.slope, -1, sizeof a.slope);
    for (int p = 0; p < f->p; p++)
        if (is_wanted(f, p)) slip_text_add(&names, "%s%s", names.length ? "," : "", f->def->free[p]);
    const bool asked = !f->no_slopes && !names.failed && names.length;
    const int runs = f->runs;
    slip_sim *sim = asked ? start_run(f, x, names.data, &shift) : NULL;
    if (f->runs > runs && !sim) f->runs--, f->status = SLIP_OK; // this formulation has no sensitivities
    const bool good = sim && find_columns(&a, sim) && find_derivative_columns(&a, sim) &&
                      sample_run(&a, sim, shift) && derivatives_known(&a);
    f->no_slopes = !good; // they are not tried again
    slip_text_destroy(&names);
    return good;
}

double slip_fitting_squares(const slip_fitting *f, const double *r)
{
    double sum = 0.0;
    for (int k = 0; k < f->n; k++) sum += r[k] * r[k];
    return sum;
}
