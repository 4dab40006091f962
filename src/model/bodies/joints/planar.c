/// model/bodies/joints/planar.c: a plate on a table that it cannot leave.
#include "model/bodies/joint_type.h"

static void constrain_spatial(slip_joint *c)
{
    slip_joint_constrain_plane(c);
    slip_joint_constrain_axis(c);
}

const slip_joint_type slip_joint_planar = {
    .info = { "planar", "moves in a plane and turns about its normal; closes loops only", "space", "" },
    .space_only = true,
    .in_plane = "in the plane everything moves like that",
    .closes = "in space: the first stays in the plane through the second across `axis` and turns about it",
    .keys_in_space = { "axis", "own_axis" },
    .holds_angles_in_space = true,
    .hold_in_space = constrain_spatial,
    .frictionless = "it turns and slides at once",
};
