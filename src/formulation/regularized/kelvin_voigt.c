/// formulation/regularized/kelvin_voigt.c: formulation kelvin-voigt (Song 2001, eqs 10, 12-18). See compliant.h.
#include "formulation/regularized/compliant.h"

static slip_status kelvin_voigt_create(const slip_model *model, const slip_sim_def *settings,
                                       slip_error *error, slip_method **method)
{
    return slip_compliant_method(model, settings, SLIP_KELVIN_VOIGT, false, error, method);
}

static bool knows_stiffness(const slip_contact *contact)
{
    return slip_compliant_knows_stiffness(contact, SLIP_KELVIN_VOIGT);
}

const slip_formulation slip_formulation_kelvin_voigt = {
    .info = { "kelvin-voigt", "spring and damper at each contact, tangential compliance",
              "mechanics; independent constraints", "Song 2001, eqs 10, 12-18" },
    .mechanics = true,
    .family = SLIP_FAMILY_COMPLIANT,
    .integrator = "substeps",
    .plain_integrator = "rk4",
    .chosen_for = SLIP_FOR_INTEGRATOR | SLIP_FOR_LAWS,
    .takes_constraints = true,
    .takes_laws = true,
    .no_restitution_t = true,
    .reference = 5,
    .normal_law = SLIP_KELVIN_VOIGT,
    .knows_stiffness = knows_stiffness,
    .create = kelvin_voigt_create,
};
