/// simulation/run/run_lanes.h: observers of runs that are advanced in lanes (simulation/sim/ensemble.h).
///
/// They collect trajectory samples and creep of 32 runs at once, with the same bits as a single run does;
/// slip_run_first_phase continues from there.
#ifndef SLIP_SIMULATION_RUN_RUN_LANES_H
#define SLIP_SIMULATION_RUN_RUN_LANES_H

#include "simulation/run/run_phases.h"
#include "simulation/sim/ensemble.h"

typedef struct slip_lane_run {
    slip_sim *sim;
    slip_run_progress *begun;
    void *keeper; ///< another observer of the caller; not used here
} slip_lane_run;

/// The observer of these runs, at most SLIP_LANES; NULL when out of memory. Runs that cannot share lanes with
/// the others are removed: *count becomes the number of those that are left, in the same order.
slip_lane_observer *slip_run_lanes_observer_create(slip_lane_run *runs, int *count);
void slip_run_lanes_observer_destroy(slip_lane_observer *watch);

/// Samples the companions of these runs at the same instants as the runs. `runs` must outlive it.
slip_lane_observer *slip_companion_lanes_create(const slip_lane_run *runs);
void slip_companion_lanes_destroy(slip_lane_observer *watch);

#endif
