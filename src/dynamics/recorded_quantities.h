/// dynamics/recorded_quantities.h: the recorded quantities of elements, asked of a method element by element.
#ifndef SLIP_DYNAMICS_RECORDED_QUANTITIES_H
#define SLIP_DYNAMICS_RECORDED_QUANTITIES_H

#include "model/model.h"

/// What a method knows of an element at present, by quantity. `wanted` has bit 1 << quantity for each one
/// that is recorded: what is dear to compute can be left out otherwise. What the method does not know stays
/// as it is given, not a number.
typedef void slip_quantity_reader(void *context, int element, unsigned wanted,
                                  double value[SLIP_QUANTITY_COUNT]);

/// Which quantities of which element are recorded, and the inputs of the graph that they become.
typedef struct slip_recorded_quantities {
    int count; ///< elements with a recorded quantity
    struct slip_recorded_element {
        int element;
        unsigned wanted;
        int end; ///< of its inputs below
    } * elements;
    const slip_quantity_input **inputs; ///< of the model, element by element
} slip_recorded_quantities;

/// For a mechanical model, in memory of the pool. False when that is short.
bool slip_recorded_quantities_create(const slip_model *model, slip_pool *pool,
                                     slip_recorded_quantities *readings);

/// Reads every element once, into the registers of the inputs.
void slip_recorded_quantities_read(const slip_recorded_quantities *readings, slip_quantity_reader *reader,
                                   void *context, double *registers);

#endif
