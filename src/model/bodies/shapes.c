/// model/bodies/shapes.c: reading shapes, as knobs and surfaces in the ground's frame.
#include "model/bodies/shapes.h"

#include <stdio.h>
#include <string.h>

#define SHAPE_TEXT(name, text, plane, space) text,
static const char *const kind_text[] = { SLIP_SHAPES(SHAPE_TEXT) };
#define SHAPE_FITS(name, text, plane, space) { plane, space },
static const bool kind_fits[][2] = { SLIP_SHAPES(SHAPE_FITS) };

// one shape while it is read
typedef struct reading {
    slip_reader *r;
    slip_shape *shape;
    slip_yaml *map, *value; // the shape, and the value of its kind
    char of[160];           // "shape 'top' of body 'block'"
} reading;

static slip_ref length_of(reading *c, const char *key, double fallback)
{
    slip_ref ref = slip_read_length(c->r, c->map, "bodies.*.shape", key, c->of, fallback);
    if (ref == SLIP_NONE) c->shape->good = false;
    return ref;
}

static slip_ref kind_value(reading *c, slip_yaml *node, const char *what)
{
    char text[200];
    snprintf(text, sizeof text, "the %s of %.150s", what, c->of);
    slip_wanted wanted = { .what = text, .count = 1, .range = &slip_bounds_positive };
    slip_value value;
    if (slip_read_formula(c->r, node, &wanted, &value, NULL)) return value.part[0];
    c->shape->good = false;
    return SLIP_NONE;
}

static slip_vec place_of(reading *c, slip_yaml *list)
{
    char what[200];
    slip_vec local;
    snprintf(what, sizeof what, "a place in %.150s", c->of);
    if (!slip_read_place(c->r, list, what, &local)) c->shape->good = false;
    return local;
}

// the key `at`: where the shape stands in its body
static slip_vec offset_of(reading *c)
{
    slip_yaml *node = slip_yaml_find(c->map, "at");
    return node ? place_of(c, node) : slip_vec_zero(c->r);
}

static void turn_surface(reading *c, slip_ref angle)
{
    const slip_body *body = c->shape->body;
    slip_surface *s = &c->shape->surface;
    slip_ref sum = slip_node_op(c->r, SLIP_OP_ADD, body->th, angle);
    s->cos = slip_node_op(c->r, SLIP_OP_COS, sum, SLIP_NONE);
    s->sin = slip_node_op(c->r, SLIP_OP_SIN, sum, SLIP_NONE);
}

static bool take_knobs(reading *c, int count)
{
    c->shape->knobs = SLIP_POOL_NEW(c->r->scratch, slip_knob, count);
    c->shape->knob_count = c->shape->knobs ? count : 0;
    return c->shape->knobs || slip_reader_no_memory(c->r);
}

static void set_knob(reading *c, int k, slip_vec local, slip_ref radius)
{
    const slip_body *body = c->shape->body;
    slip_vec arm = slip_body_turn(c->r, body, local);
    c->shape->knobs[k] = (slip_knob){ .at = slip_vec_add(c->r, body->at, arm), .arm = arm, .radius = radius };
}

// --------------------------------------------------------------------------------------- the kinds

static void read_points(reading *c)
{
    bool one = c->shape->kind == SLIP_SHAPE_POINT;
    int count = one ? 1 : c->value->count, k = 0;
    slip_ref none = slip_node_number(c->r, 0.0);
    if (!take_knobs(c, count)) return;
    if (one) set_knob(c, 0, place_of(c, c->value), none);
    for (slip_yaml *item = c->value->first; item && !one; item = item->next)
        set_knob(c, k++, place_of(c, item), none);
}

// a circle from outside, a ring from inside
static void read_round(reading *c)
{
    slip_surface *s = &c->shape->surface;
    slip_vec local = offset_of(c);
    s->radius = kind_value(c, c->value, "radius");
    s->at = slip_body_point(c->r, c->shape->body, local);
    turn_surface(c, slip_node_number(c->r, 0.0));
    if (c->shape->kind == SLIP_SHAPE_CIRCLE && take_knobs(c, 1)) set_knob(c, 0, local, s->radius);
}

static void read_line(reading *c)
{
    slip_surface *s = &c->shape->surface;
    s->at = slip_body_point(c->r, c->shape->body, place_of(c, c->value));
    turn_surface(c, length_of(c, "angle", 0.0));
}

static void read_segment(reading *c)
{
    slip_reader *r = c->r;
    slip_surface *s = &c->shape->surface;
    if (c->value->count != 2) {
        slip_reader_error(r, c->value->where, "segment: [[x1, y1], [x2, y2]]",
                          "%s goes from one place to another", c->of);
        c->shape->good = false;
        return;
    }
    slip_vec from = place_of(c, c->value->first), to = place_of(c, c->value->first->next);
    if (!c->shape->good) return;
    slip_vec along = slip_vec_sub(r, to, from);
    slip_ref length = slip_node_op(r, SLIP_OP_SQRT, slip_vec_dot(r, along, along), SLIP_NONE);
    double metres;
    if (!slip_evaluate_check(r, length, &slip_bounds_positive, &metres)) return;
    if (!(metres > 0.0)) {
        slip_reader_error(r, c->value->where, NULL, "%s has no length", c->of);
        c->shape->good = false;
        return;
    }
    s->size[0] = length;
    s->radius = length_of(c, "radius", 0.0);
    s->at = slip_body_point(r, c->shape->body, from);
    turn_surface(c, slip_node_op(r, SLIP_OP_ATAN2, along.y, along.x));
    if (!take_knobs(c, 2)) return;
    set_knob(c, 0, from, s->radius);
    set_knob(c, 1, to, s->radius);
}

// corners in the order of Flores 2010, Fig 9: upper left, upper right, lower left, lower right
static void read_box(reading *c)
{
    slip_reader *r = c->r;
    const slip_body *body = c->shape->body;
    slip_surface *s = &c->shape->surface;
    if (c->value->count != 2) {
        slip_reader_error(r, c->value->where, "box: [width, height]", "%s has two sizes in the plane", c->of);
        c->shape->good = false;
        return;
    }
    slip_vec local = offset_of(c);
    slip_ref angle = length_of(c, "angle", 0.0), half = slip_node_number(r, 0.5);
    s->size[0] = slip_node_op(r, SLIP_OP_MUL, half, kind_value(c, c->value->first, "width"));
    s->size[1] = slip_node_op(r, SLIP_OP_MUL, half, kind_value(c, c->value->first->next, "height"));
    s->at = slip_body_point(r, body, local);
    turn_surface(c, angle);
    if (!take_knobs(c, 4)) return;
    for (int k = 0; k < 4; k++) {
        slip_vec corner = { k % 2 ? s->size[0] : slip_node_op(r, SLIP_OP_NEG, s->size[0], SLIP_NONE),
                            k < 2 ? s->size[1] : slip_node_op(r, SLIP_OP_NEG, s->size[1], SLIP_NONE),
                            SLIP_NONE };
        slip_vec turned = slip_vec_rotate(r, s->cos, s->sin, corner);
        slip_vec arm = slip_vec_add(r, slip_vec_rotate(r, body->cos, body->sin, local), turned);
        c->shape->knobs[k] = (slip_knob){ .at = slip_vec_add(r, s->at, turned),
                                          .arm = arm,
                                          .radius = slip_node_number(r, 0.0) };
    }
}

// ------------------------------------------------------------------------------------------ checks

// keys that say nothing about this kind
static void refuse_keys(reading *c)
{
    static const struct {
        const char *key, *kinds;
        unsigned fits;
    } extra[] = {
        { "at", "a circle, ring, sphere, box or cylinder",
          1u << SLIP_SHAPE_CIRCLE | 1u << SLIP_SHAPE_RING | 1u << SLIP_SHAPE_BOX | 1u << SLIP_SHAPE_SPHERE |
              1u << SLIP_SHAPE_CYLINDER },
        { "angle", "a line or box in the plane", 1u << SLIP_SHAPE_LINE | 1u << SLIP_SHAPE_BOX },
        { "radius", "a segment or capsule", 1u << SLIP_SHAPE_SEGMENT | 1u << SLIP_SHAPE_CAPSULE },
        { "speed", "a line, segment or plane",
          1u << SLIP_SHAPE_LINE | 1u << SLIP_SHAPE_SEGMENT | 1u << SLIP_SHAPE_PLANE },
        { "normal", "a plane", 1u << SLIP_SHAPE_PLANE },
        { "attitude", "a box or cylinder in space", 1u << SLIP_SHAPE_BOX | 1u << SLIP_SHAPE_CYLINDER },
        { "points", "a cylinder", 1u << SLIP_SHAPE_CYLINDER },
    };
    bool space = slip_dimensions(c->r) == 3;
    for (size_t k = 0; k < sizeof extra / sizeof extra[0]; k++) {
        slip_yaml *node = slip_yaml_find(c->map, extra[k].key);
        bool other = strcmp(extra[k].key, space ? "angle" : "attitude") == 0;
        if (!node || (extra[k].fits >> c->shape->kind & 1u && !other)) continue;
        slip_reader_error(c->r, node->key->where, NULL, "'%s' belongs to %s, and %s is a %s", extra[k].key,
                          extra[k].kinds, c->of, kind_text[c->shape->kind]);
        c->shape->good = false;
    }
    if (kind_fits[c->shape->kind][space]) return;
    slip_reader_error(c->r, c->value->key->where,
                      space ? "shapes in space: point, corners, sphere, plane, box, capsule and cylinder"
                            : "shapes in the plane: point, corners, circle, ring, line, segment and box",
                      "%s is a %s, which is a shape of %s", c->of, kind_text[c->shape->kind],
                      space ? "the plane" : "space");
    c->shape->good = false;
}

static void read_speed(reading *c)
{
    slip_yaml *node = slip_yaml_find(c->map, "speed");
    c->shape->surface.speed = slip_node_number(c->r, 0.0);
    char what[200];
    snprintf(what, sizeof what, "the speed of %.150s", c->of);
    slip_wanted wanted = { .what = what, .may_use = SLIP_USES_POSITION, .count = 1 };
    slip_value value;
    if (node && slip_read_formula(c->r, node, &wanted, &value, NULL))
        c->shape->surface.speed = value.part[0];
    else if (node)
        c->shape->good = false;
}

// among the shapes of this kind of space, unless one of the other is there to be refused
static slip_yaml *choose_kind(reading *c)
{
    const char *fitting[SLIP_SHAPE_COUNT];
    int count = 0;
    for (int k = 0; k < SLIP_SHAPE_COUNT; k++) {
        bool fits = kind_fits[k][slip_dimensions(c->r) == 3];
        if (fits) fitting[count++] = kind_text[k];
        if (!fits && slip_yaml_find(c->map, kind_text[k]))
            return slip_choose_key(c->r, c->map, kind_text, SLIP_SHAPE_COUNT, c->of);
    }
    return slip_choose_key(c->r, c->map, fitting, count, c->of);
}

slip_shape slip_read_shape(slip_reader *r, slip_body *body, const char *name, slip_yaml *map)
{
    slip_shape shape = { .body = body, .name = name, .where = map };
    reading c = { .r = r, .shape = &shape, .map = map };
    if (name)
        snprintf(c.of, sizeof c.of, "shape '%.60s' of body '%.60s'", name, body->name);
    else
        snprintf(c.of, sizeof c.of, "the shape of body '%.60s'", body->name);
    if (map->bad || body->stage != SLIP_STAGE_DONE) return shape;
    c.value = choose_kind(&c);
    map->bad = !c.value;
    if (!c.value) return shape;
    while (strcmp(c.value->key->text, kind_text[shape.kind]) != 0) shape.kind++;
    shape.good = true;
    static void (*const readers[])(reading *) = { read_points,  read_points, read_round, read_line,
                                                  read_segment, read_box,    read_round };
    refuse_keys(&c);
    read_speed(&c);
    bool solid = slip_dimensions(r) == 3 && shape.kind > SLIP_SHAPE_CORNERS;
    if (shape.good && solid)
        shape.good = slip_read_solid(r, &shape, map, c.value, c.of);
    else if (shape.good)
        readers[shape.kind](&c);
    map->bad = !shape.good; // said once
    return shape;
}
