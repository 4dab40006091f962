/// study/fit/fit_parallel.c: runs of a fit that do not wait for one another, on several threads.
#include <stdlib.h>
#include <string.h>

#include "platform/threads.h"
#include "study/fit/fitting.h"

enum { MAX_THREADS = 16 };

/// What one thread does: every `of`-th shift from `first` on, up to one that fails.
typedef struct thread_share {
    slip_fitting *f;
    const double *x;
    const slip_fit_perturbation *shifts;
    int first, of, count, failed; // failed: its number, or `count`
    slip_error error;
} thread_share;

static void *run_share(void *context)
{
    thread_share *s = context;
    double x[SLIP_FIT_MAX_FREE];
    s->failed = s->count;
    memcpy(x, s->x, (size_t)s->f->p * sizeof *x);
    for (int k = s->first; k < s->count && s->failed == s->count; k += s->of) {
        const slip_fit_perturbation *shift = &s->shifts[k];
        x[shift->parameter] = shift->to;
        if (!slip_fitting_residuals(s->f, x, shift->r)) s->failed = k;
        x[shift->parameter] = s->x[shift->parameter];
    }
    return NULL;
}

static int thread_count(const slip_fitting *f, int runs)
{
    int count = f->def->threads > 0 ? f->def->threads : slip_processor_count();
    if (count > runs) count = runs;
    return count < MAX_THREADS ? count : MAX_THREADS;
}

// helpers 1 .. of - 1; fewer when there is no memory
static int take_helpers(slip_fitting *f, int of)
{
    if (of > 1 && !f->helpers) f->helpers = calloc(MAX_THREADS, sizeof *f->helpers);
    for (int k = 1; k < of; k++) {
        if (f->helpers && !f->helpers[k]) f->helpers[k] = calloc(1, sizeof *f->helpers[k]);
        if (!f->helpers || !f->helpers[k]) return k;
    }
    return of;
}

// a helper is the fit as it stands, with a simulation of its own
static void prepare_helper(slip_fitting *helper, const slip_fitting *f, slip_error *error)
{
    slip_sim *sim = helper->sim;
    slip_model *model = helper->model;
    *helper = *f;
    helper->sim = sim, helper->model = model;
    helper->helpers = NULL, helper->runs = 0, helper->error = error;
}

bool slip_fitting_run_perturbed(slip_fitting *f, const double *x, const slip_fit_perturbation *shifts,
                                int count)
{
    slip_thread threads[MAX_THREADS];
    thread_share shares[MAX_THREADS];
    bool made[MAX_THREADS] = { false };
    const int of = take_helpers(f, thread_count(f, count));
    int failed = count;
    for (int k = 0; k < of; k++) {
        shares[k] = (thread_share){
            .f = k ? f->helpers[k] : f, .x = x, .shifts = shifts, .first = k, .of = of, .count = count
        };
        if (k) prepare_helper(f->helpers[k], f, &shares[k].error);
    }
    for (int k = 1; k < of; k++) made[k] = slip_thread_start(&threads[k], run_share, &shares[k]);
    if (count) run_share(&shares[0]);
    for (int k = 1; k < of; k++) {
        if (made[k])
            slip_thread_join(&threads[k]);
        else
            run_share(&shares[k]);
    }
    if (count) failed = shares[0].failed;
    for (int k = 1; k < of; k++) {
        f->runs += shares[k].f->runs;
        f->interrupted = f->interrupted || shares[k].f->interrupted;
        if (shares[k].failed >= failed) continue;
        failed = shares[k].failed; // the first one counts, whoever made it
        f->status = shares[k].f->status;
        if (f->error) *f->error = shares[k].error;
    }
    return failed == count;
}

void slip_fitting_destroy(slip_fitting *f)
{
    for (int k = 1; f->helpers && k < MAX_THREADS; k++) {
        if (f->helpers[k]) slip_fitting_destroy(f->helpers[k]);
        free(f->helpers[k]);
    }
    free((void *)f->helpers);
    slip_sim_destroy(f->sim);
    slip_model_destroy(f->model);
    f->helpers = NULL, f->sim = NULL, f->model = NULL;
}
