/// calibration.c: what it costs to fit two parameters to a motion with friction.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench_sweep.h"
#include "base/halton.h"

enum { ROWS = 200, STARTS = 8 };

// stick and slip under a compliant formulation: derivatives ride along with one run of two
static const char slider[] =
    "slipstick: 1\nname: Slider\nparameters: {k: 40, F: 1.5}\ncoordinates: {x: 1}\nmass: {x: 1}\n"
    "forces: {x: -k*x - 0.2*x'}\nfrictions: {pad: {slip: x, limit: F}}\n"
    "run: {until: 4, step: 1e-3, formulation: dai, integrator: rk4}\n";

static slip_sim *begin(const slip_model *model)
{
    slip_sim_def def = slip_default_sim_def();
    slip_sim *sim = NULL;
    return slip_sim_create(model, &def, NULL, &sim) == SLIP_OK ? sim : NULL;
}

// the motion at ROWS times, with a ripple that the model does not know
static bool measure(const slip_model *model, slip_fit_data *data)
{
    slip_sim *sim = begin(model);
    int column = 0;
    if (!sim) return false;
    double *row = calloc((size_t)slip_sim_column_count(sim), sizeof *row);
    *data = (slip_fit_data){ .rows = ROWS, .columns = 1, .name = { "x" } };
    data->t = calloc(ROWS, sizeof *data->t), data->value = calloc(ROWS, sizeof *data->value);
    while (row && strcmp(slip_sim_column_name(sim, column), "x") != 0) column++;
    for (int k = 0; k < ROWS && row && data->t && data->value; k++) {
        const double t = 4.0 * (k + 1) / ROWS;
        while (slip_sim_time(sim) < t - 1e-9 && slip_sim_step(sim) == SLIP_RUNNING) {}
        slip_sim_columns(sim, row);
        data->t[k] = slip_sim_time(sim), data->value[k] = row[column] + 1e-3 * sin(37.0 * k);
    }
    free(row);
    slip_sim_destroy(sim);
    return data->t && data->value;
}

/// Seconds on the wall and of processor time, and runs.
typedef struct cost {
    double wall, processor;
    int runs;
} cost;

static const double lower[] = { 20.0, 0.5 }, upper[] = { 80.0, 3.0 };

// from one start, or from STARTS of them for NULL
static cost fit(const slip_model *model, const slip_fit_data *data, const double *start, int threads)
{
    static const char *const names[] = { "k", "F" };
    slip_fit_def def = slip_default_fit_def();
    slip_fit *found = NULL;
    slip_error error = { 0 };
    def.model = model, def.free = names, def.free_count = 2;
    def.lower = lower, def.upper = upper, def.threads = threads;
    def.start = start, def.starts = start ? 1 : STARTS;
    const double wall = wall_time(), processor = processor_time();
    if (slip_fit_run(&def, data, &error, &found) != SLIP_OK)
        fprintf(stderr, "%s: %s\n", error.where, error.text);
    const cost all = { wall_time() - wall, processor_time() - processor, found ? found->runs : 0 };
    slip_fit_destroy(found);
    return all;
}

// the same searches, each a fit of its own
static cost fit_each(const slip_model *model, const slip_fit_data *data)
{
    cost all = { 0 };
    for (int k = 0; k < STARTS; k++) {
        double start[] = { 40.0, 1.5 };
        for (int i = 0; i < 2 && k > 0; i++) start[i] = lower[i] + (upper[i] - lower[i]) * slip_halton(k, i);
        const cost one = fit(model, data, start, 1);
        all.wall += one.wall, all.processor += one.processor, all.runs += one.runs;
    }
    return all;
}

static void print_cost(const char *what, cost c)
{
    printf("  %-32s %8.3f s, %.3f s of processors, %d runs\n", what, c.wall, c.processor, c.runs);
}

// s of processor time of a run as a loop makes it that knows nothing of ensembles (vary, create, run,
// destroy), or with a simulation that is started again
static double time_runs(const slip_model *model, bool again)
{
    enum { RUNS = 100 };
    const slip_sim_def def = slip_default_sim_def();
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *before = NULL;
    slip_sim *sim = NULL;
    const double start = processor_time();
    for (int k = 0; k < RUNS; k++) {
        char change[64];
        slip_model *varied = NULL;
        snprintf(change, sizeof change, "k=%.17g", 40.0 + 0.1 * k);
        if (slip_model_vary(model, (const char *[]){ change }, 1, notes, &varied) != SLIP_OK) break;
        if (!again) slip_sim_destroy(sim), sim = NULL;
        if (!sim)
            sim = begin(varied);
        else if (slip_sim_restart(sim, varied, &def, NULL) != SLIP_OK)
            break;
        while (sim && slip_sim_step(sim) == SLIP_RUNNING) {}
        slip_model_destroy(before);
        before = varied;
    }
    const double seconds = processor_time() - start;
    slip_sim_destroy(sim);
    slip_model_destroy(before);
    slip_diagnostics_destroy(notes);
    return seconds / RUNS;
}

void bench_calibration(void)
{
    slip_model *model = bench_model("slider.yaml", slider, NULL);
    slip_fit_data data = { 0 };
    if (model && measure(model, &data)) {
        printf("\na run of 4000 steps in a calibration, processor time\n");
        printf("  a new simulation                 %8.1f us\n", 1e6 * time_runs(model, false));
        printf("  a simulation that starts again   %8.1f us\n", 1e6 * time_runs(model, true));
        printf("a fit of 2 parameters from %d starts, on the wall\n", STARTS);
        print_cost("fits of their own", fit_each(model, &data));
        print_cost("1 thread", fit(model, &data, NULL, 1));
        print_cost("2 threads", fit(model, &data, NULL, 2));
    }
    slip_fit_data_destroy(&data);
    slip_model_destroy(model);
}
