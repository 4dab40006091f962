/// study/fit/multistart.c: searches from several starting points in parallel. Searches are independent, and
/// the best is chosen in their order, so that the result does not depend on the number of threads. The
/// uncertainty is computed for the best one only.
#include "study/fit/multistart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/halton.h"
#include "base/status.h"
#include "platform/threads.h"
#include "study/fit/fit_tolerances.h"

typedef struct search {
    double start[SLIP_FIT_MAX_FREE];
    slip_fit *fit; // NULL: the search failed
    bool no_slopes;
    slip_status status;
    slip_error error;
} search;

/// Data shared by the threads; `next`, `done`, `best` and `stopped` are guarded by the lock.
typedef struct search_team {
    const slip_fit_def *def;
    const slip_fit_data *data;
    search *searches;
    slip_mutex lock;
    int next, done;
    double best; // smallest rms so far
    bool stopped;
} search_team;

static void start_point(const slip_fit_def *def, const double *guess, const double *scale, int index,
                        double *x)
{
    for (int k = 0; k < def->free_count; k++) {
        double low = guess[k] - 0.5 * scale[k], high = guess[k] + 0.5 * scale[k];
        bool below = def->lower && isfinite(def->lower[k]), above = def->upper && isfinite(def->upper[k]);
        if (below) low = above ? def->lower[k] : fmax(low, def->lower[k]);
        if (above) high = below ? def->upper[k] : fmin(high, def->upper[k]);
        x[k] = index == 0 ? guess[k] : low + (high - low) * slip_halton(index, k);
    }
}

static void report_search(search_team *t, const slip_fit *fit)
{
    t->done++;
    if (fit) t->best = fmin(t->best, fit->rms);
    if (t->def->progress && !t->def->progress(t->def->context, t->done, t->best)) t->stopped = true;
}

static void *run_searches(void *context)
{
    search_team *t = context;
    for (;;) {
        slip_mutex_lock(&t->lock);
        if (t->def->stop && *t->def->stop) t->stopped = true;
        int at = t->next < t->def->starts && !t->stopped ? t->next++ : -1;
        slip_mutex_unlock(&t->lock);
        if (at < 0) return NULL;
        search *s = &t->searches[at];
        slip_fit_def def = *t->def;
        def.start = s->start, def.starts = 1, def.progress = NULL;
        def.threads = 1; // the searches run in parallel already
        s->status = slip_fit_search(&def, t->data, &s->error, &s->no_slopes, &s->fit);
        slip_mutex_lock(&t->lock);
        report_search(t, s->fit);
        slip_mutex_unlock(&t->lock);
    }
}

static void search_all(search_team *t)
{
    int wanted = t->def->threads > 0 ? t->def->threads : slip_processor_count();
    if (wanted > t->def->starts) wanted = t->def->starts;
    slip_mutex_create(&t->lock);
    slip_threads_together(wanted, run_searches, t);
    slip_mutex_destroy(&t->lock);
}

// The search with the smallest rms, the first of equal ones; NULL when all have failed.
static search *best_search(search *searches, int count)
{
    search *best = NULL;
    for (int k = 0; k < count; k++)
        if (searches[k].fit && (!best || searches[k].fit->rms < best->fit->rms)) best = &searches[k];
    return best;
}

// Reports the error of the first search, which may not have started.
static slip_status report_failure(const search *first, slip_error *error)
{
    if (first->status == SLIP_OK)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "fit", "stopped before a search had ended");
    *error = first->error;
    return first->status;
}

static void count_searches(const search *searches, int count, slip_fit *fit)
{
    int runs = 0;
    fit->starts = fit->agreed = 0;
    for (int k = 0; k < count; k++) {
        const slip_fit *one = searches[k].fit;
        if (!one) continue;
        fit->starts++;
        fit->agreed += one->rms <= fit->rms * (1.0 + SEARCH_AGREES);
        if (one != fit) runs += one->runs;
    }
    fit->runs += runs;
}

// Computes the uncertainty of the best search, even if others were stopped later.
static slip_status judge_best(const slip_fit_def *def, const slip_fit_data *data, slip_error *error,
                              search *best, slip_fit **out)
{
    slip_fit_def again = *def;
    again.start = best->start, again.progress = NULL, again.stop = NULL;
    const slip_status status = slip_fit_find_uncertainty(&again, data, error, best->no_slopes, best->fit);
    if (status == SLIP_OK) *out = best->fit;
    return status;
}

// Computes the profile around the best result.
static slip_status profile_best(const slip_fit_def *def, const slip_fit_data *data, slip_error *error,
                                const slip_fit *best, slip_fit **out)
{
    slip_fit_def again = *def;
    again.starts = 1, again.start = best->value, again.progress = NULL, again.stop = NULL;
    return slip_fit_run(&again, data, error, out);
}

slip_status slip_fit_multistart(const slip_fit_def *def, const slip_fit_data *data, slip_error *error,
                                slip_fit **out)
{
    double guess[SLIP_FIT_MAX_FREE], scale[SLIP_FIT_MAX_FREE];
    slip_status status = slip_fit_initial_guess(def, data, error, guess, scale);
    if (status != SLIP_OK) return status;
    search *searches = calloc((size_t)def->starts, sizeof *searches);
    if (!searches) return slip_fail(error, SLIP_NO_MEMORY, "fit", "out of memory");
    for (int k = 0; k < def->starts; k++) start_point(def, guess, scale, k, searches[k].start);
    search_team t = { .def = def, .data = data, .searches = searches, .best = INFINITY };
    search_all(&t);
    search *best = best_search(searches, def->starts);
    if (!best) {
        status = report_failure(&searches[0], error);
    } else if (def->profile) {
        status = profile_best(def, data, error, best->fit, out);
    } else {
        status = judge_best(def, data, error, best, out);
    }
    if (*out) count_searches(searches, def->starts, *out);
    for (int k = 0; k < def->starts; k++)
        if (searches[k].fit != *out) slip_fit_destroy(searches[k].fit);
    free(searches);
    return status;
}
