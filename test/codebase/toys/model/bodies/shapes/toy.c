/// A shape in the plane: a flat top at a height over the body's reference point.
#include "model/bodies/shapes.h"

static void read(slip_shape_reading *c)
{
    slip_vec top = slip_vec_zero(c->r);
    top.y = slip_shape_size(c, c->value, "height", false);
    c->shape->surface.at = slip_body_point(c->r, c->shape->body, top);
    slip_shape_rotate_surface(c, slip_node_number(c->r, 0.0));
    if (slip_shape_alloc_points(c, 1))
        slip_shape_set_point(c, 0, slip_vec_zero(c->r), slip_node_number(c->r, 0.0));
}

static void find_gap(slip_gap_builder *m)
{
    const slip_surface_feature *s = &m->b->surface;
    m->normal = slip_vec_perpendicular(m->r, (slip_vec){ s->cos, s->sin, SLIP_NONE });
    slip_gap_to_plane(m);
}

const slip_shape_type slip_shape_toy = {
    .info = { "toy", "a toy: a flat top at a height, m", "plane", "" },
    .value = SLIP_KEY_CONSTANT,
    .range = &slip_bounds_positive,
    .read = read,
    .find_gap = find_gap,
    .symmetric_pair = true,
};
