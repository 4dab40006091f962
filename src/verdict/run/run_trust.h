/// verdict/run/run_trust.h: the energy error up to which a run is trusted.
#ifndef SLIP_VERDICT_RUN_RUN_TRUST_H
#define SLIP_VERDICT_RUN_RUN_TRUST_H

#include <signal.h>

#include "slipstick/run.h"

/// Beyond this share an answer without a warning is not trusted either.
extern const double SLIP_MAX_ENERGY_ERROR;

/// The energy that the scheme itself made or lost, over the largest energy seen; NaN when energies are not
/// known. Seen are both ends of the run, and all of it once slip_run_measure_energy was called.
double slip_run_energy_error(slip_sim *sim);

/// At the end of a run whose error is beyond that share: work that a drive does and takes back cancels over
/// cycles, and so may the energy at both ends, so that the run is taken once more to see what passed through.
/// Without memory for that, or stopped, the error stays what it was.
void slip_run_measure_energy(slip_sim *sim, const volatile sig_atomic_t *stop);

/// Whether to trust a run, and why not: a sentence, or "" if it is trusted.
slip_trust slip_run_judge(slip_sim *sim, const slip_run_info *info, const char **reason);

/// As slip_run_measure_energy, and a warning where the error is beyond that share all the same.
void slip_run_check_energy(slip_sim *sim, const volatile sig_atomic_t *stop);

#endif
