/// simulation/sim/sampled_controllers.h: controllers that act at sample times and hold their outputs in between.
#ifndef SLIP_SIMULATION_SIM_SAMPLED_CONTROLLERS_H
#define SLIP_SIMULATION_SIM_SAMPLED_CONTROLLERS_H

#include "formulation/method.h"

typedef struct slip_sampled_controllers slip_sampled_controllers;
struct slip_derivative_columns;

/// False when out of memory. *samples is NULL when the model has no controllers.
bool slip_sampled_controllers_create(const slip_model *model, slip_sampled_controllers **samples);
void slip_sampled_controllers_destroy(slip_sampled_controllers *samples);

/// Derivatives that go along; they must outlive the samples.
void slip_sampled_controllers_set_sens(slip_sampled_controllers *samples,
                                       struct slip_derivative_columns *derivatives);

/// What was sampled and is not put out yet, and when the next samples are due.
void slip_sampled_controllers_archive(slip_sampled_controllers *samples, slip_archive *archive);

/// The end of a step that leads to `reach` if nobody samples: not after the next sample or output. Steps of
/// fixed length are `step` long; NaN: any length will do.
double slip_sampled_controllers_limit(const slip_sampled_controllers *samples, double reach, double step);

/// What is due at the present time. *changed: something was. SLIP_UNSOLVED: an output has no value.
slip_run_outcome slip_sampled_controllers_update(slip_sampled_controllers *samples, slip_method *method,
                                                 bool *changed);

#endif
