/// formulation/event_driven/gauss.c: rigid contacts by Gauss' principle of least constraint, event driven (Gomez 2008).
#include "formulation/event_driven/event_driven.h"

static slip_status gauss_create(const slip_model *model, const slip_sim_def *settings, slip_error *error,
                                slip_method **method)
{
    return slip_event_driven_create(model, settings, SLIP_PRINCIPLE_GAUSS, error, method);
}

const slip_formulation slip_formulation_gauss = {
    .info = { "gauss", "rigid contacts, event driven: least constraint as a convex QP, minimum-norm forces",
              "mechanics", "Gomez 2008, eq (2.39) and chapter 3" },
    .mechanics = true,
    .family = SLIP_FAMILY_EVENT_DRIVEN,
    .takes_constraints = true,
    .knows_joints = true,
    .takes_static = true,
    .bounds_forces = true,
    .no_step_error = true,
    .create = gauss_create,
};
