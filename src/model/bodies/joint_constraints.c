/// model/bodies/joint_constraints.c: what joints in space hold besides the place.
///
/// axis       an axis of the second body and one of the first stay parallel: two numbers
/// line       the place moves along a line that the second body carries: two
/// attitude   the first body does not turn against the second: three
/// plane      the place stays in a plane that the second body carries: one
/// crossed    an axis of the second body and one of the first stay at right angles: one
/// All are products of directions, smooth everywhere, and independent of one another where they hold.
#include <math.h>
#include <stdio.h>

#include "model/bodies/joint_type.h"

bool slip_perpendicular_axes(slip_reader *r, slip_vec axis, slip_vec *t1, slip_vec *t2)
{
    double x;
    if (!slip_evaluate(r, axis.x, &x)) return false;
    slip_vec e = slip_vec_zero(r);
    *(fabs(x) < 0.9 ? &e.x : &e.y) = slip_node_number(r, 1.0);
    slip_vec off = slip_vec_sub(r, e, slip_vec_scale(r, slip_vec_dot(r, e, axis), axis));
    slip_ref length = slip_node_op(r, SLIP_OP_SQRT, slip_vec_dot(r, off, off), SLIP_NONE);
    *t1 = slip_vec_over(r, off, length);
    *t2 = slip_vec_cross(r, axis, *t1);
    return slip_vec_is_complete(r, *t1) && slip_vec_is_complete(r, *t2);
}

static bool direction_of(slip_joint *c, const char *key, slip_vec fallback, slip_vec *out)
{
    char what[160];
    slip_yaml *list = slip_yaml_find(c->node, key);
    snprintf(what, sizeof what, "'%s' of %.120s", key, c->of);
    *out = fallback;
    return !list || slip_read_direction(c->r, list, what, out);
}

// the axis of the second body under a key; z where none is given
static bool axis_of_second(slip_joint *c, slip_vec *axis)
{
    slip_vec z = slip_vec_zero(c->r);
    z.z = slip_node_number(c->r, 1.0);
    return direction_of(c, "axis", z, axis);
}

void slip_joint_constrain_axis(slip_joint *c)
{
    slip_reader *r = c->r;
    slip_vec axis, own, t1, t2;
    if (!axis_of_second(c, &axis) || !direction_of(c, "own_axis", axis, &own)) return;
    if (!slip_perpendicular_axes(r, axis, &t1, &t2)) return;
    own = slip_body_rotate(r, c->a.body, own);
    if (c->rubs) c->axis = slip_body_rotate(r, c->b.body, axis);
    slip_joint_constrain(c, "_rx", slip_vec_dot(r, own, slip_body_rotate(r, c->b.body, t1)), true);
    slip_joint_constrain(c, "_ry", slip_vec_dot(r, own, slip_body_rotate(r, c->b.body, t2)), true);
}

// across a direction that the second body carries
static void constrain_across(slip_joint *c, slip_vec along)
{
    slip_reader *r = c->r;
    slip_vec t1, t2;
    if (!slip_perpendicular_axes(r, along, &t1, &t2)) return;
    slip_vec d = slip_vec_sub(r, c->a.at, c->b.at);
    if (c->rubs) c->axis = slip_body_rotate(r, c->b.body, along);
    slip_joint_constrain(c, "_n", slip_vec_dot(r, slip_body_rotate(r, c->b.body, t1), d), false);
    slip_joint_constrain(c, "_m", slip_vec_dot(r, slip_body_rotate(r, c->b.body, t2), d), false);
}

void slip_joint_constrain_line_3d(slip_joint *c)
{
    slip_vec x = slip_vec_zero(c->r), along;
    x.x = slip_node_number(c->r, 1.0);
    if (direction_of(c, "along", x, &along)) constrain_across(c, along);
}

void slip_joint_constrain_line_of_axis(slip_joint *c)
{
    slip_vec axis;
    if (axis_of_second(c, &axis)) constrain_across(c, axis);
}

void slip_joint_constrain_plane(slip_joint *c)
{
    slip_vec axis;
    if (!axis_of_second(c, &axis)) return;
    slip_vec normal = slip_body_rotate(c->r, c->b.body, axis), d = slip_vec_sub(c->r, c->a.at, c->b.at);
    slip_joint_constrain(c, "_n", slip_vec_dot(c->r, normal, d), false);
}

void slip_joint_constrain_crossed_axes(slip_joint *c)
{
    slip_vec axis, own;
    if (!axis_of_second(c, &axis) || !direction_of(c, "own_axis", axis, &own)) return;
    slip_vec a = slip_body_rotate(c->r, c->a.body, own), b = slip_body_rotate(c->r, c->b.body, axis);
    slip_joint_constrain(c, "_r", slip_vec_dot(c->r, a, b), true);
}

// The same as the attitude for a slide that rubs, in numbers that pair with those of its line: with t1, t2 across the line,
// the multiplier of the first is a moment about t2, which a pair of forces along t1 carries, and so on
static void hold_slide(slip_joint *c, const slip_ref q[4])
{
    slip_reader *r = c->r;
    slip_vec x = slip_vec_zero(r), along, t1, t2;
    x.x = slip_node_number(r, 1.0);
    if (!direction_of(c, "along", x, &along) || !slip_perpendicular_axes(r, along, &t1, &t2)) return;
    slip_rotation_matrix turn = slip_rotation_matrix_of(r, q);
    slip_vec own = slip_body_rotate(r, c->a.body, slip_rotation_matrix_apply_inv(r, &turn, along)),
             side = slip_body_rotate(r, c->a.body, slip_rotation_matrix_apply_inv(r, &turn, t1));
    t1 = slip_body_rotate(r, c->b.body, t1);
    t2 = slip_body_rotate(r, c->b.body, t2);
    slip_joint_constrain(c, "_rx", slip_vec_dot(r, own, t1), true);
    slip_joint_constrain(c, "_ry", slip_vec_dot(r, own, t2), true);
    slip_joint_constrain(c, "_rz", slip_vec_dot(r, side, t2), true);
}

// axes of the first body stay across axes of a frame that the second carries
void slip_joint_constrain_attitude(slip_joint *c)
{
    static const char *const suffix[] = { "_rz", "_rx", "_ry" };
    slip_reader *r = c->r;
    slip_ref q[4];
    char what[160];
    snprintf(what, sizeof what, "the attitude of %.120s", c->of);
    if (!slip_read_rotation(r, slip_yaml_find(c->node, "attitude"), what, q)) return;
    if (c->rubs) {
        hold_slide(c, q);
        return;
    }
    slip_rotation_matrix own = slip_rotation_matrix_of(r, q),
                         frame = slip_rotation_matrix_product(r, &c->b.body->turn, &own);
    for (int k = 0; k < 3; k++)
        slip_joint_constrain(c, suffix[k], slip_vec_dot(r, c->a.body->turn.axis[k], frame.axis[(k + 1) % 3]),
                             true);
}
