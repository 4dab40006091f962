/// run/begun.h: a run that was begun elsewhere.
#ifndef SLIP_RUN_BEGUN_H
#define SLIP_RUN_BEGUN_H

#include "run/creep.h"
#include "run/horizon.h"
#include "slipstick/run.h"

/// What those who watch a run with a companion have seen of it before slip_run_from is called. Zeros:
/// nothing.
typedef struct slip_run_begun {
    slip_track track;
    slip_creep_watch *creep;
    slip_companion companion; ///< kept from run to run
} slip_run_begun;

/// Makes ready to watch `sim`, if a run of it has a companion; false when there is no memory.
bool slip_run_begun_watch(slip_run_begun *begun, const slip_sim *sim);

/// What the watchers have seen, and what the companion has begun, is given up.
void slip_run_begun_give_up(slip_run_begun *begun);
void slip_run_begun_destroy(slip_run_begun *begun);

/// As slip_run, from where `begun` was left, which is given up in any case; NULL: from the start.
slip_status slip_run_from(slip_sim *sim, const slip_run_def *def, slip_run_begun *begun, slip_run_info *info,
                          slip_error *error);

#endif
