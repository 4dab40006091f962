/// sim/motion.h: how the elements move when something happens to them: the numbers of events that a change of
/// mode makes, the same for every formulation.
#ifndef SLIP_SIM_MOTION_H
#define SLIP_SIM_MOTION_H

#include "method/method.h"

typedef struct slip_motion slip_motion;

/// NULL when out of memory.
slip_motion *slip_motion_create(const slip_equations *equations);
void slip_motion_destroy(slip_motion *motion);

/// Approach, slip and direction of an element at the present state of the method.
void slip_motion_fill(slip_motion *motion, const slip_method *method, int element, slip_event *event);

#endif
