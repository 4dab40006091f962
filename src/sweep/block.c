/// sweep/block.c: see block.h.
#include "sweep/block.h"

#include <stdlib.h>

#include "core/status.h"
#include "sim/ensemble.h"
#include "sim/sim.h"

enum { STRIDE = 4096 }; // steps between two looks at who wants to stop

// Rows in between say something about records alone: a state that is not a number ends a run
static bool is_for_lanes(const slip_sweep *s, const slip_sim *sim)
{
    const slip_sweep_def *def = &s->def;
    return !(def->keep & ~(unsigned)(SLIP_KEEP_FINAL | SLIP_KEEP_EVENTS)) && !slip_keeps_points(def) &&
           !def->companion && !def->follow && sim->model->record_count == 0 && slip_ensemble_packs(sim);
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

// the simulations to their ends, or to where each has something to say of itself; false when it was stopped
static bool lead(slip_sim *const *sims, int count, const volatile sig_atomic_t *stop)
{
    slip_ensemble *ensemble = NULL;
    if (slip_ensemble_gather(sims, count, &ensemble) != SLIP_OK) return false;
    bool stopped = false;
    while (!stopped && slip_ensemble_advance(ensemble, STRIDE) > 0) stopped = stop && *stop;
    slip_ensemble_destroy(ensemble);
    return !stopped;
}

bool slip_block_make(slip_block *b, const long *runs, int count)
{
    slip_sim *begun[SLIP_BLOCK];
    int ready = 0;
    bool fine = true;
    for (int k = 0; k < count && fine; k++) {
        slip_maker *m = &b->makers[k];
        fine = slip_maker_begin(m, runs[k], &b->records[k]);
        if (!fine || b->records[k].done) continue;
        slip_sim_on_event(m->sim, hear, &m->keeper.observer);
        begun[ready++] = m->sim;
    }
    if (fine && ready >= SLIP_WORTH_LANES) fine = lead(begun, ready, b->makers[0].sweep->def.stop);
    for (int k = 0; k < count && fine; k++) {
        if (b->records[k].done) continue;
        slip_sim_on_event(b->makers[k].sim, NULL, NULL); // the run hears of them itself
        fine = slip_maker_end(&b->makers[k], &b->records[k]);
    }
    return fine;
}
