/// integrator/rk4.c: the classical fourth-order Runge-Kutta method, as Xiong 2013, Kikuuwe 2008 use it.
#include <math.h>

#include "integrator/integrator.h"

static void rk4_layout(slip_arena *arena, int count, slip_integrator_work *work)
{
    for (int k = 0; k < 4; k++) work->k[k] = SLIP_TAKE(arena, double, count);
    work->stage = SLIP_TAKE(arena, double, count);
}

static slip_run_outcome rk4_step(const slip_ode_problem *p, slip_step_control *control, double t,
                                 const double *x, double h, slip_integrator_work *w, double *out,
                                 double *taken)
{
    (void)control;
    int n = p->count, fed = n - p->quadratures; // quadratures do not enter f, so the stages do not need them
    const double *k0 = w->k[0], *k1 = w->k[1], *k2 = w->k[2], *k3 = w->k[3];
    double *y = w->stage, half = 0.5 * h, sixth = h / 6.0;
    for (int i = 0; i < fed; i++) y[i] = x[i] + half * k0[i];
    if (!p->rate(p->context, t + half, y, w->k[1])) return SLIP_BLOWN_UP;
    for (int i = 0; i < fed; i++) y[i] = x[i] + half * k1[i];
    if (!p->rate(p->context, t + half, y, w->k[2])) return SLIP_BLOWN_UP;
    for (int i = 0; i < fed; i++) y[i] = x[i] + h * k2[i];
    if (!p->rate(p->context, t + h, y, w->k[3])) return SLIP_BLOWN_UP;
    for (int i = 0; i < n; i++) out[i] = x[i] + sixth * (k0[i] + 2.0 * k1[i] + 2.0 * k2[i] + k3[i]);
    *taken = h;
    return SLIP_RUNNING;
}

static void rk4_tableau(slip_tableau *t)
{
    *t = (slip_tableau){ .stages = 4,
                         .node = { 0.0, 0.5, 0.5, 1.0 },
                         .weight = { 1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0 },
                         .a = { { 0.0 }, { 0.5 }, { 0.0, 0.5 }, { 0.0, 0.0, 1.0 } } };
}

// |1 + z + z^2/2 + z^3/6 + z^4/24| by Horner's rule
static double rk4_growth(double re, double im)
{
    double a = 1.0, b = 0.0;
    for (int k = 4; k >= 1; k--) {
        double next = 1.0 + (a * re - b * im) / k;
        b = (a * im + b * re) / k;
        a = next;
    }
    return sqrt(a * a + b * b);
}

const slip_integrator slip_integrator_rk4 = {
    .info = { "rk4", "classical Runge-Kutta, order 4, fixed step, exact grid times t = k h", "",
              "Xiong 2013, Kikuuwe 2008" },
    .classical = true,
    .growth = rk4_growth,
    .radius = 2.61,
    .layout = rk4_layout,
    .tableau = rk4_tableau,
    .step = rk4_step,
};
