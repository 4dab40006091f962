/// sim/start.h: does the model start where it says it does?
#ifndef SLIP_SIM_START_H
#define SLIP_SIM_START_H

#include "method/method.h"

/// Warns of contacts that start inside, constraints that start violated and energies that are no numbers.
/// False when out of memory.
bool slip_check_start(slip_method *method, const slip_model *model);

#endif
