/// shapes/hull.c: the convex hull of points, or of the corners of a mesh file. Its contacts are found
/// (docs/crowds.md).
#include "model/bodies/shapes.h"

#include <stdlib.h>

#include "collide/hull.h"
#include "collide/mesh.h"
#include "model/tables.h"

// the hull is the model's, where solids and drawings refer to it
static void take_hull(slip_shape_reading *c, const double *points, int count, double tolerance)
{
    slip_error error;
    slip_hull *hull;
    const slip_status status =
        slip_hull_make(c->r->model->pool, points, count, tolerance, c->of, &error, &hull);
    c->shape->hull = hull;
    c->shape->good = c->shape->good && status == SLIP_OK;
    if (status == SLIP_NO_MEMORY)
        slip_reader_no_memory(c->r);
    else if (status != SLIP_OK)
        slip_reader_error(c->r, c->value->where, NULL, "%s: %s", c->of, error.text);
}

static void place(slip_shape_reading *c)
{
    c->shape->local = slip_shape_offset(c);
    slip_shape_turn(c);
    if (c->shape->good) c->shape->surface.at = slip_body_point(c->r, c->shape->body, c->shape->local);
}

static void read_points(slip_shape_reading *c)
{
    const int count = c->value->count;
    double *points = SLIP_POOL_NEW(c->r->scratch, double, 3 * count + 1);
    int k = 0;
    if (!points) {
        c->shape->good = slip_reader_no_memory(c->r);
        return;
    }
    for (slip_yaml *item = c->value->first; item && c->shape->good; item = item->next, k++) {
        const slip_vec at = slip_shape_place(c, item);
        c->shape->good = c->shape->good && slip_evaluate(c->r, at.x, &points[3 * k]) &&
                         slip_evaluate(c->r, at.y, &points[3 * k + 1]) &&
                         slip_evaluate(c->r, at.z, &points[3 * k + 2]);
    }
    place(c);
    if (c->shape->good) take_hull(c, points, count, SLIP_HULL_TOLERANCE);
}

// numbers of the file are in metres times `scale`
static bool scale_points(slip_shape_reading *c, slip_mesh *mesh)
{
    slip_yaml *node = slip_yaml_find(c->map, "scale");
    double scale = 1.0;
    if (node) {
        const slip_ref given = slip_shape_size(c, node, "scale", false);
        if (!c->shape->good || !slip_evaluate(c->r, given, &scale)) return false;
    }
    for (int k = 0; k < 3 * mesh->count; k++) mesh->points[k] *= scale;
    return true;
}

static void read_file(slip_shape_reading *c)
{
    const slip_source *file = slip_read_data_file(c->r, c->value);
    slip_mesh mesh;
    slip_error error;
    c->shape->good = c->shape->good && file;
    if (!file) return;
    const slip_status status = slip_mesh_read(file->name, file->text, (size_t)file->length, &error, &mesh);
    if (status == SLIP_NO_MEMORY) slip_reader_no_memory(c->r);
    if (status == SLIP_BAD_FILE)
        slip_reader_error(c->r, c->value->where, "OBJ and STL files are read", "%s: %s", error.where,
                          error.text);
    place(c);
    c->shape->good = c->shape->good && status == SLIP_OK;
    if (c->shape->good && scale_points(c, &mesh)) take_hull(c, mesh.points, mesh.count, mesh.tolerance);
    slip_mesh_destroy(&mesh);
}

static void draw(slip_canvas *c, const char *name, const slip_shape *shape)
{
    slip_draw_hull(c, name, shape);
}

static bool solid(slip_reader *r, const slip_shape *shape, slip_solid *out)
{
    (void)r;
    return slip_solid_hull(out, shape->hull, NULL) == SLIP_OK;
}

const slip_shape_type slip_shape_hull = {
    .info = { "hull", "in space: the convex hull of points, m; its contacts are found", "space", "" },
    .value = SLIP_KEY_PLACES,
    .keys_in_space = { "at", "attitude" },
    .read_in_space = read_points,
    .solid_in_space = solid,
    .draw_in_space = draw,
};

const slip_shape_type slip_shape_mesh = {
    .info = { "mesh",
              "in space: an OBJ or STL file, of which the convex hull touches; its contacts are found",
              "space", "" },
    .value = SLIP_KEY_TEXT,
    .keys_in_space = { "at", "attitude", "scale" },
    .read_in_space = read_file,
    .solid_in_space = solid,
    .draw_in_space = draw,
};
