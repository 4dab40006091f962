/// model/bodies/joints/weld.c: two bodies that are one.
#include "model/bodies/joint_type.h"

static void constrain_planar(slip_joint *c)
{
    slip_joint_constrain_place(c);
    slip_joint_constrain_angle(c);
}

static void constrain_spatial(slip_joint *c)
{
    slip_joint_constrain_place(c);
    slip_joint_constrain_attitude(c);
}

const slip_joint_type slip_joint_weld = {
    .info = { "weld", "does not move", "plane, space", "" },
    .carries = "a point that it is fixed to; leaves nothing",
    .leaves = "is welded: nothing of it is free",
    .closes = "two points that stay together without turning",
    .keys = { "angle" },
    .keys_in_space = { "attitude" },
    .holds_angles = true,
    .holds_angles_in_space = true,
    .hold = constrain_planar,
    .hold_in_space = constrain_spatial,
};
