/// model/bodies/drawing_planar.c: planar bodies drawn as they are.
///
/// Shapes are outlines in the frame of their body. A body that hangs on a joint has a rod through its
/// reference point and its named points. Borders without an end are drawn as long as the scene is at the
/// start, and say that they go on.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "model/bodies/joint_type.h"
#include "model/bodies/shapes.h"
#include "model/reader/drawing.h"

static const double PI = 3.14159265358979323846;

/// A straight line without ends.
typedef struct border {
    char name[160];
    slip_vec at;
    slip_ref cos, sin;
} border;

struct slip_scene {
    slip_canvas *c;
    slip_reader *r;
    border *borders;
    size_t border_count, border_capacity;
};

void slip_scene_border(slip_scene *s, const char *name, slip_vec at, slip_ref cos, slip_ref sin)
{
    if (!slip_array_grow((void **)&s->borders, &s->border_capacity, s->border_count, sizeof *s->borders)) {
        slip_reader_no_memory(s->r);
        return;
    }
    border *made = &s->borders[s->border_count++];
    *made = (border){ .at = at, .cos = cos, .sin = sin };
    snprintf(made->name, sizeof made->name, "%.150s", name);
}

static slip_drawn_shape *draw_line(slip_scene *s, const char *name, slip_vec a, slip_vec b)
{
    return slip_draw_points(s->c, SLIP_DRAWN_LINE, name, (slip_ref[]){ a.x, a.y, b.x, b.y }, 2);
}

void slip_scene_circle(slip_scene *s, const char *name, slip_vec at, slip_ref radius, slip_ref angle,
                       const char *style)
{
    slip_drawn_shape *shape = slip_draw_shape(s->c, SLIP_DRAWN_CIRCLE, name, 1);
    if (!shape) return;
    shape->style = style;
    const slip_ref values[] = { at.x, at.y, radius, angle };
    for (int k = 0; k < 4; k++) slip_draw_value(s->c, values[k]);
}

static slip_ref no_angle(slip_scene *s)
{
    return slip_node_number(s->r, NAN);
}

// ------------------------------------------------------------------------------------------- shapes

void slip_scene_hole(slip_scene *s, const char *name, slip_vec at, slip_ref radius)
{
    slip_scene_circle(s, name, at, radius, no_angle(s), "thin");
}

// half a circle around each end, or a line without a thickness
void slip_scene_round_segment(slip_scene *s, const char *name, const slip_shape *shape)
{
    enum { HALF = 8 };
    slip_reader *r = s->r;
    if (slip_node_is(r, shape->surface.radius, 0.0)) {
        slip_scene_points(s, SLIP_DRAWN_LINE, name, shape, NULL);
        return;
    }
    slip_ref xy[4 * (HALF + 1)];
    for (int k = 0; k < 2 * (HALF + 1); k++) {
        double angle = PI * (0.5 + (double)(k % (HALF + 1)) / HALF) + (k > HALF ? PI : 0.0);
        slip_vec out = { slip_node_number(r, slip_cos(angle)), slip_node_number(r, slip_sin(angle)),
                         SLIP_NONE };
        slip_vec turned = slip_vec_rotate(r, shape->surface.cos, shape->surface.sin, out);
        slip_vec p =
            slip_vec_add(r, shape->features[k > HALF].at, slip_vec_scale(r, shape->surface.radius, turned));
        xy[2 * k] = p.x;
        xy[2 * k + 1] = p.y;
    }
    slip_draw_points(s->c, SLIP_DRAWN_POLYGON, name, xy, 2 * (HALF + 1));
}

void slip_scene_points(slip_scene *s, slip_drawn_kind kind, const char *name, const slip_shape *shape,
                       const int *order)
{
    slip_drawn_shape *made = slip_draw_shape(s->c, kind, name, shape->feature_count);
    for (int k = 0; made && k < shape->feature_count; k++) {
        const slip_point_feature *feature = &shape->features[order ? order[k] : k];
        slip_draw_value(s->c, feature->at.x);
        slip_draw_value(s->c, feature->at.y);
    }
}

static void draw_shape(slip_scene *s, slip_body *body, const char *own, slip_yaml *map)
{
    char name[160];
    snprintf(name, sizeof name, "%.70s%s%.70s", body->name, own ? "." : "", own ? own : "");
    slip_shape shape = slip_read_shape(s->r, body, own, map);
    if (shape.good && shape.type->draw) shape.type->draw(s, name, &shape);
}

static int draw_shapes(slip_scene *s, slip_body *body)
{
    slip_yaml *one = slip_reader_value(body->node, "shape"), *several = slip_reader_map(body->node, "shapes");
    size_t before = s->c->shape_count + s->border_count;
    if (one) draw_shape(s, body, NULL, one);
    for (slip_yaml *node = several ? several->first : NULL; node; node = node->next)
        draw_shape(s, body, node->key->text, node);
    return (int)(s->c->shape_count + s->border_count - before);
}

// ------------------------------------------------------------------------------------ rods and joints

// a rod through the reference point and the named points, or a dot for a body that is only a mass
static void draw_rod(slip_scene *s, slip_body *body, bool has_shapes)
{
    slip_yaml *points = slip_reader_map(body->node, "points");
    int count = 1 + (points ? points->count : 0), at = 1;
    bool hangs = body->joint && !slip_body_slides(body);
    slip_vec centre = slip_body_centre(s->r, body);
    bool off = !slip_node_is(s->r, centre.x, 0.0) || !slip_node_is(s->r, centre.y, 0.0);
    if (has_shapes && !hangs) return;
    slip_ref *xy = calloc((size_t)(2 * count + 2), sizeof *xy);
    if (!xy) {
        slip_reader_no_memory(s->r);
        return;
    }
    xy[0] = body->at.x;
    xy[1] = body->at.y;
    for (slip_yaml *node = points ? points->first : NULL; node; node = node->next) {
        slip_vec local;
        if (!slip_local_point(s->r, body, node->key->text, &local)) continue;
        slip_vec p = slip_body_point(s->r, body, local);
        xy[2 * at] = p.x;
        xy[2 * at++ + 1] = p.y;
    }
    if (at == 1 && off) { // a pendulum that says where its mass is and nothing else
        slip_vec p = slip_body_point(s->r, body, centre);
        xy[2 * at] = p.x;
        xy[2 * at++ + 1] = p.y;
    }
    if (at > 1)
        slip_draw_points(s->c, SLIP_DRAWN_LINE, body->name, xy, at);
    else if (!has_shapes && !slip_body_turns(body)) // that one has its pin
        slip_draw_points(s->c, SLIP_DRAWN_POINTS, body->name, xy, 1);
    free(xy);
}

// the pin it turns about, or the way it slides
static void draw_mount(slip_scene *s, const slip_body *body)
{
    if (!body->on) return;
    slip_vec hang = slip_body_point(s->r, body->on, body->hang);
    slip_drawn_shape *shape = NULL;
    if (slip_body_turns(body))
        shape = slip_draw_points(s->c, SLIP_DRAWN_POINTS, body->name, (slip_ref[]){ hang.x, hang.y }, 1);
    if (slip_body_slides(body)) shape = draw_line(s, body->name, hang, body->at);
    if (shape && slip_body_slides(body)) shape->style = "dashed";
}

// two places that a list of the file names
static bool read_two_places(slip_scene *s, slip_yaml *list, slip_place *a, slip_place *b)
{
    slip_yaml *items[2];
    if (!list || list->kind != SLIP_YAML_LIST || slip_list_items(list, items, 2) != 2) return false;
    *a = slip_find_place(s->r, items[0]);
    *b = slip_find_place(s->r, items[1]);
    return a->body && b->body;
}

static void draw_between(slip_scene *s, const char *section, const char *key, bool spring, const char *style)
{
    slip_yaml *map = slip_reader_map(s->r->root, section);
    for (slip_yaml *node = map ? map->first : NULL; node && !slip_reader_stopped(s->r); node = node->next) {
        slip_place a, b;
        if (!read_two_places(s, slip_reader_value(node, key), &a, &b)) continue;
        if (spring) {
            slip_draw_spring(s->c, node->key->text, (slip_ref[]){ a.at.x, a.at.y },
                             (slip_ref[]){ b.at.x, b.at.y });
            continue;
        }
        slip_drawn_shape *shape = draw_line(s, node->key->text, a.at, b.at);
        if (shape) shape->style = style;
    }
}

static void draw_pins(slip_scene *s)
{
    slip_yaml *map = slip_reader_map(s->r->root, "joints");
    for (slip_yaml *node = map ? map->first : NULL; node && !slip_reader_stopped(s->r); node = node->next) {
        slip_place a, b;
        for (int k = 0; slip_joint_type_at(k); k++)
            if (slip_joint_type_at(k)->picture == SLIP_JOINT_PIN &&
                read_two_places(s, slip_reader_value(node, slip_joint_type_at(k)->info.name), &a, &b))
                slip_draw_points(s->c, SLIP_DRAWN_POINTS, node->key->text, (slip_ref[]){ a.at.x, a.at.y }, 1);
    }
}

// -------------------------------------------------------------------------------------- clearances

static slip_ref read_length(slip_scene *s, slip_yaml *node, const char *key)
{
    return slip_read_length(s->r, node, "clearances.*", key, node->key->text, 0.0);
}

// the slider, and the two walls of its guide
static void draw_guide(slip_scene *s, slip_yaml *node, slip_place inner, slip_place outer)
{
    slip_reader *r = s->r;
    slip_ref half = slip_node_number(r, 0.5), xy[8];
    slip_ref a = slip_node_op(r, SLIP_OP_MUL, half, read_length(s, node, "length")),
             b = slip_node_op(r, SLIP_OP_MUL, half, read_length(s, node, "width"));
    for (int k = 0; k < 4; k++) {
        slip_vec corner = { k == 1 || k == 2 ? a : slip_node_op(r, SLIP_OP_NEG, a, SLIP_NONE),
                            k < 2 ? slip_node_op(r, SLIP_OP_NEG, b, SLIP_NONE) : b, SLIP_NONE };
        slip_vec p = slip_vec_add(r, inner.at, slip_vec_rotate(r, inner.body->cos, inner.body->sin, corner));
        xy[2 * k] = p.x;
        xy[2 * k + 1] = p.y;
    }
    slip_draw_points(s->c, SLIP_DRAWN_POLYGON, inner.body->name, xy, 4);
    slip_ref angle = slip_node_op(r, SLIP_OP_ADD, outer.body->th, read_length(s, node, "angle"));
    slip_vec along = { slip_node_op(r, SLIP_OP_COS, angle, SLIP_NONE),
                       slip_node_op(r, SLIP_OP_SIN, angle, SLIP_NONE), SLIP_NONE };
    slip_vec up = slip_vec_scale(r, slip_node_op(r, SLIP_OP_ADD, b, read_length(s, node, "clearance")),
                                 slip_vec_perpendicular(r, along));
    slip_scene_border(s, node->key->text, slip_vec_add(r, outer.at, up), along.x, along.y);
    slip_scene_border(s, node->key->text, slip_vec_sub(r, outer.at, up), along.x, along.y);
}

static void draw_clearance(slip_scene *s, slip_yaml *node)
{
    slip_place inner, outer;
    if (read_two_places(s, slip_reader_value(node, "translational"), &inner, &outer)) {
        draw_guide(s, node, inner, outer);
        return;
    }
    slip_yaml *round = slip_reader_value(node, "revolute");
    if (!round) round = slip_reader_value(node, "journal");
    if (!read_two_places(s, round, &inner, &outer)) return;
    slip_ref radius = read_length(s, node, "radius");
    slip_ref hole = slip_node_op(s->r, SLIP_OP_ADD, radius, read_length(s, node, "clearance"));
    slip_scene_circle(s, node->key->text, inner.at, radius, inner.body->th, "");
    slip_scene_hole(s, node->key->text, outer.at, hole);
}

static void draw_clearances(slip_scene *s)
{
    slip_yaml *map = slip_reader_map(s->r->root, "clearances");
    for (slip_yaml *node = map ? map->first : NULL; node && !slip_reader_stopped(s->r); node = node->next)
        draw_clearance(s, node);
}

// ----------------------------------------------------------------------------------------- contacts

static slip_draw_axis as_axis(slip_vec a)
{
    return (slip_draw_axis){ { a.x, a.y, a.z } };
}

static void draw_contacts(slip_scene *s)
{
    slip_reader *r = s->r;
    for (size_t k = 0; k < r->symbol_count && !slip_reader_stopped(r); k++) {
        const slip_symbol *symbol = r->symbols[k];
        if (symbol->kind != SLIP_SYMBOL_CONTACT || !symbol->of_element.touch ||
            symbol->of_element.touch->found)
            continue;
        const struct slip_shape_contact *t = symbol->of_element.touch;
        int slips = r->model->contacts[symbol->index].slip.count;
        slip_force_place place = { .name = symbol->name,
                                   .at = as_axis(t->at),
                                   .has_normal = true,
                                   .normal = as_axis(t->normal),
                                   .tangent_count = slips,
                                   .tangent = { as_axis(t->tangent[0]), as_axis(t->tangent[1]) },
                                   .reversed = !t->feature_moves,
                                   .has_gap = true,
                                   .slips = slips > 0 };
        slip_draw_force(s->c, &place);
    }
}

// ------------------------------------------------------------------------------------------ borders

/// The smallest rectangle around what is drawn so far, where the model starts.
typedef struct bounds {
    double low[2], high[2];
} bounds;

static void include_circle(bounds *b, double x, double y, double radius)
{
    const double at[2] = { x, y };
    for (int k = 0; k < 2; k++) {
        b->low[k] = fmin(b->low[k], at[k] - radius);
        b->high[k] = fmax(b->high[k], at[k] + radius);
    }
}

static bool start_values(slip_scene *s, const slip_ref *roots, size_t count, double *values)
{
    const slip_model *m = s->r->model;
    s->r->starts_shape = true;
    if (!slip_note_structural(s->r, roots, (int)count)) return false;
    double *inputs = calloc((size_t)slip_graph_input_count(m->graph) + 1, sizeof *inputs);
    for (int k = 0; k < m->coordinate_count && inputs; k++) {
        inputs[1 + k] = m->coordinates[k].start;
        inputs[1 + m->coordinate_count + k] = m->coordinates[k].rate;
    }
    const bool fine = inputs && slip_graph_values(m->graph, roots, (int)count, inputs, values);
    free(inputs);
    return fine || slip_reader_no_memory(s->r);
}

static bounds drawing_bounds(const slip_canvas *c, const double *values)
{
    bounds b = { { INFINITY, INFINITY }, { -INFINITY, -INFINITY } };
    for (size_t k = 0; k < c->shape_count; k++) {
        const slip_drawn_shape *shape = &c->shapes[k];
        bool round = shape->kind == SLIP_DRAWN_CIRCLE;
        for (int p = 0; p < shape->count; p++) {
            const double *at = values + shape->at + 2 * p;
            include_circle(&b, at[0], at[1], round ? at[2] : 0.0);
        }
    }
    if (!(b.low[0] <= b.high[0])) b = (bounds){ { -1.0, -1.0 }, { 1.0, 1.0 } };
    return b;
}

// as long as the scene is wide, about its middle
static void draw_border(slip_scene *s, const border *line, const bounds *b)
{
    slip_reader *r = s->r;
    double at[4], wide = slip_hypot(b->high[0] - b->low[0], b->high[1] - b->low[1]);
    if (!start_values(s, (slip_ref[]){ line->at.x, line->at.y, line->cos, line->sin }, 4, at)) return;
    double middle =
        (0.5 * (b->low[0] + b->high[0]) - at[0]) * at[2] + (0.5 * (b->low[1] + b->high[1]) - at[1]) * at[3];
    slip_vec end[2];
    for (int k = 0; k < 2; k++) {
        slip_ref far = slip_node_number(r, middle + (k ? 1.0 : -1.0) * (wide > 0.0 ? wide : 1.0));
        end[k] =
            slip_vec_add(r, line->at, slip_vec_scale(r, far, (slip_vec){ line->cos, line->sin, SLIP_NONE }));
    }
    slip_drawn_shape *shape = draw_line(s, line->name, end[0], end[1]);
    if (shape) shape->endless = true;
}

static void draw_borders(slip_scene *s)
{
    size_t count = s->c->value_count;
    double *values = calloc(count + 1, sizeof *values);
    bool fine = values && s->border_count && (!count || start_values(s, s->c->values, count, values));
    if (!values) slip_reader_no_memory(s->r);
    bounds b = fine ? drawing_bounds(s->c, values) : (bounds){ { 0 }, { 0 } };
    for (size_t k = 0; fine && k < s->border_count && !slip_reader_stopped(s->r); k++)
        draw_border(s, &s->borders[k], &b);
    free(values);
}

void slip_draw_bodies(slip_canvas *c)
{
    slip_reader *r = c->r;
    slip_scene s = { .c = c, .r = r };
    c->dimensions = slip_dimensions(r);
    if (c->dimensions == 3) {
        slip_draw_bodies_in_space(c);
        if (!slip_reader_stopped(r)) draw_contacts(&s);
        return;
    }
    for (int k = 0; k < r->bodies->count && !slip_reader_stopped(r); k++) {
        slip_body *body = &r->bodies->items[k];
        int shapes = body->node ? draw_shapes(&s, body) : 0;
        if (k == 0) continue;
        draw_mount(&s, body);
        draw_rod(&s, body, shapes > 0);
    }
    draw_clearances(&s);
    draw_between(&s, "springs", "between", true, "");
    draw_between(&s, "dampers", "between", false, "dashed");
    draw_between(&s, "motors", "between", false, "dashed");
    for (int k = 0; slip_joint_type_at(k); k++)
        if (slip_joint_type_at(k)->picture == SLIP_JOINT_ROD)
            draw_between(&s, "joints", slip_joint_type_at(k)->info.name, false, "");
    draw_pins(&s);
    if (!slip_reader_stopped(r)) draw_borders(&s);
    if (!slip_reader_stopped(r)) draw_contacts(&s);
    free(s.borders);
}
