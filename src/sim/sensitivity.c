/// sim/sensitivity.c: derivatives of a simulation, for users of the library.
#include "slipstick/sensitivity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/sim.h"
#include "tangent/tangent.h"

static slip_tangent *tangent_of(const slip_sim *sim)
{
    return slip_derivatives_tangent(sim->derivatives);
}

const char *slip_sim_sensitivity_name(const slip_sim *sim, int k)
{
    const slip_tangent *t = tangent_of(sim);
    return t && k >= 0 && k < t->column_count ? t->columns[k].name : NULL;
}

double slip_sim_derivative(slip_sim *sim, const char *column, const char *to)
{
    slip_tangent *t = tangent_of(sim);
    for (int c = 0; t && c < t->column_count; c++) {
        if (strcmp(t->columns[c].name, to) != 0) continue;
        if (sim->method->ops->observe(sim->method) != SLIP_RUNNING) return NAN;
        for (int k = 0; k < 2 * t->n; k++)
            if (strcmp(t->m->base.state_name[k], column) == 0) return slip_tangent_state(t, c)[k];
        char name[400];
        snprintf(name, sizeof name, "d(%s)/d(%s)", column, to);
        return slip_sim_get(sim, name);
    }
    return NAN;
}

double slip_sim_event_time_derivative(const slip_sim *sim, int k)
{
    const slip_tangent *t = tangent_of(sim);
    return t && !t->lost && k >= 0 && k < t->column_count ? t->dtau[k] : NAN;
}

static double state_derivative(const slip_tangent *t, const double *of, int state, int k)
{
    bool known = t && !t->lost && k >= 0 && k < t->column_count && state >= 0 && state < 2 * t->n;
    return known ? of[(size_t)k * 2 * (size_t)t->n + (size_t)state] : NAN;
}

double slip_sim_event_state_derivative(const slip_sim *sim, int state, int k)
{
    const slip_tangent *t = tangent_of(sim);
    return state_derivative(t, t ? t->at : NULL, state, k);
}

double slip_sim_event_state_derivative_after(const slip_sim *sim, int state, int k)
{
    const slip_tangent *t = tangent_of(sim);
    return state_derivative(t, t ? t->behind : NULL, state, k);
}

const char *slip_sim_derivatives_end(const slip_sim *sim, double *t)
{
    const slip_tangent *tangent = tangent_of(sim);
    if (!tangent || !tangent->lost) return NULL;
    if (t) *t = tangent->lost_at;
    return tangent->reason;
}
