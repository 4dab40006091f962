/// A formulation: dai under another name.
#include "formulation/method.h"

extern const slip_formulation slip_formulation_dai;

static slip_status create(const slip_model *model, const slip_sim_def *settings, slip_error *error,
                          slip_method **method)
{
    return slip_formulation_dai.create(model, settings, error, method);
}

const slip_formulation slip_formulation_toy = {
    .info = { "toy", "a toy: dai under another name", "mechanics", "" },
    .mechanics = true,
    .integrator = "rk4",
    .takes_laws = true,
    .create = create,
};
