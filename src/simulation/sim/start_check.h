/// simulation/sim/start_check.h: checks the consistency of the initial state.
#ifndef SLIP_SIMULATION_SIM_START_CHECK_H
#define SLIP_SIMULATION_SIM_START_CHECK_H

#include "formulation/method.h"

/// Warns of contacts that start with a penetration, constraints that start violated, and energies that are
/// not numbers. False when out of memory.
bool slip_check_start(slip_method *method, const slip_model *model);

#endif
