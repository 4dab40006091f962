/// study/sweep/run_statistics_lanes.h: statistics over every step, for runs in lanes.
#ifndef SLIP_STUDY_SWEEP_RUN_STATISTICS_LANES_H
#define SLIP_STUDY_SWEEP_RUN_STATISTICS_LANES_H

#include "formulation/ode/record_lanes.h"
#include "study/sweep/run_statistics.h"

typedef struct slip_run_statistics_lanes slip_run_statistics_lanes;

/// For the statistics of one sweep, of simulations with so many states. NULL when out of memory.
slip_run_statistics_lanes *slip_run_statistics_lanes_create(const slip_run_statistics *like, int states);
void slip_run_statistics_lanes_destroy(slip_run_statistics_lanes *lanes); ///< NULL is fine

/// Moves the statistics of a run, which has observed its present state, into a lane; and back.
void slip_run_statistics_lanes_put(slip_run_statistics_lanes *lanes, int lane,
                                   const slip_run_statistics *keeper);
void slip_run_statistics_lanes_get(const slip_run_statistics_lanes *lanes, int lane,
                                   slip_run_statistics *keeper);

/// All lanes have made a step; `records` have been evaluated, NULL: there are none.
void slip_run_statistics_lanes_update(slip_run_statistics_lanes *lanes, const slip_ode_lanes *states,
                                      const slip_record_lanes *records);

#endif
