/// output/export/export_refusals.h: what cannot be exported, and why.
#ifndef SLIP_OUTPUT_EXPORT_EXPORT_REFUSALS_H
#define SLIP_OUTPUT_EXPORT_EXPORT_REFUSALS_H

#include "simulation/sim/sim.h"
#include "slipstick/export.h"

/// A name that is no identifier, parameters that are not there or decide what the model is made of.
slip_status slip_export_refuse_names(const slip_model *model, const slip_export_def *def, slip_error *error);

/// A formulation, an integrator or a part of the model that has no C form.
slip_status slip_export_refuse_method(const slip_sim *sim, slip_error *error);

#endif
