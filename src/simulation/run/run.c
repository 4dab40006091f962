/// simulation/run/run.c: a whole run: recording, files, interruption and companion.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/atomic_file.h"
#include "simulation/run/recorder.h"
#include "verdict/run/run_trust.h"
#include "simulation/sim/sim.h"
#include "simulation/sim/sim_tolerances.h"
#include "slipstick/run.h"

// More rows than this in a trajectory are a mistake in `every`: the file would have a terabyte or so.
static const double MAX_ROWS = 1e9;

// Agreement of the companion that counts, relative to the extent of the motion, unless the user or the model
// sets it: a per cent is what drawings and measurements of machines resolve.
static const double DEFAULT_ACCURACY = 0.01;

// The clock is read every `pace` steps, which adapts so that two readings are between 10 and 50 ms apart;
// reading it costs as much as a step of a small model. Progress is shown ten times per second.
static const double SHORT_PACE = 0.01, LONG_PACE = 0.05, PROGRESS_INTERVAL = 0.1; // s
enum { MAX_PACE = 256 };                                                          // steps

slip_run_def slip_default_run_def(void)
{
    return (slip_run_def){ .every = NAN, .accuracy = NAN, .pause = INFINITY };
}

// ------------------------------------------------------------------------------------------- loop

static void tell_progress(slip_recorder *r)
{
    r->clock_shown = slip_monotonic_clock();
    if (r->def->progress) r->def->progress(r->def->context, r->sim->method->t / r->sim->def.until, r->sim);
    slip_line_file_flush(&r->trajectory); // rows that are shown as done are in the file
    slip_line_file_flush(&r->events);
}

// Shows the progress at regular intervals of real time.
static void tell_at_times(slip_recorder *r, long step)
{
    if (step % r->pace != 0) return;
    double clock = slip_monotonic_clock(), since = clock - r->clock_asked;
    r->clock_asked = clock;
    if (since < SHORT_PACE && r->pace < MAX_PACE) r->pace *= 2;
    if (since > LONG_PACE && r->pace > 1) r->pace /= 2;
    if (clock - r->clock_shown >= PROGRESS_INTERVAL) tell_progress(r);
}

static slip_run_outcome run_loop(slip_recorder *r)
{
    slip_sim *sim = r->sim;
    slip_run_outcome outcome = sim->outcome;
    for (long k = 1; outcome == SLIP_RUNNING; k++) {
        int code;
        outcome = slip_sim_observe(sim);
        if (outcome == SLIP_RUNNING) outcome = slip_recorder_record_due(r);
        if (outcome == SLIP_RUNNING && r->def->observer && r->def->observer->look)
            r->def->observer->look(r->def->observer, sim);
        if (outcome == SLIP_RUNNING && r->begun->track.memory)
            slip_trajectory_samples_record(&r->begun->track, sim);
        if (outcome == SLIP_RUNNING && r->begun->creep) slip_creep_monitor_update(r->begun->creep, sim);
        if (outcome == SLIP_RUNNING) outcome = slip_sim_step(sim), slip_recorder_record_jump(r);
        if (outcome == SLIP_RUNNING && slip_recorder_is_stopped(r)) outcome = SLIP_STOPPED;
        if (outcome == SLIP_RUNNING && sim->method->t >= r->def->pause) outcome = SLIP_PAUSED;
        if (outcome == SLIP_RUNNING && slip_recorder_failed_file(r, &code)) outcome = SLIP_WRITE_FAILED;
        tell_at_times(r, k);
    }
    if (outcome == SLIP_DONE) {
        slip_run_outcome last = slip_recorder_record_due(r);
        if (last != SLIP_RUNNING) outcome = last;
    }
    if (outcome != SLIP_PAUSED) slip_recorder_record_end(r);
    return outcome;
}

// ------------------------------------------------------------------------------------- interruptions

// Saves or restores the samples of the run so far, with which the companion is compared. A run that was saved
// without samples continues without them.
static void archive_track(slip_recorder *r, slip_archive *a)
{
    if (slip_archive_reads(a) && !slip_archive_has(a, "track")) {
        slip_trajectory_samples_destroy(&r->begun->track);
    } else if (r->begun->track.memory) {
        slip_trajectory_samples_archive(&r->begun->track, a);
    }
}

static slip_status resume_run(slip_recorder *r, slip_error *error)
{
    slip_sim *sim = r->sim;
    if (!r->def->resume) return SLIP_OK;
    char *text = slip_file_read_text(r->def->resume, error);
    if (!text) return error ? error->status : SLIP_IO;
    slip_archive a = slip_archive_reader(r->def->resume, text, error);
    slip_archive_open(&a, NULL);
    slip_sim_archive(sim, &a);
    archive_track(r, &a);
    if (a.status == SLIP_OK) {
        r->info->rows = sim->progress.rows;
        r->last_row = sim->progress.last_row;
        r->not_a_number = sim->progress.not_a_number;
        if (!r->def->at && r->every > 0.0) r->next = (long)fmax(0.0, floor(sim->method->t / r->every) - 1.0);
    }
    free(text);
    return a.status;
}

// Saves the state between two steps, before the next observation.
static slip_status save_state(slip_recorder *r, slip_error *error)
{
    slip_run_outcome outcome = r->info->outcome;
    if (!r->def->save || (outcome != SLIP_DONE && outcome != SLIP_STOPPED && outcome != SLIP_PAUSED))
        return SLIP_OK;
    r->sim->progress.rows = r->info->rows;
    r->sim->progress.last_row = r->last_row;
    r->sim->progress.not_a_number = r->not_a_number;
    slip_archive a = slip_archive_writer(error);
    slip_archive_open(&a, NULL);
    slip_sim_archive(r->sim, &a);
    archive_track(r, &a);
    char *text = slip_archive_take(&a);
    int code = text ? slip_file_write_atomic(r->def->save, text) : 0;
    free(text);
    return code ? slip_recorder_io_error(error, r->def->save, code) : a.status;
}

// ---------------------------------------------------------------------------------------- companion

static slip_status begin_companion(slip_recorder *r, slip_error *error)
{
    if (!r->def->companion || r->begun->track.memory) return SLIP_OK;
    if (slip_run_progress_create(r->begun, r->sim)) return SLIP_OK;
    return slip_fail(error, SLIP_NO_MEMORY, "recorder", "out of memory");
}

static void find_creep(slip_recorder *r, double accuracy)
{
    double widest = 0.0;
    const slip_trajectory_samples *track = &r->begun->track;
    for (int k = 0; k < track->n; k++) widest = fmax(widest, track->high[k] - track->low[k]);
    slip_creep_monitor_update(r->begun->creep, r->sim);
    slip_creep_monitor_finish(r->begun->creep, r->sim, accuracy, widest);
}

static double accuracy_of(const slip_recorder *r)
{
    double of_model = r->sim->model->run.accuracy;
    return !isnan(r->def->accuracy) ? r->def->accuracy : !isnan(of_model) ? of_model : DEFAULT_ACCURACY;
}

static bool has_horizon(const slip_recorder *r)
{
    return r->begun->track.memory && r->info->outcome == SLIP_DONE;
}

// Compares a run that has reached its end with companions at other resolutions.
static slip_run_outcome find_horizon(slip_recorder *r)
{
    if (!has_horizon(r)) return r->info->outcome;
    slip_run_progress *b = r->begun;
    if (b->creep) find_creep(r, accuracy_of(r));
    slip_horizon_find(r->sim, &b->track, accuracy_of(r), &b->companion, r->def->stop);
    slip_run_check_energy(r->sim, r->def->stop);
    slip_run_outcome observed = slip_sim_observe(r->sim); // sends the warnings that this has raised
    return observed == SLIP_UNTRUSTED ? observed : r->info->outcome;
}

bool slip_run_begin_companion(slip_run_progress *begun)
{
    slip_recorder *r = begun->recorder;
    return has_horizon(r) && slip_companion_begin(&begun->companion, r->sim, &begun->track, accuracy_of(r));
}

slip_creep slip_run_creep(const slip_sim *sim)
{
    return sim->creep;
}

slip_horizon slip_run_horizon(const slip_sim *sim)
{
    return sim->horizon;
}

double slip_run_agreement(const slip_sim *sim, int k)
{
    return sim->horizon.known && k >= 0 && k < sim->horizon.coordinate_count ? sim->agreement[k] : NAN;
}

static void explain_outcome(const slip_recorder *r, slip_run_info *info)
{
    const slip_sim *sim = r->sim;
    double t = sim->method->t;
    int code = 0;
    const char *file = slip_recorder_failed_file(r, &code);
    if (file) info->outcome = SLIP_WRITE_FAILED;
    switch (info->outcome) {
    case SLIP_BLOWN_UP:
        snprintf(info->text, sizeof info->text,
                 "the state became infinite or not a number in the step from t = %.9g s; the last good state "
                 "is kept. "
                 "Try a smaller step (now %g s), or integrator cash-karp, which chooses its own",
                 t, sim->def.step);
        break;
    case SLIP_STEP_TOO_SMALL:
        snprintf(info->text, sizeof info->text,
                 "at t = %.9g s the error control asks for steps below rounding; the last good state is "
                 "kept. Loosen "
                 "--relative (%g) and --absolute (%g), or look for a discontinuity there",
                 t, sim->def.relative, sim->def.absolute);
        break;
    case SLIP_PAUSED:
        snprintf(info->text, sizeof info->text,
                 "the part up to t = %.9g s of %g s; a saved state goes on from there", t, sim->def.until);
        break;
    case SLIP_STOPPED:
        snprintf(info->text, sizeof info->text, "stopped at t = %.9g s of %g s; what was computed is kept", t,
                 sim->def.until);
        break;
    case SLIP_UNTRUSTED:
        snprintf(info->text, sizeof info->text,
                 "ended at t = %.9g s by a warning, as strict mode asks: %.300s", t,
                 slip_sim_warning(sim, 0) ? slip_sim_warning(sim, 0) : "");
        break;
    case SLIP_WRITE_FAILED:
        snprintf(info->text, sizeof info->text, "%.200s%s%s could not be written at t = %.9g s: %s",
                 r->def->directory ? r->def->directory : "", r->def->directory ? "/" : "",
                 file ? file : "summary.json", t, code ? strerror(code) : "write error");
        break;
    case SLIP_UNSOLVED:
        snprintf(info->text, sizeof info->text, "%s", slip_log_failure(sim->method->log));
        break;
    case SLIP_OUT_OF_MEMORY:
        snprintf(info->text, sizeof info->text,
                 "at t = %.9g s there was no memory left to keep an event or a warning in; what was computed "
                 "is kept",
                 t);
        break;
    case SLIP_RUNNING:
    case SLIP_DONE:
    case SLIP_RUN_OUTCOME_COUNT:
        info->text[0] = '\0';
    }
}

static slip_status check_times(const slip_recorder *r, slip_error *error)
{
    const slip_run_def *def = r->def;
    double until = r->sim->def.until;
    if (!def->at && !isnan(r->every) && !(r->every > 0.0))
        return slip_fail(error, SLIP_BAD_ARGUMENT, "every", "must be > 0, got %g", r->every);
    if (!def->at && r->every < until / MAX_ROWS)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "every",
                         "asks for more than 1e9 rows; %g s is the least in %g s", until / MAX_ROWS, until);
    for (int k = 0; def->at && k < def->at_count; k++) {
        if (!(def->at[k] >= 0.0 && def->at[k] <= until + r->tolerance))
            return slip_fail(error, SLIP_BAD_ARGUMENT, "at", "time %g s lies outside the run (0 to %g s)",
                             def->at[k], until);
        if (k && !(def->at[k] > def->at[k - 1]))
            return slip_fail(error, SLIP_BAD_ARGUMENT, "at", "times must increase, but %g follows %g",
                             def->at[k], def->at[k - 1]);
    }
    if (def->hdf5 && !def->directory)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "hdf5", "needs an output directory");
    return SLIP_OK;
}

// Everything before the first step.
static slip_status begin_run(slip_recorder *r, slip_error *error)
{
    const slip_run_def *def = r->def;
    slip_status status = check_times(r, error);
    if (status == SLIP_OK && def->observer && def->observer->begin)
        status = def->observer->begin(def->observer, r->sim, error);
    // set before the first summary, which observes the start and sends its events
    if (status == SLIP_OK && (def->directory || def->observer))
        slip_sim_on_event(r->sim, slip_recorder_on_event, r);
    const bool rows = slip_recorder_every_step(r) && (def->row || def->directory);
    if (status == SLIP_OK && rows && !slip_turning_points_create(&r->turns, r->sim, true))
        status = slip_fail(error, SLIP_NO_MEMORY, "recorder", "out of memory");
    if (status == SLIP_OK) status = begin_companion(r, error);
    if (status == SLIP_OK) status = resume_run(r, error);
    return status == SLIP_OK ? slip_recorder_open(r, error) : status;
}

static void release_recorder(slip_recorder *r)
{
    slip_sim_on_event(r->sim, r->also, r->also_context);
    r->begun->recorder = NULL;
    slip_run_progress_discard(r->begun);
    slip_turning_points_destroy(&r->turns);
    free(r->memory);
    free(r->row);
    free(r);
}

static slip_recorder *make_recorder(slip_sim *sim, const slip_run_def *given, slip_run_progress *begun,
                                    slip_run_info *info)
{
    slip_recorder *r = malloc(sizeof *r);
    double *row = malloc((size_t)sim->column_count * sizeof *row);
    if (!r || !row) {
        free(r);
        free(row);
        return NULL;
    }
    *r = (slip_recorder){ .sim = sim,
                          .given = given ? *given : slip_default_run_def(),
                          .begun = begun,
                          .info = info,
                          .row = row,
                          .tolerance = SAME_TIME * sim->def.step,
                          .last_row = -INFINITY,
                          .trajectory = { .file = -1 },
                          .events = { .file = -1 },
                          .clock_start = slip_monotonic_clock(),
                          .also = sim->sink,
                          .also_context = sim->sink_context,
                          .pace = 1 };
    r->def = &r->given;
    r->every = isnan(r->given.every) ? sim->model->run.every : r->given.every;
    begun->recorder = r;
    return r;
}

slip_status slip_run_first_phase(slip_sim *sim, const slip_run_def *def, slip_run_progress *begun,
                                 slip_run_info *info, slip_error *error)
{
    *info = (slip_run_info){ .outcome = SLIP_RUNNING };
    slip_recorder *r = make_recorder(sim, def, begun, info);
    if (!r) {
        slip_run_progress_discard(begun);
        return slip_fail(error, SLIP_NO_MEMORY, "recorder", "out of memory");
    }
    slip_status status = begin_run(r, error);
    if (status != SLIP_OK) {
        slip_recorder_close(r);
        release_recorder(r);
        return status;
    }
    slip_sim_set_stop_flag(sim, r->def->stop);
    sim->outcome = info->outcome = run_loop(r);
    r->status = save_state(r, error);
    if (has_horizon(r)) slip_trajectory_samples_record(&begun->track, sim);
    return SLIP_OK;
}

void slip_run_skip_second_phase(slip_run_progress *begun)
{
    slip_sim_set_stop_flag(begun->recorder->sim, NULL);
    slip_recorder_close(begun->recorder);
    release_recorder(begun->recorder);
}

slip_status slip_run_second_phase(slip_run_progress *begun)
{
    slip_recorder *r = begun->recorder;
    slip_sim *sim = r->sim;
    slip_run_info *info = r->info;
    const slip_run_def *def = r->def;
    const slip_status status = r->status;
    sim->outcome = info->outcome = find_horizon(r);
    slip_sim_set_stop_flag(sim, NULL);
    tell_progress(r); // shows the completed run before the files are closed
    slip_recorder_close(r);
    info->steps = sim->steps;
    info->events = sim->events;
    info->wall_seconds = slip_monotonic_clock() - r->clock_start;
    info->peak_bytes = begun->many ? NAN : slip_peak_bytes();
    explain_outcome(r, info);
    if (def->directory && slip_recorder_write_summary(r, NULL) != SLIP_OK && info->outcome == SLIP_DONE) {
        info->outcome = SLIP_WRITE_FAILED;
        explain_outcome(r, info);
    }
    if (def->observer && def->observer->end) def->observer->end(def->observer, sim, info);
    release_recorder(r);
    return status;
}

slip_status slip_run(slip_sim *sim, const slip_run_def *def, slip_run_info *info, slip_error *error)
{
    slip_run_progress begun = { 0 };
    slip_status status = slip_run_first_phase(sim, def, &begun, info, error);
    if (status == SLIP_OK) status = slip_run_second_phase(&begun);
    slip_run_progress_destroy(&begun);
    return status;
}
