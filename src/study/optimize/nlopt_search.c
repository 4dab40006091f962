/// study/optimize/nlopt_search.c: one search by a method of NLopt. The variables of NLopt are z = (x -
/// start)/scale, so that one tolerance serves all of them.
#include "study/optimize/nlopt_search.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "study/optimize/optimize_tolerances.h"

enum { MAX_EXPRESSIONS = 1 + SLIP_OPTIMIZE_MAX_CONSTRAINTS };

// ------------------------------------------------------------------------------------------------ points

static void point_of(const slip_nlopt_search *s, const double *z, double *x)
{
    for (int k = 0; k < s->def->free_count; k++) {
        x[k] = s->start[k] + z[k] * s->scale[k];
        if (s->def->lower) x[k] = fmax(x[k], s->def->lower[k]);
        if (s->def->upper) x[k] = fmin(x[k], s->def->upper[k]);
    }
}

static double excess_of(const slip_objective *g, const double *value)
{
    double excess = 0.0;
    for (int k = 1; k < g->count; k++) excess = fmax(excess, g->equal[k] ? fabs(value[k]) : value[k]);
    return excess;
}

bool slip_candidate_is_better(const slip_candidate *a, const slip_candidate *b, double tolerance)
{
    if (!a->known || !b->known) return a->known && !b->known;
    const double mine = fmax(a->excess, tolerance), theirs = fmax(b->excess, tolerance);
    return mine != theirs ? mine < theirs : a->value[0] < b->value[0];
}

void slip_candidate_judge(slip_candidate *c, const slip_objective *g)
{
    c->known = true;
    for (int k = 0; k < g->count; k++) c->known = c->known && isfinite(c->value[k]);
    c->excess = c->known ? excess_of(g, c->value) : INFINITY;
}

static void store_candidate(slip_nlopt_search *s, const double *x, const double *value)
{
    const slip_objective *g = s->trial.goal;
    slip_candidate *t = &s->last;
    memcpy(t->x, x, (size_t)s->def->free_count * sizeof *x);
    memcpy(t->value, value, (size_t)g->count * sizeof *value);
    slip_candidate_judge(t, g);
    if (t->known) s->worst = fmax(s->worst, value[0]);
    if (slip_candidate_is_better(t, &s->best, s->def->tolerance)) s->best = *t;
    if (s->progress) s->progress(s->context, s);
}

// ------------------------------------------------------------------------------------------------- runs

static double difference_step(const slip_nlopt_search *s, int k)
{
    return OPTIMIZE_DIFFERENCE_STEP * s->scale[k];
}

static bool is_stopped(const slip_nlopt_search *s)
{
    return s->no_memory || (s->def->stop && *s->def->stop) || s->trial.runs >= s->def->max_runs;
}

static void evaluate_point(slip_nlopt_search *s, const double *x)
{
    double value[MAX_EXPRESSIONS];
    s->no_memory = !slip_objective_values_gradient(&s->trial, x, value, s->last_gradient, &s->has_gradient) ||
                   s->no_memory;
    store_candidate(s, x, value);
}

// Evaluates the point and its two neighbours for each variable in one sweep.
static void evaluate_stencil(slip_nlopt_search *s, const double *x)
{
    enum { MAX_ROWS = 2 * SLIP_OPTIMIZE_MAX_FREE };
    const int n = s->def->free_count, m = s->trial.goal->count;
    double points[MAX_ROWS * SLIP_OPTIMIZE_MAX_FREE], values[MAX_ROWS * MAX_EXPRESSIONS];
    for (int k = 0; k < 2 * n; k++) {
        double *p = points + k * n, h = difference_step(s, k / 2);
        memcpy(p, x, (size_t)n * sizeof *x);
        p[k / 2] += k % 2 ? h : -h;
        if (s->def->lower) p[k / 2] = fmax(p[k / 2], s->def->lower[k / 2]);
        if (s->def->upper) p[k / 2] = fmin(p[k / 2], s->def->upper[k / 2]);
    }
    s->no_memory = !slip_objective_values_at(&s->trial, points, 2 * n, values) || s->no_memory;
    for (int i = 0; i < m; i++)
        for (int k = 0; k < n; k++) {
            const double *below = values + (size_t)(2 * k * m), *above = below + m;
            const double width = points[(2 * k + 1) * n + k] - points[2 * k * n + k];
            s->last_gradient[i][k] = (above[i] - below[i]) / width;
        }
    s->has_gradient = true;
}

static void visit_point(slip_nlopt_search *s, const double *z, bool gradient)
{
    double x[SLIP_OPTIMIZE_MAX_FREE];
    const size_t size = (size_t)s->def->free_count * sizeof *x;
    point_of(s, z, x);
    if (s->trial.runs == 0 || memcmp(x, s->last.x, size) != 0) evaluate_point(s, x);
    if (gradient && !s->has_gradient) evaluate_stencil(s, x);
    if (is_stopped(s)) nlopt_force_stop(s->optimizer);
}

// The value of expression i; a run without a value counts as worse than all others.
static double value_at(slip_nlopt_search *s, int i, const double *z, double *gradient)
{
    visit_point(s, z, gradient != NULL);
    for (int k = 0; gradient && k < s->def->free_count; k++) {
        const double slope = s->last_gradient[i][k] * s->scale[k];
        gradient[k] = isfinite(slope) ? slope : 0.0;
    }
    if (s->last.known) return s->last.value[i];
    return i > 0 || isinf(s->worst) ? 1.0 : s->worst + fabs(s->worst) + 1.0;
}

static double nlopt_objective(unsigned n, const double *z, double *gradient, void *context)
{
    (void)n;
    return value_at(context, 0, z, gradient);
}

typedef struct constraint {
    slip_nlopt_search *search;
    int number;
} constraint;

static double constraint_value(unsigned n, const double *z, double *gradient, void *context)
{
    const constraint *c = context;
    (void)n;
    return value_at(c->search, c->number, z, gradient);
}

// ------------------------------------------------------------------------------------------------ NLopt

static slip_optimize_outcome outcome_of(const slip_nlopt_search *s, nlopt_result result)
{
    if (result == NLOPT_FORCED_STOP || is_stopped(s))
        return s->def->stop && *s->def->stop ? SLIP_OPTIMIZE_STOPPED : SLIP_OPTIMIZE_MAX_RUNS;
    if (result == NLOPT_MAXEVAL_REACHED) return SLIP_OPTIMIZE_MAX_RUNS;
    return result < 0 ? SLIP_OPTIMIZE_ROUNDED : SLIP_OPTIMIZE_CONVERGED;
}

static nlopt_result set_up_nlopt(slip_nlopt_search *s, nlopt_opt o, const slip_optimize_method_record *method,
                                 constraint *constraints)
{
    const slip_objective *g = s->trial.goal;
    const slip_optimize_def *def = s->def;
    double low[SLIP_OPTIMIZE_MAX_FREE], high[SLIP_OPTIMIZE_MAX_FREE];
    for (int k = 0; k < def->free_count; k++) {
        low[k] = def->lower ? (def->lower[k] - s->start[k]) / s->scale[k] : -HUGE_VAL;
        high[k] = def->upper ? (def->upper[k] - s->start[k]) / s->scale[k] : HUGE_VAL;
    }
    nlopt_result r = nlopt_set_min_objective(o, nlopt_objective, s);
    if (r > 0) r = nlopt_set_lower_bounds(o, low);
    if (r > 0) r = nlopt_set_upper_bounds(o, high);
    if (r > 0) r = nlopt_set_xtol_abs1(o, def->tolerance);
    if (r > 0 && method->bounded) r = nlopt_set_maxeval(o, (int)fmin((double)def->max_runs / 2.0, 1e9));
    if (r > 0 && !method->bounded) r = nlopt_set_initial_step1(o, FIRST_SEARCH_STEP);
    for (int k = 1; k < g->count && r > 0; k++) {
        constraints[k] = (constraint){ s, k };
        r = g->equal[k] ? nlopt_add_equality_constraint(o, constraint_value, &constraints[k], def->tolerance)
                        : nlopt_add_inequality_constraint(o, constraint_value, &constraints[k], 0.0);
    }
    return r;
}

static slip_status search_by(slip_nlopt_search *s, const slip_optimize_method_record *method,
                             const double *from, slip_error *error)
{
    const int n = s->def->free_count;
    constraint constraints[MAX_EXPRESSIONS];
    double z[SLIP_OPTIMIZE_MAX_FREE], least;
    s->optimizer = nlopt_create(method->algorithm, (unsigned)n);
    if (!s->optimizer) return slip_fail(error, SLIP_NO_MEMORY, "optimize", "out of memory");
    for (int k = 0; k < n; k++) z[k] = (from[k] - s->start[k]) / s->scale[k];
    nlopt_result r = set_up_nlopt(s, s->optimizer, method, constraints);
    if (r > 0) r = nlopt_optimize(s->optimizer, z, &least);
    nlopt_destroy(s->optimizer);
    s->optimizer = NULL;
    if (s->no_memory || r == NLOPT_OUT_OF_MEMORY)
        return slip_fail(error, SLIP_NO_MEMORY, "optimize", "out of memory");
    if (r == NLOPT_INVALID_ARGS)
        return slip_fail(error, SLIP_BAD_ARGUMENT, method->info.name, "cannot search this problem");
    s->outcome = outcome_of(s, r);
    return SLIP_OK;
}

slip_status slip_nlopt_search_run(slip_nlopt_search *s, slip_error *error)
{
    const slip_optimize_method_record *local = slip_optimize_method_for(s->trial.goal);
    s->worst = -INFINITY;
    slip_status status = search_by(s, s->method, s->start, error);
    if (status != SLIP_OK || !s->method->bounded || !s->best.known || is_stopped(s)) return status;
    const slip_candidate found = s->best;
    return search_by(s, local, found.x, error);
}

bool slip_nlopt_search_gradient(slip_nlopt_search *s, const double *x, double *gradient)
{
    evaluate_point(s, x);
    const bool exact = s->has_gradient;
    if (!exact) evaluate_stencil(s, x);
    memcpy(gradient, s->last_gradient[0], (size_t)s->def->free_count * sizeof *gradient);
    return exact;
}
