/// model/bodies/shapes/capsule.c: a feature at each end, and a surface around the line between them.
#include "model/bodies/shapes.h"

static void capsule_read(slip_shape_reading *c)
{
    slip_reader *r = c->r;
    slip_surface_feature *s = &c->shape->surface;
    slip_vec end[2];
    bool good = slip_shape_span(c, "capsule: [[x, y, z], [x, y, z]]", end);
    if (c->value->count != 2) return;
    slip_yaml *radius = slip_yaml_find(c->map, "radius");
    if (!radius) {
        slip_reader_error(r, c->map->key->where, NULL, "%s needs 'radius'", c->of);
        c->shape->good = false;
        return;
    }
    s->radius = slip_shape_size(c, radius, "radius", false);
    const int ends = c->shape->solid ? 0 : 2;
    if (!good || !c->shape->good || !slip_shape_alloc_points(c, ends)) return;
    slip_vec along = slip_vec_sub(r, end[1], end[0]);
    s->size[0] = slip_node_op(r, SLIP_OP_SQRT, slip_vec_dot(r, along, along), SLIP_NONE);
    if (!slip_shape_check_length(c, s->size[0], "sphere: radius")) return;
    c->shape->local = slip_vec_scale(r, slip_node_number(r, 0.5), slip_vec_add(r, end[0], end[1]));
    for (int k = 0; k < ends; k++) slip_shape_set_point(c, k, end[k], s->radius);
    if (ends) {
        s->at = c->shape->features[0].at;
        s->along = slip_vec_sub(r, c->shape->features[1].at, c->shape->features[0].at);
    }
    c->shape->good = slip_quaternion_nodes_to_direction(r, along, s->attitude);
}

// around the line between two points: from the nearest of its points
static void find_gap(slip_gap_builder *m)
{
    slip_reader *r = m->r;
    const slip_surface_feature *s = &m->b->surface;
    slip_vec from = slip_vec_sub(r, m->feature->at, s->at);
    slip_ref squared = slip_gap_op(m, SLIP_OP_MUL, s->size[0], s->size[0]);
    slip_ref share = slip_gap_op(m, SLIP_OP_DIV, slip_vec_dot(r, from, s->along), squared);
    slip_ref zero = slip_gap_number(m, 0.0), one = slip_gap_number(m, 1.0);
    share = slip_gap_op(m, SLIP_OP_MAX, zero, slip_gap_op(m, SLIP_OP_MIN, one, share));
    slip_vec d = slip_vec_sub(r, from, slip_vec_scale(r, share, s->along));
    slip_ref distance = slip_vec_length(r, d);
    m->normal = slip_vec_over(r, d, distance);
    m->gap = slip_gap_op(m, SLIP_OP_SUB, distance, s->radius);
}

// a solid in the middle of its body needs no formula for how that turns
static slip_vec middle_of(slip_reader *r, const slip_shape *shape)
{
    const slip_surface_feature *s = &shape->surface;
    if (shape->solid) return slip_body_point(r, shape->body, shape->local);
    return slip_vec_add(r, s->at, slip_vec_scale(r, slip_node_number(r, 0.5), s->along));
}

static void capsule_draw(slip_canvas *c, const char *name, const slip_shape *shape)
{
    const slip_surface_feature *s = &shape->surface;
    const slip_vec middle = middle_of(c->r, shape);
    slip_draw_solid_shape(c, SLIP_DRAWN_CAPSULE, name, shape, middle, (slip_ref[]){ s->radius, s->size[0] },
                          2, 1.0);
}

static bool capsule_solid(slip_reader *r, const slip_shape *shape, slip_solid *out)
{
    double radius, length;
    return slip_evaluate(r, shape->surface.radius, &radius) &&
           slip_evaluate(r, shape->surface.size[0], &length) &&
           slip_solid_capsule(out, radius, length, NULL) == SLIP_OK;
}

const slip_shape_type slip_shape_capsule = {
    .info = { "capsule", "in space: from one place to another, with `radius`", "space", "" },
    .value = SLIP_KEY_PLACES,
    .keys_in_space = { "radius" },
    .read_in_space = capsule_read,
    .find_gap_in_space = find_gap,
    .round = true,
    .solid_in_space = capsule_solid,
    .draw_in_space = capsule_draw,
};
