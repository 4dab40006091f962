/// study/bifurcation/flow_differences.c: derivatives of a flow map by central differences of runs.
///
/// Compliant formulations have states of their own: the deformations of contacts. They are 0 where nothing
/// touches, so that a point of the orbit in free motion is determined by coordinates and rates alone. A point
/// in contact is refused when these states have other values after a period.
#include "study/bifurcation/flow_differences.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "study/bifurcation/bifurcation_tolerances.h"

static slip_status make_perturbed_sim(slip_flow_differences *d, const slip_model *model,
                                      const slip_sim_def *settings, int k, slip_error *error)
{
    double value = NAN;
    for (int i = 0; i < model->parameter_count; i++)
        if (strcmp(model->parameters[i].name, d->name[k]) == 0) value = model->parameters[i].value;
    if (isnan(value))
        return slip_fail(error, SLIP_UNKNOWN_NAME, d->name[k], "is not a parameter of this model");
    d->step[k] = DIFFERENCE_STEP * fmax(fabs(value), DIFFERENCE_PARAMETER_LEAST);
    slip_status status = SLIP_OK;
    for (int side = 0; side < 2 && status == SLIP_OK; side++) {
        char set[120];
        const char *change = set;
        snprintf(set, sizeof set, "%s=%.17g", d->name[k], value + (side ? d->step[k] : -d->step[k]));
        slip_diagnostics *notes = slip_diagnostics_create();
        status = notes ? slip_model_vary(model, &change, 1, notes, &d->model[side][k]) : SLIP_NO_MEMORY;
        slip_diagnostics_destroy(notes);
        if (status != SLIP_OK) return slip_fail(error, status, d->name[k], "cannot be varied");
        status = slip_sim_create(d->model[side][k], settings, error, &d->sim[side][k]);
    }
    if (status == SLIP_OK)
        d->until[k] = (d->model[1][k]->run.until - d->model[0][k]->run.until) / (2.0 * d->step[k]);
    return status;
}

slip_status slip_flow_differences_create(const slip_flow_map *shot, const slip_model *model,
                                         const slip_sim_def *settings, const char *parameters,
                                         slip_error *error, slip_flow_differences **out)
{
    *out = NULL;
    slip_flow_differences *d = calloc(1, sizeof *d);
    size_t all = (size_t)shot->sim->method->state_count;
    if (d) d->state = calloc(4 * all + 1, sizeof *d->state);
    if (!d || !d->state) {
        slip_flow_differences_destroy(d);
        return slip_fail(error, SLIP_NO_MEMORY, "cycle", "out of memory");
    }
    d->all = (int)all;
    d->start = d->state + all, d->low = d->state + 2 * all, d->high = d->state + 3 * all;
    memcpy(d->start, shot->sim->method->state, all * sizeof *d->start);
    slip_status status = SLIP_OK;
    while (parameters && *parameters && status == SLIP_OK) {
        parameters += strspn(parameters, " ,");
        size_t length = strcspn(parameters, ", ");
        if (!length) break;
        if (d->count == SLIP_FLOW_DIFFERENCES_MAX)
            status = slip_fail(error, SLIP_BAD_ARGUMENT, "sensitivity",
                               "by differences: %d parameters at the most", SLIP_FLOW_DIFFERENCES_MAX);
        if (status != SLIP_OK) break;
        snprintf(d->name[d->count], sizeof d->name[0], "%.*s", (int)length, parameters);
        status = make_perturbed_sim(d, model, settings, d->count++, error);
        parameters += length;
    }
    if (status == SLIP_OK)
        *out = d;
    else
        slip_flow_differences_destroy(d);
    return status;
}

void slip_flow_differences_destroy(slip_flow_differences *d)
{
    if (!d) return;
    for (int k = 0; k < d->count; k++)
        for (int side = 0; side < 2; side++) {
            slip_sim_destroy(d->sim[side][k]);
            slip_model_destroy(d->model[side][k]);
        }
    free(d->state);
    free(d);
}

const double *slip_flow_differences_state(slip_flow_differences *d, int states, const double *state)
{
    memcpy(d->state, d->start, (size_t)d->all * sizeof *d->state);
    memcpy(d->state, state, (size_t)states * sizeof *state);
    return d->state;
}

// Runs for `length` from a state, and stores the state at the end in `to`.
static bool run_perturbed(slip_flow_map *s, slip_sim *sim, double t0, double length, const double *state,
                          double *to)
{
    bool adaptive = sim->method->adaptive; // fixed steps would overshoot, so the last one is split
    slip_sim_restart_at(sim, t0, t0 + (adaptive ? 1.0 : 2.0) * length,
                        slip_flow_differences_state(s->differences, s->states, state));
    slip_run_outcome outcome = slip_sim_observe(sim);
    while (adaptive && outcome == SLIP_RUNNING) outcome = slip_sim_step(sim);
    if (!adaptive && outcome == SLIP_RUNNING) outcome = slip_sim_step_to(sim, t0 + length);
    memcpy(to, sim->method->state, (size_t)s->differences->all * sizeof *to);
    return (outcome == SLIP_RUNNING || outcome == SLIP_DONE) &&
           fabs(sim->method->t - t0 - length) <= RUN_END_RELATIVE * length;
}

// The one-sided difference (-3 x(0) + 4 x(h) - x(2 h))/2 h; h is several steps of a formulation with fixed
// steps.
static bool rate_at(slip_flow_map *s, double t, double length, const double *state, double *to)
{
    slip_flow_differences *d = s->differences;
    double h = RATE_STEP_OF_PERIOD * length;
    if (!run_perturbed(s, s->sim, t, h, state, d->low) ||
        !run_perturbed(s, s->sim, t, 2.0 * h, state, d->high))
        return false;
    for (int k = 0; k < s->states; k++) to[k] = (-3.0 * state[k] + 4.0 * d->low[k] - d->high[k]) / (2.0 * h);
    return true;
}

// The columns of J by central differences.
static bool difference_columns(slip_flow_map *s, double t0, double length, const double *state, double *at)
{
    slip_flow_differences *d = s->differences;
    size_t n = (size_t)s->states;
    double size = 0.0;
    bool fine = true;
    for (size_t k = 0; k < n; k++) size = fmax(size, fabs(state[k]));
    for (size_t k = 0; k < n && fine; k++) {
        double h = DIFFERENCE_STEP *
                   fmax(fabs(state[k]), fmax(DIFFERENCE_STATE_SHARE * size, DIFFERENCE_STATE_LEAST));
        memcpy(at, state, n * sizeof *at);
        at[k] = state[k] - h;
        fine = run_perturbed(s, s->sim, t0, length, at, d->low);
        at[k] = state[k] + h;
        fine = fine && run_perturbed(s, s->sim, t0, length, at, d->high);
        for (size_t i = 0; i < n; i++) s->J[k * n + i] = (d->high[i] - d->low[i]) / (2.0 * h);
    }
    for (int p = 0; p < d->count && fine; p++) {
        fine = run_perturbed(s, d->sim[0][p], t0, length, state, d->low) &&
               run_perturbed(s, d->sim[1][p], t0, length, state, d->high);
        for (size_t i = 0; i < n; i++)
            s->J[(n + (size_t)p) * n + i] = (d->high[i] - d->low[i]) / (2.0 * d->step[p]);
    }
    return fine;
}

bool slip_flow_differences_fill(slip_flow_map *s, double t0, double length, const double *state)
{
    slip_flow_differences *d = s->differences;
    size_t n = (size_t)s->states;
    double *at = malloc((n + 1) * sizeof *at);
    bool fine = at && (s->step_derivatives || difference_columns(s, t0, length, state, at));
    fine = fine && rate_at(s, t0, length, state, s->rate_start);
    memcpy(at ? at : d->low, s->end, n * sizeof *at);
    fine = fine && rate_at(s, t0 + length, length, at, s->rate_end);
    free(at);
    if (!fine) snprintf(s->reason, sizeof s->reason, "a motion from nearby ended early");
    return fine;
}
