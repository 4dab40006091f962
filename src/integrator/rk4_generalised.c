/// integrator/rk4_generalised.c: the classical Runge-Kutta method with a right-hand side that receives its stage
/// step (Kikuuwe and Yamamoto 2008, eq 21).
///
///     k_r = f(x + T_{r-1} k_{r-1}, t + T_{r-1}; T_r),   T_0 .. T_4 = 0, T/2, T/2, T, T
/// Components that are discretised implicitly (fricK) are stable whatever their own time constants; a
/// right-hand side that does not use tau gives the same bits as rk4.
#include "integrator/integrator.h"

static void rk4g_layout(slip_arena *arena, int count, slip_integrator_work *work)
{
    for (int k = 0; k < 4; k++) work->k[k] = SLIP_TAKE(arena, double, count);
    work->stage = SLIP_TAKE(arena, double, count);
}

static bool rk4g_stage(const slip_ode_problem *p, double t, const double *x, double back, double tau, int r,
                       slip_integrator_work *w)
{
    const double *before = w->k[r - 1];
    for (int i = 0; i < p->count; i++) w->stage[i] = x[i] + back * before[i];
    if (p->stage) p->stage(p->context, tau);
    return p->rate(p->context, t + back, w->stage, w->k[r]);
}

static slip_run_outcome rk4g_step(const slip_ode_problem *p, slip_step_control *control, double t,
                                  const double *x, double h, slip_integrator_work *w, double *out,
                                  double *taken)
{
    (void)control;
    double *const *k = w->k, half = 0.5 * h, sixth = h / 6.0;
    if (!rk4g_stage(p, t, x, half, half, 1, w) || !rk4g_stage(p, t, x, half, h, 2, w) ||
        !rk4g_stage(p, t, x, h, h, 3, w))
        return SLIP_BLOWN_UP;
    for (int i = 0; i < p->count; i++)
        out[i] = x[i] + sixth * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    *taken = h;
    return SLIP_RUNNING;
}

static void rk4g_tableau(slip_tableau *t)
{
    static const double told[] = { 0.5, 0.5, 1.0, 1.0 };
    slip_integrator_rk4.tableau(t);
    for (int k = 0; k < 4; k++) t->told[k] = told[k];
}

const slip_integrator slip_integrator_rk4_generalised = {
    .info = { "rk4-generalised", "classical Runge-Kutta that tells components their stage step, fixed step",
              "", "Kikuuwe 2008, eqs 21-22" },
    .classical = true,
    .first_stage = 0.5,
    .layout = rk4g_layout,
    .tableau = rk4g_tableau,
    .step = rk4g_step,
};
