/// simulation/run/run_phases.h: a run that was begun elsewhere.
#ifndef SLIP_SIMULATION_RUN_RUN_PHASES_H
#define SLIP_SIMULATION_RUN_RUN_PHASES_H

#include "verdict/run/creep.h"
#include "verdict/run/horizon.h"
#include "slipstick/run.h"

/// What those who watch a run with a companion have seen of it before slip_run_first_phase is called. Zeros:
/// nothing.
typedef struct slip_run_progress {
    slip_trajectory_samples track;
    slip_creep_monitor *creep;
    slip_companion companion;       ///< its simulation is kept from run to run
    struct slip_recorder *recorder; ///< between slip_run_first_phase and slip_run_second_phase
    bool many;                      ///< one of many runs: nobody asks how much memory it took
} slip_run_progress;

/// Makes ready to watch `sim`, if a run of it has a companion; false when there is no memory.
bool slip_run_progress_create(slip_run_progress *begun, const slip_sim *sim);

/// What the watchers have seen, and what the companion has begun, is given up.
void slip_run_progress_discard(slip_run_progress *begun);
void slip_run_progress_destroy(slip_run_progress *begun);

/// slip_run in two parts: all but what a companion says, from where `begun` was left; and the rest, with the
/// same `info`. The second must follow if the first was SLIP_OK; `begun` is given up by either that is not.
slip_status slip_run_first_phase(slip_sim *sim, const slip_run_def *def, slip_run_progress *begun,
                                 slip_run_info *info, slip_error *error);
slip_status slip_run_second_phase(slip_run_progress *begun);
void slip_run_skip_second_phase(slip_run_progress *begun); ///< in the place of the second

/// Between the two: the next companion is begun that slip_run_second_phase will ask for; see
/// slip_companion_begin.
bool slip_run_begin_companion(slip_run_progress *begun);

#endif
