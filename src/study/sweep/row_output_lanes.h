/// study/sweep/row_output_lanes.h: rows of runs in lanes, for a stroboscope or for whole trajectories.
#ifndef SLIP_STUDY_SWEEP_ROW_OUTPUT_LANES_H
#define SLIP_STUDY_SWEEP_ROW_OUTPUT_LANES_H

#include "formulation/ode/record_lanes.h"
#include "study/sweep/run_statistics.h"

/// The next row of each lane.
typedef struct slip_row_output_lanes {
    slip_run_statistics *keeper[SLIP_LANES];
    double step[SLIP_LANES];  ///< s
    double every[SLIP_LANES]; ///< steps between two rows; NaN with a stroboscope
    long next[SLIP_LANES];    ///< index of the next row
    double due[SLIP_LANES];   ///< step at whose end it is due
} slip_row_output_lanes;

/// No run is in a lane yet.
void slip_row_output_lanes_begin(slip_row_output_lanes *lanes);

/// True if all rows of a run are at ends of steps; lanes cannot provide rows in between.
bool slip_row_output_lanes_possible(const slip_run_statistics *keeper, const slip_sim *sim);

/// The run enters a lane; its present state has been observed.
void slip_row_output_lanes_enter(slip_row_output_lanes *lanes, int lane, slip_run_statistics *keeper,
                                 slip_sim *sim);

/// Takes the rows that are due in the lanes with a bit in `in`; `records` may be NULL.
void slip_row_output_lanes_update(slip_row_output_lanes *lanes, uint32_t in, const slip_ode_lanes *states,
                                  const slip_record_lanes *records, const double *steps);

#endif
