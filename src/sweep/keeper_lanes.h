/// sweep/keeper_lanes.h: what is kept of every step, for runs in lanes.
#ifndef SLIP_SWEEP_KEEPER_LANES_H
#define SLIP_SWEEP_KEEPER_LANES_H

#include "ode/record_lanes.h"
#include "sweep/keeper.h"

typedef struct slip_keeper_lanes slip_keeper_lanes;

/// For keepers of one sweep, of simulations with so many states. NULL when out of memory.
slip_keeper_lanes *slip_keeper_lanes_create(const slip_keeper *like, int states);
void slip_keeper_lanes_destroy(slip_keeper_lanes *lanes); ///< NULL is fine

/// Begins where the keeper is, which has looked at the present state; ends there again.
void slip_keeper_lanes_put(slip_keeper_lanes *lanes, int lane, const slip_keeper *keeper);
void slip_keeper_lanes_get(const slip_keeper_lanes *lanes, int lane, slip_keeper *keeper);

/// All lanes have made a step; `records` were looked at, NULL: there are none.
void slip_keeper_lanes_look(slip_keeper_lanes *lanes, const slip_ode_lanes *states,
                            const slip_record_lanes *records);

#endif
