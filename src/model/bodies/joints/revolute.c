/// joints/revolute.c: a pin; in space a hinge about an axis.
#include "model/bodies/joint.h"

static void hold_in_space(slip_joint *c)
{
    slip_hold_place(c);
    slip_hold_axis(c);
}

const slip_joint_type slip_joint_revolute = {
    .info = { "revolute", "turns about a point, in space about an axis", "plane, space", "" },
    .carries = "a point that it turns about: `crank.tip`; leaves th",
    .leaves = "turns about a point: it has th only",
    .turns = true,
    .closes = "two points that stay together",
    .keys_in_space = { "axis", "own_axis" },
    .holds_angles_in_space = true,
    .hold = slip_hold_place,
    .hold_in_space = hold_in_space,
    .picture = SLIP_JOINT_PIN,
};
