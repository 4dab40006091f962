/// model/bodies/unused_shapes.c: what is written and used by nothing is checked all the same, and said.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/bodies/shapes.h"

static int by_address(const void *a, const void *b)
{
    const slip_yaml *p = *(const slip_yaml *const *)a, *q = *(const slip_yaml *const *)b;
    return p < q ? -1 : p > q;
}

static bool is_touching(const slip_bodies *b, const slip_yaml *shape)
{
    return b->touching_count &&
           bsearch(&shape, b->touching, b->touching_count, sizeof *b->touching, by_address);
}

static void check_shape(slip_reader *r, slip_body *body, const char *name, slip_yaml *node)
{
    if (node->bad || is_touching(r->bodies, node)) return;
    slip_shape shape = slip_read_shape(r, body, name, node);
    if (shape.good)
        slip_reader_warning(r, node->key->where, NULL,
                            "%s%.60s%s of body '%.60s' touches nothing: no contact names it",
                            name ? "shape '" : "the shape", name ? name : "", name ? "'" : "", body->name);
}

static void check_body(slip_reader *r, slip_body *body)
{
    slip_yaml *points = slip_reader_map(body->node, "points"),
              *shapes = slip_reader_map(body->node, "shapes");
    slip_yaml *shape = slip_reader_value(body->node, "shape");
    slip_vec ignored;
    for (slip_yaml *node = points ? points->first : NULL; node && !slip_reader_stopped(r); node = node->next)
        if (!node->bad) slip_local_point(r, body, node->key->text, &ignored);
    if (shape) check_shape(r, body, NULL, shape);
    for (slip_yaml *node = shapes ? shapes->first : NULL; node && !slip_reader_stopped(r); node = node->next)
        check_shape(r, body, node->key->text, node);
}

static void check_group(slip_reader *r, slip_yaml *group)
{
    slip_body *body = slip_known_body(r, group->key->text, group->key->length);
    if (body)
        slip_reader_error(r, group->key->where, "choose another name",
                          "'%.80s' is already the name of a body", group->key->text);
    slip_yaml *item = group->kind == SLIP_YAML_LIST ? group->first : group;
    for (; item; item = group->kind == SLIP_YAML_LIST ? item->next : NULL)
        if (!strchr(item->text, '*')) slip_find_body(r, item->where, item->text, strcspn(item->text, "."));
}

void slip_check_unused(slip_reader *r)
{
    slip_bodies *b = r->bodies;
    slip_yaml *groups = slip_reader_map(r->root, "groups");
    if (b->touching_count) qsort(b->touching, b->touching_count, sizeof *b->touching, by_address);
    for (slip_yaml *node = groups ? groups->first : NULL; node && !slip_reader_stopped(r); node = node->next)
        if (!node->bad) check_group(r, node);
    for (int k = 0; k < b->count && !slip_reader_stopped(r); k++)
        if (b->items[k].stage == SLIP_STAGE_DONE && b->items[k].node) check_body(r, &b->items[k]);
}
