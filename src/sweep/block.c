/// sweep/block.c: see block.h.
#include "sweep/block.h"

#include <math.h>
#include <stdlib.h>

#include "core/status.h"
#include "ode/record_lanes.h"
#include "run/lanes.h"
#include "sim/ensemble.h"
#include "sim/sim.h"
#include "sweep/keeper_lanes.h"
#include "sweep/rows_lanes.h"

// Rows in between are looked at for records that are not numbers; they are to be at ends of steps
static bool has_rows_at_steps(const slip_sim *sim)
{
    const double ratio = sim->model->run.every / sim->def.step;
    return sim->model->record_count == 0 || isnan(ratio) || fabs(ratio - nearbyint(ratio)) < 1e-10;
}

static bool is_for_lanes(const slip_sweep *s, const slip_sim *sim)
{
    const slip_sweep_def *def = &s->def;
    return !def->section && !def->follow && has_rows_at_steps(sim) && slip_ensemble_packs(sim);
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

/// Looks at records, where there are any, for the keepers at every step, if they want that, and passes on
/// what it sees to those who watch for a companion.
typedef struct watcher {
    slip_lane_watch base;
    const slip_lane_run *runs;
    slip_record_lanes *records; // NULL: there are none
    slip_keeper_lanes *keepers; // NULL: they look at no steps
    slip_rows_lanes *rows;      // NULL: they take none
    slip_lane_watch *then;      // NULL: nobody does
    int member[SLIP_LANES];
    uint32_t left; // lanes that are to go alone: their keepers have what they are to have
} watcher;

static slip_keeper *keeper_of(const watcher *w, int member)
{
    return (slip_keeper *)w->runs[member].keeper;
}

static bool has_a_number_everywhere(const slip_sim *sim)
{
    bool numbers = true;
    for (int k = 0; k < slip_sim_column_count(sim); k++) numbers = numbers && !isnan(sim->row[k]);
    return numbers;
}

static bool enter(slip_lane_watch *watch, int lane, int member)
{
    watcher *w = (watcher *)watch;
    slip_sim *sim = w->runs[member].sim;
    w->member[lane] = member;
    w->left |= (uint32_t)1 << lane;
    if (w->records) {
        slip_sim_columns(sim, sim->row);
        if (!has_a_number_everywhere(sim)) return false;
        slip_record_lanes_put(w->records, lane, sim->method);
    }
    w->left &= ~((uint32_t)1 << lane);
    if (w->rows) slip_rows_lanes_enter(w->rows, lane, keeper_of(w, member), sim);
    if (w->keepers) {
        slip_keeper *keeper = keeper_of(w, member);
        keeper->observer.look(&keeper->observer, sim);
        slip_keeper_lanes_put(w->keepers, lane, keeper);
    }
    return !w->then || w->then->enter(w->then, lane, member);
}

static uint32_t look(slip_lane_watch *watch, uint32_t in, const slip_ode_lanes *lanes, const double *steps)
{
    watcher *w = (watcher *)watch;
    const uint32_t out = w->records ? in & slip_record_lanes_look(w->records, lanes) : 0;
    for (int j = 0; j < SLIP_LANES && out && w->keepers; j++)
        if (out >> j & 1) slip_keeper_lanes_get(w->keepers, j, keeper_of(w, w->member[j]));
    w->left |= out;
    if (w->rows) slip_rows_lanes_look(w->rows, in & ~out, lanes, w->records, steps);
    if (w->keepers) slip_keeper_lanes_look(w->keepers, lanes, w->records);
    return out | (w->then ? w->then->look(w->then, in & ~out, lanes, steps) : 0);
}

static void leave(slip_lane_watch *watch, int lane, int member)
{
    const watcher *w = (const watcher *)watch;
    if (w->keepers && !(w->left >> lane & 1)) slip_keeper_lanes_get(w->keepers, lane, keeper_of(w, member));
    if (w->then) w->then->leave(w->then, lane, member);
}

// those whose rows are seen in lanes, and that have the records of the first
static int leave_out(slip_lane_run *runs, int count)
{
    int kept = 0;
    for (int k = 0; k < count; k++) {
        const slip_sim *sim = runs[k].sim;
        const slip_keeper *keeper = runs[k].keeper;
        if (!has_rows_at_steps(sim) || !slip_ensemble_packs(sim)) continue;
        if (slip_keeps_points(keeper->def) && !slip_rows_lanes_fit(keeper, sim)) continue;
        const bool same = kept == 0 || sim->model->record_count == 0 ||
                          slip_record_lanes_fit(runs[0].sim->method, sim->method);
        if (same) runs[kept++] = runs[k];
    }
    return kept;
}

// runs with those who watch them
static bool lead_watched(const slip_lane_run *runs, int count, bool companion,
                         const volatile sig_atomic_t *stop)
{
    slip_lane_run fit[SLIP_BLOCK];
    slip_rows_lanes rows;
    watcher w = { .base = { enter, look, leave }, .runs = fit };
    const slip_keeper *keeper = runs[0].keeper;
    bool fine = true;
    for (int k = 0; k < count && fine; k++) {
        fit[k] = runs[k];
        if (companion) fine = slip_run_begun_watch(runs[k].begun, runs[k].sim);
    }
    const bool records = fit[0].sim->model->record_count > 0;
    if (slip_keeps_points(keeper->def)) w.rows = &rows, slip_rows_lanes_begin(&rows);
    if (records || w.rows) count = leave_out(fit, count);
    if (fine && records) fine = count == 0 || (w.records = slip_record_lanes_create(fit[0].sim->method));
    if (fine && count > 0 && slip_keeps_steps(keeper->def))
        fine = (w.keepers = slip_keeper_lanes_create(keeper, fit[0].sim->method->state_count));
    if (fine && companion) fine = (w.then = slip_run_leader_create(fit, &count));
    if (fine) fine = lead(fit, count, &w.base, stop);
    slip_run_leader_destroy(w.then);
    slip_record_lanes_destroy(w.records);
    slip_keeper_lanes_destroy(w.keepers);
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
        asked[all++] = (slip_lane_run){ b->companion.sim, b, NULL };
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

static bool lead_all(const slip_lane_run *runs, int count, const slip_sweep_def *def)
{
    return lead_watched(runs, count, has_companions(runs, count, def), def->stop);
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
        begun[ready++] = (slip_lane_run){ m->sim, &m->begun, &m->keeper };
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
