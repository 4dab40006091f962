/// joints/weld.c: two bodies that are one.
#include "model/bodies/joint.h"

static void hold(slip_joint *c)
{
    slip_hold_place(c);
    slip_hold_angle(c);
}

static void hold_in_space(slip_joint *c)
{
    slip_hold_place(c);
    slip_hold_attitude(c);
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
    .hold = hold,
    .hold_in_space = hold_in_space,
};
