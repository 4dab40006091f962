/// simulation/sim/save_restore.c: saves the state of a simulation, and restores it.
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simulation/sim/sim.h"
#include "slipstick_config.h"

enum { STATE_FORMAT = 2 };

// ---------------------------------------------------------------------------------- what it belongs to

// A text that must be the same in the file and in this simulation.
static void same_text(slip_archive *a, const char *key, const char *mine)
{
    if (!mine) mine = "";
    char *saved = slip_archive_text(a, key, mine);
    if (saved && a->status == SLIP_OK && strcmp(saved, mine) != 0)
        slip_archive_fail(a, SLIP_BAD_ARGUMENT,
                          "the state was saved with %s '%.60s', and this run has '%.60s'", key, saved, mine);
    free(saved);
}

static void same_number(slip_archive *a, const char *key, double mine)
{
    double saved = mine;
    slip_archive_double(a, key, &saved);
    if (a->status == SLIP_OK && saved != mine && !(isnan(saved) && isnan(mine)))
        slip_archive_fail(a, SLIP_BAD_ARGUMENT, "the state was saved with %s %.17g, and this run has %.17g",
                          key, saved, mine);
}

static void same_model(const slip_model *m, slip_archive *a)
{
    char text[32];
    snprintf(text, sizeof text, "%016" PRIx64, slip_model_checksum(m));
    same_text(a, "model", m->name);
    same_text(a, "model file with hash", text);
    int count = m->parameter_count;
    same_number(a, "number of parameters", count);
    for (int k = 0; k < count && a->status == SLIP_OK; k++)
        same_number(a, slip_model_parameter_name(m, k), slip_model_parameter_value(m, k));
}

// Overrides change the model and must be the same, except for the length of the run and what it records.
static void same_overrides(const slip_model *m, slip_archive *a)
{
    slip_text all = { 0 };
    slip_text_add(&all, "%s", "");
    for (int k = 1; k < m->source_count; k++) {
        const char *given = m->sources[k].text;
        if (strncmp(given, "run.until", 9) == 0 || strncmp(given, "run.every", 9) == 0) continue;
        slip_text_add(&all, "%s%s", all.length ? " " : "", given);
    }
    if (all.failed)
        slip_archive_fail(a, SLIP_NO_MEMORY, "out of memory");
    else
        same_text(a, "overrides", all.data);
    slip_text_destroy(&all);
}

static void same_settings(const slip_sim *sim, slip_archive *a)
{
    const slip_sim_def *def = &sim->def;
    bool adaptive = sim->method->adaptive;
    same_text(a, "formulation", def->formulation);
    same_text(a, "integrator", sim->formulation->integrator ? def->integrator : "");
    same_text(a, "solver", sim->formulation->solver ? def->solver : "");
    same_text(a, "branch", def->branch);
    same_text(a, "on_disagreement", def->on_disagreement);
    same_number(a, "step", def->step);
    same_number(a, "max_step", adaptive ? def->max_step : 0.0);
    same_number(a, "relative", def->relative);
    same_number(a, "absolute", def->absolute);
    same_number(a, "softness", def->softness);
    slip_option_entry entry;
    for (int k = 0; slip_solve_option_entry(k, &entry); k++)
        same_number(a, entry.key, slip_solve_option(def->solver_options, entry.key));
}

// ---------------------------------------------------------------------------------------------- state

static void archive_outcome(slip_sim *sim, slip_archive *a)
{
    slip_run_outcome now = sim->outcome;
    bool goes_on = now == SLIP_RUNNING || now == SLIP_DONE || now == SLIP_STOPPED || now == SLIP_PAUSED;
    if (!slip_archive_reads(a) && !goes_on)
        slip_archive_fail(a, SLIP_UNSUPPORTED, "a run that ended as '%s' has no state to go on from",
                          slip_run_outcome_name(now));
    if (!slip_archive_reads(a)) return;
    bool over = sim->method->adaptive ? sim->method->t >= sim->def.until : sim->steps >= sim->last;
    sim->outcome = over ? SLIP_DONE : SLIP_RUNNING;
}

void slip_sim_archive(slip_sim *sim, slip_archive *a)
{
    slip_method *m = sim->method;
    same_text(a, "slipstick", "state");
    same_number(a, "format", STATE_FORMAT);
    same_text(a, "version", SLIP_VERSION);
    same_model(sim->model, a);
    same_overrides(sim->model, a);
    same_settings(sim, a);
    if (sim->derivatives)
        slip_archive_fail(a, SLIP_UNSUPPORTED, "a simulation with derivatives cannot be written down yet");
    if (!m->ops->archive)
        slip_archive_fail(a, SLIP_UNSUPPORTED, "formulation %s cannot be written down", sim->def.formulation);
    if (a->status != SLIP_OK) return;
    slip_log_archive(m->log, a);
    m->ops->archive(m, a);
    slip_archive_long(a, "steps", &sim->steps);
    slip_archive_long(a, "idle", &sim->idle);
    slip_archive_double(a, "moved", &sim->moved);
    slip_archive_bytes(a, "modes", sim->mode, (size_t)m->element_count);
    slip_archive_int(a, "warnings_sent", &sim->warnings_sent);
    slip_archive_long(a, "events", &sim->events);
    slip_archive_double(a, "energy_start", &sim->energy_start);
    slip_archive_double(a, "driven_start", &sim->driven_start);
    slip_archive_bool(a, "started", &sim->started);
    slip_value_checks_archive(sim->values, a);
    slip_model_events_archive(sim->whens, a);
    slip_sampled_controllers_archive(sim->samples, a);
    slip_delayed_values_archive(sim->delays, a);
    slip_contact_loads_archive(sim->loads, a);
    slip_archive_long(a, "rows", &sim->progress.rows);
    slip_archive_double(a, "last_row", &sim->progress.last_row);
    slip_archive_bool(a, "not_a_number", &sim->progress.not_a_number);
    archive_outcome(sim, a);
    sim->progress.resumed = sim->progress.resumed || slip_archive_reads(a);
}

// ------------------------------------------------------------------------------------------------ API

char *slip_sim_save(slip_sim *sim, slip_error *error)
{
    slip_archive a = slip_archive_writer(error);
    slip_archive_open(&a, NULL);
    slip_sim_archive(sim, &a);
    return slip_archive_take(&a);
}

slip_status slip_sim_restore(slip_sim *sim, const char *state, slip_error *error)
{
    slip_archive a = slip_archive_reader("state", state, error);
    if (sim->steps > 0)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "state", "the simulation is not at its start any more");
    slip_archive_open(&a, NULL);
    slip_sim_archive(sim, &a);
    return a.status;
}
