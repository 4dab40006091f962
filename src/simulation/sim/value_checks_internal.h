/// simulation/sim/value_checks_internal.h: the internal structure of the value checks.
#ifndef SLIP_SIMULATION_SIM_VALUE_CHECKS_INTERNAL_H
#define SLIP_SIMULATION_SIM_VALUE_CHECKS_INTERNAL_H

#include "simulation/sim/value_checks.h"

/// A value to be checked.
typedef struct slip_checked_value {
    enum { SLIP_VALUE_GAP, SLIP_VALUE_FRICTION, SLIP_VALUE_FORCE, SLIP_VALUE_CONSTRAINT } kind;
    int index; // of the contact, coordinate or constraint
    slip_span where;
    bool warned;
} slip_checked_value;

struct slip_value_checks {
    const slip_model *model;
    int count;
    slip_checked_value *items;
    slip_tape *tape; // of (t, q, u)
    double *reg;
};

#endif
