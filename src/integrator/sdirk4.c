/// integrator/sdirk4.c: the L-stable SDIRK method of order 4(3) of Hairer and Wanner (Solving Ordinary
/// Differential Equations II, section IV.6, table 6.5), gamma = 1/4, with error control.
///
/// Stage i solves  z = w + h gamma f(t + c_i h, x + z),  w = h sum_{j<i} a_ij k_j,  by Newton's method
/// with the exact derivative. Right-hand sides with sat and max are piecewise smooth: the derivative is
/// taken anew wherever the iteration does not contract fast, which is the semismooth Newton method.
/// The last stage is the new state, so modes that have died away stay dead: stiffness costs no accuracy.
#include <math.h>
#include <string.h>

#include "integrator/integrator.h"

enum { STAGES = 5, MOST_ITERATIONS = 12 };

static const double gamma_h = 0.25;
static const double nodes[STAGES] = { 1 / 4.0, 3 / 4.0, 11 / 20.0, 1 / 2.0, 1.0 };
static const double a[STAGES][STAGES] = {
    { 1 / 4.0 },
    { 1 / 2.0, 1 / 4.0 },
    { 17 / 50.0, -1 / 25.0, 1 / 4.0 },
    { 371 / 1360.0, -137 / 2720.0, 15 / 544.0, 1 / 4.0 },
    { 25 / 24.0, -49 / 48.0, 125 / 16.0, -85 / 12.0, 1 / 4.0 },
};
// Two estimates of the error, both of order 3, of f(t, x) and the stages. The first is the book's: last
// row of a minus the embedded weights 59/48, -17/96, 225/32, -85/12, 0. It does not look at the start of
// the step and so misses a kink in the first quarter of it; the second, made for this program from the
// conditions of order 3, does.
static const double error_weight[2][STAGES + 1] = {
    { 0.0, -3 / 16.0, -27 / 32.0, 25 / 32.0, 0.0, 1 / 4.0 },
    { 1 / 8.0, -11 / 36.0, 0.0, 25 / 108.0, 0.0, -11 / 216.0 },
};

// the error of a step is 1 on this scale; Newton's iteration must leave far less
static const double newton_tolerance = 0.01;

static void layout(slip_arena *arena, int count, slip_integrator_work *work)
{
    for (int k = 0; k < 7; k++) work->k[k] = SLIP_TAKE(arena, double, count);
    work->stage = SLIP_TAKE(arena, double, count);
    work->low = SLIP_TAKE(arena, double, count);
}

/// One step in the making.
typedef struct attempt {
    const slip_ode_problem *p;
    const slip_step_control *control;
    slip_integrator_work *w;
    const double *x;
    double t, h;
    double *change; // Newton's correction, then the error
    int n;          // components that feed back
    bool factored;
} attempt;

// root mean square of v in units of the tolerance at x
static double scaled(const attempt *s, const double *v)
{
    double sum = 0.0;
    for (int i = 0; i < s->n; i++) {
        double e = v[i] / (s->control->absolute + s->control->relative * fabs(s->x[i]));
        sum += e * e;
    }
    return s->n ? sqrt(sum / s->n) : 0.0;
}

static bool linearise(attempt *s, double t, const double *rate)
{
    s->factored = s->p->linearise(s->p->context, t, s->w->stage, rate, gamma_h * s->h);
    return s->factored;
}

// Newton's method for one stage; on success work->stage holds x + z and k[1 + stage] its rate
static bool solve_stage(attempt *s, int stage)
{
    slip_integrator_work *w = s->w;
    double *base = w->low, *rate = w->k[6], *y = w->stage, t = s->t + nodes[stage] * s->h, last = INFINITY;
    for (int i = 0; i < s->n; i++) {
        double sum = 0.0;
        for (int j = 0; j < stage; j++) sum += a[stage][j] * w->k[1 + j][i];
        base[i] = s->x[i] + s->h * sum;
        y[i] = base[i] + gamma_h * s->h * w->k[stage][i]; // k[0] is f(t, x): the rate before is the guess
    }
    memcpy(y + s->n, s->x + s->n, (size_t)s->p->quadratures * sizeof *y);
    for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
        if (!s->p->rate(s->p->context, t, y, rate)) return false;
        if (!s->factored && !linearise(s, t, rate)) return false;
        for (int i = 0; i < s->n; i++) s->change[i] = base[i] + gamma_h * s->h * rate[i] - y[i];
        s->p->solve(s->p->context, s->change);
        double size = scaled(s, s->change);
        if (!isfinite(size)) return false;
        for (int i = 0; i < s->n; i++) y[i] += s->change[i];
        // what is left is at most size theta/(1 - theta), with theta the contraction seen; none is seen at
        // first
        double theta = iteration ? size / last : 0.99;
        if (theta < 1.0 && size * theta <= newton_tolerance * (1.0 - theta)) {
            double *k = w->k[1 + stage];
            for (int i = 0; i < s->n; i++) k[i] = (y[i] - base[i]) / (gamma_h * s->h);
            if (s->p->quadratures == 0) return true;
            if (!s->p->rate(s->p->context, t, y, rate)) return false;
            memcpy(k + s->n, rate + s->n, (size_t)s->p->quadratures * sizeof *k);
            return true;
        }
        if (size > 0.05 * last || iteration == 0) s->factored = false; // another piece, or too far off
        last = size;
    }
    return false;
}

static double estimate(attempt *s, const double *weight)
{
    const slip_integrator_work *w = s->w;
    for (int i = 0; i < s->n; i++) {
        double sum = 0.0;
        for (int j = 0; j <= STAGES; j++) sum += weight[j] * w->k[j][i];
        w->low[i] = s->h * sum;
    }
    s->p->solve(s->p->context, w->low); // takes the stiff modes out of the estimate (IV.8, eq 8.19)
    return scaled(s, w->low);
}

static double finish(attempt *s, double *out)
{
    const slip_integrator_work *w = s->w;
    memcpy(out, w->stage, (size_t)s->n * sizeof *out);
    for (int i = s->n; i < s->p->count; i++) {
        double sum = 0.0;
        for (int j = 0; j < STAGES; j++) sum += a[STAGES - 1][j] * w->k[1 + j][i];
        out[i] = s->x[i] + s->h * sum;
    }
    return fmax(estimate(s, error_weight[0]), estimate(s, error_weight[1]));
}

static slip_run_outcome step(const slip_ode_problem *p, slip_step_control *control, double t, const double *x,
                             double most, slip_integrator_work *w, double *out, double *taken)
{
    attempt s = {
        .p = p, .control = control, .w = w, .x = x, .t = t, .change = out, .n = p->count - p->quadratures
    };
    for (s.h = fmin(control->next, most);;) {
        if (slip_step_vanishes(s.h, most, t)) return SLIP_STEP_TOO_SMALL;
        s.factored = false;
        bool solved = true;
        for (int stage = 0; stage < STAGES && solved; stage++) solved = solve_stage(&s, stage);
        double error = solved ? finish(&s, out) : INFINITY;
        double factor = error > 0.0 ? 0.8 * pow(error, -0.25) : 4.0;
        if (!(factor > 0.2)) factor = 0.2;
        double next = s.h * fmin(factor, 4.0);
        if (error <= 1.0) {
            // a step cut short by its limit says nothing against the longer one that was planned
            control->next = s.h < control->next ? fmax(next, control->next) : next;
            *taken = s.h;
            return SLIP_RUNNING;
        }
        control->next = s.h = next;
    }
}

const slip_integrator slip_integrator_sdirk4 = {
    .info = { "sdirk4", "implicit Runge-Kutta 4(3), L-stable, with error control: for stiff contacts", "",
              "Hairer and Wanner II, table IV.6.5" },
    .adaptive = true,
    .implicit = true,
    .layout = layout,
    .step = step,
};
