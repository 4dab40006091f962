/// run/start.h: does the model start where it says it does?
#ifndef SLIP_RUN_START_H
#define SLIP_RUN_START_H

#include "run/method.h"

/// Warns of contacts that start inside, constraints that start violated and energies that are no numbers.
/// False when out of memory.
bool slip_check_start(slip_method *method, const slip_model *model);

#endif
