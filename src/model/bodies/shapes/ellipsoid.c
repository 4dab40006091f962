/// model/bodies/shapes/ellipsoid.c: an ellipsoid. Its contacts are found (docs/many-body.md): as a formula the nearest point
/// on it has none.
#include "model/bodies/shapes.h"

static void ellipsoid_read(slip_shape_reading *c)
{
    slip_surface_feature *s = &c->shape->surface;
    slip_yaml *items[4];
    if (slip_list_items(c->value, items, 4) != 3) {
        slip_reader_error(c->r, c->value->where, "ellipsoid: [a, b, c]", "%s has three semi-axes", c->of);
        c->shape->good = false;
        return;
    }
    for (int k = 0; k < 3; k++) s->size[k] = slip_shape_size(c, items[k], "semi-axis", false);
    c->shape->local = slip_shape_offset(c);
    slip_shape_rotation(c);
    if (c->shape->good) s->at = slip_body_point(c->r, c->shape->body, c->shape->local);
}

static void ellipsoid_draw(slip_canvas *c, const char *name, const slip_shape *shape)
{
    slip_draw_solid_shape(c, SLIP_DRAWN_ELLIPSOID, name, shape, shape->surface.at, shape->surface.size, 3,
                          1.0);
}

static bool ellipsoid_solid(slip_reader *r, const slip_shape *shape, slip_solid *out)
{
    double axes[3];
    for (int k = 0; k < 3; k++)
        if (!slip_evaluate(r, shape->surface.size[k], &axes[k])) return false;
    return slip_solid_ellipsoid(out, axes, NULL) == SLIP_OK;
}

const slip_shape_type slip_shape_ellipsoid = {
    .info = { "ellipsoid", "in space: three semi-axes, m; its contacts are detected", "space", "" },
    .value = SLIP_KEY_SIZES,
    .keys_in_space = { "at", "attitude" },
    .read_in_space = ellipsoid_read,
    .solid_in_space = ellipsoid_solid,
    .draw_in_space = ellipsoid_draw,
};
