/// sim/values_work.h: values of a model that have to be looked at, from inside.
#ifndef SLIP_SIM_VALUES_WORK_H
#define SLIP_SIM_VALUES_WORK_H

#include "sim/values.h"

/// A value to look at.
typedef struct slip_value_item {
    enum { SLIP_VALUE_GAP, SLIP_VALUE_FRICTION, SLIP_VALUE_FORCE, SLIP_VALUE_CONSTRAINT } kind;
    int index; // of the contact, coordinate or constraint
    slip_span where;
    bool warned;
} slip_value_item;

struct slip_values {
    const slip_model *model;
    int count;
    slip_value_item *items;
    slip_tape *tape; // of (t, q, u)
    double *reg;
};

#endif
