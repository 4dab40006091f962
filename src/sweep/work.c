/// sweep/work.c: the runs of a sweep. Each is a function of its number alone, so the number of threads and
/// the order in which they take their work change nothing but the time.
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/stop.h"
#include "sim/sim.h"
#include "slipstick/diagnostics.h"
#include "slipstick/run.h"
#include "sweep/keeper.h"
#include "sweep/team.h"

typedef struct worker {
    slip_team *team;
    slip_keeper keeper;
    slip_sim *sim;     ///< started anew for each run
    slip_model *model; ///< of its last run
    double *state;     ///< in which the run before ended, where an axis is followed
    bool has_state;
    slip_text bytes;
} worker;

// ------------------------------------------------------------------------------------------ one run

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

static char *copy_text(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = text[0] ? malloc(size) : NULL;
    return copy ? memcpy(copy, text, size) : NULL;
}

static void refuse(slip_sweep_run_record *r, char *why)
{
    *r = (slip_sweep_run_record){
        .done = true, .refused = true, .outcome = SLIP_UNSOLVED, .horizon = NAN, .text = why
    };
}

// from where the run before it ended
static void take_over(worker *w, slip_sim *sim)
{
    for (int k = 0; w->has_state && k < slip_sim_state_count(sim); k++)
        slip_sim_set(sim, slip_sim_column_name(sim, 1 + k), w->state[k], NULL);
}

static void hand_over(worker *w, slip_sim *sim, const slip_run_info *info)
{
    w->has_state = info->outcome == SLIP_DONE;
    if (!w->has_state || !w->state) return;
    slip_sim_columns(sim, w->keeper.ahead);
    memcpy(w->state, w->keeper.ahead + 1, (size_t)slip_sim_state_count(sim) * sizeof *w->state);
}

// false: it was stopped, or there is no memory
static bool simulate(worker *w, slip_sim *sim, slip_sweep_run_record *r)
{
    const slip_sweep_def *def = &w->team->sweep->def;
    slip_run_def run = slip_default_run_def();
    slip_run_info info;
    slip_error error = { 0 };
    run.companion = def->companion;
    run.accuracy = def->accuracy;
    run.stop = def->stop;
    take_over(w, sim);
    slip_log_spare_words(sim->method->log);
    if (slip_keeper_begin(&w->keeper, sim, &run) != SLIP_OK) return false;
    const slip_status status = slip_run(sim, &run, &info, &error);
    if (status == SLIP_NO_MEMORY) return false;
    if (status != SLIP_OK) return refuse(r, copy_text(error.text)), true;
    if (info.outcome == SLIP_STOPPED || (def->stop && *def->stop) || w->keeper.failed) return false;
    slip_keeper_end(&w->keeper, sim);
    const char *doubt, *trust = slip_run_trust(sim, &info, &doubt);
    const slip_horizon horizon = slip_run_horizon(sim);
    *r = (slip_sweep_run_record){ .done = true,
                                  .trusted = strcmp(trust, "trusted") == 0,
                                  .outcome = info.outcome,
                                  .t = slip_sim_time(sim),
                                  .horizon = horizon.known ? horizon.until : NAN,
                                  .text = copy_text(doubt),
                                  .point_count = w->keeper.point_count };
    while (slip_sim_warning(sim, (int)r->warnings)) r->warnings++;
    hand_over(w, sim, &info);
    return true;
}

static slip_status start(worker *w, const slip_model *model, slip_error *error)
{
    const slip_sim_def *def = &w->team->sweep->def.sim;
    return w->sim ? slip_sim_restart(w->sim, model, def, error) : slip_sim_create(model, def, error, &w->sim);
}

static bool make(worker *w, long number, slip_sweep_run_record *r)
{
    const slip_sweep *sweep = w->team->sweep;
    slip_error error = { 0 };
    char *why = NULL;
    bool fine = true;
    for (int k = 0; k < w->keeper.width; k++) w->keeper.values[k] = NAN;
    w->keeper.point_count = 0;
    slip_model *model = slip_sweep_vary(sweep, number, &why);
    const slip_status status = model ? start(w, model, &error) : SLIP_BAD_ARGUMENT;
    if (!model) {
        if (why) refuse(r, why);
        fine = why;
    } else if (status != SLIP_OK) {
        fine = status != SLIP_NO_MEMORY;
        if (fine) refuse(r, copy_text(error.text));
    } else if (slip_sim_column_count(w->sim) != sweep->columns) {
        refuse(r, copy_text("it has other columns than the other runs"));
    } else {
        fine = simulate(w, w->sim, r);
    }
    if (r->refused) w->has_state = false;
    if (model) { // the simulation has let go of the one before
        slip_model_destroy(w->model);
        w->model = model;
    }
    return fine;
}

// ------------------------------------------------------------------------------------------ many runs

static void tell(slip_team *t)
{
    const slip_sweep_def *def = &t->sweep->def;
    const double now = slip_clock();
    if (!def->progress || now - t->told < 0.1) return;
    t->told = now;
    def->progress(def->context, t->sweep->done_count, t->sweep->plan.count);
}

bool slip_team_is_stopped(const slip_team *t)
{
    return t->status != SLIP_OK || (t->sweep->def.stop && *t->sweep->def.stop);
}

static void no_memory(slip_team *t)
{
    t->status = slip_fail(&t->error, SLIP_NO_MEMORY, "sweep", "out of memory");
}

void slip_team_store(slip_team *t, const char *bytes, size_t count)
{
    slip_sweep *s = t->sweep;
    t->framed.length = 0;
    slip_store_frame(&t->framed, bytes, count);
    if (t->framed.failed)
        no_memory(t);
    else
        slip_store_add(&s->store, t->framed.data, t->framed.length);
    if (s->store.failed)
        t->status = slip_fail(&t->error, SLIP_IO, s->store.path, "%s", strerror(s->store.failed));
    tell(t);
}

// what a worker has made becomes the sweep's; one that was in the store, of which only the end was wanted
// again, already is
static void enter(worker *w, long run, slip_sweep_run_record *made)
{
    slip_team *t = w->team;
    slip_sweep *s = t->sweep;
    made->points = w->keeper.points;
    w->bytes.length = 0;
    slip_sweep_pack(s, run, made, w->keeper.values, &w->bytes);
    made->points = NULL;
    free(made->text);
    pthread_mutex_lock(&t->lock);
    if (w->bytes.failed)
        no_memory(t);
    else if (!slip_sweep_keeps_results(s))
        slip_crew_gather(t, w->bytes.data, w->bytes.length);
    else if (!s->records[run].done) {
        if (slip_sweep_unpack(s, w->bytes.data, w->bytes.length) == SLIP_OK)
            slip_team_store(t, w->bytes.data, w->bytes.length);
        else
            no_memory(t);
    }
    pthread_mutex_unlock(&t->lock);
}

bool slip_team_is_line_done(const slip_team *t, long line)
{
    const slip_sweep *s = t->sweep;
    for (long k = 0; k < s->plan.line; k++)
        if (!s->records[slip_sweep_plan_run(&s->plan, line, k)].done) return false;
    return true;
}

// under the lock
long slip_team_next_line(slip_team *t)
{
    if (t->lines)
        return t->next_line < t->line_count && !slip_team_is_stopped(t) ? t->lines[t->next_line++] : -1;
    while (t->next_line < t->line_count && slip_team_is_line_done(t, t->next_line)) t->next_line++;
    return t->next_line < t->line_count && !slip_team_is_stopped(t) ? t->next_line++ : -1;
}

// the next line with something to do; -1 when there is none
static long take_line(slip_team *t)
{
    for (;;) {
        pthread_mutex_lock(&t->lock);
        long line = slip_team_next_line(t);
        if (line < 0) line = slip_crew_overdue_line(t);
        const bool waits = line < 0 && slip_crew_waits(t);
        pthread_mutex_unlock(&t->lock);
        if (!waits) return line;
        slip_crew_pause();
    }
}

static void *work(void *context)
{
    worker *w = context;
    slip_team *t = w->team;
    for (long line; (line = take_line(t)) >= 0;) {
        bool goes_on = true;
        w->has_state = false;
        for (long k = 0; k < t->sweep->plan.line && goes_on; k++) {
            const long run = slip_sweep_plan_run(&t->sweep->plan, line, k);
            slip_sweep_run_record made = { 0 };
            goes_on = make(w, run, &made);
            if (goes_on) enter(w, run, &made);
            pthread_mutex_lock(&t->lock);
            if (!goes_on && !slip_team_is_stopped(t)) no_memory(t);
            goes_on = goes_on && !slip_team_is_stopped(t);
            pthread_mutex_unlock(&t->lock);
        }
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------- team

static slip_status prepare(worker *w, slip_team *t, const slip_sim *sim, slip_error *error)
{
    *w = (worker){ .team = t };
    slip_status status = slip_keeper_create(&t->sweep->def, sim, error, &w->keeper);
    if (status != SLIP_OK || !t->sweep->def.follow) return status;
    w->state = calloc((size_t)slip_sim_state_count(sim) + 1, sizeof *w->state);
    return w->state ? SLIP_OK : slip_fail(error, SLIP_NO_MEMORY, "sweep", "out of memory");
}

static void dismiss(worker *w)
{
    slip_keeper_destroy(&w->keeper);
    slip_sim_destroy(w->sim);
    slip_model_destroy(w->model);
    free(w->state);
    slip_text_destroy(&w->bytes);
}

enum { MAX_THREADS = 256 };

static int thread_count(const slip_sweep *s)
{
    const long processors = s->def.crew ? 1 : sysconf(_SC_NPROCESSORS_ONLN);
    const long lines = s->plan.count / s->plan.line;
    long count = s->def.threads > 0 ? s->def.threads : processors > 0 ? processors : 1;
    if (count > lines) count = lines;
    return (int)(count < MAX_THREADS ? count : MAX_THREADS);
}

// The first worker is this thread, unless it has messages to answer meanwhile
static void work_together(slip_team *t, worker *workers, int count, void meanwhile(slip_team *))
{
    pthread_t threads[MAX_THREADS];
    const int first = meanwhile ? 0 : 1;
    int made = 0;
    while (first + made < count && pthread_create(&threads[made], NULL, work, &workers[first + made]) == 0)
        made++;
    if (meanwhile && made == 0) no_memory(t);
    if (meanwhile)
        meanwhile(t);
    else
        work(&workers[0]);
    for (int k = 0; k < made; k++) pthread_join(threads[k], NULL);
}

static void work_alone_or_lead(slip_team *t, worker *workers, int count)
{
    work_together(t, workers, count, t->sweep->def.crew ? slip_crew_lead : NULL);
}

// what rank 0 asks for, until it asks for no more
static void work_for_another(slip_team *t, worker *workers, int count)
{
    while (slip_crew_ask(t)) work_together(t, workers, count, NULL);
}

slip_status slip_sweep_work(slip_sweep *sweep, slip_error *error)
{
    slip_team t = { .sweep = sweep, .line_count = sweep->plan.count / sweep->plan.line };
    const int count = thread_count(sweep);
    slip_sim *sim = NULL;
    worker *workers = calloc((size_t)count, sizeof *workers);
    slip_status status = workers ? slip_sim_create(sweep->def.model, &sweep->def.sim, error, &sim)
                                 : slip_fail(error, SLIP_NO_MEMORY, "sweep", "out of memory");
    if (status == SLIP_OK) status = slip_crew_begin(&t, error);
    for (int k = 0; k < count && status == SLIP_OK; k++) status = prepare(&workers[k], &t, sim, error);
    if (status == SLIP_OK) {
        pthread_mutex_init(&t.lock, NULL);
        (slip_sweep_keeps_results(sweep) ? work_alone_or_lead : work_for_another)(&t, workers, count);
        pthread_mutex_destroy(&t.lock);
        status = t.status;
        if (status != SLIP_OK && error) *error = t.error;
    }
    for (int k = 0; workers && k < count; k++) dismiss(&workers[k]);
    slip_crew_end(&t);
    slip_text_destroy(&t.framed);
    slip_sim_destroy(sim);
    free(workers);
    return status;
}
