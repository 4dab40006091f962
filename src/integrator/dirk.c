/// integrator/dirk.c: diagonally implicit Runge-Kutta methods with error control. See dirk.h.
#include "integrator/dirk.h"

#include <math.h>
#include <string.h>

#include "integrator/integrator_tolerances.h"

enum { STAGES = SLIP_DIRK_STAGES, MAX_NEWTON_ITERATIONS = 20, MAX_NEWTON_TRIALS = 60 };

void slip_dirk_layout(slip_arena *arena, int count, slip_integrator_work *work)
{
    for (int k = 0; k < 7; k++) work->k[k] = SLIP_TAKE(arena, double, count);
    work->stage = SLIP_TAKE(arena, double, count);
    work->low = SLIP_TAKE(arena, double, count);
}

/// A step being attempted.
typedef struct attempt {
    const slip_dirk *method;
    const slip_ode_problem *p;
    const slip_step_control *control;
    slip_integrator_work *w;
    const double *x;
    double t, h;
    double *change; // Newton's correction, then the error
    int n;          // components without quadratures
    bool factored;
} attempt;

// Root mean square of v in units of the tolerance at x.
static double scaled_norm(const attempt *s, const double *v)
{
    double sum = 0.0;
    for (int i = 0; i < s->n; i++) {
        double e = v[i] / (s->control->absolute + s->control->relative * fabs(s->x[i]));
        sum += e * e;
    }
    return s->n ? sqrt(sum / s->n) : 0.0;
}

static bool linearise_at(attempt *s, double t, const double *rate)
{
    s->factored = s->p->linearise(s->p->context, t, s->w->stage, rate, s->method->gamma * s->h);
    return s->factored;
}

// The rates of the quadratures at the converged stage.
static bool take_quadratures(attempt *s, double t, double *rate, double *k)
{
    if (s->p->quadratures == 0) return true;
    if (!s->p->rate(s->p->context, t, s->w->stage, rate)) return false;
    memcpy(k + s->n, rate + s->n, (size_t)s->p->quadratures * sizeof *k);
    return true;
}

// x + w of a stage, and a first guess of the stage itself: its rate is extrapolated linearly from those of
// the two stages before. The rate of a single stage is so far off, where a contact moves along a curved
// surface, that the guess would be on the other side of a stiff one.
static void begin_stage(attempt *s, int stage, double *base, double *y)
{
    const double *a = s->method->a[stage], *node = s->method->node, *before = s->w->k[stage - 1];
    const double *earlier = s->w->k[stage > 1 ? stage - 2 : 0];
    double way = stage > 1 ? (node[stage] - node[stage - 1]) / (node[stage - 1] - node[stage - 2]) : 0.0;
    for (int i = 0; i < s->n; i++) {
        double sum = 0.0;
        for (int j = 0; j < stage; j++) sum += a[j] * s->w->k[j][i];
        base[i] = s->x[i] + s->h * sum;
        y[i] = base[i] + s->method->gamma * s->h * (before[i] + way * (before[i] - earlier[i]));
    }
    memcpy(y + s->n, s->x + s->n, (size_t)s->p->quadratures * sizeof *y);
}

// Newton's correction at y, where f is `rate`, with the present derivative; returns its norm.
static double newton_correction(attempt *s, const double *base, const double *rate)
{
    const double *y = s->w->stage;
    double gamma_h = s->method->gamma * s->h;
    for (int i = 0; i < s->n; i++) s->change[i] = base[i] + gamma_h * rate[i] - y[i];
    s->p->solve(s->p->context, s->change);
    return scaled_norm(s, s->change);
}

static bool end_stage(attempt *s, int stage, double t, const double *base, double *rate)
{
    double *k = s->w->k[stage], gamma_h = s->method->gamma * s->h;
    for (int i = 0; i < s->n; i++) {
        s->w->stage[i] += s->change[i];
        k[i] = (s->w->stage[i] - base[i]) / gamma_h;
    }
    return take_quadratures(s, t, rate, k);
}

// Newton's method for one stage; on success work->stage holds x + z and k[stage] its rate. If the next
// correction, with the same derivative, is larger than the last one, the step went too far and is halved
// (Deuflhard's natural monotonicity test).
static bool solve_stage(attempt *s, int stage)
{
    slip_integrator_work *w = s->w;
    double *base = w->low, *rate = w->k[STAGES], *y = w->stage, *way = w->k[stage];
    double t = s->t + s->method->node[stage] * s->h, last = INFINITY, part = 1.0;
    begin_stage(s, stage, base, y);
    for (int iteration = 0, count = 0; iteration < MAX_NEWTON_ITERATIONS && count < MAX_NEWTON_TRIALS;
         count++) {
        if (!s->p->rate(s->p->context, t, y, rate)) return false;
        if (!s->factored && !linearise_at(s, t, rate)) return false;
        double size = newton_correction(s, base, rate);
        if (iteration && !(size <= last) && part > MIN_DAMPING) {
            part *= 0.5;
            for (int i = 0; i < s->n; i++) y[i] -= part * way[i];
            continue;
        }
        if (!isfinite(size)) return false;
        // The remaining error is at most size theta/(1 - theta), where theta is the observed contraction,
        // which is unknown at first. A single ratio may belong to another smooth piece of the right-hand
        // side, with a derivative that is not valid on this one.
        double theta = iteration ? size / last : CONTRACTION_UNKNOWN;
        bool stalled = iteration >= 2 && theta > STALLED_CONTRACTION && size <= STALLED_CORRECTION;
        double left = iteration >= 2 ? size * theta : size;
        if (theta < 1.0 && left <= s->method->leftover * (1.0 - theta))
            return end_stage(s, stage, t, base, rate);
        // on another smooth piece, or too far from the state of the derivative
        if (size > FAST_CONTRACTION * last || (iteration == 1 && !s->method->thrifty)) {
            if (!linearise_at(s, t, rate)) return false;
            size = newton_correction(s, base, rate);
        }
        if (stalled && size <= STALLED_CORRECTION) return end_stage(s, stage, t, base, rate);
        for (int i = 0; i < s->n; i++) y[i] += way[i] = s->change[i];
        last = size;
        part = 1.0;
        iteration++;
    }
    return false;
}

static double error_estimate(attempt *s, const double *weight)
{
    const slip_integrator_work *w = s->w;
    for (int i = 0; i < s->n; i++) {
        double sum = 0.0;
        for (int j = 0; j < STAGES; j++) sum += weight[j] * w->k[j][i];
        w->low[i] = s->h * sum;
    }
    // removes the stiff modes from the estimate (Hairer and Wanner II, IV.8, eq 8.19)
    for (int k = 0; k < s->method->filters; k++) s->p->solve(s->p->context, w->low);
    return scaled_norm(s, w->low);
}

static double finish_step(attempt *s, double *out)
{
    const slip_integrator_work *w = s->w;
    const double *a = s->method->a[STAGES - 1];
    memcpy(out, w->stage, (size_t)s->n * sizeof *out);
    for (int i = s->n; i < s->p->count; i++) {
        double sum = 0.0;
        for (int j = 0; j < STAGES; j++) sum += a[j] * w->k[j][i];
        out[i] = s->x[i] + s->h * sum;
    }
    double error = 0.0;
    for (int k = 0; k < s->method->estimates; k++)
        error = fmax(error, error_estimate(s, s->method->error[k]));
    return error;
}

void slip_dirk_tableau(const slip_dirk *method, slip_tableau *t)
{
    *t = (slip_tableau){ .stages = STAGES, .gamma = method->gamma };
    memcpy(t->node, method->node, sizeof method->node);
    memcpy(t->a, method->a, sizeof method->a);
    memcpy(t->weight, method->a[STAGES - 1], sizeof t->weight);
}

slip_run_outcome slip_dirk_step(const slip_dirk *method, const slip_ode_problem *p,
                                slip_step_control *control, double t, const double *x, double most,
                                slip_integrator_work *w, double *out, double *taken)
{
    attempt s = { .method = method, .p = p, .control = control, .w = w, .x = x, .t = t, .change = out };
    s.n = p->count - p->quadratures;
    for (s.h = fmin(control->next, most);;) {
        if (slip_step_vanishes(s.h, most, t)) return SLIP_STEP_TOO_SMALL;
        s.factored = false;
        bool solved = true;
        for (int stage = 1; stage < STAGES && solved; stage++) solved = solve_stage(&s, stage);
        double error = solved ? finish_step(&s, out) : INFINITY;
        double factor = error == 0.0 ? DIRK_MAX_GROWTH : DIRK_SAFETY / sqrt(sqrt(error));
        if (!(factor > DIRK_MIN_SHRINK)) factor = DIRK_MIN_SHRINK;
        double next = s.h * fmin(factor, DIRK_MAX_GROWTH);
        if (error <= 1.0) {
            // A step that was cut short by its limit says nothing against the longer one that was planned.
            control->next = s.h < control->next ? fmax(next, control->next) : next;
            *taken = s.h;
            return SLIP_RUNNING;
        }
        control->next = s.h = next;
    }
}
