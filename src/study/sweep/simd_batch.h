/// study/sweep/simd_batch.h: several runs at once, in the lanes of one processor (ensemble.h).
///
/// Runs with the same tapes, of which only statistics, events and the end are needed, are advanced together;
/// each result has the same bits as that of a single run.
#ifndef SLIP_STUDY_SWEEP_SIMD_BATCH_H
#define SLIP_STUDY_SWEEP_SIMD_BATCH_H

#include "study/sweep/sweep_worker.h"

enum { SLIP_SIMD_BATCH_RUNS = 32 };

typedef struct slip_simd_batch {
    int count; ///< capacity in runs; 0: the sweep cannot use lanes
    slip_sweep_worker makers[SLIP_SIMD_BATCH_RUNS];
    slip_sweep_run_record records[SLIP_SIMD_BATCH_RUNS];
} slip_simd_batch;

/// Reserves memory for `most` runs, at most SLIP_SIMD_BATCH_RUNS, if runs like `sim` can use lanes.
slip_status slip_simd_batch_create(slip_simd_batch *block, const slip_sweep *sweep, const slip_sim *sim,
                                   long most, slip_error *error);
void slip_simd_batch_destroy(slip_simd_batch *block);

/// Makes these runs; the results are in the records and statistics of the workers. False when stopped or out
/// of memory.
bool slip_simd_batch_run(slip_simd_batch *block, const long *runs, int count);

#endif
