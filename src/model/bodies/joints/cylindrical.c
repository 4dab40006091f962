/// model/bodies/joints/cylindrical.c: a shaft in a sleeve: it turns and slides.
#include "model/bodies/joint_type.h"

static void constrain_spatial(slip_joint *c)
{
    slip_joint_constrain_line_of_axis(c);
    slip_joint_constrain_axis(c);
}

const slip_joint_type slip_joint_cylindrical = {
    .info = { "cylindrical", "turns about an axis and slides along it", "space", "" },
    .space_only = true,
    .in_plane = "space: 3, or prismatic or revolute",
    .carries = "in space: a point of `axis`, about which it turns and along which it slides; leaves th and s",
    .leaves = "turns about an axis and slides along it: it has th and s only",
    .turns = true,
    .slides = true,
    .one_axis = true,
    .closes = "in space: the first stays on a line through the second along `axis` and turns about it",
    .keys_in_space = { "axis", "own_axis" },
    .holds_angles_in_space = true,
    .hold_in_space = constrain_spatial,
    .frictionless = "it turns and slides at once",
};
