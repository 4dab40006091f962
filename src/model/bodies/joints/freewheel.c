/// model/bodies/joints/freewheel.c: a one-way clutch: the first body may run ahead of the second, and not fall back.
///
/// The torque between the two is 0 while the first runs ahead, and from 0 to the capacity T while they turn
/// together; beyond T it slips. That is dry friction of the limit T/2 on top of a torque T/2 that drives the first
/// body forwards, so every formulation takes it.
#include <stdio.h>

#include "model/bodies/joint_type.h"

enum { CAPACITY };
static const slip_option options[] = {
    [CAPACITY] = { "capacity", "N m", SLIP_POSITIVE, SLIP_REQUIRED,
                   "of a freewheel: the largest torque that it carries, N m" },
};

static void hold_one_way(slip_joint *c)
{
    slip_reader *r = c->r;
    slip_ref a = slip_transmission_angle(c, c->a.body), b = slip_transmission_angle(c, c->b.body);
    slip_ref capacity = slip_joint_option(c, &options[CAPACITY]);
    if (a == SLIP_NONE || b == SLIP_NONE || capacity == SLIP_NONE) return;
    slip_ref half = slip_node_op(r, SLIP_OP_DIV, capacity, slip_node_number(r, 2.0));
    slip_ref ahead = slip_time_derivative(r, slip_node_op(r, SLIP_OP_SUB, a, b));
    slip_load_friction own = { .arm = half, .angular = true, .slip = { .count = 1, .is_rate = true } };
    own.slip.part[0] = (slip_formula){ ahead, c->node->key->where };
    own.slip.part[1] = (slip_formula){ SLIP_NONE, c->node->key->where };
    snprintf(own.of, sizeof own.of, "%s", c->of);
    slip_add_generalized_force(r, half, ahead);
    slip_declare_resistance(r, c->node->key->text, c->node, own);
}

const slip_joint_type slip_joint_freewheel = {
    .info = { "freewheel", "one body may run ahead of another, and not fall back; closes loops only",
              "plane, space", "" },
    .closes =
        "two bodies that turn: the first may run ahead of the second, and carries up to `capacity` otherwise",
    .keys = { "carrier" },
    SLIP_OPTIONS(options),
    .hold = hold_one_way,
    .hold_in_space = hold_one_way,
    .frictionless = "its torque is bounded by 'capacity'",
};
