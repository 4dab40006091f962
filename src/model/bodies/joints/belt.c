/// model/bodies/joints/belt.c: a belt or chain over two pulleys or sprockets; with a stiffness it stretches.
#include "model/bodies/joint_type.h"

enum { FIRST_RADIUS, SECOND_RADIUS };
static const slip_option options[] = {
    [FIRST_RADIUS] = { "first_radius", "m", SLIP_POSITIVE, SLIP_REQUIRED,
                       "of a belt or chain: pitch radius of the first pulley, m" },
    [SECOND_RADIUS] = { "second_radius", "m", SLIP_POSITIVE, SLIP_REQUIRED,
                        "of a belt or chain: pitch radius of the second pulley, m" },
};

// lengths of belt that have run over the pulleys, so that a stiffness is that of the belt
static void constrain_belt(slip_joint *c)
{
    slip_reader *r = c->r;
    slip_ref a = slip_joint_option(c, &options[FIRST_RADIUS]),
             b = slip_joint_option(c, &options[SECOND_RADIUS]);
    slip_transmission t = { .first = slip_transmission_angle(c, c->a.body),
                            .second = slip_transmission_angle(c, c->b.body),
                            .ratio = slip_node_number(r, 1.0) };
    if (t.first == SLIP_NONE || t.second == SLIP_NONE || a == SLIP_NONE || b == SLIP_NONE) return;
    t.first = slip_node_op(r, SLIP_OP_MUL, a, t.first);
    t.second = slip_node_op(r, SLIP_OP_MUL, b, t.second);
    slip_joint_transmit(c, t);
}

const slip_joint_type slip_joint_belt = {
    .info = { "belt", "a belt or chain over two pulleys; closes loops only", "plane, space", "" },
    .closes = "two pulleys or sprockets of `first_radius` and `second_radius` under one belt or chain",
    .keys = { "offset", "efficiency", "back_efficiency", "carrier" },
    .keys_in_space = { "offset", "efficiency", "back_efficiency" },
    SLIP_OPTIONS(options),
    .hold = constrain_belt,
    .hold_in_space = constrain_belt,
    .frictionless = "its losses are given by 'efficiency'",
};
