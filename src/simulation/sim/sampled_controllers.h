/// simulation/sim/sampled_controllers.h: controllers that act at sample times and hold their outputs in
/// between.
#ifndef SLIP_SIMULATION_SIM_SAMPLED_CONTROLLERS_H
#define SLIP_SIMULATION_SIM_SAMPLED_CONTROLLERS_H

#include "formulation/method.h"

typedef struct slip_sampled_controllers slip_sampled_controllers;
struct slip_derivative_columns;

/// False when out of memory. *samples is NULL when the model has no controllers.
bool slip_sampled_controllers_create(const slip_model *model, slip_sampled_controllers **samples);
void slip_sampled_controllers_destroy(slip_sampled_controllers *samples);

/// Sensitivities that follow the sampled values; they must outlive the controllers.
void slip_sampled_controllers_set_sens(slip_sampled_controllers *samples,
                                       struct slip_derivative_columns *derivatives);

/// Saves or restores the sampled values that are not applied yet, and the times of the next samples.
void slip_sampled_controllers_archive(slip_sampled_controllers *samples, slip_archive *archive);

/// The end of a step that would lead to `reach` without controllers: not after the next sample or output.
/// Fixed steps are `step` long; NaN: steps may have any length.
double slip_sampled_controllers_limit(const slip_sampled_controllers *samples, double reach, double step);

/// Samples and applies outputs that are due at the present time. *changed: there were some. SLIP_UNSOLVED: an
/// output is not finite.
slip_run_outcome slip_sampled_controllers_update(slip_sampled_controllers *samples, slip_method *method,
                                                 bool *changed);

#endif
