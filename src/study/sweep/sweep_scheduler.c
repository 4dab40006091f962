/// study/sweep/sweep_scheduler.c: distributes the runs of a sweep to threads. Each run is a function of its
/// number alone, so that the results do not depend on the number of threads and lanes, nor on their order.
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "simulation/sim/sim.h"
#include "study/sweep/simd_batch.h"
#include "study/sweep/sweep_scheduler.h"
#include "study/sweep/sweep_tolerances.h"

typedef struct worker {
    slip_sweep_scheduler *team;
    slip_sweep_worker maker; ///< for lines whose runs are made one by one
    slip_simd_batch *block;  ///< for runs that are made in lanes; empty where that is not possible
    slip_text bytes;
} worker;

// --------------------------------------------------------------------------------------- results

static void report_progress(slip_sweep_scheduler *t)
{
    const slip_sweep_def *def = &t->sweep->def;
    const double now = slip_monotonic_clock();
    if (!def->progress || now - t->told < SWEEP_PROGRESS_INTERVAL) return;
    t->told = now;
    def->progress(def->context, t->sweep->done_count, t->sweep->plan.count);
}

bool slip_sweep_scheduler_is_stopped(const slip_sweep_scheduler *t)
{
    return t->status != SLIP_OK || (t->sweep->def.stop && *t->sweep->def.stop);
}

static void no_memory(slip_sweep_scheduler *t)
{
    t->status = slip_fail(&t->error, SLIP_NO_MEMORY, "sweep", "out of memory");
}

void slip_sweep_scheduler_store(slip_sweep_scheduler *t, const char *bytes, size_t count)
{
    slip_sweep *s = t->sweep;
    t->framed.length = 0;
    if (s->store.file >= 0) slip_run_store_frame(&t->framed, bytes, count);
    if (t->framed.failed)
        no_memory(t);
    else
        slip_run_store_add(&s->store, t->framed.data, t->framed.length);
    if (s->store.failed)
        t->status = slip_fail(&t->error, SLIP_IO, s->store.path, "%s", strerror(s->store.failed));
    report_progress(t);
}

// Stores the result of a run in the sweep, unless it is there already: a run from the store is repeated if
// the next one starts from its end.
static void store_run(worker *w, const slip_sweep_worker *maker, long run, slip_sweep_run_record *made)
{
    slip_sweep_scheduler *t = w->team;
    slip_sweep *s = t->sweep;
    made->points = maker->keeper.points;
    w->bytes.length = 0;
    slip_sweep_pack(s, run, made, maker->keeper.values, &w->bytes);
    made->points = NULL;
    free(made->text);
    made->text = NULL;
    slip_mutex_lock(&t->lock);
    if (w->bytes.failed)
        no_memory(t);
    else if (!slip_sweep_is_main_rank(s))
        slip_mpi_scheduler_gather(t, w->bytes.data, w->bytes.length);
    else if (!s->records[run].done) {
        if (slip_sweep_unpack(s, w->bytes.data, w->bytes.length) == SLIP_OK)
            slip_sweep_scheduler_store(t, w->bytes.data, w->bytes.length);
        else
            no_memory(t);
    }
    slip_mutex_unlock(&t->lock);
}

// True if the worker continues; `made` is false when its last runs were stopped or ran out of memory.
static bool may_continue(slip_sweep_scheduler *t, bool made)
{
    slip_mutex_lock(&t->lock);
    if (!made && !slip_sweep_scheduler_is_stopped(t)) no_memory(t);
    const bool on = made && !slip_sweep_scheduler_is_stopped(t);
    slip_mutex_unlock(&t->lock);
    return on;
}

// ----------------------------------------------------------------------------------------- the work

bool slip_sweep_scheduler_is_line_done(const slip_sweep_scheduler *t, long line)
{
    const slip_sweep *s = t->sweep;
    for (long k = 0; k < s->plan.line; k++)
        if (!s->records[slip_sweep_plan_run(&s->plan, line, k)].done) return false;
    return true;
}

// Called with the lock held.
long slip_sweep_scheduler_next_line(slip_sweep_scheduler *t)
{
    if (t->lines)
        return t->next_line < t->line_count && !slip_sweep_scheduler_is_stopped(t) ? t->lines[t->next_line++]
                                                                                   : -1;
    while (t->next_line < t->line_count && slip_sweep_scheduler_is_line_done(t, t->next_line)) t->next_line++;
    return t->next_line < t->line_count && !slip_sweep_scheduler_is_stopped(t) ? t->next_line++ : -1;
}

// The next line with runs that are not done; -1 when there is none.
static long take_line(slip_sweep_scheduler *t)
{
    for (;;) {
        slip_mutex_lock(&t->lock);
        long line = slip_sweep_scheduler_next_line(t);
        if (line < 0) line = slip_mpi_scheduler_overdue_line(t);
        const bool waits = line < 0 && slip_mpi_scheduler_waits(t);
        slip_mutex_unlock(&t->lock);
        if (!waits) return line;
        slip_mpi_scheduler_pause();
    }
}

// Makes the runs of a line one after another; along a followed axis each starts from the end of the one
// before.
static void make_line(worker *w, long line)
{
    const slip_sweep_plan *plan = &w->team->sweep->plan;
    bool on = true;
    w->maker.has_state = false;
    for (long k = 0; k < plan->line && on; k++) {
        const long run = slip_sweep_plan_run(plan, line, k);
        slip_sweep_run_record made;
        on = slip_sweep_worker_begin(&w->maker, run, &made);
        if (on && !made.done) {
            slip_sweep_worker_run(&w->maker);
            on = slip_sweep_worker_end(&w->maker, &made);
        }
        if (on) store_run(w, &w->maker, run, &made);
        on = may_continue(w->team, on);
    }
}

// Takes as many lines of one run each as fit into a batch.
static int take_block(worker *w, long *runs)
{
    slip_sweep_scheduler *t = w->team;
    int count = 0;
    slip_mutex_lock(&t->lock);
    for (long line; count < w->block->count && (line = slip_sweep_scheduler_next_line(t)) >= 0;)
        runs[count++] = slip_sweep_plan_run(&t->sweep->plan, line, 0);
    slip_mutex_unlock(&t->lock);
    return count;
}

static void make_block(worker *w, const long *runs, int count)
{
    const bool made = slip_simd_batch_run(w->block, runs, count);
    for (int k = 0; k < count && made; k++)
        store_run(w, &w->block->makers[k], runs[k], &w->block->records[k]);
    for (int k = 0; k < count && !made; k++)
        free(w->block->records[k].text), w->block->records[k].text = NULL;
    may_continue(w->team, made);
}

static void *work_thread(void *context)
{
    worker *w = context;
    long runs[SLIP_SIMD_BATCH_RUNS];
    for (int count; w->block->count && (count = take_block(w, runs)) > 0;) make_block(w, runs, count);
    for (long line; (line = take_line(w->team)) >= 0;) make_line(w, line);
    return NULL;
}

// ---------------------------------------------------------------------------------------------- team

// `share` is the approximate number of runs for this worker.
static slip_status prepare_worker(worker *w, slip_sweep_scheduler *t, const slip_sim *sim, long share,
                                  slip_error *error)
{
    *w = (worker){ .team = t, .block = calloc(1, sizeof *w->block) };
    if (!w->block) return slip_fail(error, SLIP_NO_MEMORY, "sweep", "out of memory");
    slip_status status = slip_sweep_worker_create(&w->maker, t->sweep, sim, error);
    if (status == SLIP_OK) status = slip_simd_batch_create(w->block, t->sweep, sim, share / 2, error);
    return status;
}

static void release_worker(worker *w)
{
    slip_sweep_worker_destroy(&w->maker);
    if (w->block) slip_simd_batch_destroy(w->block);
    free(w->block);
    slip_text_destroy(&w->bytes);
}

enum { MAX_THREADS = 256 };

static int thread_count(const slip_sweep *s)
{
    const long processors = s->def.mpi ? 1 : slip_processor_count();
    const long lines = s->plan.count / s->plan.line;
    long count = s->def.threads > 0 ? s->def.threads : processors;
    if (count > lines) count = lines;
    return (int)(count < MAX_THREADS ? count : MAX_THREADS);
}

// Runs the workers in threads. This thread is the first worker, unless it has to answer messages meanwhile.
static void work_together(slip_sweep_scheduler *t, worker *workers, int count,
                          void meanwhile(slip_sweep_scheduler *))
{
    slip_thread threads[MAX_THREADS];
    const int first = meanwhile ? 0 : 1;
    int made = 0;
    while (first + made < count && slip_thread_start(&threads[made], work_thread, &workers[first + made]))
        made++;
    if (meanwhile && made == 0) no_memory(t);
    if (meanwhile)
        meanwhile(t);
    else
        work_thread(&workers[0]);
    for (int k = 0; k < made; k++) slip_thread_join(&threads[k]);
}

static void work_alone_or_lead(slip_sweep_scheduler *t, worker *workers, int count)
{
    work_together(t, workers, count, t->sweep->def.mpi ? slip_mpi_scheduler_lead : NULL);
}

// Makes the runs that rank 0 requests, until there are no more.
static void work_for_another(slip_sweep_scheduler *t, worker *workers, int count)
{
    while (slip_mpi_scheduler_request(t)) work_together(t, workers, count, NULL);
}

slip_status slip_sweep_run_pending(slip_sweep *sweep, slip_error *error)
{
    slip_sweep_scheduler t = { .sweep = sweep, .line_count = sweep->plan.count / sweep->plan.line };
    const int count = thread_count(sweep), ranks = sweep->def.mpi ? sweep->def.mpi->size : 1;
    const long share = t.line_count / ((long)count * ranks);
    slip_sim *sim = NULL;
    worker *workers = calloc((size_t)count, sizeof *workers);
    slip_status status = workers ? slip_sim_create(sweep->def.model, &sweep->def.sim, error, &sim)
                                 : slip_fail(error, SLIP_NO_MEMORY, "sweep", "out of memory");
    if (status == SLIP_OK) status = slip_mpi_scheduler_begin(&t, error);
    for (int k = 0; k < count && status == SLIP_OK; k++)
        status = prepare_worker(&workers[k], &t, sim, share, error);
    if (status == SLIP_OK) {
        slip_mutex_create(&t.lock);
        (slip_sweep_is_main_rank(sweep) ? work_alone_or_lead : work_for_another)(&t, workers, count);
        slip_mutex_destroy(&t.lock);
        status = t.status;
        if (status != SLIP_OK && error) *error = t.error;
    }
    for (int k = 0; workers && k < count; k++) release_worker(&workers[k]);
    slip_mpi_scheduler_end(&t);
    slip_text_destroy(&t.framed);
    slip_sim_destroy(sim);
    free(workers);
    return status;
}
