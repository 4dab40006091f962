/// joints/prismatic.c: a slider on a line.
#include "model/bodies/joint.h"

static void hold(slip_joint *c)
{
    slip_hold_line(c);
    slip_hold_angle(c);
}

static void hold_in_space(slip_joint *c)
{
    slip_hold_line_in_space(c);
    slip_hold_attitude(c);
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
    .hold = hold,
    .hold_in_space = hold_in_space,
};
