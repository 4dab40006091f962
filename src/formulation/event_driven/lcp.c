/// formulation/event_driven/lcp.c: rigid contacts by the contact LCP at every stage, event driven (Song 2001 and Gomez
/// 2008).
#include "formulation/event_driven/event_driven.h"

static slip_status lcp_create(const slip_model *model, const slip_sim_def *settings, slip_error *error,
                              slip_method **method)
{
    return slip_event_driven_create(model, settings, SLIP_PRINCIPLE_LCP, error, method);
}

const slip_formulation slip_formulation_lcp = {
    .info = { "lcp",
              "rigid contacts, event driven: accelerations from the contact LCP, Cash-Karp with projection",
              "mechanics", "Gomez 2008, eq (2.36) and chapter 3; Song 2001" },
    .mechanics = true,
    .family = SLIP_FAMILY_EVENT_DRIVEN,
    .solver = "auto",
    .takes_static = true,
    .takes_constraints = true,
    .knows_joints = true,
    .knows_branches = true,
    .reference = 1,
    .no_step_error = true,
    .create = lcp_create,
};
