/// model/bodies/joints/universal.c: a Hooke's or Cardan joint: two forks on one cross.
#include "model/bodies/joint_type.h"

static void constrain_spatial(slip_joint *c)
{
    if (!slip_yaml_find(c->node, "own_axis")) {
        slip_reader_error(c->r, c->node->key->where, "own_axis: [0, 1, 0], at right angles to `axis`",
                          "%s needs 'own_axis': the arm of the cross that the first body carries", c->of);
        return;
    }
    slip_joint_constrain_place(c);
    slip_joint_constrain_crossed_axes(c);
}

const slip_joint_type slip_joint_universal = {
    .info = { "universal", "turns about two crossed axes, one in each body; closes loops only", "space", "" },
    .space_only = true,
    .in_plane = "space: 3, or revolute",
    .closes =
        "in space: two points that stay together; `axis` of the second and `own_axis` of the first, the "
        "arms of the cross, stay at right angles",
    .keys_in_space = { "axis", "own_axis" },
    .holds_angles_in_space = true,
    .hold_in_space = constrain_spatial,
    .frictionless = "it turns about two axes at once",
};
