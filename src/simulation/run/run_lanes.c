/// simulation/run/run_lanes.c: observers of runs that are advanced in lanes.
#include "simulation/run/run_lanes.h"

#include <math.h>
#include <stdlib.h>

#include "verdict/run/creep_lanes.h"

enum { L = SLIP_LANES };

// -------------------------------------------------------------------------------------------- leader

typedef struct leader {
    slip_lane_observer base;
    const slip_lane_run *runs;
    slip_creep_lanes *creep; // NULL: no run has a creep monitor
    int n;                   // number of coordinates
    double *low, *high;      // range of each coordinate since its lane was entered, lanes side by side
    double *q;               // coordinates of one run
    double due[L];           // step before which no sample is due
    int member[L];
} leader;

static double next_step(const slip_lane_run *r)
{
    return floor(slip_trajectory_samples_next(&r->begun->track, r->sim) / r->sim->def.step) - 1.0;
}

static bool leader_enter(slip_lane_observer *watch, int lane, int member)
{
    leader *w = (leader *)watch;
    const slip_lane_run *r = &w->runs[member];
    slip_trajectory_samples_record(&r->begun->track, r->sim);
    if (w->creep) {
        slip_creep_monitor_update(r->begun->creep, r->sim);
        slip_creep_lanes_put(w->creep, lane, r->begun->creep, r->sim->method->mode);
    }
    for (int k = 0; k < w->n; k++) w->low[k * L + lane] = INFINITY, w->high[k * L + lane] = -INFINITY;
    w->due[lane] = next_step(r);
    w->member[lane] = member;
    return true;
}

static void leader_leave(slip_lane_observer *watch, int lane, int member)
{
    leader *w = (leader *)watch;
    slip_run_progress *b = w->runs[member].begun;
    for (int k = 0; k < w->n; k++)
        slip_trajectory_samples_widen(&b->track, k, w->low[k * L + lane], w->high[k * L + lane]);
    if (w->creep) slip_creep_lanes_get(w->creep, lane, b->creep);
}

static void keep_instants(leader *w, uint32_t in, const slip_ode_lanes *lanes, const double *steps)
{
    for (int j = 0; j < L; j++) {
        if (!(in >> j & 1) || !(steps[j] >= w->due[j])) continue;
        const slip_lane_run *r = &w->runs[w->member[j]];
        for (int k = 0; k < w->n; k++) w->q[k] = slip_ode_lanes_state(lanes, k)[j];
        slip_trajectory_samples_record_at(&r->begun->track, r->sim, slip_ode_lanes_time(lanes)[j],
                                          (long)steps[j], w->q);
        w->due[j] = next_step(r);
    }
}

static uint32_t leader_look(slip_lane_observer *watch, uint32_t in, const slip_ode_lanes *lanes,
                            const double *steps)
{
    leader *w = (leader *)watch;
    for (int k = 0; k < w->n; k++) {
        const double *q = slip_ode_lanes_state(lanes, k);
        double *low = w->low + k * L, *high = w->high + k * L;
        for (int j = 0; j < L; j++) {
            low[j] = q[j] < low[j] ? q[j] : low[j];
            high[j] = q[j] > high[j] ? q[j] : high[j];
        }
    }
    if (w->creep) slip_creep_lanes_update(w->creep, lanes);
    int due = 0;
    for (int j = 0; j < L; j++) due |= steps[j] >= w->due[j];
    if (due) keep_instants(w, in, lanes, steps);
    return 0;
}

static void drop_incompatible(slip_lane_run *runs, int *count)
{
    int kept = 0;
    for (int k = 0; k < *count; k++) {
        const slip_run_progress *first = runs[0].begun, *b = runs[k].begun;
        if (b->track.n == first->track.n && slip_creep_lanes_compatible(first->creep, b->creep))
            runs[kept++] = runs[k];
    }
    *count = kept;
}

slip_lane_observer *slip_run_lanes_observer_create(slip_lane_run *runs, int *count)
{
    leader *w = calloc(1, sizeof *w);
    drop_incompatible(runs, count);
    if (!w || *count == 0) return w ? &w->base : NULL;
    const slip_run_progress *first = runs[0].begun;
    w->base = (slip_lane_observer){ leader_enter, leader_look, leader_leave };
    w->runs = runs;
    w->n = first->track.n;
    w->low = calloc((size_t)w->n * (2 * L + 1) + 1, sizeof *w->low);
    if (first->creep) w->creep = slip_creep_lanes_create(first->creep);
    if (!w->low || (first->creep && !w->creep)) {
        slip_run_lanes_observer_destroy(&w->base);
        return NULL;
    }
    w->high = w->low + w->n * L;
    w->q = w->high + w->n * L;
    for (int j = 0; j < L; j++) w->due[j] = INFINITY;
    return &w->base;
}

void slip_run_lanes_observer_destroy(slip_lane_observer *watch)
{
    leader *w = (leader *)watch;
    if (!w) return;
    slip_creep_lanes_destroy(w->creep);
    free(w->low);
    free(w);
}

// ------------------------------------------------------------------------------------------ follower

typedef struct follower {
    slip_lane_observer base;
    const slip_lane_run *runs; // the companions, with the samples of their runs
    double due[L];             // step at whose end the next sample is due
    int member[L];
} follower;

static double due_step(const slip_lane_run *r)
{
    const long step = slip_trajectory_samples_due_step(slip_companion_track(&r->begun->companion),
                                                       &r->begun->track, r->sim);
    return (double)step;
}

static void store_sample(const slip_lane_run *r, const double *q)
{
    slip_trajectory_samples_add(slip_companion_track(&r->begun->companion), &r->begun->track, q);
}

static bool follower_enter(slip_lane_observer *watch, int lane, int member)
{
    follower *w = (follower *)watch;
    const slip_lane_run *r = &w->runs[member];
    if (due_step(r) == (double)r->sim->steps) store_sample(r, r->sim->method->state);
    w->due[lane] = due_step(r);
    w->member[lane] = member;
    return true;
}

static uint32_t follower_look(slip_lane_observer *watch, uint32_t in, const slip_ode_lanes *lanes,
                              const double *steps)
{
    follower *w = (follower *)watch;
    int due = 0;
    for (int j = 0; j < L; j++) due |= steps[j] >= w->due[j];
    for (int j = 0; j < L && due; j++) {
        if (!(in >> j & 1) || steps[j] != w->due[j]) continue;
        const slip_lane_run *r = &w->runs[w->member[j]];
        slip_trajectory_samples *track = slip_companion_track(&r->begun->companion);
        for (int k = 0; k < track->n; k++) track->row[k] = slip_ode_lanes_state(lanes, k)[j];
        store_sample(r, track->row);
        w->due[j] = due_step(r);
    }
    return 0;
}

static void follower_leave(slip_lane_observer *watch, int lane, int member)
{
    (void)watch, (void)lane, (void)member;
}

slip_lane_observer *slip_companion_lanes_create(const slip_lane_run *runs)
{
    follower *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->base = (slip_lane_observer){ follower_enter, follower_look, follower_leave };
    w->runs = runs;
    for (int j = 0; j < L; j++) w->due[j] = INFINITY;
    return &w->base;
}

void slip_companion_lanes_destroy(slip_lane_observer *watch)
{
    free(watch);
}
