/// study/sweep/sweep_worker.h: one simulation that is reused for run after run of a sweep.
#ifndef SLIP_STUDY_SWEEP_SWEEP_WORKER_H
#define SLIP_STUDY_SWEEP_SWEEP_WORKER_H

#include "simulation/run/run_phases.h"
#include "study/sweep/run_statistics.h"
#include "study/sweep/sweep.h"

typedef struct slip_sweep_worker {
    const slip_sweep *sweep;
    slip_run_statistics keeper;
    slip_run_def run;        ///< of the present run
    slip_run_progress begun; ///< where it has a companion
    slip_run_info info;
    slip_status status; ///< of the present run, with its error
    slip_error error;
    slip_sim *sim;     ///< started anew for each run
    slip_model *model; ///< of its last run
    double *state;     ///< final state of the previous run, where an axis is followed
    bool has_state;
} slip_sweep_worker;

/// `sim` has the columns of all runs.
slip_status slip_sweep_worker_create(slip_sweep_worker *maker, const slip_sweep *sweep, const slip_sim *sim,
                                     slip_error *error);
void slip_sweep_worker_destroy(slip_sweep_worker *maker);

/// Starts run `number`. False when there is no memory. When the run cannot begin, record->done is set with
/// the reason; else it is to be ended.
bool slip_sweep_worker_begin(slip_sweep_worker *maker, long number, slip_sweep_run_record *record);

/// Completes the run that was started; its companions can then be started (simulation/run/run_phases.h).
void slip_sweep_worker_run(slip_sweep_worker *maker);

/// Collects the result. False when stopped or out of memory. The text of the record is to be released with
/// free(); its values and points belong to the statistics.
bool slip_sweep_worker_end(slip_sweep_worker *maker, slip_sweep_run_record *record);

#endif
