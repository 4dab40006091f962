/// model/bodies/solids.c: reading shapes in space.
///
/// sphere    one knob and a surface
/// plane     a surface: everything below it is solid
/// box       eight corners: x changes first, then y, then z, each from - to +
/// capsule   a knob at each end, and a surface around the line between them
/// cylinder  the edges of its two ends, or of one when it has no length: the lowest point of each as it
///           rolls, or `points` points around each
#include "model/bodies/shapes.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

enum { MOST_POINTS = 1000 };

typedef struct reading {
    slip_reader *r;
    slip_shape *shape;
    slip_yaml *map, *value;
    const char *of;
} reading;

static slip_ref number(reading *c, double value)
{
    return slip_node_number(c->r, value);
}

// a length of the shape that is positive, or 0 or more
static slip_ref length_of(reading *c, slip_yaml *node, const char *what, bool may_vanish)
{
    char text[200];
    snprintf(text, sizeof text, "the %s of %.150s", what, c->of);
    slip_wanted wanted = { .what = text,
                           .count = 1,
                           .range = may_vanish ? &slip_bounds_not_negative : &slip_bounds_positive };
    slip_value value;
    if (node && slip_read_formula(c->r, node, &wanted, &value, NULL)) return value.part[0];
    return SLIP_NONE;
}

static bool place_of(reading *c, slip_yaml *list, slip_vec *local)
{
    char what[200];
    snprintf(what, sizeof what, "a place in %.150s", c->of);
    return slip_read_place(c->r, list, what, local);
}

static bool offset_of(reading *c, slip_vec *local)
{
    slip_yaml *node = slip_yaml_find(c->map, "at");
    *local = slip_vec_zero(c->r);
    return !node || place_of(c, node, local);
}

static bool turn_of(reading *c, slip_turn *turn)
{
    char what[200];
    slip_ref *q = c->shape->surface.attitude;
    snprintf(what, sizeof what, "the attitude of %.150s", c->of);
    if (!slip_read_turn(c->r, slip_yaml_find(c->map, "attitude"), what, q)) return false;
    *turn = slip_turn_by(c->r, q);
    return true;
}

static bool take_knobs(reading *c, int count)
{
    c->shape->knobs = SLIP_POOL_NEW(c->r->scratch, slip_knob, count);
    c->shape->knob_count = c->shape->knobs ? count : 0;
    return c->shape->knobs || slip_reader_no_memory(c->r);
}

static slip_knob *set_knob(reading *c, int k, slip_vec local, slip_ref radius)
{
    const slip_body *body = c->shape->body;
    slip_vec arm = slip_body_turn(c->r, body, local);
    c->shape->knobs[k] = (slip_knob){ .at = slip_vec_add(c->r, body->at, arm), .arm = arm, .radius = radius };
    return &c->shape->knobs[k];
}

static bool read_sphere(reading *c)
{
    slip_surface *s = &c->shape->surface;
    slip_vec local;
    s->radius = length_of(c, c->value, "radius", false);
    if (!offset_of(c, &local) || s->radius == SLIP_NONE || !take_knobs(c, 1)) return false;
    s->at = set_knob(c, 0, local, s->radius)->at;
    slip_quaternion_none(c->r, s->attitude);
    return true;
}

static bool read_plane(reading *c)
{
    slip_reader *r = c->r;
    slip_surface *s = &c->shape->surface;
    slip_yaml *list = slip_yaml_find(c->map, "normal");
    slip_vec local, normal = slip_vec_zero(r), across[2];
    char what[200];
    snprintf(what, sizeof what, "the normal of %.150s", c->of);
    normal.z = number(c, 1.0);
    bool good = place_of(c, c->value, &local);
    if ((list && !slip_read_direction(r, list, what, &normal)) || !good) return false;
    if (!slip_directions_across(r, normal, &across[0], &across[1])) return false;
    s->at = slip_body_point(r, c->shape->body, local);
    s->normal = slip_body_turn(r, c->shape->body, normal);
    for (int k = 0; k < 2; k++) s->across[k] = slip_body_turn(r, c->shape->body, across[k]);
    return slip_quaternion_to(r, normal, s->attitude);
}

static bool read_box(reading *c)
{
    slip_reader *r = c->r;
    slip_surface *s = &c->shape->surface;
    slip_vec local;
    slip_turn turn;
    slip_yaml *items[4];
    slip_ref half = number(c, 0.5), size[3];
    if (slip_list_items(c->value, items, 4) != 3) {
        slip_reader_error(r, c->value->where, "box: [length, width, height]", "%s has three sizes", c->of);
        return false;
    }
    bool good = true;
    for (int k = 0; k < 3; k++) {
        slip_ref whole = length_of(c, items[k], "size", false);
        good = good && whole != SLIP_NONE;
        size[k] = good ? slip_node_op(r, SLIP_OP_MUL, half, whole) : SLIP_NONE;
    }
    if (!good || !offset_of(c, &local) || !turn_of(c, &turn) || !take_knobs(c, 8)) return false;
    for (int k = 0; k < 8; k++) {
        slip_ref part[3];
        for (int i = 0; i < 3; i++)
            part[i] = k >> i & 1 ? size[i] : slip_node_op(r, SLIP_OP_NEG, size[i], SLIP_NONE);
        slip_vec corner = slip_turn_vec(r, &turn, (slip_vec){ part[0], part[1], part[2] });
        set_knob(c, k, slip_vec_add(r, local, corner), number(c, 0.0));
    }
    s->at = slip_body_point(r, c->shape->body, local);
    for (int k = 0; k < 3; k++) s->size[k] = size[k];
    return true;
}

static bool read_capsule(reading *c)
{
    slip_reader *r = c->r;
    slip_surface *s = &c->shape->surface;
    slip_vec end[2];
    double metres;
    if (c->value->count != 2) {
        slip_reader_error(r, c->value->where, "capsule: [[x, y, z], [x, y, z]]",
                          "%s goes from one place to another", c->of);
        return false;
    }
    bool good = place_of(c, c->value->first, &end[0]), other = place_of(c, c->value->first->next, &end[1]);
    slip_yaml *radius = slip_yaml_find(c->map, "radius");
    if (!radius) slip_reader_error(r, c->map->key->where, NULL, "%s needs 'radius'", c->of);
    s->radius = length_of(c, radius, "radius", false);
    if (!good || !other || s->radius == SLIP_NONE || !take_knobs(c, 2)) return false;
    slip_vec along = slip_vec_sub(r, end[1], end[0]);
    s->size[0] = slip_node_op(r, SLIP_OP_SQRT, slip_vec_dot(r, along, along), SLIP_NONE);
    if (!slip_evaluate_check(r, s->size[0], &slip_bounds_positive, &metres)) return false;
    if (!(metres > 0.0)) {
        slip_reader_error(r, c->value->where, "sphere: radius", "%s has no length", c->of);
        return false;
    }
    for (int k = 0; k < 2; k++) set_knob(c, k, end[k], s->radius);
    s->at = c->shape->knobs[0].at;
    s->along = slip_vec_sub(r, c->shape->knobs[1].at, c->shape->knobs[0].at);
    return slip_quaternion_to(r, along, s->attitude);
}

// 0: the lowest point alone
static bool read_point_count(reading *c, int *count)
{
    double value;
    slip_yaml *node = slip_yaml_find(c->map, "points");
    *count = 0;
    if (!node) return true;
    if (!slip_read_constant(c->r, c->map, "bodies.*.shape", "points", c->of, 0.0, &value)) return false;
    if (value != floor(value) || value < 3 || value > MOST_POINTS) {
        slip_reader_error(c->r, node->where, NULL, "the points of %s are a whole number from 3 to %d, got %g",
                          c->of, (int)MOST_POINTS, value);
        return false;
    }
    *count = (int)value;
    return true;
}

static void set_rim(reading *c, int first, slip_vec centre, const slip_turn *turn, slip_ref radius,
                    int points)
{
    slip_reader *r = c->r;
    if (points == 0) {
        slip_knob *knob = set_knob(c, first, centre, radius);
        knob->rim = true;
        knob->axis = slip_body_turn(r, c->shape->body, turn->axis[2]);
    }
    for (int k = 0; k < points; k++) {
        double angle = 6.283185307179586477 * k / points;
        slip_vec spoke = { slip_node_op(r, SLIP_OP_MUL, radius, number(c, cos(angle))),
                           slip_node_op(r, SLIP_OP_MUL, radius, number(c, sin(angle))), number(c, 0.0) };
        set_knob(c, first + k, slip_vec_add(r, centre, slip_turn_vec(r, turn, spoke)), number(c, 0.0));
    }
}

static bool read_cylinder(reading *c)
{
    slip_reader *r = c->r;
    slip_surface *s = &c->shape->surface;
    slip_yaml *items[3];
    slip_vec local;
    slip_turn turn;
    int points;
    if (slip_list_items(c->value, items, 3) != 2) {
        slip_reader_error(r, c->value->where, "cylinder: [radius, length]", "%s has a radius and a length",
                          c->of);
        return false;
    }
    s->radius = length_of(c, items[0], "radius", false);
    s->size[0] = length_of(c, items[1], "length", true);
    if (s->radius == SLIP_NONE || s->size[0] == SLIP_NONE) return false;
    if (!offset_of(c, &local) || !turn_of(c, &turn) || !read_point_count(c, &points)) return false;
    int ends = slip_node_is(r, s->size[0], 0.0) ? 1 : 2, each = points ? points : 1;
    if (!take_knobs(c, ends * each)) return false;
    for (int k = 0; k < ends; k++) {
        slip_ref half = slip_node_op(r, SLIP_OP_MUL, number(c, k ? 0.5 : -0.5), s->size[0]);
        slip_vec centre = slip_vec_add(r, local, slip_vec_scale(r, half, turn.axis[2]));
        set_rim(c, k * each, centre, &turn, s->radius, points);
    }
    s->at = slip_body_point(r, c->shape->body, local);
    return true;
}

bool slip_read_solid(slip_reader *r, slip_shape *shape, slip_yaml *map, slip_yaml *value, const char *of)
{
    reading c = { r, shape, map, value, of };
    switch (shape->kind) {
    case SLIP_SHAPE_SPHERE:
        return read_sphere(&c);
    case SLIP_SHAPE_PLANE:
        return read_plane(&c);
    case SLIP_SHAPE_BOX:
        return read_box(&c);
    case SLIP_SHAPE_CAPSULE:
        return read_capsule(&c);
    case SLIP_SHAPE_CYLINDER:
        return read_cylinder(&c);
    case SLIP_SHAPE_POINT:
    case SLIP_SHAPE_CORNERS:
    case SLIP_SHAPE_CIRCLE:
    case SLIP_SHAPE_LINE:
    case SLIP_SHAPE_SEGMENT:
    case SLIP_SHAPE_RING:
    case SLIP_SHAPE_COUNT:
        break;
    }
    assert(false && "not a solid");
    return false;
}
