/// model/bodies/shapes.c: reading shapes, as features and surfaces in the ground's frame.
#include "model/bodies/shapes.h"

#include <stdio.h>
#include <string.h>

#define PART(symbol, name) &slip_shape_##symbol,
static const slip_shape_type *const types[] = {
#include "registry/shapes.def"
};
#undef PART
enum { TYPES = sizeof types / sizeof *types };

const slip_shape_type *slip_shape_type_at(int k)
{
    return k >= 0 && k < TYPES ? types[k] : NULL;
}

static bool is_available(const slip_shape_type *type, bool space)
{
    return space ? type->read_in_space : type->read;
}

// --------------------------------------------------------------------------------------- reading

slip_ref slip_shape_length(slip_shape_reading *c, const char *key, double fallback)
{
    slip_ref ref = slip_read_length(c->r, c->map, "bodies.*.shape", key, c->of, fallback);
    if (ref == SLIP_NONE) c->shape->good = false;
    return ref;
}

slip_ref slip_shape_size(slip_shape_reading *c, slip_yaml *node, const char *what, bool may_vanish)
{
    char text[200];
    snprintf(text, sizeof text, "the %s of %.150s", what, c->of);
    slip_formula_spec wanted = { .what = text,
                                 .count = 1,
                                 .range = may_vanish ? &slip_bounds_nonnegative : &slip_bounds_positive };
    slip_value value;
    if (slip_read_formula(c->r, node, &wanted, &value, NULL)) return value.part[0];
    c->shape->good = false;
    return SLIP_NONE;
}

slip_vec slip_shape_place(slip_shape_reading *c, slip_yaml *list)
{
    char what[200];
    slip_vec local;
    snprintf(what, sizeof what, "a place in %.150s", c->of);
    if (!slip_read_place(c->r, list, what, &local)) c->shape->good = false;
    return local;
}

slip_vec slip_shape_offset(slip_shape_reading *c)
{
    slip_yaml *node = slip_yaml_find(c->map, "at");
    return node ? slip_shape_place(c, node) : slip_vec_zero(c->r);
}

slip_rotation_matrix slip_shape_rotation(slip_shape_reading *c)
{
    char what[200];
    slip_ref *q = c->shape->surface.attitude;
    snprintf(what, sizeof what, "the attitude of %.150s", c->of);
    if (c->shape->good && slip_read_rotation(c->r, slip_yaml_find(c->map, "attitude"), what, q))
        return slip_rotation_matrix_of(c->r, q);
    c->shape->good = false;
    return (slip_rotation_matrix){ { slip_vec_none(), slip_vec_none(), slip_vec_none() } };
}

void slip_shape_rotate_surface(slip_shape_reading *c, slip_ref angle)
{
    const slip_body *body = c->shape->body;
    slip_surface_feature *s = &c->shape->surface;
    slip_ref sum = slip_node_op(c->r, SLIP_OP_ADD, body->th, angle);
    s->cos = slip_node_op(c->r, SLIP_OP_COS, sum, SLIP_NONE);
    s->sin = slip_node_op(c->r, SLIP_OP_SIN, sum, SLIP_NONE);
}

bool slip_shape_alloc_points(slip_shape_reading *c, int count)
{
    c->shape->features = SLIP_POOL_NEW(c->r->scratch, slip_point_feature, count);
    c->shape->feature_count = c->shape->features ? count : 0;
    return c->shape->features || slip_reader_no_memory(c->r);
}

slip_point_feature *slip_shape_set_point(slip_shape_reading *c, int k, slip_vec local, slip_ref radius)
{
    slip_body *body = c->shape->body;
    slip_vec arm = slip_body_rotate(c->r, body, local);
    c->shape->features[k] =
        (slip_point_feature){ .at = slip_vec_add(c->r, body->at, arm), .arm = arm, .radius = radius };
    return &c->shape->features[k];
}

bool slip_shape_span(slip_shape_reading *c, const char *example, slip_vec end[2])
{
    if (c->value->count != 2) {
        slip_reader_error(c->r, c->value->where, example, "%s goes from one place to another", c->of);
        c->shape->good = false;
        return false;
    }
    end[0] = slip_shape_place(c, c->value->first);
    end[1] = slip_shape_place(c, c->value->first->next);
    return c->shape->good;
}

bool slip_shape_check_length(slip_shape_reading *c, slip_ref length, const char *instead)
{
    double metres;
    bool known = slip_evaluate_check(c->r, length, &slip_bounds_positive, &metres);
    if (known && metres > 0.0) return true;
    if (known) slip_reader_error(c->r, c->value->where, instead, "%s has no length", c->of);
    c->shape->good = false;
    return false;
}

// ------------------------------------------------------------------------------------------ checks

// keys that shapes share, each read by some kinds
static const char *const shared[] = { "at",     "angle",    "radius", "speed",
                                      "normal", "attitude", "points", "scale" };

static bool reads_key(const slip_shape_type *type, const char *key, bool space)
{
    const char *const *keys = space ? type->keys_in_space : type->keys;
    for (int k = 0; k < SLIP_SHAPE_KEYS && keys[k]; k++)
        if (strcmp(keys[k], key) == 0) return true;
    return false;
}

// "circle, ring, sphere, box or cylinder": the kinds that `which` holds for
static const char *list_kinds(const bool *which, const char *last, char *text, size_t size)
{
    int count = 0, met = 0;
    size_t at = 0;
    for (int k = 0; k < TYPES; k++) count += which[k];
    text[0] = '\0';
    for (int k = 0; k < TYPES && at < size; k++) {
        if (!which[k]) continue;
        const char *before = met == 0 ? "" : met + 1 < count ? ", " : last;
        at += (size_t)snprintf(text + at, size - at, "%s%s", before, types[k]->info.name);
        met++;
    }
    return text;
}

static void refuse_key(slip_shape_reading *c, const char *key, bool space)
{
    slip_yaml *node = slip_yaml_find(c->map, key);
    bool which[TYPES], plane_only = false, space_only = false;
    char kinds[200];
    if (!node || reads_key(c->shape->type, key, space)) return;
    for (int k = 0; k < TYPES; k++) {
        bool plane = reads_key(types[k], key, false), there = reads_key(types[k], key, true);
        which[k] = plane || there;
        plane_only = plane_only || (plane && !there && is_available(types[k], true));
        space_only = space_only || (there && !plane && is_available(types[k], false));
    }
    slip_reader_error(c->r, node->key->where, NULL, "'%s' belongs to a %s%s, and %s is a %s", key,
                      list_kinds(which, " or ", kinds, sizeof kinds),
                      plane_only   ? " in the plane"
                      : space_only ? " in space"
                                   : "",
                      c->of, c->shape->type->info.name);
    c->shape->good = false;
}

// what says nothing about this kind, or belongs to the other kind of space
static void refuse_keys(slip_shape_reading *c)
{
    bool space = slip_dimensions(c->r) == 3, which[TYPES];
    char kinds[200], hint[240];
    for (size_t k = 0; k < sizeof shared / sizeof *shared; k++) refuse_key(c, shared[k], space);
    if (is_available(c->shape->type, space)) return;
    for (int k = 0; k < TYPES; k++) which[k] = is_available(types[k], space);
    snprintf(hint, sizeof hint, "shapes in %s: %s", space ? "space" : "the plane",
             list_kinds(which, " and ", kinds, sizeof kinds));
    slip_reader_error(c->r, c->value->key->where, hint, "%s is a %s, which is a shape of %s", c->of,
                      c->shape->type->info.name, space ? "the plane" : "space");
    c->shape->good = false;
}

static void read_speed(slip_shape_reading *c)
{
    slip_yaml *node = slip_yaml_find(c->map, "speed");
    c->shape->surface.speed = slip_node_number(c->r, 0.0);
    char what[200];
    snprintf(what, sizeof what, "the speed of %.150s", c->of);
    slip_formula_spec wanted = { .what = what, .may_use = SLIP_USES_POSITION, .count = 1 };
    slip_value value;
    if (node && slip_read_formula(c->r, node, &wanted, &value, NULL))
        c->shape->surface.speed = value.part[0];
    else if (node)
        c->shape->good = false;
}

// among the shapes of this kind of space, unless one of the other is there to be refused
static slip_yaml *choose_kind(slip_shape_reading *c)
{
    const char *fitting[TYPES], *all[TYPES];
    int count = 0;
    bool other = false;
    for (int k = 0; k < TYPES; k++) {
        bool good = is_available(types[k], slip_dimensions(c->r) == 3);
        all[k] = types[k]->info.name;
        if (good) fitting[count++] = all[k];
        other = other || (!good && slip_yaml_find(c->map, all[k]));
    }
    return slip_choose_key(c->r, c->map, other ? all : fitting, other ? TYPES : count, c->of);
}

static slip_shape read_shape_of_kind(slip_reader *r, slip_body *body, const char *name, slip_yaml *map,
                                     bool solid)
{
    slip_shape shape = { .body = body, .name = name, .where = map, .solid = solid };
    slip_shape_reading c = { .r = r, .shape = &shape, .map = map };
    if (name)
        snprintf(c.of, sizeof c.of, "shape '%.60s' of body '%.60s'", name, body->name);
    else
        snprintf(c.of, sizeof c.of, "the shape of body '%.60s'", body->name);
    if (map->bad || body->stage != SLIP_STAGE_DONE) return shape;
    c.value = choose_kind(&c);
    map->bad = !c.value;
    if (!c.value) return shape;
    int kind = 0;
    while (strcmp(c.value->key->text, types[kind]->info.name) != 0) kind++;
    shape.type = types[kind];
    shape.good = true;
    refuse_keys(&c);
    read_speed(&c);
    if (shape.good) (slip_dimensions(r) == 3 ? shape.type->read_in_space : shape.type->read)(&c);
    map->bad = !shape.good; // said once
    return shape;
}

slip_shape slip_read_shape(slip_reader *r, slip_body *body, const char *name, slip_yaml *map)
{
    return read_shape_of_kind(r, body, name, map, false);
}

slip_shape slip_read_solid(slip_reader *r, slip_body *body, const char *name, slip_yaml *map)
{
    return read_shape_of_kind(r, body, name, map, slip_dimensions(r) == 3 && body->crowd);
}
