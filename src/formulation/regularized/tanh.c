/// formulation/regularized/tanh.c: formulation tanh (Song 2001, eqs 10-13, 42). See compliant.h.
#include "formulation/regularized/compliant.h"

static slip_status tanh_create(const slip_model *model, const slip_sim_def *settings, slip_error *error,
                               slip_method **method)
{
    return slip_compliant_method(model, settings, SLIP_NORMAL_LAW_AS_GIVEN, true, error, method);
}

static bool knows_stiffness(const slip_contact *contact)
{
    return slip_compliant_knows_stiffness(contact, SLIP_NORMAL_LAW_AS_GIVEN);
}

const slip_formulation slip_formulation_tanh = {
    .info = { "tanh", "compliant normal law with smooth friction mu N tanh(v/gamma)",
              "mechanics; independent constraints", "Song 2001, eqs 10-13, 42" },
    .mechanics = true,
    .family = SLIP_FAMILY_COMPLIANT,
    .integrator = "substeps",
    .plain_integrator = "rk4",
    .takes_constraints = true,
    .takes_laws = true,
    .no_restitution_t = true,
    .knows_stiffness = knows_stiffness,
    .create = tanh_create,
};
