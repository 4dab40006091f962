/// sim/ensemble.h: an ensemble from inside, for tests and benchmarks.
#ifndef SLIP_SIM_ENSEMBLE_H
#define SLIP_SIM_ENSEMBLE_H

#include "formula/lanes.h"
#include "slipstick/ensemble.h"

/// Runs on with another instruction set; false when the processor does not have it.
bool slip_ensemble_set_packing(slip_ensemble *ensemble, slip_packing packing);

#endif
