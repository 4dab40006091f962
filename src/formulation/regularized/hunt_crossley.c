/// formulation/regularized/hunt_crossley.c: formulation hunt-crossley (Song 2001, eqs 11-18). See compliant.h.
#include "formulation/regularized/compliant.h"

static slip_status hunt_crossley_create(const slip_model *model, const slip_sim_def *settings,
                                        slip_error *error, slip_method **method)
{
    return slip_compliant_method(model, settings, SLIP_HUNT_CROSSLEY, false, error, method);
}

static bool knows_stiffness(const slip_contact *contact)
{
    return slip_compliant_knows_stiffness(contact, SLIP_HUNT_CROSSLEY);
}

const slip_formulation slip_formulation_hunt_crossley = {
    .info = { "hunt-crossley", "Hertz spring with Hunt-Crossley damping, tangential compliance",
              "mechanics; independent constraints", "Song 2001, eqs 11-18" },
    .mechanics = true,
    .family = SLIP_FAMILY_COMPLIANT,
    .integrator = "substeps",
    .plain_integrator = "rk4",
    .takes_constraints = true,
    .takes_laws = true,
    .no_restitution_t = true,
    .reference = 6,
    .normal_law = SLIP_HUNT_CROSSLEY,
    .knows_stiffness = knows_stiffness,
    .create = hunt_crossley_create,
};
