/// model/bodies/joints/gear.c: two wheels in mesh, or a gearbox between two shafts.
#include "model/bodies/joint_type.h"

enum { RATIO };
static const slip_option options[] = {
    [RATIO] = { "ratio", "1", SLIP_ANY_NUMBER, SLIP_REQUIRED,
                "of a gear: speed of the first over that of the second, below 0 where they turn against each "
                "other" },
};

static void constrain_angles(slip_joint *c)
{
    slip_transmission t = { .turns = true,
                            .first = slip_transmission_angle(c, c->a.body),
                            .second = slip_transmission_angle(c, c->b.body),
                            .ratio = slip_joint_option(c, &options[RATIO]) };
    slip_joint_transmit(c, t);
}

const slip_joint_type slip_joint_gear = {
    .info = { "gear", "two bodies turn in a fixed ratio; closes loops only", "plane, space", "" },
    .closes =
        "two bodies that turn in a fixed `ratio`, in the plane against `carrier`, in space in their joints",
    .keys = { "offset", "efficiency", "back_efficiency", "carrier" },
    .keys_in_space = { "offset", "efficiency", "back_efficiency" },
    .holds_angles = true,
    .holds_angles_in_space = true,
    SLIP_OPTIONS(options),
    .hold = constrain_angles,
    .hold_in_space = constrain_angles,
    .frictionless = "its losses are given by 'efficiency'",
};
