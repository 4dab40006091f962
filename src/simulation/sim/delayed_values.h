/// simulation/sim/delayed_values.h: what delay(x, tau) of a model remembers.
///
/// Each delayed value is kept at the ends of steps, with its slope where that is known without accelerations.
/// From there the delayed value of the step ahead is interpolated: a polynomial through the nearest points
/// (six values, or three with their slopes), never across a break. A break is where something jumped: the
/// start, events, samples, impacts, changes of mode; and, tau later, what that does to the motion, each time
/// a derivative higher, until it is too smooth to matter. Steps end at breaks.
#ifndef SLIP_SIMULATION_SIM_DELAYED_VALUES_H
#define SLIP_SIMULATION_SIM_DELAYED_VALUES_H

#include "formulation/method.h"

typedef struct slip_delayed_values slip_delayed_values;

/// False when out of memory. *delays is NULL when the model has none.
bool slip_delayed_values_create(const slip_model *model, const slip_method *method,
                                const slip_sim_def *settings, slip_delayed_values **delays);
void slip_delayed_values_destroy(slip_delayed_values *delays);

/// All of the past that is still needed.
void slip_delayed_values_archive(slip_delayed_values *delays, slip_archive *archive);

/// Remembers the present state, and puts the delayed values of the step ahead into it. *changed: one of them
/// jumps. SLIP_UNSOLVED: the past has no room, or no value.
slip_run_outcome slip_delayed_values_update(slip_delayed_values *delays, slip_method *method, bool *changed);

/// The end of a step that leads to `reach` if there are no delays. Steps of fixed length are `step` long;
/// NaN: any length will do.
double slip_delayed_values_limit(const slip_delayed_values *delays, double reach, double step);

#endif
