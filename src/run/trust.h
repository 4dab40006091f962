/// run/trust.h: what a run must not do to its energy if it is to be trusted.
#ifndef SLIP_RUN_TRUST_H
#define SLIP_RUN_TRUST_H

#include "slipstick/sim.h"

/// Beyond this share an answer without a warning is not trusted either.
extern const double SLIP_MAX_ENERGY_ERROR;

/// The energy that the scheme itself made or lost, over the largest energy seen; NaN when energies are not
/// known.
double slip_run_energy_error(slip_sim *sim);

#endif
