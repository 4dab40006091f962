/// study/bifurcation/cycle.c: finds a periodic orbit and describes it.
#include "slipstick/cycle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "study/bifurcation/bifurcation_tolerances.h"
#include "study/bifurcation/cycle_options.h"
#include "study/bifurcation/cycle_result.h"
#include "study/bifurcation/initial_guess.h"
#include "study/bifurcation/minimal_period.h"
#include "study/bifurcation/shooting.h"
#include "slipstick/parts.h"

enum { LEAST_STEPS_OF_PERIOD = 50 };

slip_cycle_def slip_default_cycle_def(void)
{
    return (slip_cycle_def){ .guess = NAN,
                             .settle = NAN,
                             .segments = 1,
                             .relative = ORBIT_RUN_RELATIVE,
                             .absolute = ORBIT_RUN_ABSOLUTE };
}

// ----------------------------------------------------------------------------------------------- settings

static slip_status check_cycle_def(const slip_cycle_def *def, slip_error *error)
{
    if (def->segments < 1 || def->segments > SLIP_CYCLE_MAX_SEGMENTS)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "segments", "must be 1 to %d, got %d",
                         SLIP_CYCLE_MAX_SEGMENTS, def->segments);
    if (!(def->relative > 0.0) || !(def->absolute > 0.0))
        return slip_fail(error, SLIP_BAD_ARGUMENT, "tolerances", "must be > 0");
    if (!isnan(def->guess) && !(def->guess > 0.0))
        return slip_fail(error, SLIP_BAD_ARGUMENT, "guess", "a period must be > 0, got %g", def->guess);
    if (!isnan(def->settle) && !(def->settle > 0.0))
        return slip_fail(error, SLIP_BAD_ARGUMENT, "settle", "must be > 0, got %g", def->settle);
    return SLIP_OK;
}

static slip_status check_formulation(const char *name, slip_error *error)
{
    slip_part_info part;
    for (int k = 0; name && slip_part(SLIP_FORMULATIONS, k, &part); k++)
        if (strcmp(part.name, name) == 0) return SLIP_OK;
    return name ? slip_fail(error, SLIP_UNKNOWN_NAME, "formulation",
                            "'%s' is none; 'slipstick list formulations' names them", name)
                : SLIP_OK;
}

// -------------------------------------------------------------------------------------------------- finding

/// One search.
typedef struct cycle_search {
    const slip_model *model; // as given
    slip_model *timed;       // the model with a run of one period; NULL: not forced
    const slip_cycle_def *def;
    double period;
    double *state, *range;
    bool *shifts; // per state
    slip_flow_map *shot;
    slip_shooting *search;
} cycle_search;

static slip_status prepare_search(cycle_search *h, slip_error *error)
{
    const slip_model *model = h->timed ? h->timed : h->model;
    double longest = h->timed ? h->period : 4.0 * h->period;
    slip_status status = slip_flow_map_create(model, h->def, longest, h->period / LEAST_STEPS_OF_PERIOD,
                                              h->def->sensitivity, NULL, error, &h->shot);
    if (status == SLIP_OK)
        status = slip_shooting_create(h->shot, h->def->segments, h->timed != NULL, error, &h->search);
    if (status != SLIP_OK) return status;
    memcpy(h->search->shifts, h->shifts, 2 * (size_t)model->coordinate_count * sizeof *h->shifts);
    double most = 0.0;
    int n = model->coordinate_count;
    memcpy(h->search->node, h->state, 2 * (size_t)n * sizeof *h->state);
    h->search->period = h->period;
    for (int k = 0; k < 2 * n; k++) most = fmax(most, h->range[k]);
    for (int k = 0; k < 2 * n; k++)
        h->search->scale[k] = fmax(h->range[k], most > 0.0 ? SMALLEST_STATE_SIZE * most : 1.0);
    return SLIP_OK;
}

// The first point: the end of a simulated motion, or the one that the user gave.
static bool find_initial_guess(cycle_search *h, char *text, size_t size)
{
    double settle = h->def->settle, known = h->timed ? h->period : h->def->guess;
    const slip_model *model = h->timed ? h->timed : h->model;
    if (isnan(settle)) settle = isnan(h->model->run.until) ? 1.0 : h->model->run.until;
    if (!h->timed && h->def->start) { // a simulation from another start says nothing about this orbit
        h->period = known;
        for (int k = 0; k < 2 * model->coordinate_count; k++) h->range[k] = 1.0;
        if (!isnan(known)) return true;
    }
    bool found = slip_cycle_guess(model, h->def, settle, h->shifts, &known, h->state, h->range, text, size);
    h->period = known;
    return found;
}

// A start that the user gives is often the point of an event, where derivatives do not exist. The section is
// moved on along the motion.
static void leave_event(cycle_search *h)
{
    const double part = 0.1; // of the period: any small fraction will do
    if (!h->def->start || h->timed) return;
    if (slip_flow_map_run(h->shot, 0.0, part * h->period, h->search->node))
        memcpy(h->search->node, h->shot->end, (size_t)h->shot->states * sizeof *h->shot->end);
}

// A search for the period requires an autonomous model: from the same state, the motion is the same at any
// time. A forced motion may also come back to its state, but at another phase of the forcing.
static bool is_timeless(cycle_search *h, slip_cycle *cycle)
{
    slip_shooting *s = h->search;
    const slip_model *model = h->model;
    if (h->timed) return true;
    const double offset =
        0.63; // of the period: no simple fraction, so that no multiple of a forcing period is met
    for (int round = 1; round <= 2; round++) {
        if (!slip_flow_map_run(h->shot, (round - offset) * s->period, s->period, s->node)) continue;
        double far = 0.0;
        for (int k = 0; k < 2 * model->coordinate_count; k++)
            if (!s->fixed[k] && !s->shifts[k])
                far = fmax(far, fabs(h->shot->end[k] - s->node[k]) / s->scale[k]);
        if (far < STATES_EQUAL) continue;
        snprintf(
            cycle->text, sizeof cycle->text,
            "it comes back after %.9g s from t = 0, but not from another time on: the model is driven by the "
            "time, and its motions repeat with what drives it; give that period",
            s->period);
        return false;
    }
    return true;
}

static slip_status find_orbit(cycle_search *h, slip_cycle *cycle, slip_error *error)
{
    int n = h->model->coordinate_count;
    for (int k = 0; k < n; k++)
        h->state[k] = h->model->coordinates[k].start, h->state[n + k] = h->model->coordinates[k].rate;
    slip_status status = slip_cycle_option_shifts(h->model, h->def->drift, h->shifts, error);
    if (status != SLIP_OK) return status;
    if (!find_initial_guess(h, cycle->text, sizeof cycle->text)) return SLIP_OK;
    status = slip_cycle_read_start(h->model, h->def->start, h->state, error);
    if (status == SLIP_OK) status = prepare_search(h, error);
    if (status != SLIP_OK) return status;
    leave_event(h);
    if (!slip_shooting_fill_nodes(h->search)) {
        snprintf(cycle->text, sizeof cycle->text, "the motion from the first guess: %.300s", h->shot->reason);
        return SLIP_OK;
    }
    if (!slip_shooting_run(h->search, cycle->text, sizeof cycle->text)) return SLIP_OK;
    if (!is_timeless(h, cycle)) return SLIP_OK;
    if (!h->timed && !slip_shooting_evaluate(h->search))
        return SLIP_OK; // the result is read from the last run
    status = slip_cycle_fill_result(cycle, h->search, error);
    if (status != SLIP_OK || !cycle->found || !slip_cycle_moves(cycle)) return status;
    return slip_cycle_find_minimal_period(cycle, h->search, h->timed ? h->def->period : NULL, error);
}

slip_status slip_cycle_find(const slip_model *model, const slip_cycle_def *def, slip_error *error,
                            slip_cycle **out)
{
    *out = NULL;
    slip_cycle_def fallback = slip_default_cycle_def();
    cycle_search h = { .model = model, .def = def ? def : &fallback, .period = NAN };
    slip_status status = check_cycle_def(h.def, error);
    if (status == SLIP_OK && model->type != SLIP_MECHANICS)
        status = slip_fail(error, SLIP_UNSUPPORTED, slip_model_file(model),
                           "cycles are those of mechanical models");
    if (status == SLIP_OK) status = check_formulation(h.def->formulation, error);
    if (status == SLIP_OK && h.def->period)
        status = slip_cycle_option_period(model, h.def->period, error, &h.timed);
    if (status != SLIP_OK) return status;
    if (h.timed) h.period = h.timed->run.until;
    slip_cycle *cycle = calloc(1, sizeof *cycle);
    h.state = calloc(4 * (size_t)model->coordinate_count + 1, sizeof *h.state);
    h.shifts = calloc(2 * (size_t)model->coordinate_count + 1, sizeof *h.shifts);
    if (h.state) h.range = h.state + 2 * model->coordinate_count;
    status = cycle && h.state && h.shifts ? find_orbit(&h, cycle, error)
                                          : slip_fail(error, SLIP_NO_MEMORY, "cycle", "out of memory");
    slip_shooting_destroy(h.search);
    slip_flow_map_destroy(h.shot);
    slip_model_destroy(h.timed);
    free(h.state);
    free(h.shifts);
    if (status == SLIP_OK)
        *out = cycle;
    else
        slip_cycle_destroy(cycle);
    return status;
}
