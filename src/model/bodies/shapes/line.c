/// shapes/line.c: a straight border without ends.
#include "model/bodies/shapes.h"

static void read(slip_shape_reading *c)
{
    slip_surface *s = &c->shape->surface;
    s->at = slip_body_point(c->r, c->shape->body, slip_shape_place(c, c->value));
    slip_shape_turn_surface(c, slip_shape_length(c, "angle", 0.0));
}

static void meet(slip_meeting *m)
{
    const slip_surface *s = &m->b->surface;
    m->normal = slip_vec_turned(m->r, (slip_vec){ s->cos, s->sin, SLIP_NONE });
    slip_meet_flat(m);
}

static void draw(slip_scene *s, const char *name, const slip_shape *shape)
{
    slip_scene_border(s, name, shape->surface.at, shape->surface.cos, shape->surface.sin);
}

const slip_shape_type slip_shape_line = {
    .info = { "line", "a point of a straight border; free space is on its left", "plane", "" },
    .value = SLIP_KEY_PLACE,
    .keys = { "angle", "speed" },
    .read = read,
    .meet = meet,
    .draw = draw,
};
