/// dynamics/inertia.h: the mass matrix while it is collected, and what bodies in space add to it.
#ifndef SLIP_DYNAMICS_INERTIA_H
#define SLIP_DYNAMICS_INERTIA_H

#include "dynamics/equations.h"

/// Sparse symmetric matrix while it is being collected: entries with row >= column; what stands at one
/// place more than once adds up.
typedef struct slip_mass_list {
    struct slip_mass_item {
        int row, column;
        slip_ref value;
    } * items;
    size_t count, capacity;
} slip_mass_list;

bool slip_mass_list_add(slip_mass_list *list, int row, int column, slip_ref value);

/// Adds the bodies of the model to `mass`, e->h, e->kinetic, e->driven and e->power.
slip_status slip_add_body_inertias(slip_equations *e, slip_mass_list *mass);

#endif
