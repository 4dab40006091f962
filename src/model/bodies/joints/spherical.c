/// model/bodies/joints/spherical.c: a ball in its socket.
#include "model/bodies/joint_type.h"

const slip_joint_type slip_joint_spherical = {
    .info = { "spherical", "turns about a point in all directions", "space", "" },
    .space_only = true,
    .in_plane = "space: 3, or revolute",
    .carries = "in space: a point that it turns about in all directions; leaves its attitude",
    .leaves = "turns about a point: its attitude is free",
    .spins = true,
    .closes = "in space: two points that stay together",
    .hold_in_space = slip_joint_constrain_place,
};
