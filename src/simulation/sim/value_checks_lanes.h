/// simulation/sim/value_checks_lanes.h: the value checks of several runs of one model at once, in lanes.
#ifndef SLIP_SIMULATION_SIM_VALUE_CHECKS_LANES_H
#define SLIP_SIMULATION_SIM_VALUE_CHECKS_LANES_H

#include "formulation/ode/ode_lanes.h"
#include "simulation/sim/value_checks.h"

typedef struct slip_value_checks_lanes slip_value_checks_lanes;

/// True if two simulations may share lanes, because their values are computed by the same operations. NULL:
/// no values.
bool slip_value_checks_compatible(const slip_value_checks *a, const slip_value_checks *b);

/// NULL when out of memory.
slip_value_checks_lanes *slip_value_checks_lanes_create(const slip_value_checks *like,
                                                        slip_simd_width packing);
void slip_value_checks_lanes_destroy(slip_value_checks_lanes *lanes);
void slip_value_checks_lanes_set_packing(slip_value_checks_lanes *lanes, slip_simd_width packing);

/// A run enters a lane.
void slip_value_checks_lanes_put(slip_value_checks_lanes *lanes, int lane, const slip_value_checks *values);

/// Bits of lanes at whose present state slip_value_checks_run may have something to report.
uint32_t slip_value_checks_lanes_evaluate(slip_value_checks_lanes *lanes, const slip_ode_lanes *states);

#endif
