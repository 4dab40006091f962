/// verdict/run/trajectory_samples.c: where the coordinates of a run were at some hundred instants, so that
/// two runs can be compared.
#include "verdict/run/trajectory_samples.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "verdict/contact/verdict_tolerances.h"

// ---------------------------------------------------------------------------------------------- memory

static bool compile_gaps(slip_trajectory_samples *track, const slip_model *model)
{
    int count = model->type == SLIP_MECHANICS ? model->contact_count : 0;
    if (count == 0) return true;
    slip_ref *roots = malloc((size_t)count * sizeof *roots);
    for (int k = 0; roots && k < count; k++) roots[k] = model->contacts[k].gap.ref;
    track->gaps = roots ? slip_tape_create(model->graph, roots, count) : NULL;
    track->gap_count = count;
    free(roots);
    return track->gaps != NULL;
}

bool slip_trajectory_samples_create(slip_trajectory_samples *track, const slip_sim *sim)
{
    const slip_model *model = sim->model;
    *track =
        (slip_trajectory_samples){ .n = model->type == SLIP_INCLUSION ? model->state_count
                                                                      : slip_model_own_coordinates(model) };
    if (!compile_gaps(track, model)) return false;
    slip_arena arena = { 0 };
    while (slip_arena_next_pass(&arena, &track->memory)) {
        track->time = SLIP_TAKE(&arena, double, SLIP_TRAJECTORY_SAMPLES_MAX);
        track->depth = SLIP_TAKE(&arena, double, SLIP_TRAJECTORY_SAMPLES_MAX);
        track->q = SLIP_TAKE(&arena, double, SLIP_TRAJECTORY_SAMPLES_MAX * track->n);
        track->low = SLIP_TAKE(&arena, double, track->n);
        track->high = SLIP_TAKE(&arena, double, track->n);
        track->row = SLIP_TAKE(&arena, double, sim->column_count);
        track->registers = SLIP_TAKE(&arena, double, track->gaps ? slip_tape_registers(track->gaps) : 1);
    }
    if (!track->memory) return false;
    for (int k = 0; k < track->n; k++) track->low[k] = INFINITY, track->high[k] = -INFINITY;
    if (track->gaps) slip_tape_start(track->gaps, track->registers);
    return true;
}

void slip_trajectory_samples_destroy(slip_trajectory_samples *track)
{
    slip_tape_destroy(track->gaps);
    free(track->memory);
    *track = (slip_trajectory_samples){ 0 };
}

void slip_trajectory_samples_archive(slip_trajectory_samples *track, slip_archive *a)
{
    slip_archive_open(a, "track");
    slip_archive_int(a, "count", &track->count);
    if (track->count < 0 || track->count > SLIP_TRAJECTORY_SAMPLES_MAX) {
        slip_archive_fail(a, SLIP_BAD_ARGUMENT, "%d instants", track->count);
        return;
    }
    slip_archive_doubles(a, "time", track->time, (size_t)track->count);
    slip_archive_doubles(a, "depth", track->depth, (size_t)track->count);
    slip_archive_doubles(a, "q", track->q, (size_t)track->count * (size_t)track->n);
    slip_archive_doubles(a, "low", track->low, (size_t)track->n);
    slip_archive_doubles(a, "high", track->high, (size_t)track->n);
    slip_archive_double(a, "widest_gap", &track->widest_gap);
    slip_archive_close(a);
}

// ------------------------------------------------------------------------------------------- looking

static void widen_bounds(slip_trajectory_samples *track, const double *q)
{
    for (int k = 0; k < track->n; k++) {
        if (q[k] < track->low[k]) track->low[k] = q[k];
        if (q[k] > track->high[k]) track->high[k] = q[k];
    }
}

// gaps are functions of t and q; the rates behind them are not used
static double depth_of_all(slip_trajectory_samples *track, double t, const double *q)
{
    double depth = 0.0;
    if (!track->gaps) return depth;
    track->registers[0] = t;
    memcpy(track->registers + 1, q, (size_t)track->n * sizeof *q);
    slip_tape_run(track->gaps, track->registers);
    for (int k = 0; k < track->gap_count; k++) {
        double gap = track->registers[slip_tape_result(track->gaps, k)];
        depth += fmax(0.0, -gap);
        track->widest_gap = fmax(track->widest_gap, fabs(gap));
    }
    return depth;
}

static void store_sample(slip_trajectory_samples *track, double t, const double *q)
{
    int at = track->count++;
    track->time[at] = t;
    memcpy(track->q + (size_t)at * (size_t)track->n, q, (size_t)track->n * sizeof *q);
    track->depth[at] = depth_of_all(track, t, q);
    widen_bounds(track, q);
}

void slip_trajectory_samples_record_at(slip_trajectory_samples *track, const slip_sim *sim, double t,
                                       long steps, const double *q)
{
    track->outcome = sim->outcome;
    widen_bounds(track, q);
    if (track->count == SLIP_TRAJECTORY_SAMPLES_MAX || (track->count && t <= track->time[track->count - 1]))
        return;
    bool last = t >= sim->def.until;
    if (slip_sim_jumped(sim) && !last) return;
    bool met = sim->method->adaptive || steps % 2 == 0;
    // the last place is for the end
    bool due = t * (SLIP_TRAJECTORY_SAMPLES_MAX - 1) >= (double)track->count * sim->def.until;
    if (last || (due && met && track->count < SLIP_TRAJECTORY_SAMPLES_MAX - 1)) store_sample(track, t, q);
}

void slip_trajectory_samples_record(slip_trajectory_samples *track, const slip_sim *sim)
{
    slip_trajectory_samples_record_at(track, sim, sim->method->t, sim->steps, sim->method->state);
}

double slip_trajectory_samples_next(const slip_trajectory_samples *track, const slip_sim *sim)
{
    if (track->count >= SLIP_TRAJECTORY_SAMPLES_MAX - 1) return INFINITY;
    return (double)track->count * sim->def.until / (SLIP_TRAJECTORY_SAMPLES_MAX - 1);
}

void slip_trajectory_samples_widen(slip_trajectory_samples *track, int k, double low, double high)
{
    if (low < track->low[k]) track->low[k] = low;
    if (high > track->high[k]) track->high[k] = high;
}

// ------------------------------------------------------------------------------------------ following

// the state of `sim` at t, by steps and, where none ends there, by a peek; NULL when it does not get there
static const double *state_at(slip_trajectory_samples *track, slip_sim *sim, double t, double tolerance,
                              const volatile sig_atomic_t *stop)
{
    while (sim->method->t < t - tolerance) {
        if (stop && *stop) return NULL;
        if (slip_sim_next_step_end(sim) > t + tolerance) {
            track->outcome = slip_sim_peek(sim, t, track->row);
            return track->outcome == SLIP_RUNNING ? track->row + 1 : NULL;
        }
        track->outcome = slip_sim_step(sim);
        if (track->outcome != SLIP_RUNNING && track->outcome != SLIP_DONE) return NULL;
        if (track->outcome == SLIP_DONE && sim->method->t < t - tolerance) return NULL;
        widen_bounds(track, sim->method->state);
    }
    return sim->method->state;
}

static double tolerance_of(const slip_sim *sim)
{
    return sim->method->adaptive ? SAME_TIME_OF_RUN * sim->def.until : SAME_TIME_OF_STEP * sim->def.step;
}

bool slip_trajectory_samples_align(const slip_trajectory_samples *leader, const slip_sim *sim)
{
    for (int j = 0; j < leader->count; j++) {
        const double t = leader->time[j], step = sim->def.step, grid = nearbyint(t / step) * step;
        const bool last = t > (double)(sim->last - 1) * step; // no lane goes there
        if (!last && !(fabs(grid - t) <= tolerance_of(sim))) return false;
    }
    return true;
}

long slip_trajectory_samples_due_step(const slip_trajectory_samples *track,
                                      const slip_trajectory_samples *leader, const slip_sim *sim)
{
    return track->count < leader->count ? lround(leader->time[track->count] / sim->def.step) : LONG_MAX;
}

void slip_trajectory_samples_add(slip_trajectory_samples *track, const slip_trajectory_samples *leader,
                                 const double *q)
{
    track->outcome = SLIP_RUNNING;
    store_sample(track, leader->time[track->count], q);
}

void slip_trajectory_samples_follow(slip_trajectory_samples *track, const slip_trajectory_samples *leader,
                                    slip_sim *sim, const volatile sig_atomic_t *stop)
{
    double tolerance = tolerance_of(sim);
    slip_sim_set_stop_flag(sim, stop);
    slip_sim_ignore_stop(sim);
    for (int j = track->count; j < leader->count; j++) {
        const double *state = state_at(track, sim, leader->time[j], tolerance, stop);
        if (!state) return;
        store_sample(track, leader->time[j], state);
    }
}
