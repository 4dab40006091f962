/// sim/ensemble.h: an ensemble from inside.
#ifndef SLIP_SIM_ENSEMBLE_H
#define SLIP_SIM_ENSEMBLE_H

#include "formula/lanes.h"
#include "slipstick/ensemble.h"

enum { SLIP_WORTH_LANES = 4 }; ///< members that make a group; fewer are faster one by one

/// Whether simulations like this one may share lanes. Events, controllers and delays of the model, and what
/// has to be looked at in each step, want steps of their own.
bool slip_ensemble_packs(const slip_sim *sim);

/// An ensemble of simulations that stay their owners', who must not touch them before it is destroyed.
slip_status slip_ensemble_gather(slip_sim *const *sims, int count, slip_ensemble **ensemble);

/// So many steps of every member at the most; the number of those that go on.
int slip_ensemble_advance(slip_ensemble *ensemble, long steps);

/// Runs on with another instruction set; false when the processor does not have it.
bool slip_ensemble_set_packing(slip_ensemble *ensemble, slip_packing packing);

#endif
