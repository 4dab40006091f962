/// simulation/sim/delayed_values.h: the histories behind delay(x, tau) of a model.
///
/// Each delayed expression is stored at the ends of steps, with its time derivative where that does not
/// depend on accelerations. Its value during the next step is interpolated by a polynomial through the
/// nearest knots (six values, or three with their derivatives), never across a break. A break is an instant
/// at which the motion is not smooth: the start, events, samples, impacts, changes of mode. Each break recurs
/// tau later, one derivative higher, until it is too smooth to matter. Steps end at breaks.
#ifndef SLIP_SIMULATION_SIM_DELAYED_VALUES_H
#define SLIP_SIMULATION_SIM_DELAYED_VALUES_H

#include "formulation/method.h"

typedef struct slip_delayed_values slip_delayed_values;

/// False when out of memory. *delays is NULL when the model has none.
bool slip_delayed_values_create(const slip_model *model, const slip_method *method,
                                const slip_sim_def *settings, slip_delayed_values **delays);
void slip_delayed_values_destroy(slip_delayed_values *delays);

/// Saves or restores the part of the past that is still needed.
void slip_delayed_values_archive(slip_delayed_values *delays, slip_archive *archive);

/// Stores the present state, and provides the delayed values for the next step. *changed: one of them jumps.
/// SLIP_UNSOLVED: the history is full, or a value is not finite.
slip_run_outcome slip_delayed_values_update(slip_delayed_values *delays, slip_method *method, bool *changed);

/// The end of a step that would lead to `reach` without delays. Fixed steps are `step` long; NaN: steps may
/// have any length.
double slip_delayed_values_limit(const slip_delayed_values *delays, double reach, double step);

#endif
