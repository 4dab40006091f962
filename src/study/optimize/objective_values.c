/// study/optimize/objective_values.c: values and gradients of the objective and the constraints at given
/// points.
#include "study/optimize/objective_values.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"

slip_status slip_objective_values_sweep(const slip_optimize_def *def, const double *points, int rows,
                                        unsigned outputs, int threads, bool companion, slip_error *error,
                                        slip_sweep **sweep)
{
    slip_sweep_def s = slip_default_sweep_def();
    s.model = def->model;
    s.sim = def->sim;
    s.table_keys = def->free, s.table_columns = def->free_count;
    s.table = points, s.table_rows = rows;
    s.outputs = outputs;
    s.after = def->after;
    s.companion = companion;
    s.threads = threads;
    return slip_sweep_run(&s, error, sweep);
}

slip_status slip_objective_values_create(const slip_objective *goal, int threads, slip_error *error,
                                         slip_objective_values *trial)
{
    *trial = (slip_objective_values){ .goal = goal, .threads = threads };
    trial->inputs = calloc((size_t)slip_tape_registers(goal->tape) + 1, sizeof *trial->inputs);
    trial->label = calloc((size_t)goal->label_count + 1, sizeof *trial->label);
    if (!trial->inputs || !trial->label) return slip_fail(error, SLIP_NO_MEMORY, "optimize", "out of memory");
    slip_tape_start(goal->tape, trial->inputs);
    return SLIP_OK;
}

void slip_objective_values_destroy(slip_objective_values *trial)
{
    free(trial->inputs);
    free(trial->label);
    *trial = (slip_objective_values){ 0 };
}

static void find_labels(slip_objective_values *trial, const slip_sweep *sweep)
{
    for (int k = 0; k < slip_sweep_value_count(sweep) && !trial->knows_labels; k++)
        trial->label[k] = slip_objective_label(trial->goal, slip_sweep_value_name(sweep, k));
    trial->knows_labels = true;
}

// Copies the results of the run into the inputs of the tape. Results that were not stored are not used by any
// expression.
static void take_inputs(slip_objective_values *trial, const slip_sweep *sweep, long run)
{
    const slip_objective *g = trial->goal;
    const slip_sweep_result r = slip_sweep_result_of(sweep, run);
    for (int k = 0; k < slip_sweep_value_count(sweep); k++) trial->inputs[trial->label[k]] = r.values[k];
    for (int k = 0; k < slip_sweep_key_count(sweep); k++) trial->inputs[k] = slip_sweep_point(sweep, run, k);
    trial->inputs[g->label_count - 1] = r.t;
}

// A run that ended early has no final values; one that run.stop has ended does.
static bool reached_end(const slip_sweep_result *r)
{
    return r->done && !r->refused && r->outcome == SLIP_DONE;
}

static void evaluate_row(slip_objective_values *trial, const slip_sweep *sweep, int row, double *values)
{
    const slip_objective *g = trial->goal;
    const slip_sweep_result r = slip_sweep_result_of(sweep, row);
    bool fine = reached_end(&r);
    if (fine) {
        take_inputs(trial, sweep, row);
        slip_tape_run(g->tape, trial->inputs);
    }
    for (int k = 0; k < g->count; k++) {
        values[k] = fine ? trial->inputs[slip_tape_result(g->tape, k)] : NAN;
        fine = fine && isfinite(values[k]);
    }
    trial->runs++;
    trial->failed_runs += !fine;
}

// of expression e to what is free, by the chain rule; the tape has run
static double chain_rule_slope(const slip_objective_values *trial, int e, int i)
{
    const slip_objective *g = trial->goal;
    const int n = g->def->free_count;
    double sum = 0.0;
    for (int p = 0; p < g->partial_count[e]; p++) {
        const int label = g->partials[e][p].input;
        const double partial = trial->inputs[slip_tape_result(g->tape, g->first_partial[e] + p)];
        if (label < n)
            sum += label == i ? partial : 0.0;
        else if (label < g->label_count - 1)
            sum += partial * trial->inputs[g->slope[label * n + i]];
    }
    return sum;
}

bool slip_objective_values_gradient(slip_objective_values *trial, const double *x, double *values,
                                    double slopes[][SLIP_OPTIMIZE_MAX_FREE], bool *known)
{
    const slip_objective *g = trial->goal;
    const long failed = trial->failed_runs;
    const bool fine = slip_objective_values_at(trial, x, 1, values);
    *known = fine && g->exact && trial->failed_runs == failed;
    for (int e = 0; e < g->count && *known; e++)
        for (int i = 0; i < g->def->free_count; i++) {
            slopes[e][i] = chain_rule_slope(trial, e, i);
            *known = *known && isfinite(slopes[e][i]);
        }
    return fine;
}

bool slip_objective_values_at(slip_objective_values *trial, const double *points, int rows, double *values)
{
    slip_sweep *sweep = NULL;
    slip_error error = { 0 };
    const slip_objective *g = trial->goal;
    const slip_status status =
        slip_objective_values_sweep(g->def, points, rows, g->outputs, trial->threads, false, &error, &sweep);
    if (sweep) find_labels(trial, sweep);
    for (int k = 0; k < rows; k++) {
        if (sweep) {
            evaluate_row(trial, sweep, k, values + k * g->count);
            continue;
        }
        // no point of this call can be run: outside what the model takes
        for (int i = 0; i < g->count; i++) values[k * g->count + i] = NAN;
        trial->runs++, trial->failed_runs++;
    }
    slip_sweep_destroy(sweep);
    return status != SLIP_NO_MEMORY;
}
