/// study/sweep/simd_batch.c: several runs of a sweep at once, in lanes.
#include "study/sweep/simd_batch.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "formulation/ode/record_lanes.h"
#include "simulation/run/run_lanes.h"
#include "simulation/sim/ensemble.h"
#include "simulation/sim/sim.h"
#include "study/sweep/run_statistics_lanes.h"
#include "study/sweep/row_output_lanes.h"
#include "study/sweep/sweep_tolerances.h"

// True if all rows are at ends of steps, where recorded quantities can be checked for values that are not
// numbers.
static bool has_rows_at_steps(const slip_sim *sim)
{
    const double ratio = sim->model->run.every / sim->def.step;
    return sim->model->record_count == 0 || isnan(ratio) || fabs(ratio - nearbyint(ratio)) < WHOLE_INTERVAL;
}

static bool is_for_lanes(const slip_sweep *s, const slip_sim *sim)
{
    const slip_sweep_def *def = &s->def;
    return !def->section && !def->follow && !(def->outputs & SLIP_OUTPUT_LOADS) && has_rows_at_steps(sim) &&
           slip_ensemble_can_pack(sim);
}

slip_status slip_simd_batch_create(slip_simd_batch *b, const slip_sweep *sweep, const slip_sim *sim,
                                   long most, slip_error *error)
{
    *b = (slip_simd_batch){ 0 };
    if (most < SLIP_MIN_LANES_PER_GROUP || !is_for_lanes(sweep, sim)) return SLIP_OK;
    slip_status status = SLIP_OK;
    for (int k = 0; k < most && k < SLIP_SIMD_BATCH_RUNS && status == SLIP_OK; k++) {
        status = slip_sweep_worker_create(&b->makers[k], sweep, sim, error);
        b->count++;
    }
    return status;
}

void slip_simd_batch_destroy(slip_simd_batch *b)
{
    for (int k = 0; k < b->count; k++) slip_sweep_worker_destroy(&b->makers[k]);
    b->count = 0;
}

static void ignore_event(void *context, const slip_event *event)
{
    slip_run_observer *observer = context;
    observer->event(observer, event);
}

// Advances the runs as far as lanes can; false when stopped or out of memory.
static bool advance_lanes(const slip_lane_run *runs, int count, slip_lane_observer *watch,
                          const volatile sig_atomic_t *stop)
{
    slip_sim *sims[SLIP_SIMD_BATCH_RUNS];
    slip_ensemble *ensemble = NULL;
    for (int k = 0; k < count; k++) sims[k] = runs[k].sim;
    if (slip_ensemble_gather(sims, count, &ensemble) != SLIP_OK) return false;
    const bool on = slip_ensemble_advance_lanes(ensemble, watch, stop);
    slip_ensemble_destroy(ensemble);
    return on;
}

/// Observes the recorded quantities of runs in lanes, updates their statistics at every step where necessary,
/// and passes each step on to the observer for the companions.
typedef struct watcher {
    slip_lane_observer base;
    const slip_lane_run *runs;
    slip_record_lanes *records;         // NULL: the model records nothing
    slip_run_statistics_lanes *keepers; // NULL: no statistics need every step
    slip_row_output_lanes *rows;        // NULL: no rows are needed
    slip_lane_observer *then;           // NULL: there is no further observer
    int member[SLIP_LANES];
    uint32_t left; // lanes whose runs continue by themselves, with complete statistics
} watcher;

static slip_run_statistics *keeper_of(const watcher *w, int member)
{
    return (slip_run_statistics *)w->runs[member].keeper;
}

static bool has_a_number_everywhere(const slip_sim *sim)
{
    bool numbers = true;
    for (int k = 0; k < slip_sim_column_count(sim); k++) numbers = numbers && !isnan(sim->row[k]);
    return numbers;
}

static bool watcher_enter(slip_lane_observer *watch, int lane, int member)
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
    if (w->rows) slip_row_output_lanes_enter(w->rows, lane, keeper_of(w, member), sim);
    if (w->keepers) {
        slip_run_statistics *keeper = keeper_of(w, member);
        keeper->observer.look(&keeper->observer, sim);
        slip_run_statistics_lanes_put(w->keepers, lane, keeper);
    }
    return !w->then || w->then->enter(w->then, lane, member);
}

static uint32_t watcher_look(slip_lane_observer *watch, uint32_t in, const slip_ode_lanes *lanes,
                             const double *steps)
{
    watcher *w = (watcher *)watch;
    const uint32_t out = w->records ? in & slip_record_lanes_evaluate(w->records, lanes) : 0;
    for (int j = 0; j < SLIP_LANES && out && w->keepers; j++)
        if (out >> j & 1) slip_run_statistics_lanes_get(w->keepers, j, keeper_of(w, w->member[j]));
    w->left |= out;
    if (w->rows) slip_row_output_lanes_update(w->rows, in & ~out, lanes, w->records, steps);
    if (w->keepers) slip_run_statistics_lanes_update(w->keepers, lanes, w->records);
    return out | (w->then ? w->then->look(w->then, in & ~out, lanes, steps) : 0);
}

static void watcher_leave(slip_lane_observer *watch, int lane, int member)
{
    const watcher *w = (const watcher *)watch;
    if (w->keepers && !(w->left >> lane & 1))
        slip_run_statistics_lanes_get(w->keepers, lane, keeper_of(w, member));
    if (w->then) w->then->leave(w->then, lane, member);
}

// Keeps the runs whose rows are at ends of steps, and which have the same recorded quantities as the first.
static int drop_incompatible(slip_lane_run *runs, int count)
{
    int kept = 0;
    for (int k = 0; k < count; k++) {
        const slip_sim *sim = runs[k].sim;
        const slip_run_statistics *keeper = runs[k].keeper;
        if (!has_rows_at_steps(sim) || !slip_ensemble_can_pack(sim)) continue;
        if (slip_run_statistics_need_points(keeper->def) && !slip_row_output_lanes_possible(keeper, sim))
            continue;
        const bool same = kept == 0 || sim->model->record_count == 0 ||
                          slip_record_lanes_match(runs[0].sim->method, sim->method);
        if (same) runs[kept++] = runs[k];
    }
    return kept;
}

// Advances the runs with their observers.
static bool advance_watched(const slip_lane_run *runs, int count, bool companion,
                            const volatile sig_atomic_t *stop)
{
    slip_lane_run fit[SLIP_SIMD_BATCH_RUNS];
    slip_row_output_lanes rows;
    watcher w = { .base = { watcher_enter, watcher_look, watcher_leave }, .runs = fit };
    const slip_run_statistics *keeper = runs[0].keeper;
    bool fine = true;
    for (int k = 0; k < count && fine; k++) {
        fit[k] = runs[k];
        if (companion) fine = slip_run_progress_create(runs[k].begun, runs[k].sim);
    }
    const bool records = fit[0].sim->model->record_count > 0;
    if (slip_run_statistics_need_points(keeper->def)) w.rows = &rows, slip_row_output_lanes_begin(&rows);
    if (records || w.rows) count = drop_incompatible(fit, count);
    if (fine && records) fine = count == 0 || (w.records = slip_record_lanes_create(fit[0].sim->method));
    if (fine && count > 0 && slip_run_statistics_need_steps(keeper->def))
        fine = (w.keepers = slip_run_statistics_lanes_create(keeper, fit[0].sim->method->state_count));
    if (fine && companion) fine = (w.then = slip_run_lanes_observer_create(fit, &count));
    if (fine) fine = advance_lanes(fit, count, &w.base, stop);
    slip_run_lanes_observer_destroy(w.then);
    slip_record_lanes_destroy(w.records);
    slip_run_statistics_lanes_destroy(w.keepers);
    return fine;
}

// Advances the next companion of each run, in lanes as far as possible, then each to its end. False when no
// companion is needed any more, or when stopped.
static bool advance_companions(const slip_lane_run *runs, int count, const volatile sig_atomic_t *stop)
{
    slip_lane_run asked[SLIP_SIMD_BATCH_RUNS], packed[SLIP_SIMD_BATCH_RUNS];
    int all = 0, ready = 0;
    for (int k = 0; k < count; k++) {
        slip_run_progress *b = runs[k].begun;
        if (!b->recorder || !slip_run_begin_companion(b)) continue;
        asked[all++] = (slip_lane_run){ b->companion.sim, b, NULL };
        if (slip_ensemble_can_pack(b->companion.sim) &&
            slip_trajectory_samples_align(&b->track, b->companion.sim))
            packed[ready++] = asked[all - 1];
    }
    slip_lane_observer *watch =
        ready >= SLIP_MIN_LANES_PER_GROUP ? slip_companion_lanes_create(packed) : NULL;
    if (watch) advance_lanes(packed, ready, watch, stop);
    slip_companion_lanes_destroy(watch);
    for (int k = 0; k < all; k++)
        slip_companion_finish(&asked[k].begun->companion, &asked[k].begun->track, stop);
    return all > 0 && !(stop && *stop);
}

static bool has_companions(const slip_lane_run *runs, int count, const slip_sweep_def *def)
{
    return def->companion && count > 0 && !runs[0].sim->model->run.no_companion;
}

static bool advance_all(const slip_lane_run *runs, int count, const slip_sweep_def *def)
{
    return advance_watched(runs, count, has_companions(runs, count, def), def->stop);
}

bool slip_simd_batch_run(slip_simd_batch *b, const long *runs, int count)
{
    slip_lane_run begun[SLIP_SIMD_BATCH_RUNS];
    const slip_sweep_def *def = &b->makers[0].sweep->def;
    int ready = 0;
    bool fine = true;
    for (int k = 0; k < count && fine; k++) {
        slip_sweep_worker *m = &b->makers[k];
        fine = slip_sweep_worker_begin(m, runs[k], &b->records[k]);
        if (!fine || b->records[k].done) continue;
        slip_sim_on_event(m->sim, ignore_event, &m->keeper.observer);
        begun[ready++] = (slip_lane_run){ m->sim, &m->begun, &m->keeper };
    }
    if (fine && ready >= SLIP_MIN_LANES_PER_GROUP) fine = advance_all(begun, ready, def);
    for (int k = 0; k < count && fine; k++) {
        if (b->records[k].done) continue;
        slip_sim_on_event(b->makers[k].sim, NULL, NULL); // the run sets its own sink
        slip_sweep_worker_run(&b->makers[k]);
    }
    while (fine && has_companions(begun, ready, def) && advance_companions(begun, ready, def->stop)) {}
    for (int k = 0; k < count && fine; k++)
        if (!b->records[k].done) fine = slip_sweep_worker_end(&b->makers[k], &b->records[k]);
    return fine;
}
