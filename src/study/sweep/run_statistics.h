/// study/sweep/run_statistics.h: observes one run and computes the requested outputs: final values, extremes,
/// means, event counts, section points.
#ifndef SLIP_STUDY_SWEEP_RUN_STATISTICS_H
#define SLIP_STUDY_SWEEP_RUN_STATISTICS_H

#include "simulation/sim/turning_points.h"
#include "slipstick/run.h"
#include "slipstick/sweep.h"

typedef struct slip_run_statistics {
    slip_run_observer observer;
    const slip_sweep_def *def;
    int columns;    ///< of the trajectory
    int width;      ///< values kept
    double *values; ///< of the present run
    double *points; ///< of the present run, row by row
    long point_count, point_room;
    bool failed; ///< out of memory

    double *bounds;       ///< least and greatest values of each column: first half, second half, whole run
    double half;          ///< time at which the second half begins
    double *last, *ahead; ///< the last observed row; a row ahead of it
    double last_t;
    bool tallied;              ///< the tally of loads began anew at `after`
    slip_turning_points turns; ///< extremes inside the step ahead
    bool seen;                 ///< a state after `after` was observed
    double since;              ///< time of the first such state
    int section;               ///< column of the section
    int state_count;           ///< number of states, which are the columns after the first
    double *strobes;           ///< times of the stroboscope
    long strobe_count;         ///< their number
} slip_run_statistics;

/// Number of values that a definition stores for a simulation with so many columns; and their names, to be
/// released with free().
int slip_run_statistics_count(const slip_sweep_def *def, int columns);
char *slip_run_statistics_name(const slip_sweep_def *def, const slip_sim *sim, int k);
bool slip_run_statistics_need_points(const slip_sweep_def *def);
bool slip_run_statistics_need_steps(const slip_sweep_def *def); ///< it looks at every step

/// Where the values of a kind begin: final values, pairs of extremes, means, triples of events, drifts of
/// columns but t; loads of elements.
typedef struct slip_run_statistics_layout {
    int final, extremes, means, events, drift, loads, width;
} slip_run_statistics_layout;
slip_run_statistics_layout slip_run_statistics_layout_of(const slip_sweep_def *def, int columns);

/// Of slip_run_statistics.bounds: parts, each with two values per column.
enum {
    SLIP_STATISTICS_FIRST_HALF,
    SLIP_STATISTICS_SECOND_HALF,
    SLIP_STATISTICS_WHOLE,
    SLIP_STATISTICS_PARTS
};

/// `sim` has the columns of all runs. The record must not be moved afterwards.
slip_status slip_run_statistics_create(const slip_sweep_def *def, const slip_sim *sim, slip_error *error,
                                       slip_run_statistics *keeper);
void slip_run_statistics_destroy(slip_run_statistics *keeper);

/// Prepares for a run with definition `run`.
slip_status slip_run_statistics_begin(slip_run_statistics *keeper, const slip_sim *sim, slip_run_def *run);

/// Adds a row at a time of the stroboscope, or of the trajectory.
void slip_run_statistics_add_row(slip_run_statistics *keeper, const double *row);

/// Completes the values at the end of the run.
void slip_run_statistics_end(slip_run_statistics *keeper, slip_sim *sim);

#endif
