/// simulation/sim/value_checks_lanes.h: values of several runs of one model that have to be looked at, in lanes.
#ifndef SLIP_SIMULATION_SIM_VALUE_CHECKS_LANES_H
#define SLIP_SIMULATION_SIM_VALUE_CHECKS_LANES_H

#include "formulation/ode/ode_lanes.h"
#include "simulation/sim/value_checks.h"

typedef struct slip_value_checks_lanes slip_value_checks_lanes;

/// Whether two simulations may share lanes: their values come by the same operations. NULL: there are none.
bool slip_value_checks_compatible(const slip_value_checks *a, const slip_value_checks *b);

/// NULL when out of memory.
slip_value_checks_lanes *slip_value_checks_lanes_create(const slip_value_checks *like,
                                                        slip_simd_width packing);
void slip_value_checks_lanes_destroy(slip_value_checks_lanes *lanes);
void slip_value_checks_lanes_set_packing(slip_value_checks_lanes *lanes, slip_simd_width packing);

/// A run enters a lane.
void slip_value_checks_lanes_put(slip_value_checks_lanes *lanes, int lane, const slip_value_checks *values);

/// Bits of lanes at whose present state slip_value_checks_run may have something to say.
uint32_t slip_value_checks_lanes_evaluate(slip_value_checks_lanes *lanes, const slip_ode_lanes *states);

#endif
