/// model/bodies/shapes/cylinder.c: the edges of its two ends, or of one when it has no length: the lowest point of each as
/// it rolls, or `points` points around each.
#include <math.h>

#include "base/elementary.h"
#include "model/bodies/shapes.h"

enum { MAX_POINTS = 1000 };

// 0: the lowest point alone
static int read_point_count(slip_shape_reading *c)
{
    double value;
    slip_yaml *node = slip_yaml_find(c->map, "points");
    if (!node) return 0;
    bool good = slip_read_constant(c->r, c->map, "bodies.*.shape", "points", c->of, 0.0, &value);
    if (good && (value != floor(value) || value < 3 || value > MAX_POINTS)) {
        slip_reader_error(c->r, node->where, NULL, "the points of %s are a whole number from 3 to %d, got %g",
                          c->of, (int)MAX_POINTS, value);
        good = false;
    }
    c->shape->good = c->shape->good && good;
    return good ? (int)value : 0;
}

static void set_rim(slip_shape_reading *c, int first, slip_vec centre, const slip_rotation_matrix *turn,
                    slip_ref radius, int points)
{
    slip_reader *r = c->r;
    if (points == 0) {
        slip_point_feature *feature = slip_shape_set_point(c, first, centre, radius);
        feature->rim = true;
        feature->axis = slip_body_rotate(r, c->shape->body, turn->axis[2]);
    }
    for (int k = 0; k < points; k++) {
        double angle = 6.283185307179586477 * k / points;
        slip_vec spoke = { slip_node_op(r, SLIP_OP_MUL, radius, slip_node_number(r, slip_cos(angle))),
                           slip_node_op(r, SLIP_OP_MUL, radius, slip_node_number(r, slip_sin(angle))),
                           slip_node_number(r, 0.0) };
        slip_shape_set_point(c, first + k,
                             slip_vec_add(r, centre, slip_rotation_matrix_apply(r, turn, spoke)),
                             slip_node_number(r, 0.0));
    }
}

static void cylinder_read(slip_shape_reading *c)
{
    slip_reader *r = c->r;
    slip_surface_feature *s = &c->shape->surface;
    slip_yaml *items[3];
    if (slip_list_items(c->value, items, 3) != 2) {
        slip_reader_error(r, c->value->where, "cylinder: [radius, length]", "%s has a radius and a length",
                          c->of);
        c->shape->good = false;
        return;
    }
    s->radius = slip_shape_size(c, items[0], "radius", false);
    s->size[0] = slip_shape_size(c, items[1], "length", true);
    if (!c->shape->good) return;
    slip_vec local = slip_shape_offset(c);
    c->shape->local = local;
    slip_rotation_matrix turn = slip_shape_rotation(c);
    int points = read_point_count(c), each = points ? points : 1,
        ends = c->shape->solid                    ? 0
               : slip_node_is(r, s->size[0], 0.0) ? 1
                                                  : 2;
    if (!c->shape->good || !slip_shape_alloc_points(c, ends * each)) return;
    for (int k = 0; k < ends; k++) {
        slip_ref half = slip_node_op(r, SLIP_OP_MUL, slip_node_number(r, k ? 0.5 : -0.5), s->size[0]);
        slip_vec centre = slip_vec_add(r, local, slip_vec_scale(r, half, turn.axis[2]));
        set_rim(c, k * each, centre, &turn, s->radius, points);
    }
    s->at = slip_body_point(r, c->shape->body, local);
}

static void cylinder_draw(slip_canvas *c, const char *name, const slip_shape *shape)
{
    const slip_surface_feature *s = &shape->surface;
    slip_draw_solid_shape(c, SLIP_DRAWN_CYLINDER, name, shape, s->at, (slip_ref[]){ s->radius, s->size[0] },
                          2, 1.0);
}

static bool cylinder_solid(slip_reader *r, const slip_shape *shape, slip_solid *out)
{
    double radius, length;
    return slip_evaluate(r, shape->surface.radius, &radius) &&
           slip_evaluate(r, shape->surface.size[0], &length) &&
           slip_solid_cylinder(out, radius, length, NULL) == SLIP_OK;
}

const slip_shape_type slip_shape_cylinder = {
    .info = { "cylinder",
              "in space: radius and length, along its own z axis; touches with the edges of its ends",
              "space", "" },
    .value = SLIP_KEY_SIZES,
    .keys_in_space = { "at", "attitude", "points" },
    .read_in_space = cylinder_read,
    .solid_in_space = cylinder_solid,
    .draw_in_space = cylinder_draw,
};
