/// study/sweep/sweep_worker.c: one simulation that is reused for run after run. Each run is a function of its
/// number alone.
#include "study/sweep/sweep_worker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "simulation/sim/sim.h"
#include "slipstick/diagnostics.h"
#include "verdict/run/run_trust.h"

// ------------------------------------------------------------------------------------------- the model

static char *first_error(const slip_diagnostics *notes)
{
    slip_text text = { 0 };
    for (int k = 0; notes && k < slip_diagnostics_count(notes); k++) {
        const slip_diagnostic d = slip_diagnostics_get(notes, k);
        if (d.severity != SLIP_ERROR) continue;
        slip_text_add(&text, "%s", d.text);
        break;
    }
    if (text.length == 0) slip_text_destroy(&text);
    return text.length == 0 ? NULL : slip_text_take(&text);
}

slip_model *slip_sweep_vary(const slip_sweep *sweep, long run, char **why)
{
    const slip_sweep_plan *plan = &sweep->plan;
    const int count = slip_sweep_plan_key_count(plan);
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_text all = { 0 };
    const char **changes = malloc(((size_t)count + 1) * sizeof *changes);
    slip_model *model = NULL;
    for (int k = 0; k < count; k++) {
        slip_text_add(&all, "%s=%.17g", slip_sweep_plan_key(plan, k), slip_sweep_plan_value(plan, run, k));
        slip_text_bytes(&all, "", 1);
    }
    *why = NULL;
    if (notes && changes && !all.failed) {
        const char *at = all.data;
        for (int k = 0; k < count; k++, at += strlen(at) + 1) changes[k] = at;
        const slip_status status = slip_model_vary(sweep->def.model, changes, count, notes, &model);
        if (status != SLIP_OK && status != SLIP_NO_MEMORY) *why = first_error(notes);
    }
    free(changes);
    slip_text_destroy(&all);
    slip_diagnostics_destroy(notes);
    return model;
}

// ------------------------------------------------------------------------------------------ one run

static char *copy_string(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = text[0] ? malloc(size) : NULL;
    return copy ? memcpy(copy, text, size) : NULL;
}

static void record_refusal(slip_sweep_run_record *r, char *why)
{
    *r = (slip_sweep_run_record){
        .done = true, .refused = true, .outcome = SLIP_UNSOLVED, .horizon = NAN, .text = why
    };
}

// from where the run before it ended
static void continue_from_last(slip_sweep_worker *m)
{
    for (int k = 0; m->has_state && k < slip_sim_state_count(m->sim); k++)
        slip_sim_set(m->sim, slip_sim_column_name(m->sim, 1 + k), m->state[k], NULL);
}

static void store_end_state(slip_sweep_worker *m, const slip_run_info *info)
{
    m->has_state = m->state && info->outcome == SLIP_DONE;
    if (!m->has_state) return;
    slip_sim_columns(m->sim, m->keeper.ahead);
    memcpy(m->state, m->keeper.ahead + 1, (size_t)slip_sim_state_count(m->sim) * sizeof *m->state);
}

static slip_status start_run(slip_sweep_worker *m, const slip_model *model, slip_error *error)
{
    const slip_sim_def *def = &m->sweep->def.sim;
    return m->sim ? slip_sim_restart(m->sim, model, def, error) : slip_sim_create(model, def, error, &m->sim);
}

// of the run that has started
static bool prepare_run(slip_sweep_worker *m)
{
    const slip_sweep_def *def = &m->sweep->def;
    m->run = slip_default_run_def();
    m->run.companion = def->companion;
    m->run.accuracy = def->accuracy;
    m->run.stop = def->stop;
    continue_from_last(m);
    slip_log_omit_event_text(m->sim->method->log);
    return slip_run_statistics_begin(&m->keeper, m->sim, &m->run) == SLIP_OK;
}

bool slip_sweep_worker_begin(slip_sweep_worker *m, long number, slip_sweep_run_record *r)
{
    slip_error error = { 0 };
    char *why = NULL;
    bool fine = true;
    *r = (slip_sweep_run_record){ 0 };
    slip_run_progress_discard(&m->begun);
    for (int k = 0; k < m->keeper.width; k++) m->keeper.values[k] = NAN;
    m->keeper.point_count = 0;
    slip_model *model = slip_sweep_vary(m->sweep, number, &why);
    const slip_status status = model ? start_run(m, model, &error) : SLIP_BAD_ARGUMENT;
    if (!model) {
        if (why) record_refusal(r, why);
        fine = why;
    } else if (status != SLIP_OK) {
        fine = status != SLIP_NO_MEMORY;
        if (fine) record_refusal(r, copy_string(error.text));
    } else if (slip_sim_column_count(m->sim) != m->sweep->columns) {
        record_refusal(r, copy_string("it has other columns than the other runs"));
    } else {
        fine = prepare_run(m);
    }
    if (r->refused) m->has_state = false;
    if (model) { // the simulation has let go of the one before
        slip_model_destroy(m->model);
        m->model = model;
    }
    return fine;
}

void slip_sweep_worker_run(slip_sweep_worker *m)
{
    m->error = (slip_error){ 0 };
    m->status = slip_run_first_phase(m->sim, &m->run, &m->begun, &m->info, &m->error);
}

bool slip_sweep_worker_end(slip_sweep_worker *m, slip_sweep_run_record *r)
{
    const slip_sweep_def *def = &m->sweep->def;
    slip_sim *sim = m->sim;
    if (m->status == SLIP_OK) m->status = slip_run_second_phase(&m->begun);
    if (m->status == SLIP_NO_MEMORY) return false;
    if (m->status != SLIP_OK) {
        record_refusal(r, copy_string(m->error.text));
        m->has_state = false;
        return true;
    }
    const slip_run_info info = m->info;
    if (info.outcome == SLIP_STOPPED || (def->stop && *def->stop) || m->keeper.failed) return false;
    slip_run_statistics_end(&m->keeper, sim);
    const char *doubt;
    const slip_trust trust = slip_run_judge(sim, &info, &doubt);
    const slip_horizon horizon = slip_run_horizon(sim);
    *r = (slip_sweep_run_record){ .done = true,
                                  .trust = trust,
                                  .outcome = info.outcome,
                                  .t = slip_sim_time(sim),
                                  .horizon = horizon.known ? horizon.until : NAN,
                                  .text = copy_string(doubt),
                                  .point_count = m->keeper.point_count };
    while (slip_sim_warning(sim, (int)r->warnings)) r->warnings++;
    store_end_state(m, &info);
    return true;
}

// ------------------------------------------------------------------------------------------------- life

slip_status slip_sweep_worker_create(slip_sweep_worker *m, const slip_sweep *sweep, const slip_sim *sim,
                                     slip_error *error)
{
    *m = (slip_sweep_worker){ .sweep = sweep, .begun.many = true };
    slip_status status = slip_run_statistics_create(&sweep->def, sim, error, &m->keeper);
    if (status != SLIP_OK || !sweep->def.follow) return status;
    m->state = calloc((size_t)slip_sim_state_count(sim) + 1, sizeof *m->state);
    return m->state ? SLIP_OK : slip_fail(error, SLIP_NO_MEMORY, "sweep", "out of memory");
}

void slip_sweep_worker_destroy(slip_sweep_worker *m)
{
    slip_run_statistics_destroy(&m->keeper);
    slip_run_progress_destroy(&m->begun);
    slip_sim_destroy(m->sim);
    slip_model_destroy(m->model);
    free(m->state);
    *m = (slip_sweep_worker){ 0 };
}
