/// model/bodies/shapes/points.c: one point, and several.
#include "model/bodies/shapes.h"

static void points_draw(slip_scene *s, const char *name, const slip_shape *shape)
{
    slip_scene_points(s, SLIP_DRAWN_POINTS, name, shape, NULL);
}

static void read_point(slip_shape_reading *c)
{
    slip_ref none = slip_node_number(c->r, 0.0);
    if (slip_shape_alloc_points(c, 1)) slip_shape_set_point(c, 0, slip_shape_place(c, c->value), none);
}

const slip_shape_type slip_shape_point = {
    .info = { "point", "a point", "plane, space", "" },
    .value = SLIP_KEY_PLACE,
    .read = read_point,
    .read_in_space = read_point,
    .bare = true,
    .draw = points_draw,
    .draw_in_space = slip_draw_points_in_space,
};

static void read_corners(slip_shape_reading *c)
{
    int k = 0;
    slip_ref none = slip_node_number(c->r, 0.0);
    if (!slip_shape_alloc_points(c, c->value->count)) return;
    for (slip_yaml *item = c->value->first; item; item = item->next)
        slip_shape_set_point(c, k++, slip_shape_place(c, item), none);
}

const slip_shape_type slip_shape_corners = {
    .info = { "corners", "several points", "plane, space", "" },
    .value = SLIP_KEY_PLACES,
    .read = read_corners,
    .read_in_space = read_corners,
    .bare = true,
    .draw = points_draw,
    .draw_in_space = slip_draw_points_in_space,
};
