/// simulation/run/run_lanes.h: those who watch runs with a companion, where lanes lead the runs (simulation/sim/ensemble.h).
///
/// What a run itself does at every state, tracks and creep, is done here for 32 of them at once, with the
/// same bits; slip_run_first_phase goes on from there.
#ifndef SLIP_SIMULATION_RUN_RUN_LANES_H
#define SLIP_SIMULATION_RUN_RUN_LANES_H

#include "simulation/run/run_phases.h"
#include "simulation/sim/ensemble.h"

typedef struct slip_lane_run {
    slip_sim *sim;
    slip_run_progress *begun;
    void *keeper; ///< whoever else looks at it; not used here
} slip_lane_run;

/// The watchers of these runs, SLIP_LANES at the most; NULL when out of memory. Runs that cannot be watched
/// with the others are left out: *count is how many are left, in the same order.
slip_lane_observer *slip_run_lanes_observer_create(slip_lane_run *runs, int *count);
void slip_run_lanes_observer_destroy(slip_lane_observer *watch);

/// Keeps companions of these runs at the instants of the runs. `runs` must outlive it.
slip_lane_observer *slip_companion_lanes_create(const slip_lane_run *runs);
void slip_companion_lanes_destroy(slip_lane_observer *watch);

#endif
