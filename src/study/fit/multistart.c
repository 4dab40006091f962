/// study/fit/multistart.c: searches from several starting points in parallel. Searches are independent, and
/// the best is chosen in their order, so that the result does not depend on the number of threads. The
/// uncertainty is computed for the best one only. By default there are as many as are needed: a few at a time,
/// until one ends at residuals that are noise.
#include "study/fit/multistart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/halton.h"
#include "base/status.h"
#include "platform/threads.h"
#include "study/fit/fit_tolerances.h"

typedef struct search {
    double start[SLIP_FIT_MAX_FREE];
    slip_fit *fit; // NULL: the search failed
    slip_fit_search_end end;
    slip_status status;
    slip_error error;
} search;

/// Data shared by the threads; `next`, `done`, `best` and `stopped` are guarded by the lock.
typedef struct search_team {
    const slip_fit_def *def;
    const slip_fit_data *data;
    search *searches;
    slip_mutex lock;
    int next, last, done; // the searches up to `last` may be begun
    int iterations;       // of the first search, where its iterations are reported
    double best;          // smallest rms so far
    bool stopped;
} search_team;

// Where the starts of parameter k lie.
static void start_range(const slip_fit_def *def, double guess, double scale, int k, double *low, double *high)
{
    const bool below = def->lower && isfinite(def->lower[k]), above = def->upper && isfinite(def->upper[k]);
    *low = below ? def->lower[k] : guess != 0.0 ? fmin(guess / START_FACTOR, guess * START_FACTOR) : -scale;
    *high = above ? def->upper[k] : guess != 0.0 ? fmax(guess / START_FACTOR, guess * START_FACTOR) : scale;
    if (below && !above) *high = fmax(*high, *low + scale);
    if (above && !below) *low = fmin(*low, *high - scale);
}

// Halton's points: in logarithms where a guess without bounds has a sign.
static void start_point(const slip_fit_def *def, const double *guess, const double *scale, int index,
                        double *x)
{
    for (int k = 0; k < def->free_count; k++) {
        const double at = slip_halton(index, k);
        const bool bounded =
            (def->lower && isfinite(def->lower[k])) || (def->upper && isfinite(def->upper[k]));
        double low, high;
        start_range(def, guess[k], scale[k], k, &low, &high);
        if (index == 0)
            x[k] = guess[k];
        else if (bounded || guess[k] == 0.0)
            x[k] = low + (high - low) * at;
        else
            x[k] = guess[k] * slip_pow(START_FACTOR, 2.0 * at - 1.0);
    }
}

static void report_search(search_team *t, const slip_fit *fit)
{
    t->done++;
    if (fit) t->best = fmin(t->best, fit->rms);
    if (t->def->progress && !t->def->progress(t->def->context, t->done + t->iterations, t->best))
        t->stopped = true;
}

// Iterations of the first search, before it is known whether there will be others.
static bool report_first(void *context, int iteration, double rms)
{
    search_team *t = context;
    t->iterations++;
    (void)iteration;
    if (!t->def->progress(t->def->context, t->iterations, rms)) t->stopped = true;
    return !t->stopped;
}

static slip_fit_def def_of_search(search_team *t, const search *s)
{
    slip_fit_def def = *t->def;
    def.start = s->start, def.starts = 1, def.progress = NULL;
    if (t->last > 1) {
        def.threads = 1; // the searches run in parallel already
    } else if (t->def->progress) {
        def.progress = report_first, def.context = t;
    }
    return def;
}

static void *run_searches(void *context)
{
    search_team *t = context;
    for (;;) {
        slip_mutex_lock(&t->lock);
        if (t->def->stop && *t->def->stop) t->stopped = true;
        int at = t->next < t->last && !t->stopped ? t->next++ : -1;
        slip_mutex_unlock(&t->lock);
        if (at < 0) return NULL;
        search *s = &t->searches[at];
        slip_fit_def def = def_of_search(t, s);
        s->status = slip_fit_search(&def, t->data, &s->error, &s->end, &s->fit);
        slip_mutex_lock(&t->lock);
        report_search(t, s->fit);
        slip_mutex_unlock(&t->lock);
    }
}

// Makes the searches up to `last`.
static void search_up_to(search_team *t, int last)
{
    int wanted = t->def->threads > 0 ? t->def->threads : slip_processor_count();
    if (wanted > last - t->next) wanted = last - t->next;
    t->last = last;
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

// How many searches ended at the best sum of squares.
static int count_agreed(const search *searches, int count, const slip_fit *best)
{
    int agreed = 0;
    for (int k = 0; k < count; k++)
        agreed += searches[k].fit && !searches[k].end.interrupted &&
                  searches[k].fit->rms <= best->rms * (1.0 + SEARCH_AGREES);
    return agreed;
}

static void count_searches(const search *searches, int count, slip_fit *fit)
{
    int runs = 0;
    fit->starts = 0;
    for (int k = 0; k < count; k++) {
        const slip_fit *one = searches[k].fit;
        if (one && one != fit) runs += one->runs;
        fit->starts += one && (!searches[k].end.interrupted || one == fit);
    }
    fit->agreed = count_agreed(searches, count, fit);
    fit->runs += runs;
}

// Computes the uncertainty of the best search, even if others were stopped later.
static slip_status judge_best(const slip_fit_def *def, const slip_fit_data *data, slip_error *error,
                              search *best, slip_fit **out)
{
    slip_fit_def again = *def;
    again.start = best->start, again.progress = NULL, again.stop = NULL;
    const slip_status status = slip_fit_find_uncertainty(&again, data, error, best->end.no_slopes, best->fit);
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

// Searches as many times as asked for; or until the residuals are noise, or so many searches have found the same
// that a better one is not to be expected.
static search *search_all(search_team *t, int count)
{
    if (t->def->starts > 1) {
        search_up_to(t, count);
        return best_search(t->searches, count);
    }
    search *best = NULL;
    for (int last = 1; last <= count && !t->stopped; last += STARTS_AT_ONCE) {
        search_up_to(t, last);
        best = best_search(t->searches, last);
        if (!best || best->end.noise) break; // what cannot be run at the guess is an error
        if (count_agreed(t->searches, last, best->fit) >= STARTS_AGREED) break;
    }
    return best;
}

slip_status slip_fit_multistart(const slip_fit_def *def, const slip_fit_data *data, slip_error *error,
                                slip_fit **out)
{
    double guess[SLIP_FIT_MAX_FREE], scale[SLIP_FIT_MAX_FREE];
    const int count = def->starts > 1 ? def->starts : DEFAULT_STARTS;
    slip_status status = slip_fit_initial_guess(def, data, error, guess, scale);
    if (status != SLIP_OK) return status;
    search *searches = calloc((size_t)count, sizeof *searches);
    if (!searches) return slip_fail(error, SLIP_NO_MEMORY, "fit", "out of memory");
    for (int k = 0; k < count; k++) start_point(def, guess, scale, k, searches[k].start);
    search_team t = { .def = def, .data = data, .searches = searches, .best = INFINITY };
    search *best = search_all(&t, count);
    if (!best) {
        status = report_failure(&searches[0], error);
    } else if (def->profile) {
        status = profile_best(def, data, error, best->fit, out);
    } else {
        status = judge_best(def, data, error, best, out);
    }
    if (*out) count_searches(searches, count, *out);
    for (int k = 0; k < count; k++)
        if (searches[k].fit != *out) slip_fit_destroy(searches[k].fit);
    free(searches);
    return status;
}
