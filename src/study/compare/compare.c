/// study/compare/compare.c: runs every formulation that applies, finds a reference, and recommends the
/// cheapest one that is trusted.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/compare/comparison.h"
#include "study/compare/measured_run.h"
#include "study/compare/comparison_reference.h"
#include "base/status.h"
#include "formulation/method.h"
#include "platform/threads.h"
#include "registry/part_names.h"
#include "verdict/run/run_trust.h"
#include "simulation/sim/auto_settings.h"
#include "study/compare/compare_tolerances.h"

enum { MAX_HALVINGS = 10 };

slip_compare_def slip_default_compare_def(void)
{
    return (slip_compare_def){
        .step = NAN, .until = NAN, .accuracy = DEFAULT_COMPARE_ACCURACY, .budget = DEFAULT_COMPARE_BUDGET
    };
}

/// Data shared by the worker threads; `next` and progress are guarded by the lock.
typedef struct team {
    slip_comparison *all;
    slip_measured_model watched;
    const slip_compare_def *def;
    double step, until;
    slip_reference reference;
    double **measured_end; // end states per row, working copies
    slip_mutex lock;
    int next, done, expected;
    bool no_memory;
    void (*job)(struct team *team, int row);
} team;

static bool comparison_stopped(const team *t)
{
    return t->def->stop && *t->def->stop;
}

static void *run_rows(void *context)
{
    team *t = context;
    for (;;) {
        slip_mutex_lock(&t->lock);
        int row = t->next < t->all->count && !comparison_stopped(t) ? t->next++ : -1;
        slip_mutex_unlock(&t->lock);
        if (row < 0) return NULL;
        t->job(t, row);
        slip_mutex_lock(&t->lock);
        t->done++;
        if (t->def->progress) t->def->progress(t->def->context, t->done, t->expected);
        slip_mutex_unlock(&t->lock);
    }
}

// One job per row, on the number of threads that the caller has chosen, including this one.
static void for_each_row(team *t, void (*job)(team *, int))
{
    t->job = job;
    t->next = 0;
    slip_threads_together(t->def->threads > 0 ? t->def->threads : slip_processor_count(), run_rows, t);
}

// ----------------------------------------------------------------------------------------- the jobs

static void first_run(team *t, int at)
{
    slip_compare_row *row = &t->all->rows[at];
    slip_measured m =
        slip_measure_run(&t->watched, row->formulation, t->step, t->until, true, t->def->stop, row->end);
    snprintf(row->text, sizeof row->text, "%s", m.text);
    row->applies = m.status == SLIP_OK;
    if (!row->applies) return;
    row->outcome = m.outcome;
    row->trusted = m.outcome == SLIP_DONE && !m.warned && !(m.energy_error > SLIP_MAX_ENERGY_ERROR);
    if (m.outcome == SLIP_DONE && !m.warned && !row->trusted)
        snprintf(row->text, sizeof row->text,
                 "the scheme itself changed the energy by %.2g %%: take a smaller step",
                 100.0 * m.energy_error);
    row->steps = m.steps;
    row->seconds = m.seconds;
    row->energy_error = m.energy_error;
    row->penetration = m.penetration;
    row->creep = m.creep;
    row->cone_violation = fmax(0.0, m.cone_violation);
    t->all->travel[at] = m.travel;
}

// Largest difference from the reference in a coordinate at the end.
static double end_difference(const team *t, const double *end)
{
    const slip_trajectory_samples *track = &t->reference.track;
    double most = 0.0;
    for (int k = 0; k < t->all->coordinate_count; k++) {
        double here = fabs(end[k] - track->q[(size_t)(track->count - 1) * (size_t)track->n + (size_t)k]);
        if (!(here <= most)) most = isnan(here) ? INFINITY : here; // NaN agrees with nothing
    }
    return most;
}

// The largest deviation of the motion from the reference; infinite when out of memory.
static double deviation_at(team *t, const char *formulation, double step, double *spent)
{
    slip_trajectory_samples track;
    double off = INFINITY, seconds = 0.0;
    if (slip_reference_trace(&t->reference, formulation, step, &track, &seconds))
        off = slip_reference_distance(&t->reference, &t->reference.track, &track);
    slip_trajectory_samples_destroy(&track);
    *spent += seconds;
    return off;
}

// The cost of a run at the step of the comparison, without what watching it costs; that of the first run where
// another would take too long.
static double measure_cost(team *t, int at, double *spent)
{
    slip_compare_row *row = &t->all->rows[at];
    if (*spent + row->seconds > t->def->budget) return row->seconds;
    slip_measured m = slip_measure_run(&t->watched, row->formulation, t->step, t->until, false, t->def->stop,
                                       t->measured_end[at]);
    *spent += m.seconds;
    return m.status == SLIP_OK && m.outcome == SLIP_DONE ? m.seconds : row->seconds;
}

// Halves the step until the motion agrees to the wanted accuracy. A step is not tried when it is expected to take
// more than what is left of the budget: twice as long as the one before, and once more to compare it.
static void halve_step(team *t, int at, double spent)
{
    slip_compare_row *row = &t->all->rows[at];
    row->accurate_step = t->step;
    row->accurate_seconds = measure_cost(t, at, &spent);
    row->reached = row->off <= t->def->accuracy;
    for (int k = 1; k <= MAX_HALVINGS && !row->reached && !comparison_stopped(t); k++) {
        if (spent + 4.0 * row->accurate_seconds > t->def->budget) return;
        const double step = ldexp(t->step, -k);
        slip_measured m = slip_measure_run(&t->watched, row->formulation, step, t->until, false, t->def->stop,
                                           t->measured_end[at]);
        if (m.status != SLIP_OK) return;
        spent += m.seconds;
        const double off =
            m.outcome == SLIP_DONE ? deviation_at(t, row->formulation, step, &spent) : INFINITY;
        row->reached = m.outcome == SLIP_DONE && off <= t->def->accuracy;
        row->accurate_step = step;
        row->accurate_seconds = m.seconds;
    }
}

// A formulation is trusted if it is close to a confirmed reference. Then its step is halved until the motion
// agrees to the wanted accuracy, or the budget is spent.
static void refine_row(team *t, int at)
{
    slip_compare_row *row = &t->all->rows[at];
    double spent = 0.0;
    if (!row->applies || row->outcome != SLIP_DONE) return;
    row->spread = end_difference(t, row->end);
    row->off = deviation_at(t, row->formulation, t->step, &spent);
    if (row->trusted && !(row->off <= COMPARE_AGREEMENT)) {
        row->trusted = false;
        if (!t->all->disputed)
            snprintf(row->text, sizeof row->text, "it is off by %.2g %% of the motion at this step",
                     100.0 * row->off);
    }
    if (t->all->disputed) row->trusted = false;
    halve_step(t, at, spent);
}

// Records a separate run, so that the cost of recording is not attributed to the formulation.
static slip_status record_row(team *t, const char *formulation, slip_recording **recording)
{
    slip_recording_def kept = slip_default_recording_def();
    slip_sim_def settings = slip_default_sim_def();
    slip_run_def run = slip_default_run_def();
    slip_run_info info;
    slip_sim *sim = NULL;
    kept.points = t->def->record;
    settings.formulation = formulation;
    settings.step = t->step, settings.until = t->until;
    settings.draw = true;
    run.stop = t->def->stop;
    slip_status status = slip_recording_create(&kept, NULL, recording);
    if (status == SLIP_OK) status = slip_sim_create(t->all->plain, &settings, NULL, &sim);
    run.observer = slip_recording_observer(*recording);
    if (status == SLIP_OK) status = slip_run(sim, &run, &info, NULL);
    slip_sim_destroy(sim);
    return status;
}

static void record_run(team *t, int at)
{
    slip_recording **recording = &t->all->recordings[at];
    if (!t->all->rows[at].applies || record_row(t, t->all->rows[at].formulation, recording) == SLIP_OK)
        return;
    slip_recording_destroy(*recording); // the run has succeeded before, so this is out of memory
    *recording = NULL;
    slip_mutex_lock(&t->lock);
    t->no_memory = true;
    slip_mutex_unlock(&t->lock);
}

// ----------------------------------------------------------------------------------------- sentence

static const slip_compare_row *cheapest_trusted(const slip_comparison *c)
{
    const slip_compare_row *best = NULL;
    for (int k = 0; k < c->count; k++) {
        const slip_compare_row *row = &c->rows[k];
        if (row->applies && row->trusted && row->reached &&
            (!best || row->accurate_seconds < best->accurate_seconds))
            best = row;
    }
    return best;
}

static void write_recommendation(slip_comparison *c, double accuracy)
{
    const slip_compare_row *best = cheapest_trusted(c);
    int rivals = 0;
    const slip_compare_row *next = NULL;
    for (int k = 0; k < c->count; k++) {
        const slip_compare_row *row = &c->rows[k];
        if (!row->applies || !row->trusted || !row->reached || row == best) continue;
        rivals++;
        if (!next || row->accurate_seconds < next->accurate_seconds) next = row;
    }
    size_t size = sizeof c->sentence;
    c->chosen = best ? (int)(best - c->rows) : -1;
    if (c->stopped || c->disputed || !c->confirmed) c->chosen = -1;
    if (c->stopped)
        snprintf(c->sentence, size, "stopped before the end: nothing is recommended");
    else if (c->reference_row < 0)
        snprintf(c->sentence, size,
                 "no formulation reached the end of this run: there is nothing to compare with");
    else if (c->disputed)
        snprintf(
            c->sentence, size,
            "nothing is recommended, because the reference is %s: look at what the warnings say, or take a "
            "smaller step",
            c->reference);
    else if (!c->confirmed)
        snprintf(
            c->sentence, size,
            "nothing is recommended, because no second family of formulations takes this model and could "
            "confirm %s",
            c->reference);
    else if (!best)
        snprintf(c->sentence, size,
                 "no trusted formulation reached the accuracy %g within its budget: give a larger "
                 "budget, or look at what the warnings say",
                 accuracy);
    else if (next)
        snprintf(c->sentence, size,
                 "%s is the cheapest formulation to be trusted here: it agrees with the reference "
                 "to %g at a step of %g s in %.3g ms; %s takes %.3g ms%s",
                 best->formulation, accuracy, best->accurate_step, 1e3 * best->accurate_seconds,
                 next->formulation, 1e3 * next->accurate_seconds, rivals > 1 ? ", the others more" : "");
    else
        snprintf(c->sentence, size,
                 "%s is the only formulation that is trusted and agrees with the reference to %g "
                 "here, at a step of %g s in %.3g ms",
                 best->formulation, accuracy, best->accurate_step, 1e3 * best->accurate_seconds);
}

// ------------------------------------------------------------------------------------------ create

static bool name_rows(slip_comparison *c, const slip_compare_def *def, slip_error *error)
{
    slip_part_info part;
    int there = 0;
    while (slip_part(SLIP_FORMULATIONS, there, &part)) there++;
    c->count = def->formulations ? def->formulation_count : there;
    c->rows = calloc((size_t)c->count + 1, sizeof *c->rows);
    if (!c->rows) return slip_fail(error, SLIP_NO_MEMORY, "compare", "out of memory"), false;
    for (int k = 0; k < c->count; k++) {
        int at = def->formulations ? slip_part_find(SLIP_FORMULATIONS, def->formulations[k]) : k;
        if (at < 0)
            return slip_part_report_unknown(SLIP_FORMULATIONS, def->formulations[k], (slip_span){ 0 }, error),
                   false;
        slip_part(SLIP_FORMULATIONS, at, &part);
        // NaN until it has run, so that a stopped comparison reports nothing that it has not computed
        c->rows[k] = (slip_compare_row){ .formulation = part.name,
                                         .applies = true,
                                         .outcome = SLIP_STOPPED,
                                         .seconds = NAN,
                                         .spread = NAN,
                                         .off = NAN,
                                         .energy_error = NAN,
                                         .penetration = NAN,
                                         .creep = NAN,
                                         .cone_violation = NAN };
    }
    return true;
}

static slip_status comparison_allocate(team *t, slip_error *error)
{
    slip_comparison *c = t->all;
    size_t rows = (size_t)c->count, n = (size_t)c->coordinate_count;
    c->travel = calloc(rows + 1, sizeof *c->travel);
    c->ends = calloc(rows * n + 1, sizeof *c->ends);
    t->measured_end = calloc(rows + 1, sizeof *t->measured_end);
    c->names = calloc(n + 1, sizeof *c->names);
    if (t->def->record) c->recordings = calloc(rows + 1, sizeof *c->recordings);
    bool fine = c->travel && c->ends && t->measured_end && c->names && (c->recordings || !t->def->record);
    for (size_t k = 0; k < rows && fine; k++) {
        c->rows[k].coordinate_count = (int)n;
        c->rows[k].end = c->ends + k * n;
        fine = (t->measured_end[k] = calloc(n + 1, sizeof(double))) != NULL;
    }
    const slip_model *m = t->watched.model;
    for (size_t k = 0; k < n && fine; k++) {
        slip_text copy = { 0 };
        slip_text_add(&copy, "%s", m->type == SLIP_INCLUSION ? m->states[k].name : m->coordinates[k].name);
        fine = (c->names[k] = slip_text_take(&copy)) != NULL;
    }
    slip_text name = { 0 };
    slip_text_add(&name, "%s", slip_model_name(m));
    c->model = slip_text_take(&name);
    return fine && c->model ? SLIP_OK : slip_fail(error, SLIP_NO_MEMORY, "compare", "out of memory");
}

static double first_number(double asked, double of_model, double fallback)
{
    return !isnan(asked) ? asked : !isnan(of_model) ? of_model : fallback;
}

static slip_status find_reference(team *t, slip_error *error)
{
    slip_reference *r = &t->reference;
    slip_comparison *c = t->all;
    c->reference_row = -1;
    if (comparison_stopped(t)) return SLIP_OK;
    r->step = t->step, r->until = t->until, r->budget = t->def->budget, r->stop = t->def->stop;
    if (!slip_reference_create(r, &t->watched) || slip_reference_find(r, c) != SLIP_OK)
        return slip_fail(error, SLIP_NO_MEMORY, "compare", "out of memory");
    if (r->track.count < r->instants.count) c->reference_row = -1;
    for (int k = 0; k < c->coordinate_count; k++) c->scale = fmax(c->scale, r->scale[k]);
    return SLIP_OK;
}

static slip_status compare_all(team *t, slip_error *error)
{
    slip_comparison *c = t->all;
    c->coordinate_count = t->watched.coordinate_count;
    c->accuracy = t->def->accuracy;
    char reason[SLIP_REASON_LENGTH];
    t->until = c->until = first_number(t->def->until, t->watched.model->run.until, 1.0);
    t->step = first_number(t->def->step, t->watched.model->run.step, NAN);
    if (isnan(t->step) && t->until > 0.0)
        t->step = slip_choose_step(t->watched.model, t->until, false, reason);
    c->step = t->step;
    if (t->def->record < 0 || (t->def->record > 0 && t->def->record < 4))
        return slip_fail(error, SLIP_BAD_ARGUMENT, "compare", "a recording needs 4 points or more, got %d",
                         t->def->record);
    if (!(t->step > 0.0 && t->until > 0.0 && t->def->accuracy > 0.0))
        return slip_fail(error, SLIP_BAD_ARGUMENT, "compare", "step, until and accuracy must be > 0");
    if (!name_rows(c, t->def, error)) return error ? error->status : SLIP_BAD_ARGUMENT;
    slip_status status = comparison_allocate(t, error);
    if (status != SLIP_OK) return status;
    t->expected = (t->def->record ? 3 : 2) * c->count;
    for_each_row(t, first_run);
    c->plain = t->watched.plain; // the recordings refer to it as long as the comparison exists
    if (t->def->record) for_each_row(t, record_run);
    if (t->no_memory) return slip_fail(error, SLIP_NO_MEMORY, "compare", "out of memory");
    status = find_reference(t, error);
    if (status == SLIP_OK && c->reference_row >= 0) for_each_row(t, refine_row);
    c->stopped = comparison_stopped(t);
    write_recommendation(c, t->def->accuracy);
    return status;
}

slip_status slip_compare(const slip_model *model, const slip_compare_def *given, slip_error *error,
                         slip_comparison **out)
{
    *out = NULL;
    slip_error local;
    if (!error) error = &local;
    slip_compare_def none = slip_default_compare_def();
    team t = { .def = given ? given : &none, .all = calloc(1, sizeof *t.all) };
    if (!t.all) return slip_fail(error, SLIP_NO_MEMORY, "compare", "out of memory");
    if (!model) {
        free(t.all);
        return slip_fail(error, SLIP_BAD_ARGUMENT, "compare", "a model must be given");
    }
    slip_status status = slip_measured_model_create(model, error, &t.watched);
    slip_mutex_create(&t.lock);
    if (status == SLIP_OK) status = compare_all(&t, error);
    slip_mutex_destroy(&t.lock);
    for (int k = 0; t.measured_end && k < t.all->count; k++) free(t.measured_end[k]);
    free(t.measured_end);
    slip_reference_destroy(&t.reference);
    if (t.all->plain) t.watched.plain = NULL;
    slip_measured_model_destroy(&t.watched);
    if (status != SLIP_OK) {
        slip_comparison_destroy(t.all);
        return status;
    }
    *out = t.all;
    return SLIP_OK;
}
