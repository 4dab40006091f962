/// sweep/block.c: see block.h.
#include "sweep/block.h"

#include <stdlib.h>

#include "core/status.h"
#include "run/lanes.h"
#include "sim/ensemble.h"
#include "sim/sim.h"

// Rows in between say something about records alone: a state that is not a number ends a run
static bool is_for_lanes(const slip_sweep *s, const slip_sim *sim)
{
    const slip_sweep_def *def = &s->def;
    return !(def->keep & ~(unsigned)(SLIP_KEEP_FINAL | SLIP_KEEP_EVENTS)) && !slip_keeps_points(def) &&
           !def->follow && sim->model->record_count == 0 && slip_ensemble_packs(sim);
}

slip_status slip_block_create(slip_block *b, const slip_sweep *sweep, const slip_sim *sim, long most,
                              slip_error *error)
{
    *b = (slip_block){ 0 };
    if (most < SLIP_WORTH_LANES || !is_for_lanes(sweep, sim)) return SLIP_OK;
    slip_status status = SLIP_OK;
    for (int k = 0; k < most && k < SLIP_BLOCK && status == SLIP_OK; k++) {
        status = slip_maker_create(&b->makers[k], sweep, sim, error);
        b->count++;
    }
    return status;
}

void slip_block_destroy(slip_block *b)
{
    for (int k = 0; k < b->count; k++) slip_maker_destroy(&b->makers[k]);
    b->count = 0;
}

static void hear(void *context, const slip_event *event)
{
    slip_run_observer *observer = context;
    observer->event(observer, event);
}

// As far as lanes go; false when it was stopped, or there is no memory
static bool lead(const slip_lane_run *runs, int count, const double *to, slip_lane_watch *watch,
                 const volatile sig_atomic_t *stop)
{
    slip_sim *sims[SLIP_BLOCK];
    slip_ensemble *ensemble = NULL;
    for (int k = 0; k < count; k++) sims[k] = runs[k].sim;
    if (slip_ensemble_gather(sims, count, &ensemble) != SLIP_OK) return false;
    const bool on = slip_ensemble_lead(ensemble, to, watch, stop);
    slip_ensemble_destroy(ensemble);
    return on;
}

// Runs with those who watch them, some of which may have to be left out: *count are left
static bool lead_watched(slip_lane_run *runs, int *count, const volatile sig_atomic_t *stop)
{
    bool fine = true;
    for (int k = 0; k < *count && fine; k++) fine = slip_run_begun_watch(runs[k].begun, runs[k].sim);
    slip_lane_watch *watch = fine ? slip_run_leader_create(runs, count) : NULL;
    fine = watch && lead(runs, *count, NULL, watch, stop);
    slip_run_leader_destroy(watch);
    return fine;
}

// The companions of runs that are about to end, as far as these have come. One that does not meet them at
// ends of its steps goes on alone, from its start.
static bool lead_companions(const slip_lane_run *runs, int count, const volatile sig_atomic_t *stop)
{
    slip_lane_run companions[SLIP_BLOCK];
    double to[SLIP_BLOCK];
    int ready = 0;
    for (int k = 0; k < count; k++) {
        slip_run_begun *b = runs[k].begun;
        if (runs[k].sim->outcome != SLIP_RUNNING || runs[k].sim->steps == 0) continue;
        if (!slip_companion_begin(&b->companion, runs[k].sim)) return false;
        slip_sim *sim = b->companion.sim;
        if (!slip_ensemble_packs(sim) || !slip_track_meets(&b->track, sim)) continue;
        to[ready] = runs[k].sim->method->t;
        companions[ready++] = (slip_lane_run){ sim, b };
    }
    if (ready < SLIP_WORTH_LANES) return true;
    slip_lane_watch *watch = slip_run_follower_create(companions);
    const bool fine = watch && lead(companions, ready, to, watch, stop);
    slip_run_follower_destroy(watch);
    return fine;
}

static bool lead_all(slip_lane_run *runs, int count, const slip_sweep_def *def)
{
    const bool companion = def->companion && count && !runs[0].sim->model->run.no_companion;
    if (!companion) return lead(runs, count, NULL, NULL, def->stop);
    return lead_watched(runs, &count, def->stop) && lead_companions(runs, count, def->stop);
}

bool slip_block_make(slip_block *b, const long *runs, int count)
{
    slip_lane_run begun[SLIP_BLOCK];
    int ready = 0;
    bool fine = true;
    for (int k = 0; k < count && fine; k++) {
        slip_maker *m = &b->makers[k];
        fine = slip_maker_begin(m, runs[k], &b->records[k]);
        if (!fine || b->records[k].done) continue;
        slip_sim_on_event(m->sim, hear, &m->keeper.observer);
        begun[ready++] = (slip_lane_run){ m->sim, &m->begun };
    }
    if (fine && ready >= SLIP_WORTH_LANES) fine = lead_all(begun, ready, &b->makers[0].sweep->def);
    for (int k = 0; k < count && fine; k++) {
        if (b->records[k].done) continue;
        slip_sim_on_event(b->makers[k].sim, NULL, NULL); // the run hears of them itself
        fine = slip_maker_end(&b->makers[k], &b->records[k]);
    }
    return fine;
}
