/// model/bodies/joints/prismatic.c: a slider on a line.
#include "model/bodies/joint_type.h"

static void constrain_planar(slip_joint *c)
{
    slip_joint_constrain_line(c);
    slip_joint_constrain_angle(c);
}

static void constrain_spatial(slip_joint *c)
{
    slip_joint_constrain_line_3d(c);
    slip_joint_constrain_attitude(c);
}

const slip_joint_type slip_joint_prismatic = {
    .info = { "prismatic", "slides along a line without turning", "plane, space", "" },
    .carries = "a point through which it slides along a line; leaves s",
    .leaves = "slides along a line: it has s only",
    .slides = true,
    .closes = "the first stays on a line through the second and does not turn against it",
    .keys = { "along", "angle", "length" },
    .keys_in_space = { "along", "attitude", "length" },
    .holds_angles = true,
    .holds_angles_in_space = true,
    .hold = constrain_planar,
    .hold_in_space = constrain_spatial,
};
