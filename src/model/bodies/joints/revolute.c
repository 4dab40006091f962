/// model/bodies/joints/revolute.c: a pin; in space a hinge about an axis.
#include "model/bodies/joint_type.h"

static void constrain_spatial(slip_joint *c)
{
    slip_joint_constrain_place(c);
    slip_joint_constrain_axis(c);
}

const slip_joint_type slip_joint_revolute = {
    .info = { "revolute", "turns about a point, in space about an axis", "plane, space", "" },
    .carries = "a point that it turns about: `crank.tip`; leaves th",
    .leaves = "turns about a point: it has th only",
    .turns = true,
    .closes = "two points that stay together",
    .keys_in_space = { "axis", "own_axis" },
    .holds_angles_in_space = true,
    .hold = slip_joint_constrain_place,
    .hold_in_space = constrain_spatial,
    .picture = SLIP_JOINT_PIN,
};
