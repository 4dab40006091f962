/// A joint in the plane: a pin in a slot, which slides and turns; closing a loop it may run beside its line.
#include "model/bodies/joint_type.h"

enum { BESIDE };
static const slip_option options[] = {
    [BESIDE] = { "beside", "m", SLIP_ANY_NUMBER, SLIP_DEFAULT(0), "how far the pin is beside the line" },
};

static void hold(slip_joint *c)
{
    slip_reader *r = c->r;
    slip_vec d = slip_vec_sub(r, c->a.at, c->b.at);
    slip_joint_constrain(c, "", slip_node_op(r, SLIP_OP_SUB, d.x, slip_joint_option(c, &options[BESIDE])),
                         false);
}

const slip_joint_type slip_joint_toy = {
    .info = { "toy", "a toy: a pin in a slot", "plane", "" },
    .carries = "a point of a slot along which it slides and in which it turns; leaves th and s",
    .leaves = "slides and turns: it has th and s",
    .turns = true,
    .slides = true,
    .closes = "the first stays on an upright line beside the second",
    SLIP_OPTIONS(options),
    .hold = hold,
    .picture = SLIP_JOINT_PIN,
};
