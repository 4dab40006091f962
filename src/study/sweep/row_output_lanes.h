/// study/sweep/row_output_lanes.h: rows that keepers take of runs in lanes: of a stroboscope, or whole trajectories.
#ifndef SLIP_STUDY_SWEEP_ROW_OUTPUT_LANES_H
#define SLIP_STUDY_SWEEP_ROW_OUTPUT_LANES_H

#include "formulation/ode/record_lanes.h"
#include "study/sweep/run_statistics.h"

/// Where the next row of each lane is.
typedef struct slip_row_output_lanes {
    slip_run_statistics *keeper[SLIP_LANES];
    double step[SLIP_LANES];  ///< s
    double every[SLIP_LANES]; ///< steps from row to row; NaN with a stroboscope
    long next[SLIP_LANES];    ///< row
    double due[SLIP_LANES];   ///< step at whose end it is
} slip_row_output_lanes;

/// No run is in a lane yet.
void slip_row_output_lanes_begin(slip_row_output_lanes *lanes);

/// Whether the rows that a keeper takes of a run are at ends of steps: those in between are not seen in
/// lanes.
bool slip_row_output_lanes_possible(const slip_run_statistics *keeper, const slip_sim *sim);

/// The present state of the run, with which it enters a lane, is seen.
void slip_row_output_lanes_enter(slip_row_output_lanes *lanes, int lane, slip_run_statistics *keeper,
                                 slip_sim *sim);

/// States of the lanes of `in` are seen; `records` may be NULL.
void slip_row_output_lanes_update(slip_row_output_lanes *lanes, uint32_t in, const slip_ode_lanes *states,
                                  const slip_record_lanes *records, const double *steps);

#endif
