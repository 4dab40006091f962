/// integrator/cash_karp.c: Cash and Karp's embedded 5(4) pair with error control (Gomez 2008, section
/// 3.4 and its listing RK54_CashKarp).
///
/// Differences from the printed listing, both from its errata: the fourth-order estimate uses its own
/// first weight (the listing has c1 for cs1, so its weights sum to 0.9957), and the error is measured
/// in every state, each on its own scale atol + rtol max(|x0|, |x1|), because a velocity or the state
/// of an element left out of the norm would be left out of the control too.
#include <math.h>
#include <stddef.h>

#include "integrator/cash_karp.h"
#include "base/elementary.h"
#include "integrator/integrator_tolerances.h"

enum { STAGES = 6 };

static const double nodes[STAGES] = { 0, 1 / 5.0, 3 / 10.0, 3 / 5.0, 1.0, 7 / 8.0 };
static const double b[STAGES][STAGES - 1] = {
    { 0 },
    { 1 / 5.0 },
    { 3 / 40.0, 9 / 40.0 },
    { 3 / 10.0, -9 / 10.0, 6 / 5.0 },
    { -11 / 54.0, 5 / 2.0, -70 / 27.0, 35 / 27.0 },
    { 1631 / 55296.0, 175 / 512.0, 575 / 13824.0, 44275 / 110592.0, 253 / 4096.0 },
};
static const double c5[STAGES] = { 37 / 378.0, 0, 250 / 621.0, 125 / 594.0, 0, 512 / 1771.0 };
static const double c4[STAGES] = {
    2825 / 27648.0, 0, 18575 / 48384.0, 13525 / 55296.0, 277 / 14336.0, 1 / 4.0
};

static void cash_karp_layout(slip_arena *arena, int count, slip_integrator_work *work)
{
    for (int k = 0; k < STAGES; k++) work->k[k] = SLIP_TAKE(arena, double, count);
    work->stage = SLIP_TAKE(arena, double, count);
    work->low = SLIP_TAKE(arena, double, count);
}

static bool evaluate_stages(const slip_ode_problem *p, double t, const double *x, double h,
                            slip_integrator_work *w)
{
    for (int s = 1; s < STAGES; s++) {
        for (int i = 0; i < p->count; i++) {
            double sum = 0.0;
            for (int j = 0; j < s; j++) sum += b[s][j] * w->k[j][i];
            w->stage[i] = x[i] + h * sum;
        }
        if (!p->rate(p->context, t + nodes[s] * h, w->stage, w->k[s])) return false;
    }
    return true;
}

static void combine_stages(int n, const double *c, const double *x, double h, const slip_integrator_work *w,
                           double *out)
{
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < STAGES; j++) sum += c[j] * w->k[j][i];
        out[i] = x[i] + h * sum;
    }
}

// root mean square of the embedded error over its tolerance; above 1 the step is rejected
static double scaled_error(int n, const slip_step_control *control, const double *x, const double *high,
                           const double *low)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        double scale = control->absolute + control->relative * fmax(fabs(x[i]), fabs(high[i]));
        double e = (high[i] - low[i]) / scale;
        sum += e * e;
    }
    return n ? sqrt(sum / n) : 0.0;
}

bool slip_cash_karp_attempt(const slip_ode_problem *p, double t, const double *x, double h,
                            slip_integrator_work *w, double *out)
{
    if (!evaluate_stages(p, t, x, h, w)) return false;
    combine_stages(p->count, c5, x, h, w, out);
    return true;
}

static slip_run_outcome cash_karp_step(const slip_ode_problem *p, slip_step_control *control, double t,
                                       const double *x, double most, slip_integrator_work *w, double *out,
                                       double *taken)
{
    double h = fmin(control->next, most);
    for (;;) {
        if (slip_step_vanishes(h, most, t)) return SLIP_STEP_TOO_SMALL;
        double error = INFINITY;
        if (slip_cash_karp_attempt(p, t, x, h, w, out)) {
            combine_stages(p->count, c4, x, h, w, w->low);
            error = scaled_error(p->count - p->quadratures, control, x, out, w->low);
        }
        // The rule of the listing: 0.75 h err^-1/5. Growth and cuts are bounded; a step whose error is not a
        // number is cut hard.
        double factor =
            error == 0.0 ? CASH_KARP_MAX_GROWTH : CASH_KARP_SAFETY * slip_exp(-0.2 * slip_ln(error));
        if (!(factor > CASH_KARP_MIN_SHRINK)) factor = CASH_KARP_MIN_SHRINK;
        double next = h * fmin(factor, CASH_KARP_MAX_GROWTH);
        if (error <= 1.0) {
            // A step that was cut short by its limit says nothing against the longer one that was planned.
            control->next = h < control->next ? fmax(next, control->next) : next;
            *taken = h;
            return SLIP_RUNNING;
        }
        control->next = h = next;
        if (slip_stop_is_due(p->stop)) return SLIP_STOPPED;
    }
}

static void cash_karp_tableau(slip_tableau *t)
{
    *t = (slip_tableau){ .stages = STAGES };
    for (int s = 0; s < STAGES; s++) {
        t->node[s] = nodes[s];
        t->weight[s] = c5[s];
        t->embedded[s] = c4[s];
        for (int j = 0; j < s; j++) t->a[s][j] = b[s][j];
    }
}

const slip_integrator slip_integrator_cash_karp = {
    .info = { "cash-karp", "embedded Runge-Kutta 5(4) with error control", "", "Gomez 2008, section 3.4" },
    .adaptive = true,
    .layout = cash_karp_layout,
    .tableau = cash_karp_tableau,
    .step = cash_karp_step,
};
