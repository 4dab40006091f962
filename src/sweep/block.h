/// sweep/block.h: several runs at once, in the lanes of one processor (ensemble.h).
///
/// Runs whose steps are one program, and of which nobody wants to see more than events and the end, are led
/// there together; each then ends as if it had been made alone, with the same bits.
#ifndef SLIP_SWEEP_BLOCK_H
#define SLIP_SWEEP_BLOCK_H

#include "sweep/maker.h"

enum { SLIP_BLOCK = 32 };

typedef struct slip_block {
    int count; ///< runs that fit; 0: the sweep is not one for lanes
    slip_maker makers[SLIP_BLOCK];
    slip_sweep_run_record records[SLIP_BLOCK];
} slip_block;

/// Room for `most` runs, SLIP_BLOCK at the most, if runs like `sim` are for lanes.
slip_status slip_block_create(slip_block *block, const slip_sweep *sweep, const slip_sim *sim, long most,
                              slip_error *error);
void slip_block_destroy(slip_block *block);

/// Makes these runs; records and keepers of the makers hold what came out. False when it was stopped, or
/// there is no memory.
bool slip_block_make(slip_block *block, const long *runs, int count);

#endif
