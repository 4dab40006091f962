/// simulation/sim/event_kinematics.h: approach, slip and direction of elements at events that a change of
/// mode causes, in the same way for every formulation.
#ifndef SLIP_SIMULATION_SIM_EVENT_KINEMATICS_H
#define SLIP_SIMULATION_SIM_EVENT_KINEMATICS_H

#include "formulation/method.h"

typedef struct slip_event_kinematics slip_event_kinematics;

/// NULL when out of memory.
slip_event_kinematics *slip_event_kinematics_create(const slip_equations *equations);
void slip_event_kinematics_destroy(slip_event_kinematics *motion);

/// Approach, slip and direction of an element at the present state of the method.
void slip_event_kinematics_fill(slip_event_kinematics *motion, const slip_method *method, int element,
                                slip_event *event);

#endif
