/// run/lanes.h: those who watch runs with a companion, where lanes lead the runs (sim/ensemble.h).
///
/// What a run itself does at every state, tracks and creep, is done here for 32 of them at once, with the
/// same bits; slip_run_to_end goes on from there.
#ifndef SLIP_RUN_LANES_H
#define SLIP_RUN_LANES_H

#include "run/begun.h"
#include "sim/ensemble.h"

typedef struct slip_lane_run {
    slip_sim *sim;
    slip_run_begun *begun;
    void *keeper; ///< whoever else looks at it; not used here
} slip_lane_run;

/// The watchers of these runs, SLIP_LANES at the most; NULL when out of memory. Runs that cannot be watched
/// with the others are left out: *count is how many are left, in the same order.
slip_lane_watch *slip_run_leader_create(slip_lane_run *runs, int *count);
void slip_run_leader_destroy(slip_lane_watch *watch);

/// Keeps companions of these runs at the instants of the runs. `runs` must outlive it.
slip_lane_watch *slip_run_follower_create(const slip_lane_run *runs);
void slip_run_follower_destroy(slip_lane_watch *watch);

#endif
