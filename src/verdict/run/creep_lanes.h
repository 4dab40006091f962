/// verdict/run/creep_lanes.h: watches for creep, in lanes.
///
/// While the modes of a run stay the same, nothing begins or ends: the way of its contacts that stick grows,
/// which is done for all lanes together.
#ifndef SLIP_VERDICT_RUN_CREEP_LANES_H
#define SLIP_VERDICT_RUN_CREEP_LANES_H

#include "formulation/ode/ode_lanes.h"
#include "verdict/run/creep_internal.h"

typedef struct slip_creep_lanes slip_creep_lanes;

/// For watches that fit this one. NULL when out of memory.
slip_creep_lanes *slip_creep_lanes_create(const slip_creep_monitor *like);
void slip_creep_lanes_destroy(slip_creep_lanes *lanes); ///< NULL is fine
bool slip_creep_lanes_compatible(const slip_creep_monitor *a, const slip_creep_monitor *b);

/// Begins where the watch is, which has looked at the present state; ends there again.
void slip_creep_lanes_put(slip_creep_lanes *lanes, int lane, const slip_creep_monitor *watch,
                          const unsigned char *modes);
void slip_creep_lanes_get(const slip_creep_lanes *lanes, int lane, slip_creep_monitor *watch);

/// All lanes have made a step, without a change of modes in those that count.
void slip_creep_lanes_update(slip_creep_lanes *lanes, const slip_ode_lanes *states);

#endif
