/// model/bodies/shapes/circle.c: a disc, and a round hole.
#include "model/bodies/shapes.h"

// gives the place of the centre in the body
static slip_vec read_round(slip_shape_reading *c)
{
    slip_surface_feature *s = &c->shape->surface;
    slip_vec local = slip_shape_offset(c);
    c->shape->local = local;
    c->shape->angle = slip_node_number(c->r, 0.0);
    s->radius = slip_shape_size(c, c->value, "radius", false);
    s->at = slip_body_point(c->r, c->shape->body, local);
    slip_shape_rotate_surface(c, slip_node_number(c->r, 0.0));
    return local;
}

static void read_circle(slip_shape_reading *c)
{
    slip_vec local = read_round(c);
    if (slip_shape_alloc_points(c, 1)) slip_shape_set_point(c, 0, local, c->shape->surface.radius);
}

static void draw_circle(slip_scene *s, const char *name, const slip_shape *shape)
{
    slip_scene_circle(s, name, shape->surface.at, shape->surface.radius, shape->body->th, "");
}

static bool circle_solid(slip_reader *r, const slip_shape *shape, slip_solid *out)
{
    double radius;
    return slip_evaluate(r, shape->surface.radius, &radius) && slip_solid_disc(out, radius, NULL) == SLIP_OK;
}

const slip_shape_type slip_shape_circle = {
    .info = { "circle", "radius of a disc, m", "plane", "" },
    .value = SLIP_KEY_CONSTANT,
    .range = &slip_bounds_positive,
    .keys = { "at" },
    .read = read_circle,
    .find_gap = slip_gap_to_sphere,
    .bare = true,
    .round = true,
    .symmetric_pair = true,
    .solid = circle_solid,
    .draw = draw_circle,
};

// -------------------------------------------------------------------------------------------- ring

static void read_ring(slip_shape_reading *c)
{
    read_round(c);
}

// inside a ring the free space is towards the centre
static void ring_gap(slip_gap_builder *m)
{
    slip_vec d = slip_vec_sub(m->r, m->b->surface.at, m->feature->at);
    slip_ref distance = slip_vec_length(m->r, d);
    m->normal = slip_vec_over(m->r, d, distance);
    m->gap = slip_gap_op(m, SLIP_OP_SUB, m->b->surface.radius, distance);
}

static void draw_ring(slip_scene *s, const char *name, const slip_shape *shape)
{
    slip_scene_hole(s, name, shape->surface.at, shape->surface.radius);
}

const slip_shape_type slip_shape_ring = {
    .info = { "ring", "radius of a round hole that others touch from inside, m", "plane", "" },
    .value = SLIP_KEY_CONSTANT,
    .range = &slip_bounds_positive,
    .keys = { "at" },
    .read = read_ring,
    .find_gap = ring_gap,
    .find_gap_in_space = ring_gap, // of a spherical clearance: a socket
    .draw = draw_ring,
};
