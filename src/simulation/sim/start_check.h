/// simulation/sim/start_check.h: does the model start where it says it does?
#ifndef SLIP_SIMULATION_SIM_START_CHECK_H
#define SLIP_SIMULATION_SIM_START_CHECK_H

#include "formulation/method.h"

/// Warns of contacts that start inside, constraints that start violated and energies that are no numbers.
/// False when out of memory.
bool slip_check_start(slip_method *method, const slip_model *model);

#endif
