/// simulation/sim/column_units.c: units of the columns of a trajectory, as far as the model gives them.
#include "simulation/sim/sim.h"

const char *slip_sim_column_unit(const slip_sim *sim, int k)
{
    const slip_model *m = sim->model;
    int n = m->coordinate_count, record = k - 1 - sim->method->state_count;
    if (k < 0 || k >= sim->column_count) return NULL;
    if (k == 0) return "s";
    if (k >= sim->column_count - slip_derivative_columns_width(sim->derivatives)) return "";
    if (record >= 0) return m->records[record].unit;
    if (m->type == SLIP_INCLUSION) return k <= m->state_count ? m->states[k - 1].unit : "";
    if (k <= n) return m->coordinates[k - 1].unit;
    return k <= 2 * n ? m->coordinates[k - 1 - n].rate_unit
                      : ""; // the states of elements follow, without units
}
