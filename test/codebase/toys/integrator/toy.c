/// An integrator: Euler's method.
#include "integrator/integrator.h"

static void layout(slip_arena *arena, int count, slip_integrator_work *work)
{
    work->k[0] = SLIP_TAKE(arena, double, count);
}

static slip_run_outcome step(const slip_ode_problem *p, slip_step_control *control, double t, const double *x,
                             double h, slip_integrator_work *w, double *out, double *taken)
{
    (void)control, (void)t;
    for (int i = 0; i < p->count; i++) out[i] = x[i] + h * w->k[0][i];
    *taken = h;
    return SLIP_RUNNING;
}

const slip_integrator slip_integrator_toy = {
    .info = { "toy", "a toy: Euler's method", "", "" },
    .layout = layout,
    .step = step,
};
