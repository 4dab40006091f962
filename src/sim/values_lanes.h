/// sim/values_lanes.h: values of several runs of one model that have to be looked at, in lanes.
#ifndef SLIP_SIM_VALUES_LANES_H
#define SLIP_SIM_VALUES_LANES_H

#include "ode/ode_lanes.h"
#include "sim/values.h"

typedef struct slip_values_lanes slip_values_lanes;

/// Whether two simulations may share lanes: their values come by the same operations. NULL: there are none.
bool slip_values_fit(const slip_values *a, const slip_values *b);

/// NULL when out of memory.
slip_values_lanes *slip_values_lanes_create(const slip_values *like, slip_packing packing);
void slip_values_lanes_destroy(slip_values_lanes *lanes);
void slip_values_lanes_set_packing(slip_values_lanes *lanes, slip_packing packing);

/// A run enters a lane.
void slip_values_lanes_put(slip_values_lanes *lanes, int lane, const slip_values *values);

/// Bits of lanes at whose present state slip_values_check may have something to say.
uint32_t slip_values_lanes_look(slip_values_lanes *lanes, const slip_ode_lanes *states);

#endif
