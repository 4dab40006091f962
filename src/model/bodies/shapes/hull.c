/// model/bodies/shapes/hull.c: the convex hull of points, or of the corners of a mesh file; in the plane a convex polygon,
/// whose corners are features. Its contacts are found (docs/many-body.md).
#include "model/bodies/shapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "collision/convex_hull.h"
#include "collision/mesh_file.h"
#include "model/model_tolerances.h"
#include "model/reader/input_files.h"

// --------------------------------------------------------------------------------------- in the plane

static int compare_points(const void *a, const void *b)
{
    const double *p = a, *q = b;
    if (p[0] != q[0]) return p[0] < q[0] ? -1 : 1;
    return (p[1] > q[1]) - (p[1] < q[1]);
}

// twice the area of a triangle, positive when it goes round anticlockwise
static double triangle_area(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// The lower chain from left to right, then the upper one back (Andrew 1979); corners that turn by next to
// nothing are none. `points` are sorted; room for twice as many in `out`.
static int convex_polygon(double *points, int count, double *out)
{
    int made = 0;
    qsort(points, (size_t)count, 2 * sizeof *points, compare_points);
    const double width = points[2 * (count - 1)] - points[0];
    double height = 0.0;
    for (int k = 0; k < count; k++) height = fmax(height, fabs(points[2 * k + 1] - points[1]));
    const double least = SLIP_HULL_TOLERANCE * (width + height) * (width + height);
    for (int pass = 0; pass < 2; pass++) {
        const int base = made;
        for (int i = 0; i < count; i++) {
            const double *p = points + 2 * (pass ? count - 1 - i : i);
            while (made >= base + 2 && triangle_area(out + 2 * (made - 2), out + 2 * (made - 1), p) <= least)
                made--;
            out[2 * made] = p[0], out[2 * made + 1] = p[1];
            made++;
        }
        made--; // the next chain begins there
    }
    return made;
}

static void set_corners(slip_shape_reading *c, int count)
{
    slip_reader *r = c->r;
    slip_surface_feature *s = &c->shape->surface;
    slip_body *body = c->shape->body;
    const slip_vec local = slip_shape_offset(c);
    const slip_ref angle = slip_shape_length(c, "angle", 0.0);
    c->shape->local = local;
    c->shape->angle = angle;
    s->at = slip_body_point(r, body, local);
    slip_shape_rotate_surface(c, angle);
    if (!slip_shape_alloc_points(c, count)) return;
    for (int k = 0; k < count; k++) {
        const slip_vec corner = { slip_node_number(r, c->shape->outline[2 * k]),
                                  slip_node_number(r, c->shape->outline[2 * k + 1]), SLIP_NONE };
        const slip_vec turned = slip_vec_rotate(r, s->cos, s->sin, corner);
        c->shape->features[k] =
            (slip_point_feature){ .at = slip_vec_add(r, s->at, turned),
                                  .arm = slip_vec_add(r, slip_vec_rotate(r, body->cos, body->sin, local),
                                                      turned),
                                  .radius = slip_node_number(r, 0.0) };
    }
}

static void read_in_plane(slip_shape_reading *c)
{
    const int count = c->value->count;
    double *points = SLIP_POOL_NEW(c->r->scratch, double, 2 * count + 1),
           *outline = SLIP_READER_NEW(c->r, double, 4 * count + 4);
    int k = 0;
    c->shape->good = c->shape->good && points && outline;
    for (slip_yaml *item = c->value->first; item && c->shape->good; item = item->next, k++) {
        const slip_vec at = slip_shape_place(c, item);
        c->shape->good = c->shape->good && slip_evaluate(c->r, at.x, &points[2 * k]) &&
                         slip_evaluate(c->r, at.y, &points[2 * k + 1]);
    }
    if (!c->shape->good) return;
    const int corners = count > 2 ? convex_polygon(points, count, outline) : 0;
    if (corners < 3 || corners > SLIP_POLYGON_MAX) {
        slip_reader_error(c->r, c->value->where, "hull: [[0, 0], [1, 0], [0, 1]]",
                          corners < 3 ? "%s: its points lie on a line" : "%s has more than %d corners", c->of,
                          SLIP_POLYGON_MAX);
        c->shape->good = false;
        return;
    }
    c->shape->outline = outline;
    set_corners(c, corners);
}

static void draw_in_plane(slip_scene *s, const char *name, const slip_shape *shape)
{
    slip_scene_points(s, SLIP_DRAWN_POLYGON, name, shape, NULL);
}

static bool solid_in_plane(slip_reader *r, const slip_shape *shape, slip_solid *out)
{
    (void)r;
    return slip_solid_polygon(out, shape->outline, shape->feature_count, NULL) == SLIP_OK;
}

// ------------------------------------------------------------------------------------------ in space

// the hull is the model's, where solids and drawings refer to it
static void take_hull(slip_shape_reading *c, const double *points, int count, double tolerance)
{
    slip_error error;
    slip_hull *hull;
    const slip_status status =
        slip_hull_create_in_pool(c->r->model->pool, points, count, tolerance, c->of, &error, &hull);
    c->shape->hull = hull;
    c->shape->good = c->shape->good && status == SLIP_OK;
    if (status == SLIP_NO_MEMORY)
        slip_reader_no_memory(c->r);
    else if (status != SLIP_OK)
        slip_reader_error(c->r, c->value->where, NULL, "%s: %s", c->of, error.text);
}

static void hull_place(slip_shape_reading *c)
{
    c->shape->local = slip_shape_offset(c);
    slip_shape_rotation(c);
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
    hull_place(c);
    if (c->shape->good) take_hull(c, points, count, SLIP_HULL_TOLERANCE);
}

// one number greater than 0, or three of which none is 0
static bool read_scale(slip_shape_reading *c, slip_yaml *node, double scale[3])
{
    slip_yaml *items[3];
    const int count = slip_list_items(node, items, 3);
    char what[200];
    snprintf(what, sizeof what, "the scale of %.150s", c->of);
    const slip_formula_spec wanted = { .what = what, .count = 1 };
    for (int k = 0; k < 3; k++) {
        slip_value value;
        if (count == 1) {
            const slip_ref size = slip_shape_size(c, node, "scale", false);
            if (!c->shape->good || !slip_evaluate(c->r, size, &scale[k])) return false;
        } else if (!slip_read_formula(c->r, items[k], &wanted, &value, NULL) ||
                   !slip_evaluate(c->r, value.part[0], &scale[k])) {
            return false;
        } else if (scale[k] == 0.0) {
            slip_reader_error(c->r, items[k]->where, NULL, "%s: along an axis it must not be 0", what);
            return false;
        }
    }
    return true;
}

// numbers of the file are in metres times `scale`
static bool scale_points(slip_shape_reading *c, slip_mesh *mesh)
{
    slip_yaml *node = slip_yaml_find(c->map, "scale");
    double scale[3] = { 1.0, 1.0, 1.0 };
    if (node && !read_scale(c, node, scale)) return c->shape->good = false;
    for (int k = 0; k < 3 * mesh->count; k++) mesh->points[k] *= scale[k % 3];
    return true;
}

// a mesh that is not convex touches with its hull, which closes its hollows
static void look_for_hollows(slip_shape_reading *c, const slip_mesh *mesh)
{
    const slip_hull *hull = c->shape->hull;
    double low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
    for (int k = 0; k < 3 * hull->vertex_count; k++) {
        low[k % 3] = fmin(low[k % 3], hull->vertex[k]);
        high[k % 3] = fmax(high[k % 3], hull->vertex[k]);
    }
    const double extent = fmax(high[0] - low[0], fmax(high[1] - low[1], high[2] - low[2]));
    const double hollow = slip_mesh_hollow(mesh, hull);
    if (hollow > HOLLOW_OF_EXTENT * extent) c->shape->hollow = hollow;
}

static void read_mesh_file(slip_shape_reading *c)
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
                          file->hidden ? "this is not a mesh" : error.text);
    hull_place(c);
    c->shape->good = c->shape->good && status == SLIP_OK;
    if (c->shape->good && scale_points(c, &mesh)) {
        take_hull(c, mesh.points, mesh.count, mesh.tolerance);
        if (c->shape->good) look_for_hollows(c, &mesh);
    }
    slip_mesh_destroy(&mesh);
}

static void hull_draw(slip_canvas *c, const char *name, const slip_shape *shape)
{
    slip_draw_hull(c, name, shape);
}

static bool hull_solid(slip_reader *r, const slip_shape *shape, slip_solid *out)
{
    (void)r;
    return slip_solid_hull(out, shape->hull, NULL) == SLIP_OK;
}

const slip_shape_type slip_shape_hull = {
    .info = { "hull", "the convex hull of points, m; its contacts are detected", "plane, space", "" },
    .value = SLIP_KEY_PLACES,
    .keys = { "at", "angle" },
    .read = read_in_plane,
    .solid = solid_in_plane,
    .draw = draw_in_plane,
    .keys_in_space = { "at", "attitude" },
    .read_in_space = read_points,
    .solid_in_space = hull_solid,
    .draw_in_space = hull_draw,
};

const slip_shape_type slip_shape_mesh = {
    .info = { "mesh",
              "in space: an OBJ or STL file, of which the convex hull touches; its contacts are detected",
              "space", "" },
    .value = SLIP_KEY_TEXT,
    .keys_in_space = { "at", "attitude", "scale" },
    .read_in_space = read_mesh_file,
    .solid_in_space = hull_solid,
    .draw_in_space = hull_draw,
};
