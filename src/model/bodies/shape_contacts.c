/// model/bodies/shape_contacts.c: which features meet which surfaces, and what the contacts are called.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/bodies/contact_names.h"
#include "model/bodies/shapes.h"

// ------------------------------------------------------------------------------------------- sides

typedef struct side {
    slip_shape *items;
    size_t count, capacity;
} side;

static bool add_side_shape(slip_reader *r, side *s, slip_shape shape)
{
    slip_bodies *b = r->bodies;
    if (!slip_array_grow((void **)&s->items, &s->capacity, s->count, sizeof *s->items) ||
        !slip_array_grow((void **)&b->touching, &b->touching_capacity, b->touching_count,
                         sizeof *b->touching))
        return slip_reader_no_memory(r);
    s->items[s->count++] = shape;
    b->touching[b->touching_count++] = shape.where;
    return true;
}

static void say_no_shape(slip_reader *r, const slip_body *body, slip_span where, const char *name)
{
    enum { MAX_NAMES = 1000 };
    const char *names[MAX_NAMES];
    int count = 0;
    slip_yaml *shapes = slip_reader_map(body->node, "shapes");
    for (slip_yaml *node = shapes ? shapes->first : NULL; node && count < MAX_NAMES; node = node->next)
        names[count++] = node->key->text;
    char hint[200];
    slip_suggest_name(name ? name : "", names, count, hint, (int)sizeof hint);
    if (name)
        slip_reader_error(r, where, hint, "body '%.60s' has no shape '%.60s'", body->name, name);
    else
        slip_reader_error(r, where,
                          slip_dimensions(r) == 3 ? "shape: {sphere: 10 mm}" : "shape: {circle: 10 mm}",
                          "body '%.60s' has no shape to touch with", body->name);
}

// "block": every shape of a body; "block.top": one of them. False after a mistake.
static bool add_named(slip_reader *r, side *s, const slip_yaml *text)
{
    const char *dot = strchr(text->text, '.');
    size_t length = dot ? (size_t)(dot - text->text) : text->length;
    slip_body *body = slip_find_body(r, slip_yaml_part(text, 0, length), text->text, length);
    if (!body || body->stage != SLIP_STAGE_DONE) return false;
    slip_yaml *only = slip_yaml_find(body->node, "shape"), *map = slip_yaml_find(body->node, "shapes");
    if ((only && only->bad) || (map && map->bad)) return false;
    size_t before = s->count;
    if (only && !dot) add_side_shape(r, s, slip_read_shape(r, body, NULL, only));
    for (slip_yaml *node = map ? map->first : NULL; node; node = node->next)
        if (!dot || strcmp(node->key->text, dot + 1) == 0)
            add_side_shape(r, s, slip_read_shape(r, body, node->key->text, node));
    if (s->count == before) {
        say_no_shape(r, body, dot ? slip_yaml_part(text, length + 1, text->length - length - 1) : text->where,
                     dot ? dot + 1 : NULL);
        return false;
    }
    bool good = true;
    for (size_t k = before; k < s->count; k++) good = good && s->items[k].good;
    return good;
}

// a name, the name of a group, or a list of names
static bool read_side(slip_reader *r, slip_yaml *node, side *s)
{
    slip_yaml *groups = slip_reader_map(r->root, "groups");
    slip_yaml *group = node->kind == SLIP_YAML_SCALAR ? slip_yaml_find(groups, node->text) : NULL;
    if (group && group->bad) return false;
    if (group) node = group;
    if (node->kind == SLIP_YAML_SCALAR) return add_named(r, s, node);
    bool good = true;
    for (slip_yaml *item = node->first; item && !slip_reader_stopped(r); item = item->next)
        good = add_named(r, s, item) && good;
    return good;
}

// ------------------------------------------------------------------------------------------- pairs

// features of a on b, then of b on a; two circles meet once
static int count_features(const slip_reader *r, const slip_shape *a, const slip_shape *b)
{
    bool once = a->type == b->type && a->type->symmetric_pair;
    return (slip_shape_can_touch(r, a, b) ? a->feature_count : 0) +
           (slip_shape_can_touch(r, b, a) && !once ? b->feature_count : 0);
}

static int declare_pair(slip_contact_namer *n, const slip_shape *a, const slip_shape *b, int index)
{
    int total = count_features(n->r, a, b), at = 0;
    slip_contact_namer_start_pair(n, a->body->name, a->name, b->body->name, b->name, total);
    for (int turn = 0; turn < 2; turn++) {
        const slip_shape *from = turn ? b : a, *to = turn ? a : b;
        for (int k = 0; k < from->feature_count && slip_shape_can_touch(n->r, from, to) && at < total;
             k++, at++)
            index = slip_declare_pair_contact(
                n, slip_shape_contact_between(n->r, from, &from->features[k], to), index);
    }
    return index;
}

static bool is_possible(const slip_reader *r, const slip_shape *a, const slip_shape *b)
{
    return a->body != b->body && (a->body->moves || b->body->moves) && count_features(r, a, b) > 0;
}

static void say_impossible(slip_reader *r, const slip_yaml *between, const side *a, const side *b)
{
    const slip_shape *p = &a->items[0], *q = &b->items[0];
    if (p->body == q->body)
        slip_reader_error(r, between->where, NULL, "both shapes belong to body '%.60s'", p->body->name);
    else if (!p->body->moves && !q->body->moves)
        slip_reader_error(r, between->where, NULL, "neither '%.60s' nor '%.60s' moves", p->body->name,
                          q->body->name);
    else
        slip_reader_error(r, between->where,
                          slip_dimensions(r) == 3 ? "give one of them a plane, or both a sphere"
                                                  : "give one of them a circle, ring, line, segment or box",
                          "these shapes have no surface that the other could touch");
}

static bool same_side(const slip_yaml *p, const slip_yaml *q)
{
    return p->kind == SLIP_YAML_SCALAR && q->kind == SLIP_YAML_SCALAR && strcmp(p->text, q->text) == 0;
}

static int declare_pairs(slip_reader *r, slip_yaml *node, const slip_yaml *between, const side *a,
                         const side *b, int index)
{
    bool one_group = same_side(between->first, between->first->next);
    int pairs = 0;
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = one_group ? i + 1 : 0; j < b->count; j++)
            pairs += is_possible(r, &a->items[i], &b->items[j]);
    if (pairs == 0 && a->count && b->count) say_impossible(r, between, a, b);
    slip_contact_namer namer = { .r = r, .node = node, .pairs = pairs };
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = one_group ? i + 1 : 0; j < b->count && !slip_reader_stopped(r); j++)
            if (is_possible(r, &a->items[i], &b->items[j]))
                index = declare_pair(&namer, &a->items[i], &b->items[j], index);
    return index;
}

int slip_declare_shape_contacts(slip_reader *r, slip_yaml *node, int index)
{
    slip_yaml *between = slip_reader_value(node, "between"), *gap = slip_yaml_find(node, "gap");
    if (!between || node->bad) return index;
    if (gap) {
        slip_reader_error(r, gap->key->where, NULL,
                          "contact '%.80s' is between shapes, so its gap is known; leave out 'gap'",
                          node->key->text);
        return index;
    }
    if (!slip_check_contact_name(r, node->key)) return index;
    side a = { 0 }, b = { 0 };
    bool good = read_side(r, between->first, &a), other = read_side(r, between->first->next, &b);
    if (good && other) index = declare_pairs(r, node, between, &a, &b, index);
    if (!good || !other) slip_declare_failed(r, node);
    free(a.items);
    free(b.items);
    return index;
}
