/// sweep/rows_lanes.h: rows that keepers take of runs in lanes: of a stroboscope, or whole trajectories.
#ifndef SLIP_SWEEP_ROWS_LANES_H
#define SLIP_SWEEP_ROWS_LANES_H

#include "ode/record_lanes.h"
#include "sweep/keeper.h"

/// Where the next row of each lane is.
typedef struct slip_rows_lanes {
    slip_keeper *keeper[SLIP_LANES];
    double step[SLIP_LANES];  ///< s
    double every[SLIP_LANES]; ///< steps from row to row; NaN with a stroboscope
    long next[SLIP_LANES];    ///< row
    double due[SLIP_LANES];   ///< step at whose end it is
} slip_rows_lanes;

/// No run is in a lane yet.
void slip_rows_lanes_begin(slip_rows_lanes *lanes);

/// Whether the rows that a keeper takes of a run are at ends of steps: those in between are not seen in
/// lanes.
bool slip_rows_lanes_fit(const slip_keeper *keeper, const slip_sim *sim);

/// The present state of the run, with which it enters a lane, is seen.
void slip_rows_lanes_enter(slip_rows_lanes *lanes, int lane, slip_keeper *keeper, slip_sim *sim);

/// States of the lanes of `in` are seen; `records` may be NULL.
void slip_rows_lanes_look(slip_rows_lanes *lanes, uint32_t in, const slip_ode_lanes *states,
                          const slip_record_lanes *records, const double *steps);

#endif
