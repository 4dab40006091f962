/// model/bodies/joints/rack.c: a rack and its pinion.
#include "model/bodies/joint_type.h"

enum { PITCH_RADIUS };
static const slip_option options[] = {
    [PITCH_RADIUS] = { "pitch_radius", "m", SLIP_ANY_NUMBER, SLIP_REQUIRED,
                       "of the pinion of a rack, m: the rack moves by this with every radian; below 0 the "
                       "other way" },
};

static void constrain_rack(slip_joint *c)
{
    slip_transmission t = { .first = slip_transmission_slide(c, c->a.body),
                            .second = slip_transmission_angle(c, c->b.body),
                            .ratio = slip_joint_option(c, &options[PITCH_RADIUS]) };
    slip_joint_transmit(c, t);
}

const slip_joint_type slip_joint_rack = {
    .info = { "rack", "a body slides as another turns; closes loops only", "plane, space", "" },
    .closes = "a body on a prismatic joint, the rack, and one that turns, its pinion of `pitch_radius`",
    .keys = { "offset", "efficiency", "back_efficiency", "carrier" },
    .keys_in_space = { "offset", "efficiency", "back_efficiency" },
    SLIP_OPTIONS(options),
    .hold = constrain_rack,
    .hold_in_space = constrain_rack,
    .frictionless = "its losses are given by 'efficiency'",
};
