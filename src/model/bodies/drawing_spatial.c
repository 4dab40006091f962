/// model/bodies/drawing_spatial.c: bodies in space drawn as they are.
///
/// Shapes are solids with an attitude. A body that hangs on a joint has a rod through its reference point and
/// its named points; springs, dampers and distances are lines.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "collision/convex_hull.h"
#include "base/elementary.h"
#include "model/bodies/joint_type.h"
#include "model/bodies/shapes.h"
#include "model/reader/drawing.h"

static void draw_place(slip_canvas *c, slip_vec at)
{
    for (int k = 0; k < 3; k++) slip_draw_value(c, slip_vec_part(at, k));
}

static void draw_line(slip_canvas *c, const char *name, slip_vec a, slip_vec b, const char *style)
{
    slip_drawn_shape *shape = slip_draw_shape(c, SLIP_DRAWN_LINE, name, 2);
    if (!shape) return;
    shape->style = style;
    draw_place(c, a);
    draw_place(c, b);
}

// ------------------------------------------------------------------------------------------- shapes

void slip_draw_points_in_space(slip_canvas *c, const char *name, const slip_shape *shape)
{
    if (!slip_draw_shape(c, SLIP_DRAWN_POINTS, name, shape->feature_count)) return;
    for (int k = 0; k < shape->feature_count; k++) draw_place(c, shape->features[k].at);
}

void slip_draw_solid_shape(slip_canvas *c, slip_drawn_kind kind, const char *name, const slip_shape *shape,
                           slip_vec at, const slip_ref *size, int count, double scale)
{
    slip_ref own[4], attitude[4];
    double value[3] = { 1.0, 0.0, 0.0 };
    for (int k = 0; k < count; k++) {
        if (size[k] != SLIP_NONE && !slip_evaluate(c->r, size[k], &value[k])) return;
        value[k] *= scale;
    }
    slip_body_quaternion(c->r, shape->body, own);
    slip_quaternion_nodes_product(c->r, own, shape->surface.attitude, attitude);
    slip_drawn_shape *made =
        slip_draw_solid(c, kind, name, (slip_draw_axis){ { at.x, at.y, at.z } }, attitude, value, count);
    if (made) made->endless = kind == SLIP_DRAWN_PLANE;
}

void slip_draw_hull(slip_canvas *c, const char *name, const slip_shape *shape)
{
    const slip_hull *h = shape->hull;
    double reach = 0.0;
    for (int k = 0; k < h->vertex_count; k++) {
        const double *x = h->vertex + 3 * k;
        reach = fmax(reach, slip_hypot(slip_hypot(x[0], x[1]), x[2]));
    }
    const slip_vec at = shape->surface.at;
    slip_ref own[4], attitude[4];
    slip_body_quaternion(c->r, shape->body, own);
    slip_quaternion_nodes_product(c->r, own, shape->surface.attitude, attitude);
    slip_drawn_shape *made = slip_draw_solid(c, SLIP_DRAWN_HULL, name,
                                             (slip_draw_axis){ { at.x, at.y, at.z } }, attitude, &reach, 1);
    if (!made) return;
    made->corner_count = h->vertex_count;
    made->corners = h->vertex;
}

static void draw_shape(slip_canvas *c, slip_body *body, const char *own, slip_yaml *map)
{
    char name[160];
    snprintf(name, sizeof name, "%.70s%s%.70s", body->name, own ? "." : "", own ? own : "");
    slip_shape shape = slip_read_solid(c->r, body, own, map);
    if (shape.good && shape.type->draw_in_space) shape.type->draw_in_space(c, name, &shape);
}

static bool draw_shapes(slip_canvas *c, slip_body *body)
{
    slip_yaml *one = slip_reader_value(body->node, "shape"), *several = slip_reader_map(body->node, "shapes");
    size_t before = c->shape_count;
    if (one) draw_shape(c, body, NULL, one);
    for (slip_yaml *node = several ? several->first : NULL; node; node = node->next)
        draw_shape(c, body, node->key->text, node);
    return c->shape_count > before;
}

// -------------------------------------------------------------------------------------- rods, lines

// from the reference point to each named point, or to the centre where there is none
static void draw_rod(slip_canvas *c, slip_body *body, bool has_shapes)
{
    slip_yaml *points = slip_reader_map(body->node, "points");
    bool hangs = body->joint && !slip_body_slides(body);
    slip_vec centre = slip_body_centre(c->r, body);
    if (has_shapes && !hangs) return;
    for (slip_yaml *node = points ? points->first : NULL; node; node = node->next) {
        slip_vec local;
        if (slip_local_point(c->r, body, node->key->text, &local))
            draw_line(c, body->name, body->at, slip_body_point(c->r, body, local), "");
    }
    bool off = false;
    for (int k = 0; k < 3; k++) off = off || !slip_node_is(c->r, slip_vec_part(centre, k), 0.0);
    if (points || !slip_vec_is_complete(c->r, centre)) return;
    if (off)
        draw_line(c, body->name, body->at, slip_body_point(c->r, body, centre), "");
    else if (!has_shapes && slip_draw_shape(c, SLIP_DRAWN_POINTS, body->name, 1))
        draw_place(c, body->at);
}

static void draw_between(slip_canvas *c, const char *section, const char *key, const char *style)
{
    slip_yaml *map = slip_reader_map(c->r->root, section), *items[2];
    for (slip_yaml *node = map ? map->first : NULL; node && !slip_reader_stopped(c->r); node = node->next) {
        slip_yaml *list = slip_reader_value(node, key);
        if (!list || list->kind != SLIP_YAML_LIST || slip_list_items(list, items, 2) != 2) continue;
        slip_place a = slip_find_place(c->r, items[0]), b = slip_find_place(c->r, items[1]);
        if (a.body && b.body) draw_line(c, node->key->text, a.at, b.at, style);
    }
}

void slip_draw_bodies_in_space(slip_canvas *c)
{
    slip_bodies *b = c->r->bodies;
    for (int k = 0; k < b->count && !slip_reader_stopped(c->r); k++) {
        slip_body *body = &b->items[k];
        bool shapes = body->node && draw_shapes(c, body);
        if (k > 0) draw_rod(c, body, shapes);
    }
    draw_between(c, "springs", "between", "");
    draw_between(c, "dampers", "between", "dashed");
    draw_between(c, "motors", "between", "dashed");
    for (int k = 0; slip_joint_type_at(k); k++)
        if (slip_joint_type_at(k)->picture == SLIP_JOINT_ROD)
            draw_between(c, "joints", slip_joint_type_at(k)->info.name, "");
}
