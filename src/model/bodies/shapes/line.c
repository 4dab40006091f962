/// model/bodies/shapes/line.c: a straight border without ends.
#include "model/bodies/shapes.h"

static void line_read(slip_shape_reading *c)
{
    slip_surface_feature *s = &c->shape->surface;
    c->shape->local = slip_shape_place(c, c->value);
    c->shape->angle = slip_shape_length(c, "angle", 0.0);
    s->at = slip_body_point(c->r, c->shape->body, c->shape->local);
    slip_shape_rotate_surface(c, c->shape->angle);
}

static void find_gap(slip_gap_builder *m)
{
    const slip_surface_feature *s = &m->b->surface;
    m->normal = slip_vec_perpendicular(m->r, (slip_vec){ s->cos, s->sin, SLIP_NONE });
    slip_gap_to_plane(m);
}

static void line_draw(slip_scene *s, const char *name, const slip_shape *shape)
{
    slip_scene_border(s, name, shape->surface.at, shape->surface.cos, shape->surface.sin);
}

static bool line_solid(slip_reader *r, const slip_shape *shape, slip_solid *out)
{
    (void)r, (void)shape;
    return slip_solid_plane(out, (const double[3]){ 0.0, 1.0, 0.0 }, 0.0, NULL) == SLIP_OK;
}

const slip_shape_type slip_shape_line = {
    .info = { "line", "a point of a straight border; free space is on its left", "plane", "" },
    .value = SLIP_KEY_PLACE,
    .keys = { "angle", "speed" },
    .read = line_read,
    .find_gap = find_gap,
    .solid = line_solid,
    .draw = line_draw,
};
