/// simulation/sim/sim_sensitivity.c: derivatives of a simulation, for users of the library.
#include "slipstick/sensitivity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "simulation/sim/sim.h"

const char *slip_sim_sensitivity_name(const slip_sim *sim, int k)
{
    return slip_derivative_columns_parameter(sim->derivatives, k);
}

double slip_sim_derivative(slip_sim *sim, const char *column, const char *to)
{
    char name[400];
    if (!sim->derivatives || sim->method->ops->observe(sim->method) != SLIP_RUNNING) return NAN;
    snprintf(name, sizeof name, "d(%s)/d(%s)", column, to);
    return slip_sim_get(sim, name);
}

double slip_sim_event_time_derivative(const slip_sim *sim, int k)
{
    return slip_derivative_columns_event_time(sim->derivatives, k);
}

double slip_sim_event_state_derivative(const slip_sim *sim, int state, int k)
{
    return slip_derivative_columns_event_state(sim->derivatives, false, state, k);
}

double slip_sim_event_state_derivative_after(const slip_sim *sim, int state, int k)
{
    return slip_derivative_columns_event_state(sim->derivatives, true, state, k);
}

double slip_sim_energy_derivative(slip_sim *sim, int k, double *kinetic, double *potential)
{
    double of_kinetic = NAN, of_potential = NAN;
    if (sim->derivatives && sim->method->ops->observe(sim->method) == SLIP_RUNNING)
        slip_derivative_columns_energy(sim->derivatives, k, &of_kinetic, &of_potential);
    if (kinetic) *kinetic = of_kinetic;
    if (potential) *potential = of_potential;
    return of_kinetic + of_potential;
}

double slip_sim_grazing(const slip_sim *sim, int coordinate, int k, int *side)
{
    double change, coefficient = slip_derivative_columns_grazing(sim->derivatives, coordinate, k, &change);
    if (side) *side = change < 0.0 ? 1 : change > 0.0 ? -1 : 0;
    return coefficient;
}

const char *slip_sim_derivatives_end(const slip_sim *sim, double *t)
{
    return slip_derivative_columns_end(sim->derivatives, t);
}
