/// model/bodies/shapes/plane.c: everything below it is solid.
#include <stdio.h>

#include "model/bodies/shapes.h"

static void plane_read(slip_shape_reading *c)
{
    slip_reader *r = c->r;
    slip_surface_feature *s = &c->shape->surface;
    slip_yaml *list = slip_yaml_find(c->map, "normal");
    slip_vec normal = slip_vec_zero(r), across[2];
    char what[200];
    snprintf(what, sizeof what, "the normal of %.150s", c->of);
    normal.z = slip_node_number(r, 1.0);
    slip_vec local = slip_shape_place(c, c->value);
    c->shape->local = local;
    bool good = (!list || slip_read_direction(r, list, what, &normal)) && c->shape->good &&
                slip_perpendicular_axes(r, normal, &across[0], &across[1]);
    c->shape->good = good;
    if (!good) return;
    s->at = slip_body_point(r, c->shape->body, local);
    s->normal = slip_body_rotate(r, c->shape->body, normal);
    for (int k = 0; k < 2; k++) s->across[k] = slip_body_rotate(r, c->shape->body, across[k]);
    c->shape->good = slip_quaternion_nodes_to_direction(r, normal, s->attitude);
}

static void find_gap(slip_gap_builder *m)
{
    m->normal = m->b->surface.normal;
    slip_gap_to_plane(m);
}

static void plane_draw(slip_canvas *c, const char *name, const slip_shape *shape)
{
    const slip_ref size = SLIP_NONE;
    slip_draw_solid_shape(c, SLIP_DRAWN_PLANE, name, shape, shape->surface.at, &size, 1, 1.0);
}

static bool plane_solid(slip_reader *r, const slip_shape *shape, slip_solid *out)
{
    (void)r, (void)shape;
    return slip_solid_plane(out, (const double[3]){ 0.0, 0.0, 1.0 }, 0.0, NULL) == SLIP_OK;
}

const slip_shape_type slip_shape_plane = {
    .info = { "plane", "in space: a point of a plane; free space is where `normal` points", "space", "" },
    .value = SLIP_KEY_PLACE,
    .keys_in_space = { "normal", "speed" },
    .read_in_space = plane_read,
    .find_gap_in_space = find_gap,
    .has_directions = true,
    .flat = true,
    .solid_in_space = plane_solid,
    .draw_in_space = plane_draw,
};
