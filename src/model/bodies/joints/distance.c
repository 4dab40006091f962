/// model/bodies/joints/distance.c: a rod without mass.
#include "model/bodies/joint_type.h"

enum { LENGTH };
static const slip_option options[] = {
    [LENGTH] = { "length", "m", SLIP_POSITIVE, SLIP_REQUIRED,
                 "of a distance; of a slide with friction: between the ends that carry its moment" },
};

static void constrain_distance(slip_joint *c)
{
    slip_reader *r = c->r;
    slip_ref length = slip_joint_option(c, &options[LENGTH]);
    slip_ref distance = slip_vec_length(r, slip_vec_sub(r, c->a.at, c->b.at));
    slip_joint_constrain(c, "", slip_node_op(r, SLIP_OP_SUB, distance, length), false);
}

const slip_joint_type slip_joint_distance = {
    .info = { "distance", "two points stay apart by a length; closes loops only", "plane, space", "" },
    .closes = "two points that stay `length` apart",
    SLIP_OPTIONS(options),
    .hold = constrain_distance,
    .hold_in_space = constrain_distance,
    .picture = SLIP_JOINT_ROD,
};
