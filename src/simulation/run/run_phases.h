/// simulation/run/run_phases.h: a run in two phases, for sweeps: up to its end, then its companions.
#ifndef SLIP_SIMULATION_RUN_RUN_PHASES_H
#define SLIP_SIMULATION_RUN_RUN_PHASES_H

#include "verdict/run/creep.h"
#include "verdict/run/horizon.h"
#include "slipstick/run.h"

/// Samples and creep of a run with a companion, which may have been collected before slip_run_first_phase is
/// called. Zeros: nothing yet.
typedef struct slip_run_progress {
    slip_trajectory_samples track;
    slip_creep_monitor *creep;
    slip_companion companion;       ///< its simulation is reused from run to run
    struct slip_recorder *recorder; ///< between slip_run_first_phase and slip_run_second_phase
    bool many;                      ///< one of many runs, whose peak memory is not measured
} slip_run_progress;

/// Prepares the samples of `sim`, if its run has a companion; false when out of memory.
bool slip_run_progress_create(slip_run_progress *begun, const slip_sim *sim);

/// Discards the samples, and the companion as far as it has run.
void slip_run_progress_discard(slip_run_progress *begun);
void slip_run_progress_destroy(slip_run_progress *begun);

/// slip_run in two phases: the run itself, from the samples in `begun`; then its companions and the summary,
/// with the same `info`. The second must follow if the first returned SLIP_OK. If either fails, `begun` is
/// discarded.
slip_status slip_run_first_phase(slip_sim *sim, const slip_run_def *def, slip_run_progress *begun,
                                 slip_run_info *info, slip_error *error);
slip_status slip_run_second_phase(slip_run_progress *begun);
void slip_run_skip_second_phase(slip_run_progress *begun); ///< instead of the second

/// Between the phases: begins the next companion that slip_run_second_phase will need; see
/// slip_companion_begin.
bool slip_run_begin_companion(slip_run_progress *begun);

#endif
