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
static bool lead(const slip_lane_run *runs, int count, slip_lane_watch *watch,
                 const volatile sig_atomic_t *stop)
{
    slip_sim *sims[SLIP_BLOCK];
    slip_ensemble *ensemble = NULL;
    for (int k = 0; k < count; k++) sims[k] = runs[k].sim;
    if (slip_ensemble_gather(sims, count, &ensemble) != SLIP_OK) return false;
    const bool on = slip_ensemble_lead(ensemble, watch, stop);
    slip_ensemble_destroy(ensemble);
    return on;
}

// runs with those who watch them
static bool lead_watched(slip_lane_run *runs, int count, const volatile sig_atomic_t *stop)
{
    slip_lane_run fit[SLIP_BLOCK];
    bool fine = true;
    for (int k = 0; k < count && fine; k++) {
        fit[k] = runs[k];
        fine = slip_run_begun_watch(runs[k].begun, runs[k].sim);
    }
    slip_lane_watch *watch = fine ? slip_run_leader_create(fit, &count) : NULL;
    fine = watch && lead(fit, count, watch, stop);
    slip_run_leader_destroy(watch);
    return fine;
}

// The next companion of each run, together as far as lanes go, then each to its end; false when none is asked
// for any more, or it was stopped
static bool lead_companions(const slip_lane_run *runs, int count, const volatile sig_atomic_t *stop)
{
    slip_lane_run asked[SLIP_BLOCK], packed[SLIP_BLOCK];
    int all = 0, ready = 0;
    for (int k = 0; k < count; k++) {
        slip_run_begun *b = runs[k].begun;
        if (!b->recorder || !slip_run_begin_companion(b)) continue;
        asked[all++] = (slip_lane_run){ b->companion.sim, b };
        if (slip_ensemble_packs(b->companion.sim) && slip_track_meets(&b->track, b->companion.sim))
            packed[ready++] = asked[all - 1];
    }
    slip_lane_watch *watch = ready >= SLIP_WORTH_LANES ? slip_run_follower_create(packed) : NULL;
    if (watch) lead(packed, ready, watch, stop);
    slip_run_follower_destroy(watch);
    for (int k = 0; k < all; k++)
        slip_companion_finish(&asked[k].begun->companion, &asked[k].begun->track, stop);
    return all > 0 && !(stop && *stop);
}

static bool has_companions(const slip_lane_run *runs, int count, const slip_sweep_def *def)
{
    return def->companion && count > 0 && !runs[0].sim->model->run.no_companion;
}

static bool lead_all(slip_lane_run *runs, int count, const slip_sweep_def *def)
{
    return has_companions(runs, count, def) ? lead_watched(runs, count, def->stop)
                                            : lead(runs, count, NULL, def->stop);
}

bool slip_block_make(slip_block *b, const long *runs, int count)
{
    slip_lane_run begun[SLIP_BLOCK];
    const slip_sweep_def *def = &b->makers[0].sweep->def;
    int ready = 0;
    bool fine = true;
    for (int k = 0; k < count && fine; k++) {
        slip_maker *m = &b->makers[k];
        fine = slip_maker_begin(m, runs[k], &b->records[k]);
        if (!fine || b->records[k].done) continue;
        slip_sim_on_event(m->sim, hear, &m->keeper.observer);
        begun[ready++] = (slip_lane_run){ m->sim, &m->begun };
    }
    if (fine && ready >= SLIP_WORTH_LANES) fine = lead_all(begun, ready, def);
    for (int k = 0; k < count && fine; k++) {
        if (b->records[k].done) continue;
        slip_sim_on_event(b->makers[k].sim, NULL, NULL); // the run hears of them itself
        slip_maker_run(&b->makers[k]);
    }
    while (fine && has_companions(begun, ready, def) && lead_companions(begun, ready, def->stop)) {}
    for (int k = 0; k < count && fine; k++)
        if (!b->records[k].done) fine = slip_maker_end(&b->makers[k], &b->records[k]);
    return fine;
}
