/// model/bodies/rotation_matrix.c: attitudes in space, as rotation matrices of nodes.
#include <math.h>
#include <stdio.h>

#include "model/bodies/rigid_bodies.h"
#include "model/model_tolerances.h"

static slip_ref node_op(slip_reader *r, slip_op code, slip_ref a, slip_ref b)
{
    return slip_node_op(r, code, a, b);
}

static slip_ref *component_of(slip_vec *a, int k)
{
    return k == 0 ? &a->x : k == 1 ? &a->y : &a->z;
}

slip_rotation_matrix slip_rotation_matrix_identity(slip_reader *r)
{
    slip_ref zero = slip_node_number(r, 0.0), one = slip_node_number(r, 1.0);
    return (slip_rotation_matrix){ { { one, zero, zero }, { zero, one, zero }, { zero, zero, one } } };
}

slip_vec slip_rotation_matrix_apply(slip_reader *r, const slip_rotation_matrix *turn, slip_vec a)
{
    slip_vec x = slip_vec_scale(r, a.x, turn->axis[0]), y = slip_vec_scale(r, a.y, turn->axis[1]);
    slip_vec plane = slip_vec_add(r, x, y);
    return slip_vec_add(r, plane, slip_vec_scale(r, a.z, turn->axis[2]));
}

slip_vec slip_rotation_matrix_apply_inv(slip_reader *r, const slip_rotation_matrix *turn, slip_vec a)
{
    slip_ref x = slip_vec_dot(r, turn->axis[0], a), y = slip_vec_dot(r, turn->axis[1], a);
    return (slip_vec){ x, y, slip_vec_dot(r, turn->axis[2], a) };
}

slip_rotation_matrix slip_rotation_matrix_product(slip_reader *r, const slip_rotation_matrix *outer,
                                                  const slip_rotation_matrix *inner)
{
    slip_rotation_matrix out;
    for (int k = 0; k < 3; k++) out.axis[k] = slip_rotation_matrix_apply(r, outer, inner->axis[k]);
    return out;
}

// c 1 + s [a x] + (1 - c) a a', which is 1 along an axis of the frame
slip_rotation_matrix slip_rotation_matrix_about(slip_reader *r, slip_vec axis, slip_ref angle)
{
    slip_ref c = node_op(r, SLIP_OP_COS, angle, SLIP_NONE), s = node_op(r, SLIP_OP_SIN, angle, SLIP_NONE);
    slip_ref one = slip_node_number(r, 1.0), v = node_op(r, SLIP_OP_SUB, one, c);
    slip_rotation_matrix out;
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++) {
            slip_ref a = slip_vec_part(axis, row), b = slip_vec_part(axis, column), *to;
            to = component_of(&out.axis[column], row);
            *to = node_op(r, SLIP_OP_MUL, v, node_op(r, SLIP_OP_MUL, a, b));
            if (row == column) {
                bool along = slip_node_is(r, a, 1.0) || slip_node_is(r, a, -1.0);
                *to = along ? one : node_op(r, SLIP_OP_ADD, c, *to);
                continue;
            }
            slip_ref third = node_op(r, SLIP_OP_MUL, s, slip_vec_part(axis, 3 - row - column));
            *to = node_op(r, (row + 1) % 3 == column ? SLIP_OP_SUB : SLIP_OP_ADD, *to, third);
        }
    return out;
}

// Replaces a constant that is 0 or 1, up to the rounding of typed angles, by this number.
static slip_ref snap_to_unit(slip_reader *r, slip_ref ref)
{
    if (ref == SLIP_NONE) return ref;
    slip_node node = slip_graph_node(r->model->graph, ref);
    double whole = round(node.value);
    bool close = node.op == SLIP_OP_CONSTANT && fabs(node.value - whole) < UNIT_ENTRY;
    return close ? slip_node_number(r, whole) : ref;
}

slip_rotation_matrix slip_rotation_matrix_of(slip_reader *r, const slip_ref q[4])
{
    slip_ref two = slip_node_number(r, 2.0), one = slip_node_number(r, 1.0);
    slip_rotation_matrix out;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        slip_ref w = q[0], x = q[1 + i], y = q[1 + j], z = q[1 + k];
        slip_ref yy = node_op(r, SLIP_OP_MUL, y, y), zz = node_op(r, SLIP_OP_MUL, z, z),
                 xy = node_op(r, SLIP_OP_MUL, x, y), xz = node_op(r, SLIP_OP_MUL, x, z),
                 wy = node_op(r, SLIP_OP_MUL, w, y), wz = node_op(r, SLIP_OP_MUL, w, z);
        slip_ref off = node_op(r, SLIP_OP_MUL, two, node_op(r, SLIP_OP_ADD, yy, zz));
        slip_ref left = node_op(r, SLIP_OP_MUL, two, node_op(r, SLIP_OP_ADD, xy, wz));
        slip_ref right = node_op(r, SLIP_OP_MUL, two, node_op(r, SLIP_OP_SUB, xz, wy));
        *component_of(&out.axis[i], i) = snap_to_unit(r, node_op(r, SLIP_OP_SUB, one, off));
        *component_of(&out.axis[i], j) = snap_to_unit(r, left);
        *component_of(&out.axis[i], k) = snap_to_unit(r, right);
    }
    return out;
}

// ------------------------------------------------------------------------------------- quaternions

void slip_quaternion_nodes_identity(slip_reader *r, slip_ref out[4])
{
    out[0] = slip_node_number(r, 1.0);
    out[1] = out[2] = out[3] = slip_node_number(r, 0.0);
}

void slip_quaternion_nodes_product(slip_reader *r, const slip_ref a[4], const slip_ref b[4], slip_ref out[4])
{
    // sign of a[i] b[j] in out[k], k = i ^ j
    static const int sign[4][4] = { { 1, 1, 1, 1 }, { 1, -1, 1, -1 }, { 1, -1, -1, 1 }, { 1, 1, -1, -1 } };
    slip_ref zero = slip_node_number(r, 0.0);
    for (int k = 0; k < 4; k++) out[k] = zero;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            if (a[i] == SLIP_NONE || b[j] == SLIP_NONE) continue;
            slip_ref term = slip_node_op(r, SLIP_OP_MUL, a[i], b[j]), *sum = &out[i ^ j];
            *sum = slip_node_op(r, sign[i][j] > 0 ? SLIP_OP_ADD : SLIP_OP_SUB, *sum, term);
        }
}

void slip_quaternion_nodes_about(slip_reader *r, slip_vec axis, slip_ref angle, slip_ref out[4])
{
    slip_ref half = node_op(r, SLIP_OP_MUL, slip_node_number(r, 0.5), angle);
    slip_ref s = node_op(r, SLIP_OP_SIN, half, SLIP_NONE);
    out[0] = node_op(r, SLIP_OP_COS, half, SLIP_NONE);
    for (int k = 0; k < 3; k++) out[1 + k] = node_op(r, SLIP_OP_MUL, s, slip_vec_part(axis, k));
}

// The rotation from z to the direction, from their bisector; half a turn about x where they are opposite.
bool slip_quaternion_nodes_to_direction(slip_reader *r, slip_vec direction, slip_ref out[4])
{
    double d[3];
    for (int k = 0; k < 3; k++)
        if (!slip_evaluate(r, slip_vec_part(direction, k), &d[k])) return false;
    double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), w = length + d[2];
    bool opposite = w < OPPOSITE_DIRECTION * length;
    double q[4] = { opposite ? 0.0 : w, opposite ? 1.0 : -d[1], opposite ? 0.0 : d[0], 0.0 };
    double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    for (int k = 0; k < 4; k++) out[k] = slip_node_number(r, q[k] / norm);
    return true;
}

// ------------------------------------------------------------------------------------------ reading

bool slip_read_direction(slip_reader *r, slip_yaml *list, const char *what, slip_vec *out)
{
    double length;
    if (!slip_read_place(r, list, what, out)) return false;
    slip_ref squared = slip_vec_dot(r, *out, *out);
    if (!slip_evaluate_check(r, squared, &slip_bounds_positive, &length)) return false;
    if (!(length > 0.0)) {
        slip_reader_error(r, list->where, NULL, "%s has no length", what);
        return false;
    }
    *out = slip_vec_over(r, *out, node_op(r, SLIP_OP_SQRT, squared, SLIP_NONE));
    return true;
}

static bool read_quaternion(slip_reader *r, slip_yaml *list, const char *what, slip_ref q[4])
{
    slip_formula_spec wanted = { .what = what, .count = 1 };
    slip_ref squared = slip_node_number(r, 0.0);
    slip_yaml *item = list->first;
    double length;
    for (int k = 0; k < 4; k++, item = item->next) {
        slip_value value;
        if (!slip_read_formula(r, item, &wanted, &value, NULL)) return false;
        q[k] = value.part[0];
        squared = node_op(r, SLIP_OP_ADD, squared, node_op(r, SLIP_OP_MUL, q[k], q[k]));
    }
    if (!slip_evaluate_check(r, squared, &slip_bounds_positive, &length)) return false;
    if (!(length > 0.0)) {
        slip_reader_error(r, list->where, "[1, 0, 0, 0] is no rotation", "%s has no length", what);
        return false;
    }
    slip_ref root = node_op(r, SLIP_OP_SQRT, squared, SLIP_NONE);
    for (int k = 0; k < 4; k++) q[k] = node_op(r, SLIP_OP_DIV, q[k], root);
    return true;
}

static bool read_axis_angle(slip_reader *r, slip_yaml *map, const char *what, slip_ref q[4])
{
    char of[200];
    slip_yaml *list = slip_yaml_find(map, "axis");
    slip_vec axis = { slip_node_number(r, 0.0), slip_node_number(r, 0.0), slip_node_number(r, 1.0) };
    snprintf(of, sizeof of, "the axis of %.150s", what);
    bool good = !list || slip_read_direction(r, list, of, &axis);
    slip_ref angle = slip_read_length(r, map, "bodies.*.attitude", "angle", what, 0.0);
    if (angle == SLIP_NONE || !good) return false;
    slip_quaternion_nodes_about(r, axis, angle, q);
    return true;
}

bool slip_read_rotation(slip_reader *r, slip_yaml *node, const char *what, slip_ref q[4])
{
    slip_quaternion_nodes_identity(r, q);
    if (!node) return true;
    if (node->bad) return false;
    bool good =
        node->kind == SLIP_YAML_LIST ? read_quaternion(r, node, what, q) : read_axis_angle(r, node, what, q);
    node->bad = !good; // said once
    return good;
}
