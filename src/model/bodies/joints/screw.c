/// model/bodies/joints/screw.c: a nut on its thread.
#include "model/bodies/joint_type.h"

const slip_joint_type slip_joint_screw = {
    .info = { "screw", "slides along its axis by its lead with every turn", "space", "" },
    .space_only = true,
    .in_plane = "space: 3, or a rack",
    .carries =
        "in space: a point of `axis`, about which it turns, and along which it moves by `lead` with every "
        "turn; leaves th",
    .leaves = "turns on a thread: it has th only",
    .turns = true,
    .slides = true,
    .one_axis = true,
    .screws = true,
    .frictionless = "it turns and slides at once",
};
