/// model/bodies/shapes/sphere.c: a ball.
#include "model/bodies/shapes.h"

static void sphere_read(slip_shape_reading *c)
{
    slip_surface_feature *s = &c->shape->surface;
    s->radius = slip_shape_size(c, c->value, "radius", false);
    slip_vec local = slip_shape_offset(c);
    c->shape->local = local;
    if (!c->shape->good || !slip_shape_alloc_points(c, 1)) return;
    s->at = slip_shape_set_point(c, 0, local, s->radius)->at;
    slip_quaternion_nodes_identity(c->r, s->attitude);
}

static void sphere_draw(slip_canvas *c, const char *name, const slip_shape *shape)
{
    slip_draw_solid_shape(c, SLIP_DRAWN_SPHERE, name, shape, shape->surface.at, &shape->surface.radius, 1,
                          1.0);
}

static bool sphere_solid(slip_reader *r, const slip_shape *shape, slip_solid *out)
{
    double radius;
    return slip_evaluate(r, shape->surface.radius, &radius) &&
           slip_solid_sphere(out, radius, NULL) == SLIP_OK;
}

const slip_shape_type slip_shape_sphere = {
    .info = { "sphere", "in space: radius of a ball, m", "space", "" },
    .value = SLIP_KEY_CONSTANT,
    .range = &slip_bounds_positive,
    .keys_in_space = { "at" },
    .read_in_space = sphere_read,
    .find_gap_in_space = slip_gap_to_sphere,
    .bare = true,
    .round = true,
    .ball = true,
    .symmetric_pair = true,
    .solid_in_space = sphere_solid,
    .draw_in_space = sphere_draw,
};
