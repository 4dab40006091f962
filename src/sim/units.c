/// sim/units.c: units of the columns of a trajectory, as far as they are known.
#include "sim/sim.h"

// what a record is that names a quantity of an element and nothing else
static const char *unit_of_record(const slip_model *m, int record)
{
    for (int k = 0; k < m->quantity_count; k++)
        if (m->quantities[k].node == m->records[record].value.ref)
            return slip_quantity_table[m->quantities[k].quantity].unit;
    return "";
}

const char *slip_sim_column_unit(const slip_sim *sim, int k)
{
    int record = k - 1 - sim->method->state_count;
    if (k < 0 || k >= sim->column_count) return NULL;
    if (k == 0) return "s";
    return record >= 0 && record < sim->model->record_count ? unit_of_record(sim->model, record) : "";
}
