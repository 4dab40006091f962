/// study/optimize/optimize.c: searches from several points in parallel, and the run at the optimum. Every
/// search is a function of its number alone, and the best is chosen in their order, so that the result does
/// not depend on the number of threads. By default points all over the bounds are tried first, and the searches
/// begin at the best of them and at the start: a local search alone ends in whatever valley the start lies in.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diagnostics.h"
#include "base/halton.h"
#include "base/status.h"
#include "base/text.h"
#include "model/model.h"
#include "platform/threads.h"
#include "study/optimize/nlopt_search.h"
#include "simulation/sim/sim.h"
#include "study/optimize/optimize_tolerances.h"

slip_optimize_def slip_default_optimize_def(void)
{
    return (slip_optimize_def){
        .sim = slip_default_sim_def(), .max_runs = 2000, .tolerance = DEFAULT_OPTIMUM_TOLERANCE, .seed = 1
    };
}

static slip_status no_memory(slip_error *error)
{
    return slip_fail(error, SLIP_NO_MEMORY, "optimize", "out of memory");
}

// ----------------------------------------------------------------------------------------------- checks

static slip_status check_numbers(const slip_optimize_def *def, slip_error *error)
{
    if (def->free_count < 1 || def->free_count > SLIP_OPTIMIZE_MAX_FREE)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "free", "expected 1 to %d names, got %d",
                         SLIP_OPTIMIZE_MAX_FREE, def->free_count);
    if (def->constraint_count < 0 || def->constraint_count > SLIP_OPTIMIZE_MAX_CONSTRAINTS)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "constraints", "at most %d, got %d",
                         SLIP_OPTIMIZE_MAX_CONSTRAINTS, def->constraint_count);
    if (!(def->tolerance > 0.0) || !(def->tolerance < 1.0))
        return slip_fail(error, SLIP_BAD_ARGUMENT, "tolerance", "must be between 0 and 1, got %g",
                         def->tolerance);
    if (def->starts < 0) return slip_fail(error, SLIP_BAD_ARGUMENT, "starts", "must be 0 or more");
    if (def->max_runs < 1) return slip_fail(error, SLIP_BAD_ARGUMENT, "max_runs", "must be 1 or more");
    if (!(def->after >= 0.0)) return slip_fail(error, SLIP_BAD_ARGUMENT, "after", "must be 0 or greater");
    for (int k = 0; k < def->free_count; k++)
        if (def->lower && def->upper && !(def->lower[k] < def->upper[k]))
            return slip_fail(error, SLIP_BAD_ARGUMENT, def->free[k],
                             "its bounds %g and %g leave nothing free", def->lower[k], def->upper[k]);
    return SLIP_OK;
}

static bool is_bounded(const slip_optimize_def *def, int k)
{
    return def->lower && def->upper && isfinite(def->lower[k]) && isfinite(def->upper[k]);
}

static slip_status check_method(const slip_objective *g, const slip_optimize_method_record *m,
                                slip_error *error)
{
    const slip_optimize_def *def = g->def;
    if (g->count > 1 && !m->constraints)
        return slip_fail(error, SLIP_BAD_ARGUMENT, m->info.name, "takes no constraints; cobyla does");
    if (def->free_count < 2 && strcmp(m->info.name, "bobyqa") == 0)
        return slip_fail(error, SLIP_BAD_ARGUMENT, m->info.name, "needs two free values; cobyla takes one");
    for (int k = 0; k < def->free_count; k++)
        if ((m->bounded || def->starts > 1) && !is_bounded(def, k))
            return slip_fail(error, SLIP_BAD_ARGUMENT, def->free[k], "needs a lower and an upper bound: %s",
                             m->bounded ? "the method is global" : "several starts are spread between them");
    return SLIP_OK;
}

// --------------------------------------------------------------------------------------- where to begin

static double given_start(const slip_optimize_def *def, int k)
{
    const char *name = def->free[k];
    if (def->start && !isnan(def->start[k])) return def->start[k];
    if (strncmp(name, "parameters.", 11) == 0) name += 11;
    for (int i = 0; i < slip_model_parameter_count(def->model); i++)
        if (strcmp(slip_model_parameter_name(def->model, i), name) == 0)
            return slip_model_parameter_value(def->model, i);
    return is_bounded(def, k) ? 0.5 * (def->lower[k] + def->upper[k]) : NAN;
}

static slip_status no_start(const slip_optimize_def *def, const char *name, slip_error *error)
{
    enum { MAX_NAMES = 64 };
    const char *names[MAX_NAMES];
    char nearest[160];
    int count = 0;
    while (count < MAX_NAMES && count < slip_model_parameter_count(def->model)) {
        names[count] = slip_model_parameter_name(def->model, count);
        count++;
    }
    slip_suggest_name(name, names, count, nearest, sizeof nearest);
    return slip_fail(error, SLIP_BAD_ARGUMENT, name,
                     nearest[0] ? "is not a parameter: %s"
                                : "is not a parameter: give it a start, or a lower and an upper bound%s",
                     nearest);
}

static slip_status begin_at(const slip_optimize_def *def, double *start, double *scale, slip_error *error)
{
    for (int k = 0; k < def->free_count; k++) {
        start[k] = given_start(def, k);
        if (isnan(start[k])) return no_start(def, def->free[k], error);
        if (def->lower) start[k] = fmax(start[k], def->lower[k]);
        if (def->upper) start[k] = fmin(start[k], def->upper[k]);
        scale[k] = is_bounded(def, k)     ? def->upper[k] - def->lower[k]
                   : fabs(start[k]) > 0.0 ? fabs(start[k])
                                          : 1.0;
    }
    return SLIP_OK;
}

// a point of a sequence that fills the bounds evenly; index from 1
static void point_within_bounds(const slip_optimize_def *def, int index, double *x)
{
    for (int k = 0; k < def->free_count; k++)
        x[k] = def->lower[k] + (def->upper[k] - def->lower[k]) * slip_halton(index, k);
}

static void start_point(const slip_optimize_def *def, const double *guess, int index, double *x)
{
    if (index > 0)
        point_within_bounds(def, index, x);
    else
        memcpy(x, guess, (size_t)def->free_count * sizeof *x);
}

// --------------------------------------------------------------------------------------------- searches

/// Data shared by the threads; everything that is written is guarded by the lock.
typedef struct search_team {
    const slip_optimize_def *def;
    slip_nlopt_search *searches;
    slip_error *errors;
    slip_status *status;
    slip_mutex lock;
    int count, next; // searches; the next one
    int scanned;     // points that were tried before them
    long failed_scans;
    long runs;
    double best;
} search_team;

static void on_run(void *context, const slip_nlopt_search *s)
{
    search_team *t = context;
    slip_mutex_lock(&t->lock);
    t->runs++;
    if (s->best.known) t->best = fmin(t->best, s->best.value[0]);
    if (t->def->progress) t->def->progress(t->def->context, t->runs, t->def->maximize ? -t->best : t->best);
    slip_mutex_unlock(&t->lock);
}

static void *run_searches(void *context)
{
    search_team *t = context;
    for (;;) {
        slip_mutex_lock(&t->lock);
        const int at = t->next < t->count && !(t->def->stop && *t->def->stop) ? t->next++ : -1;
        slip_mutex_unlock(&t->lock);
        if (at < 0) return NULL;
        slip_nlopt_search *s = &t->searches[at];
        if (s->method->draws) nlopt_srand((unsigned long)(t->def->seed + (uint64_t)at));
        t->status[at] = slip_nlopt_search_run(s, &t->errors[at]);
    }
}

static int thread_count(const slip_optimize_def *def)
{
    return def->threads > 0 ? def->threads : slip_processor_count();
}

// The random generator of NLopt may be shared by all threads, so that random methods run one after another.
static void search_all(search_team *t)
{
    int wanted = t->searches[0].method->draws ? 1 : thread_count(t->def);
    if (wanted > t->count) wanted = t->count;
    slip_mutex_create(&t->lock);
    slip_threads_together(wanted, run_searches, t);
    slip_mutex_destroy(&t->lock);
}

static slip_status prepare_searches(search_team *t, const slip_objective *g,
                                    const slip_optimize_method_record *method, slip_error *error)
{
    const slip_optimize_def *def = g->def;
    double guess[SLIP_OPTIMIZE_MAX_FREE], scale[SLIP_OPTIMIZE_MAX_FREE];
    slip_status status = begin_at(def, guess, scale, error);
    for (int k = 0; k < t->count && status == SLIP_OK; k++) {
        slip_nlopt_search *s = &t->searches[k];
        *s = (slip_nlopt_search){ .def = def, .method = method, .progress = on_run, .context = t };
        memcpy(s->scale, scale, sizeof scale);
        start_point(def, guess, def->starts ? k : 0, s->start);
        status = slip_objective_values_create(g, t->count > 1 ? 1 : thread_count(def), error, &s->trial);
    }
    return status;
}

// -------------------------------------------------------------------------------------------- the scan

// How far apart two points are, as a fraction of the bounds: the largest over what is free.
static double distance(const slip_optimize_def *def, const double *a, const double *b)
{
    double most = 0.0;
    for (int k = 0; k < def->free_count; k++)
        most = fmax(most, fabs(a[k] - b[k]) / (def->upper[k] - def->lower[k]));
    return most;
}

static bool is_apart(const search_team *t, int searches, const double *x)
{
    for (int k = 0; k < searches; k++)
        if (distance(t->def, t->searches[k].start, x) < SCAN_APART) return false;
    return true;
}

// The best of the scanned points becomes the start of search `at`, if it is away from the others.
static bool take_best(search_team *t, slip_candidate *scanned, int count, int at)
{
    slip_candidate *best = NULL;
    for (int k = 0; k < count; k++)
        if (scanned[k].known && (!best || slip_candidate_is_better(&scanned[k], best, t->def->tolerance)))
            best = &scanned[k];
    if (!best) return false;
    best->known = false;
    if (is_apart(t, at, best->x)) {
        memcpy(t->searches[at].start, best->x, sizeof best->x);
        return true;
    }
    return take_best(t, scanned, count, at);
}

// Values of the scanned points; false when there is no memory.
static bool evaluate_scan(const slip_objective *g, slip_objective_values *trial, slip_candidate *scanned,
                          int count)
{
    const size_t p = (size_t)g->def->free_count, n = (size_t)g->count;
    double *points = calloc((size_t)count * (p + n), sizeof *points);
    if (!points) return false;
    double *values = points + (size_t)count * p;
    for (int k = 0; k < count; k++) memcpy(points + (size_t)k * p, scanned[k].x, p * sizeof *points);
    const bool good = slip_objective_values_at(trial, points, count, values);
    for (int k = 0; k < count && good; k++) {
        memcpy(scanned[k].value, values + (size_t)k * n, n * sizeof *values);
        slip_candidate_judge(&scanned[k], g);
    }
    free(points);
    return good;
}

// Searches begin at the start and at the best points of a scan.
static slip_status scan_box(search_team *t, const slip_objective *g, slip_error *error)
{
    const int count = g->def->free_count * SCAN_POINTS < MAX_SCAN_POINTS ? g->def->free_count * SCAN_POINTS
                                                                         : MAX_SCAN_POINTS;
    slip_candidate *scanned = calloc((size_t)count, sizeof *scanned);
    slip_objective_values trial;
    if (!scanned) return no_memory(error);
    slip_status status = slip_objective_values_create(g, thread_count(g->def), error, &trial);
    if (status == SLIP_OK) {
        for (int k = 0; k < count; k++) point_within_bounds(g->def, k + 1, scanned[k].x);
        if (!evaluate_scan(g, &trial, scanned, count)) status = no_memory(error);
        t->scanned = count, t->runs = trial.runs;
        t->failed_scans = trial.failed_runs;
        slip_objective_values_destroy(&trial);
    }
    int made = 1;
    while (status == SLIP_OK && made < t->count && take_best(t, scanned, count, made)) made++;
    for (int k = made; k < t->count; k++) slip_objective_values_destroy(&t->searches[k].trial);
    t->count = made;
    free(scanned);
    return status;
}

// A local method within bounds looks all over them first, unless it is told how many starts there are.
static bool is_scanned(const slip_optimize_def *def, const slip_optimize_method_record *m)
{
    for (int k = 0; k < def->free_count; k++)
        if (!is_bounded(def, k)) return false;
    return def->starts == 0 && !m->bounded && def->max_runs >= MAX_SCAN_POINTS;
}

// ----------------------------------------------------------------------------------------------- answer

static slip_nlopt_search *best_search(const search_team *t)
{
    slip_nlopt_search *best = NULL;
    for (int k = 0; k < t->count; k++) {
        slip_nlopt_search *s = &t->searches[k];
        if (s->best.known && (!best || slip_candidate_is_better(&s->best, &best->best, t->def->tolerance)))
            best = s;
    }
    return best;
}

static void count_all(const search_team *t, const slip_nlopt_search *best, slip_optimum *o)
{
    const double near = OPTIMUM_AGREES * fabs(best->best.value[0]) + OPTIMUM_AGREES_AT_ZERO;
    o->runs = o->scanned = t->scanned;
    o->failed_runs = t->failed_scans;
    for (int k = 0; k < t->count; k++) {
        const slip_nlopt_search *s = &t->searches[k];
        o->runs += s->trial.runs;
        o->failed_runs += s->trial.failed_runs;
        if (!s->best.known) continue;
        o->starts++;
        o->agreed += s->best.excess <= fmax(best->best.excess, t->def->tolerance) &&
                     s->best.value[0] <= best->best.value[0] + near;
    }
}

// Runs the model at the optimum, with its companion.
static slip_status judge_optimum(const slip_optimize_def *def, slip_optimum *o, slip_error *error)
{
    slip_sweep *sweep = NULL;
    const slip_status status =
        slip_objective_values_sweep(def, o->value, 1, SLIP_OUTPUT_FINAL, 1, true, error, &sweep);
    if (status != SLIP_OK) return status;
    const slip_sweep_result r = slip_sweep_result_of(sweep, 0);
    o->trusted = r.done && r.trust == SLIP_TRUST_TRUSTED;
    o->horizon = r.done ? r.horizon : NAN;
    snprintf(o->text, sizeof o->text, "%s", r.done && r.text ? r.text : "");
    slip_sweep_destroy(sweep);
    return SLIP_OK;
}

static void describe_optimum(const slip_objective *g, slip_nlopt_search *s, slip_optimum *o)
{
    const slip_optimize_def *def = g->def;
    const double sign = def->maximize ? -1.0 : 1.0;
    memcpy(o->value, s->best.x, sizeof o->value);
    o->method = s->method->info.name;
    o->outcome = s->outcome;
    o->objective = sign * s->best.value[0];
    o->feasible = s->best.excess <= def->tolerance;
    o->exact = slip_nlopt_search_gradient(s, o->value, o->gradient);
    for (int k = 0; k < def->free_count; k++) {
        const double near = def->tolerance * s->scale[k];
        o->gradient[k] *= sign;
        o->at_bound[k] = (def->lower && o->value[k] <= def->lower[k] + near) ||
                         (def->upper && o->value[k] >= def->upper[k] - near);
    }
    for (int k = 1; k < g->count; k++)
        o->slack[k - 1] = g->equal[k] ? -fabs(s->best.value[k]) : -s->best.value[k];
}

static slip_status copy_names(const slip_optimize_def *def, slip_optimum *o, slip_error *error)
{
    o->free_count = def->free_count;
    o->constraint_count = def->constraint_count;
    for (int k = 0; k < def->free_count; k++) {
        const size_t bytes = strlen(def->free[k]) + 1;
        if (!(o->names[k] = malloc(bytes))) return no_memory(error);
        memcpy(o->names[k], def->free[k], bytes);
    }
    return SLIP_OK;
}

static slip_status make_optimum(const slip_objective *g, search_team *t, slip_error *error,
                                slip_optimum **optimum)
{
    slip_nlopt_search *best = best_search(t);
    for (int k = 0; k < t->count; k++)
        if (t->status[k] == SLIP_NO_MEMORY || (!best && t->status[k] != SLIP_OK)) {
            *error = t->errors[k];
            return t->status[k];
        }
    if (!best)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "optimize",
                         t->def->stop && *t->def->stop ? "stopped before the first run gave a value"
                                                       : "none of %ld runs gave a value; try `slipstick run` "
                                                         "at the start, and bounds around what can be run",
                         t->runs);
    slip_optimum *o = calloc(1, sizeof *o);
    slip_status status = o ? copy_names(t->def, o, error) : no_memory(error);
    if (status == SLIP_OK) {
        describe_optimum(g, best, o);
        count_all(t, best, o);
        status = judge_optimum(t->def, o, error);
    }
    if (status == SLIP_OK)
        *optimum = o;
    else
        slip_optimum_destroy(o);
    return status;
}

static slip_status search_optimum(const slip_objective *g, slip_error *error, slip_optimum **optimum)
{
    const slip_optimize_def *def = g->def;
    const slip_optimize_method_record *method =
        def->method ? slip_optimize_method_named(def->method) : slip_optimize_method_for(g);
    if (!method)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "method", "there is no method '%.60s'", def->method);
    slip_status status = check_method(g, method, error);
    if (status != SLIP_OK) return status;
    const bool scanned = is_scanned(def, method);
    const size_t count = def->starts > 1 ? (size_t)def->starts : scanned ? 1 + SCAN_SEARCHES : 1;
    search_team t = { .def = def, .best = INFINITY, .count = (int)count };
    t.searches = calloc(count, sizeof *t.searches);
    t.errors = calloc(count, sizeof *t.errors);
    t.status = calloc(count, sizeof *t.status);
    status = t.searches && t.errors && t.status ? prepare_searches(&t, g, method, error) : no_memory(error);
    if (status == SLIP_OK && scanned) status = scan_box(&t, g, error);
    if (status == SLIP_OK) {
        search_all(&t);
        status = make_optimum(g, &t, error, optimum);
    }
    for (int k = 0; t.searches && k < t.count; k++) slip_objective_values_destroy(&t.searches[k].trial);
    free(t.searches);
    free(t.errors);
    free(t.status);
    return status;
}

// One run that stores everything determines the names that expressions may use.
static slip_status probe_run(const slip_optimize_def *def, slip_error *error, slip_sweep **sweep)
{
    double start[SLIP_OPTIMIZE_MAX_FREE], scale[SLIP_OPTIMIZE_MAX_FREE];
    const slip_status status = begin_at(def, start, scale, error);
    if (status != SLIP_OK) return status;
    return slip_objective_values_sweep(def, start, 1,
                                       SLIP_OUTPUT_FINAL | SLIP_OUTPUT_EXTREMES | SLIP_OUTPUT_MEANS |
                                           SLIP_OUTPUT_EVENTS | SLIP_OUTPUT_LOADS,
                                       1, false, error, sweep);
}

// Where run.stop ends a run, its end depends on the free parameters, and derivatives at a fixed time are not
// sufficient.
static bool ends_at_a_given_time(const slip_model *model)
{
    for (int k = 0; k < model->when_count; k++)
        if (model->whens[k].stops) return false;
    return true;
}

// Lists the free parameters as "mu, x'"; false when there are no sensitivities with respect to one of them.
static bool name_sensitivities(const slip_optimize_def *def, slip_text *text)
{
    for (int k = 0; k < def->free_count; k++) {
        char name[256];
        if (!slip_objective_sensitivity_name(def->free[k], name, sizeof name)) return false;
        slip_text_add(text, "%s%s", k ? "," : "", name);
    }
    return !text->failed && ends_at_a_given_time(def->model);
}

// True if a run has sensitivities that are those of the motion, and can be used as gradients.
static bool has_sensitivities(const slip_optimize_def *def)
{
    slip_sim *sim = NULL;
    slip_error ignored;
    bool good = slip_sim_create(def->model, &def->sim, &ignored, &sim) == SLIP_OK &&
                slip_derivative_columns_exact(sim->derivatives);
    slip_sim_destroy(sim);
    return good;
}

// Creates the objective with exact derivatives if the formulation has them and the expressions can use them.
static slip_status create_objective(slip_optimize_def *def, slip_text *names, slip_error *error,
                                    slip_objective *goal)
{
    slip_sweep *sweep = NULL;
    slip_error ignored;
    slip_status status = SLIP_BAD_ARGUMENT;
    if (name_sensitivities(def, names)) {
        def->sim.sensitivity = names->data;
        if (has_sensitivities(def)) status = probe_run(def, &ignored, &sweep);
    }
    if (status == SLIP_OK) {
        status = slip_objective_create(def, sweep, error, goal);
        slip_sweep_destroy(sweep);
        if (status != SLIP_OK || goal->exact) return status;
        slip_objective_destroy(goal);
    }
    def->sim.sensitivity = NULL;
    status = probe_run(def, error, &sweep);
    if (status == SLIP_OK) status = slip_objective_create(def, sweep, error, goal);
    slip_sweep_destroy(sweep);
    return status;
}

slip_status slip_optimize_value(const slip_optimize_def *given, const double *value, slip_error *error,
                                double *objective)
{
    slip_optimize_def def = *given;
    slip_objective goal;
    slip_objective_values trial;
    slip_sweep *sweep = NULL;
    double x[SLIP_OPTIMIZE_MAX_FREE], scale[SLIP_OPTIMIZE_MAX_FREE];
    double values[1 + SLIP_OPTIMIZE_MAX_CONSTRAINTS];
    *objective = NAN;
    def.start = value, def.sim.sensitivity = NULL;
    slip_status status = check_numbers(&def, error);
    if (status == SLIP_OK) status = probe_run(&def, error, &sweep);
    if (status == SLIP_OK) status = slip_objective_create(&def, sweep, error, &goal);
    slip_sweep_destroy(sweep);
    if (status != SLIP_OK) return status;
    status = slip_objective_values_create(&goal, 1, error, &trial);
    if (status == SLIP_OK) {
        status = begin_at(&def, x, scale, error);
        if (status == SLIP_OK && !slip_objective_values_at(&trial, x, 1, values)) status = no_memory(error);
        if (status == SLIP_OK) *objective = def.maximize ? -values[0] : values[0];
        slip_objective_values_destroy(&trial);
    }
    slip_objective_destroy(&goal);
    return status;
}

slip_status slip_optimize(const slip_optimize_def *given, slip_error *error, slip_optimum **optimum)
{
    slip_optimize_def def = *given;
    slip_objective goal;
    slip_text names = { 0 };
    *optimum = NULL;
    if (!def.model || !def.minimize)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "optimize", "model and minimize must be given");
    slip_status status = check_numbers(&def, error);
    if (status == SLIP_OK) status = create_objective(&def, &names, error, &goal);
    if (status == SLIP_OK) {
        status = search_optimum(&goal, error, optimum);
        slip_objective_destroy(&goal);
    }
    slip_text_destroy(&names);
    return status;
}
