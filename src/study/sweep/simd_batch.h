/// study/sweep/simd_batch.h: several runs at once, in the lanes of one processor (ensemble.h).
///
/// Runs whose steps are one program, and of which nobody wants to see more than events and the end, are led
/// there together; each then ends as if it had been made alone, with the same bits.
#ifndef SLIP_STUDY_SWEEP_SIMD_BATCH_H
#define SLIP_STUDY_SWEEP_SIMD_BATCH_H

#include "study/sweep/sweep_worker.h"

enum { SLIP_SIMD_BATCH_RUNS = 32 };

typedef struct slip_simd_batch {
    int count; ///< runs that fit; 0: the sweep is not one for lanes
    slip_sweep_worker makers[SLIP_SIMD_BATCH_RUNS];
    slip_sweep_run_record records[SLIP_SIMD_BATCH_RUNS];
} slip_simd_batch;

/// Room for `most` runs, SLIP_SIMD_BATCH_RUNS at the most, if runs like `sim` are for lanes.
slip_status slip_simd_batch_create(slip_simd_batch *block, const slip_sweep *sweep, const slip_sim *sim,
                                   long most, slip_error *error);
void slip_simd_batch_destroy(slip_simd_batch *block);

/// Makes these runs; records and keepers of the makers hold what came out. False when it was stopped, or
/// there is no memory.
bool slip_simd_batch_run(slip_simd_batch *block, const long *runs, int count);

#endif
