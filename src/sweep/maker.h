/// sweep/maker.h: one simulation that makes run after run.
#ifndef SLIP_SWEEP_MAKER_H
#define SLIP_SWEEP_MAKER_H

#include "run/begun.h"
#include "sweep/keeper.h"
#include "sweep/sweep.h"

typedef struct slip_maker {
    const slip_sweep *sweep;
    slip_keeper keeper;
    slip_run_def run;     ///< of the present run
    slip_run_begun begun; ///< where it has a companion
    slip_run_info info;
    slip_status status; ///< of the present run, with its error
    slip_error error;
    slip_sim *sim;     ///< started anew for each run
    slip_model *model; ///< of its last run
    double *state;     ///< in which the run before ended, where an axis is followed
    bool has_state;
} slip_maker;

/// `sim` has the columns of all runs.
slip_status slip_maker_create(slip_maker *maker, const slip_sweep *sweep, const slip_sim *sim,
                              slip_error *error);
void slip_maker_destroy(slip_maker *maker);

/// Starts run `number`. False when there is no memory. When the run cannot begin, record->done is set with
/// the reason; else it is to be ended.
bool slip_maker_begin(slip_maker *maker, long number, slip_sweep_run_record *record);

/// Runs what was begun to its end; companions may be begun then (run/begun.h).
void slip_maker_run(slip_maker *maker);

/// What came out. False when it was stopped, or there is no memory. The record's text is to
/// be released with free(), its values and points are the keeper's.
bool slip_maker_end(slip_maker *maker, slip_sweep_run_record *record);

#endif
