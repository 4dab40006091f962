/// verdict/run/creep.h: how far contacts of a compliant formulation slide while they stick.
///
/// A contact that sticks swings on its stick spring; what is left when the swing is over is creep. The way of
/// the contact point is summed up over every stick phase, from positions and not from velocities, so that no
/// swing between two looks counts. Phases that are short against the run tell nothing.
#ifndef SLIP_VERDICT_RUN_CREEP_H
#define SLIP_VERDICT_RUN_CREEP_H

#include "simulation/sim/sim.h"

typedef struct slip_creep_monitor slip_creep_monitor;

/// NULL when out of memory, and where the formulation has no compliant contacts (`*fine` is true then).
slip_creep_monitor *slip_creep_monitor_create(const slip_sim *sim, bool *fine);
void slip_creep_monitor_destroy(slip_creep_monitor *watch); ///< NULL is fine

void slip_creep_monitor_update(slip_creep_monitor *watch, const slip_sim *sim); ///< after every step

/// Fills sim->creep, and warns where a contact without a stick spring creeps by more than `accuracy` of the
/// motion, whose size is `widest`.
void slip_creep_monitor_finish(slip_creep_monitor *watch, slip_sim *sim, double accuracy, double widest);

#endif
