/// study/bifurcation/initial_guess.c: the initial guess of a search, from a simulated motion.
#include "study/bifurcation/initial_guess.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "simulation/sim/sim.h"
#include "study/bifurcation/bifurcation_tolerances.h"

enum {
    MAX_SETTLING_TIMES = 4, // length of the simulated motion, in settling times, while a return is awaited
    LEAST_STEPS = 2000
}; // of that motion, so that no return is stepped over

static slip_sim *make_guess_sim(const slip_model *model, const slip_cycle_def *def, double until,
                                slip_error *error)
{
    slip_sim_def settings = slip_default_sim_def();
    slip_sim *sim = NULL;
    settings.formulation = def->formulation ? def->formulation : "lcp";
    settings.until = until;
    settings.stop = def->stop;
    settings.max_step = until / LEAST_STEPS;
    settings.relative = GUESS_RUN_RELATIVE;
    settings.absolute = GUESS_RUN_ABSOLUTE;
    return slip_sim_create(model, &settings, error, &sim) == SLIP_OK ? sim : NULL;
}

// Largest difference from `from`, relative to the range of each state.
static double scaled_distance(int n, const double *x, const double *from, const double *range)
{
    double most = 0.0;
    for (int k = 0; k < n; k++)
        if (range[k] > 0.0) most = fmax(most, fabs(x[k] - from[k]) / range[k]);
    return most;
}

/// Search for the time at which a motion comes back to a point.
typedef struct return_search {
    double *low, *high,
        *weight;       // range of each state; weight: its width, 0 for states that need not come back
    double t;          // time of the point
    double best, back; // smallest distance after the motion has left, and its time
    bool left;
} return_search;

static void widen_range(return_search *l, int n, const double *x, bool first)
{
    for (int k = 0; k < n; k++) {
        l->low[k] = first ? x[k] : fmin(l->low[k], x[k]);
        l->high[k] = first ? x[k] : fmax(l->high[k], x[k]);
    }
}

// Simulates until t, and collects the ranges of the states after `from`.
static slip_run_outcome simulate_until(slip_sim *sim, return_search *l, double from, double t)
{
    slip_run_outcome outcome = SLIP_RUNNING;
    bool first = true;
    while (outcome == SLIP_RUNNING && sim->method->t < t) {
        outcome = slip_sim_step(sim);
        if (sim->method->t < from) continue;
        widen_range(l, 2 * sim->model->coordinate_count, sim->method->state, first);
        first = false;
    }
    return outcome;
}

// Finds the first time at which the motion is close to the point again and the distance begins to grow.
static bool find_first_return(slip_sim *sim, return_search *l, const double *state)
{
    int n = 2 * sim->model->coordinate_count;
    l->best = INFINITY;
    while (slip_sim_step(sim) == SLIP_RUNNING) {
        double d = scaled_distance(n, sim->method->state, state, l->weight);
        l->left = l->left || d > LEFT_DISTANCE;
        if (!l->left) continue;
        if (d < l->best) l->best = d, l->back = sim->method->t;
        if (l->best < RETURN_DISTANCE && d > l->best + 0.5 * RETURN_DISTANCE) return true;
    }
    return l->best < RETURN_DISTANCE;
}

static bool find_return(slip_sim *sim, return_search *l, double settle, const bool *shifts, double *period,
                        double *state, double *range, char *text, size_t size)
{
    int n = 2 * sim->model->coordinate_count;
    assert(n >= 2); // a coordinate and its rate
    slip_run_outcome outcome = simulate_until(sim, l, 0.5 * settle, settle);
    double size_of = 0.0;
    if (outcome != SLIP_RUNNING && outcome != SLIP_DONE) {
        snprintf(text, size, "the motion that the search starts from ended at t = %.6g s: %s", sim->method->t,
                 slip_run_outcome_text(outcome));
        return false;
    }
    memcpy(state, sim->method->state, (size_t)n * sizeof *state);
    for (int k = 0; k < n; k++) range[k] = l->high[k] - l->low[k], size_of = fmax(size_of, range[k]);
    const slip_coordinate *list = sim->model->coordinates;
    for (int k = 0; k < n; k++) {
        const slip_coordinate *own = &list[k % (n / 2)];
        l->weight[k] = shifts[k] || own->is_held || (own->is_state && k < n / 2) ? 0.0 : range[k];
    }
    if (!isnan(*period)) return true;
    if (!(size_of > RESTING_RANGE)) {
        snprintf(text, size, "nothing moves in the second half of the %.6g s before the search", settle);
        return false;
    }
    l->t = sim->method->t;
    if (!find_first_return(sim, l, state) && !l->left) {
        snprintf(text, size, "from t = %.6g s on nothing moves", l->t);
        return false;
    }
    if (!(l->best < RETURN_DISTANCE)) {
        snprintf(text, size,
                 "within %.6g s the motion does not come back to where it was after %.6g s: nearer than %.2g "
                 "of its "
                 "range it does not get; give the period, a start, or coordinates that advance",
                 (MAX_SETTLING_TIMES - 1) * settle, settle, l->best);
        return false;
    }
    *period = l->back - l->t;
    return true;
}

bool slip_cycle_guess(const slip_model *model, const slip_cycle_def *def, double settle, const bool *shifts,
                      double *period, double *state, double *range, char *text, size_t size)
{
    slip_error error = { 0 };
    if (!isnan(*period)) settle = *period * fmax(1.0, ceil(settle / *period - WHOLE_NUMBER_SLACK));
    slip_sim *sim = make_guess_sim(model, def, isnan(*period) ? MAX_SETTLING_TIMES * settle : settle, &error);
    size_t n = sim ? 2 * (size_t)sim->model->coordinate_count : 0;
    double *room = calloc(3 * n + 1, sizeof *room);
    bool found = false;
    if (sim && room) {
        return_search l = { .low = room, .high = room + n, .weight = room + 2 * n };
        found = find_return(sim, &l, settle, shifts, period, state, range, text, size);
    } else {
        snprintf(text, size, "%s%s%s", error.where, error.where[0] ? ": " : "", error.text);
    }
    free(room);
    slip_sim_destroy(sim);
    return found;
}

slip_status slip_cycle_read_start(const slip_model *model, const char *start, double *state,
                                  slip_error *error)
{
    int n = model->coordinate_count;
    while (start && *start) {
        start += strspn(start, " ,");
        if (!*start) break;
        size_t length = strcspn(start, "=,");
        char name[80], *rest;
        snprintf(name, sizeof name, "%.*s", (int)(length < 79 ? length : 79), start);
        for (size_t k = strlen(name); k && name[k - 1] == ' '; k--) name[k - 1] = '\0';
        if (start[length] != '=')
            return slip_fail(error, SLIP_BAD_ARGUMENT, "start", "needs NAME=VALUE,..., got '%s'", name);
        double value = strtod(start + length + 1, &rest);
        int k = 0;
        while (k < 2 * n &&
               strcmp(name, k < n ? model->coordinates[k].name : model->coordinates[k - n].rate_name) != 0)
            k++;
        if (k == 2 * n)
            return slip_fail(error, SLIP_UNKNOWN_NAME, name, "is not a coordinate or rate of this model");
        if (rest == start + length + 1 || !isfinite(value))
            return slip_fail(error, SLIP_BAD_ARGUMENT, name, "needs a number");
        state[k] = value;
        start = rest;
    }
    return SLIP_OK;
}
