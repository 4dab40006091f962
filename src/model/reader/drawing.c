/// model/reader/drawing.c: the `draw:` section: shapes as formulas.
#include "model/reader/drawing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/bodies/rigid_bodies.h"

enum { MAX_NUMBERS = 4, MAX_POINTS = 10000 };

// ---------------------------------------------------------------------------------------- the canvas

bool slip_draw_fits(slip_canvas *c, int dimensions, slip_span where, const char *what)
{
    if (c->dimensions == 0) {
        c->dimensions = dimensions;
        c->first = where;
    }
    if (c->dimensions == dimensions) return true;
    slip_reader_error(c->r, where, NULL, "%s is drawn in %s, but what was drawn before is in %s", what,
                      dimensions == 2 ? "the plane" : "space", dimensions == 2 ? "space" : "the plane");
    if (c->first.source) slip_reader_note(c->r, c->first, "which is here");
    return false;
}

void slip_draw_value(slip_canvas *c, slip_ref value)
{
    if (value == SLIP_NONE ||
        !slip_array_grow((void **)&c->values, &c->value_capacity, c->value_count, sizeof *c->values))
        slip_reader_no_memory(c->r);
    else
        c->values[c->value_count++] = value;
}

slip_drawn_shape *slip_draw_shape(slip_canvas *c, slip_drawn_kind kind, const char *name, int count)
{
    if (!slip_array_grow((void **)&c->shapes, &c->shape_capacity, c->shape_count, sizeof *c->shapes)) {
        slip_reader_no_memory(c->r);
        return NULL;
    }
    const char *kept = slip_reader_text(c->r, name, strlen(name));
    c->shapes[c->shape_count] = (slip_drawn_shape){
        .name = kept, .kind = kind, .at = (int)c->value_count, .count = count, .style = ""
    };
    return &c->shapes[c->shape_count++];
}

slip_drawn_shape *slip_draw_points(slip_canvas *c, slip_drawn_kind kind, const char *name, const slip_ref *xy,
                                   int count)
{
    slip_drawn_shape *shape = slip_draw_shape(c, kind, name, count);
    for (int k = 0; shape && k < 2 * count; k++) slip_draw_value(c, xy[k]);
    return shape;
}

slip_drawn_shape *slip_draw_solid(slip_canvas *c, slip_drawn_kind kind, const char *name, slip_draw_axis at,
                                  const slip_ref attitude[4], const double *size, int size_count)
{
    slip_drawn_shape *shape = slip_draw_shape(c, kind, name, 1);
    for (int k = 0; shape && k < 3; k++) slip_draw_value(c, at.part[k]);
    for (int k = 0; shape && k < 4; k++) slip_draw_value(c, attitude[k]);
    if (shape) shape->size_count = size_count;
    for (int k = 0; shape && k < size_count; k++) shape->size[k] = size[k];
    return shape;
}

// straight at both ends, teeth in between; as wide as long, so that it needs no size of its own
void slip_draw_spring(slip_canvas *c, const char *name, const slip_ref from[2], const slip_ref to[2])
{
    enum { TEETH = 7 };
    // of the distance between the ends: the straight part at each of them, and half the width of the teeth
    static const double BEGIN = 0.15, WIDTH = 0.035;
    slip_reader *r = c->r;
    slip_vec a = { from[0], from[1], SLIP_NONE },
             along = slip_vec_sub(r, (slip_vec){ to[0], to[1], SLIP_NONE }, a);
    slip_vec across = slip_vec_perpendicular(r, along);
    if (!slip_draw_shape(c, SLIP_DRAWN_LINE, name, TEETH + 4)) return;
    for (int k = 0; k < TEETH + 4; k++) {
        double s = k == 0           ? 0.0
                   : k == TEETH + 3 ? 1.0
                                    : BEGIN + (1.0 - 2.0 * BEGIN) * (k - 1.0) / (TEETH + 1.0);
        double w = k < 2 || k > TEETH + 1 ? 0.0 : k % 2 ? -WIDTH : WIDTH;
        slip_vec p = slip_vec_add(r, a, slip_vec_scale(r, slip_node_number(r, s), along));
        p = slip_vec_add(r, p, slip_vec_scale(r, slip_node_number(r, w), across));
        slip_draw_value(c, p.x);
        slip_draw_value(c, p.y);
    }
}

bool slip_draw_read(slip_canvas *c, slip_yaml *list, const char *what, slip_ref *out, int most)
{
    slip_formula_spec wanted = { .what = what, .may_use = SLIP_USES_MOTION, .count = 1 };
    bool good = true;
    int k = 0;
    for (slip_yaml *item = list->first; item && k < most; item = item->next, k++) {
        slip_value value;
        good = slip_read_formula(c->r, item, &wanted, &value, NULL) && good;
        out[k] = value.part[0];
    }
    return good;
}

// --------------------------------------------------------------------------------------- one shape

typedef enum form {
    FORM_POINT,
    FORM_POINTS,
    FORM_LINE,
    FORM_POLYGON,
    FORM_SPRING,
    FORM_CIRCLE,
    FORM_BOX,
    FORM_SPHERE,
    FORM_CAPSULE,
    FORM_CYLINDER,
    FORM_PLANE,
    FORM_COUNT
} form;

static const char *const form_text[FORM_COUNT] = { "point",   "points",   "line", "polygon",
                                                   "spring",  "circle",   "box",  "sphere",
                                                   "capsule", "cylinder", "plane" };

typedef struct shape_drawing {
    slip_canvas *c;
    slip_yaml *map, *value; // the shape, and the value of its kind
    form form;
    int dimensions;
    char of[120]; // "shape 'mass'"
} shape_drawing;

/// Which further keys a kind needs (!) or may have, in the plane and in space.
static const struct {
    const char *key;
    const char *plane[FORM_COUNT], *space[FORM_COUNT];
} extra[] = {
    { "angle", { [FORM_CIRCLE] = "", [FORM_BOX] = "" }, { NULL } },
    { "attitude",
      { NULL },
      { [FORM_SPHERE] = "", [FORM_BOX] = "", [FORM_CAPSULE] = "", [FORM_CYLINDER] = "", [FORM_PLANE] = "" } },
    { "radius", { NULL }, { [FORM_SPHERE] = "!", [FORM_CAPSULE] = "!", [FORM_CYLINDER] = "!" } },
    { "length", { NULL }, { [FORM_CAPSULE] = "!", [FORM_CYLINDER] = "!" } },
    { "size", { [FORM_BOX] = "!" }, { [FORM_BOX] = "!", [FORM_PLANE] = "" } },
};

static bool check_shape_keys(shape_drawing *s)
{
    bool good = true;
    for (size_t k = 0; k < sizeof extra / sizeof extra[0]; k++) {
        slip_yaml *node = slip_yaml_find(s->map, extra[k].key);
        const char *use = s->dimensions == 2 ? extra[k].plane[s->form] : extra[k].space[s->form];
        if (node && !use)
            slip_reader_error(s->c->r, node->key->where, NULL, "'%s' has no meaning for a %s in %s",
                              extra[k].key, form_text[s->form], s->dimensions == 2 ? "the plane" : "space");
        else if (!node && use && use[0] &&
                 !slip_schema_misspelt(&s->c->r->schema, s->map, "draw.*", extra[k].key))
            slip_reader_error(s->c->r, s->map->key->where, NULL, "%s needs '%s'", s->of, extra[k].key);
        good = good && (node ? use != NULL && !node->bad : !use || !use[0]);
    }
    return good;
}

// a point or a list of points: how many components they have; 0 after saying that they differ
static int dimensions_of(shape_drawing *s)
{
    if (s->form == FORM_CIRCLE) return 2;
    if (s->value->first->kind == SLIP_YAML_SCALAR) return s->value->count;
    int dimensions = s->value->first->count;
    for (slip_yaml *item = s->value->first; item; item = item->next) {
        if (item->count == dimensions) continue;
        slip_reader_error(s->c->r, item->where, NULL, "%s has points with %d and with %d components", s->of,
                          dimensions, item->count);
        return 0;
    }
    return dimensions;
}

static bool check_form(shape_drawing *s)
{
    static const int least[FORM_COUNT] = { [FORM_LINE] = 2, [FORM_POLYGON] = 3, [FORM_SPRING] = 2 };
    slip_reader *r = s->c->r;
    bool flat = s->form == FORM_SPRING || s->form == FORM_CIRCLE, solid = s->form > FORM_BOX;
    if ((flat && s->dimensions == 3) || (solid && s->dimensions == 2)) {
        slip_reader_error(r, s->value->where, NULL, "a %s is drawn in %s: %s has %d components",
                          form_text[s->form], flat ? "the plane" : "space", s->of, s->dimensions);
        return false;
    }
    bool one = s->form == FORM_SPRING && s->value->count != 2;
    if (one || s->value->count < least[s->form] || s->value->count > MAX_POINTS) {
        slip_reader_error(r, s->value->where, NULL, "a %s needs %s%d points, got %d", form_text[s->form],
                          s->form == FORM_SPRING ? "" : "at least ", least[s->form], s->value->count);
        return false;
    }
    return true;
}

static bool read_style(shape_drawing *s, const char **style)
{
    static const char *const styles[] = { "thin", "dashed", "accent" };
    slip_yaml *node = slip_yaml_find(s->map, "style");
    *style = "";
    if (!node) return true;
    for (int k = 0; k < 3; k++)
        if (strcmp(styles[k], node->text) == 0) *style = styles[k];
    if (**style || node->bad) return !node->bad;
    char near[96];
    slip_suggest_name(node->text, styles, 3, near, (int)sizeof near);
    slip_reader_error(s->c->r, node->where, near[0] ? near : "leave it out for a plain shape",
                      "the style of %s is thin, dashed or accent, not '%.40s'", s->of, node->text);
    return false;
}

// ----------------------------------------------------------------------------- numbers of each kind

static slip_drawn_shape *draw_points(shape_drawing *s)
{
    static const slip_drawn_kind kinds[] = { SLIP_DRAWN_POINTS, SLIP_DRAWN_POINTS, SLIP_DRAWN_LINE,
                                             SLIP_DRAWN_POLYGON };
    bool one = s->form == FORM_POINT, good = true;
    int at = (int)s->c->value_count;
    slip_ref part[MAX_NUMBERS];
    for (slip_yaml *item = one ? s->value : s->value->first; item; item = one ? NULL : item->next) {
        good = slip_draw_read(s->c, item, s->of, part, s->dimensions) && good;
        for (int k = 0; good && k < s->dimensions; k++) slip_draw_value(s->c, part[k]);
    }
    slip_drawn_shape *shape =
        good ? slip_draw_shape(s->c, kinds[s->form], s->map->key->text, one ? 1 : s->value->count) : NULL;
    if (shape) shape->at = at;
    return shape;
}

static slip_drawn_shape *draw_spring(shape_drawing *s)
{
    slip_ref from[2], to[2];
    bool good = slip_draw_read(s->c, s->value->first, s->of, from, 2);
    if (!slip_draw_read(s->c, s->value->last, s->of, to, 2) || !good) return NULL;
    slip_draw_spring(s->c, s->map->key->text, from, to);
    return s->c->shape_count ? &s->c->shapes[s->c->shape_count - 1] : NULL;
}

// NaN: no spoke
static bool read_angle(shape_drawing *s, double fallback, slip_ref *angle)
{
    slip_yaml *node = slip_yaml_find(s->map, "angle");
    slip_formula_spec wanted = { .what = s->of, .may_use = SLIP_USES_MOTION, .count = 1 };
    slip_value value = slip_scalar(slip_node_number(s->c->r, fallback));
    bool good = !node || slip_read_formula(s->c->r, node, &wanted, &value, NULL);
    *angle = value.part[0];
    return good;
}

static slip_drawn_shape *draw_circle(shape_drawing *s)
{
    slip_ref part[3], angle;
    bool good = slip_draw_read(s->c, s->value, s->of, part, 3);
    if (!read_angle(s, NAN, &angle) || !good) return NULL;
    slip_drawn_shape *shape = slip_draw_shape(s->c, SLIP_DRAWN_CIRCLE, s->map->key->text, 1);
    for (int k = 0; k < 3; k++) slip_draw_value(s->c, part[k]);
    slip_draw_value(s->c, angle);
    return shape;
}

// constants under `key`: one, or a list of `count`
static bool read_sizes(shape_drawing *s, const char *key, slip_ref *size, int count)
{
    slip_yaml *node = slip_yaml_find(s->map, key);
    if (!node) return true; // a plane of no given width
    int given = node->kind == SLIP_YAML_LIST ? node->count : 1;
    if (given != count) {
        slip_reader_error(s->c->r, node->where, NULL, "the %s of %s is %d number%s, got %d", key, s->of,
                          count, count == 1 ? "" : "s", given);
        return false;
    }
    char what[160];
    snprintf(what, sizeof what, "the %s of %s", key, s->of);
    slip_formula_spec wanted = { .what = what, .count = 1, .range = &slip_bounds_positive };
    slip_yaml *item = node->kind == SLIP_YAML_LIST ? node->first : node;
    bool good = true;
    for (int k = 0; k < count; k++, item = item->next) {
        slip_value value;
        good = slip_read_formula(s->c->r, item, &wanted, &value, NULL) && good;
        size[k] = value.part[0];
    }
    return good;
}

// a box in the plane is a polygon
static slip_drawn_shape *draw_flat_box(shape_drawing *s)
{
    slip_reader *r = s->c->r;
    slip_ref at[2], angle, size[2];
    bool good = slip_draw_read(s->c, s->value, s->of, at, 2) && read_angle(s, 0.0, &angle);
    if (!read_sizes(s, "size", size, 2) || !good) return NULL;
    slip_ref cos = slip_node_op(r, SLIP_OP_COS, angle, SLIP_NONE),
             sin = slip_node_op(r, SLIP_OP_SIN, angle, SLIP_NONE);
    slip_drawn_shape *shape = slip_draw_shape(s->c, SLIP_DRAWN_POLYGON, s->map->key->text, 4);
    for (int k = 0; k < 4; k++) {
        slip_ref across = slip_node_number(r, k == 1 || k == 2 ? 0.5 : -0.5),
                 up = slip_node_number(r, k < 2 ? -0.5 : 0.5);
        slip_vec corner = { slip_node_op(r, SLIP_OP_MUL, across, size[0]),
                            slip_node_op(r, SLIP_OP_MUL, up, size[1]), SLIP_NONE };
        slip_vec p =
            slip_vec_add(r, (slip_vec){ at[0], at[1], SLIP_NONE }, slip_vec_rotate(r, cos, sin, corner));
        slip_draw_value(s->c, p.x);
        slip_draw_value(s->c, p.y);
    }
    return shape;
}

static slip_drawn_shape *draw_solid(shape_drawing *s)
{
    static const slip_drawn_kind kinds[FORM_COUNT] = { [FORM_BOX] = SLIP_DRAWN_BOX,
                                                       [FORM_SPHERE] = SLIP_DRAWN_SPHERE,
                                                       [FORM_CAPSULE] = SLIP_DRAWN_CAPSULE,
                                                       [FORM_CYLINDER] = SLIP_DRAWN_CYLINDER,
                                                       [FORM_PLANE] = SLIP_DRAWN_PLANE };
    slip_yaml *node = slip_yaml_find(s->map, "attitude");
    slip_draw_axis at;
    slip_ref attitude[4];
    for (int k = 0; k < 4; k++) attitude[k] = slip_node_number(s->c->r, k == 0 ? 1.0 : 0.0);
    double size[3] = { 1.0, 0.0, 0.0 };
    slip_ref given[3] = { SLIP_NONE, SLIP_NONE, SLIP_NONE };
    bool good = slip_draw_read(s->c, s->value, s->of, at.part, 3);
    if (node) good = slip_draw_read(s->c, node, s->of, attitude, 4) && good;
    bool round = s->form == FORM_SPHERE || s->form == FORM_CAPSULE || s->form == FORM_CYLINDER;
    good = read_sizes(s, round ? "radius" : "size", given, s->form == FORM_BOX ? 3 : 1) && good;
    if (round && s->form != FORM_SPHERE) good = read_sizes(s, "length", given + 1, 1) && good;
    for (int k = 0; k < 3 && good; k++)
        good = given[k] == SLIP_NONE || slip_evaluate(s->c->r, given[k], &size[k]);
    int count = s->form == FORM_BOX ? 3 : s->form == FORM_SPHERE || s->form == FORM_PLANE ? 1 : 2;
    return good ? slip_draw_solid(s->c, kinds[s->form], s->map->key->text, at, attitude, size, count) : NULL;
}

static void read_shape(slip_canvas *c, slip_yaml *map)
{
    shape_drawing s = { .c = c, .map = map };
    snprintf(s.of, sizeof s.of, "shape '%.80s'", map->key->text);
    s.value = slip_choose_key(c->r, map, form_text, FORM_COUNT, s.of);
    const char *style;
    if (!s.value) return;
    while (strcmp(form_text[s.form], s.value->key->text) != 0) s.form++;
    s.dimensions = dimensions_of(&s);
    if (!s.dimensions || !check_form(&s) || !slip_draw_fits(c, s.dimensions, s.value->where, s.of)) return;
    bool good = check_shape_keys(&s);
    if (!read_style(&s, &style) || !good) return;
    slip_drawn_shape *shape = s.form < FORM_SPRING    ? draw_points(&s)
                              : s.form == FORM_SPRING ? draw_spring(&s)
                              : s.form == FORM_CIRCLE ? draw_circle(&s)
                              : s.dimensions == 2     ? draw_flat_box(&s)
                                                      : draw_solid(&s);
    if (shape) shape->style = style;
}

// -------------------------------------------------------------------------------------- the section

static void read_section(slip_canvas *c)
{
    slip_yaml *map = slip_reader_map(c->r->root, "draw");
    for (slip_yaml *node = map ? map->first : NULL; node && !slip_reader_stopped(c->r); node = node->next) {
        if (node->bad) continue;
        if (strcmp(node->key->text, "contacts") == 0)
            slip_draw_contacts(c, node);
        else
            read_shape(c, node);
    }
}

static bool never_moves(slip_canvas *c, const slip_drawn_shape *shape)
{
    slip_reader *r = c->r;
    const slip_graph *graph = r->model->graph;
    int each = shape->kind == SLIP_DRAWN_CIRCLE ? 4 : shape->size_count ? 7 : c->dimensions;
    for (int k = 0; k < each * shape->count; k++) {
        slip_ref ref = c->values[shape->at + k];
        bool number = slip_graph_node(graph, ref).op == SLIP_OP_CONSTANT; // NaN where a circle has no spoke
        if (number) continue;
        if (isnan(slip_graph_evaluate(graph, ref)) || !slip_note_check(r, ref, NULL)) return false;
    }
    return true;
}

// into the model: shapes and forces, and their numbers as records behind the named ones
static void store_drawing(slip_canvas *c)
{
    slip_model *m = c->r->model;
    slip_drawn_shape *shapes = SLIP_READER_NEW(c->r, slip_drawn_shape, c->shape_count);
    slip_drawn_force *forces = SLIP_READER_NEW(c->r, slip_drawn_force, c->force_count);
    // until those of the elements come behind them (slip_record_elements)
    m->unnamed = SLIP_POOL_NEW(c->r->scratch, slip_ref, c->value_count);
    if (!m->unnamed) slip_reader_no_memory(c->r);
    if (c->r->status != SLIP_OK) return;
    for (size_t k = 0; k < c->shape_count; k++) {
        shapes[k] = c->shapes[k];
        shapes[k].fixed = never_moves(c, &shapes[k]);
    }
    if (c->force_count) memcpy(forces, c->forces, c->force_count * sizeof *forces);
    memcpy(m->unnamed, c->values, c->value_count * sizeof *c->values);
    m->drawing = (slip_drawing){ .dimensions = c->dimensions,
                                 .width = (int)c->value_count,
                                 .shape_count = (int)c->shape_count,
                                 .shapes = shapes,
                                 .force_count = (int)c->force_count,
                                 .forces = forces };
}

void slip_read_drawing(slip_reader *r)
{
    slip_canvas c = { .r = r };
    bool clean = slip_diagnostics_error_count(r->notes) == 0;
    if (r->bodies && clean) slip_draw_bodies(&c);
    read_section(&c);
    if (slip_diagnostics_error_count(r->notes) == 0 && !slip_reader_stopped(r) && c.value_count)
        store_drawing(&c);
    free(c.values);
    free(c.shapes);
    free(c.forces);
}
