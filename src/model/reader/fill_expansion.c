/// model/reader/fill_expansion.c: `fill:`, bodies that are packed into a region. Done to the tree before it is checked:
///
///     fill:
///       ball: {count: 100, region: [[0, 0, 0], [1, 1, 1]], mass: 1, shape: {sphere: 0.02}}
///
/// becomes bodies ball1 to ball100 without places. What says where they are stays, for bodies/fill.c.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/reader/index_expansion.h"

static bool is_of_fill(const slip_yaml *child)
{
    static const char *const keys[] = { "count", "region", "seed" };
    for (int k = 0; k < 3; k++)
        if (strcmp(child->key->text, keys[k]) == 0) return true;
    return false;
}

static slip_yaml *new_map(slip_reader *r, slip_span where)
{
    slip_yaml *made = SLIP_POOL_NEW(r->scratch, slip_yaml, 1);
    if (!made) slip_reader_no_memory(r);
    if (made) *made = (slip_yaml){ .kind = SLIP_YAML_MAP, .where = where };
    return made;
}

// `bodies`, which is made where there is none
static slip_yaml *bodies_of(slip_reader *r, const slip_yaml *fill)
{
    static const char name[] = "bodies";
    slip_yaml *there = slip_yaml_find(r->root, name);
    if (there) return there->kind == SLIP_YAML_MAP && !there->bad ? there : NULL;
    slip_yaml *made = new_map(r, fill->where), *key = SLIP_POOL_NEW(r->scratch, slip_yaml, 1);
    if (!key) slip_reader_no_memory(r);
    if (!made || !key) return NULL;
    *key = *fill->key;
    key->text = name;
    key->length = sizeof name - 1;
    key->next = NULL;
    slip_yaml_append(r->root, key, made);
    return made;
}

void slip_name_filled(const slip_yaml *fill, long number, char *name, size_t size)
{
    const char *text = fill->key->text;
    const size_t length = fill->key->length;
    const bool digit = length && isdigit((unsigned char)text[length - 1]);
    snprintf(name, size, "%.120s%s%ld", text, digit ? "_" : "", number);
}

static slip_yaml *filled_name(slip_indices *ix, const slip_yaml *fill)
{
    char name[SLIP_FILLED_NAME];
    slip_expansion e = { .ix = ix, .from = fill->key };
    slip_name_filled(fill, ix->list[0].value, name, sizeof name);
    slip_expansion_put(&e, name, 0, fill->key->length);
    return slip_expansion_take(&e);
}

static bool read_count(slip_indices *ix, const slip_yaml *fill, long *count)
{
    const slip_yaml *node = slip_yaml_find(fill, "count");
    if (!node || node->kind != SLIP_YAML_SCALAR) {
        slip_reader_error(ix->r, node ? node->where : fill->key->where, "count: 100",
                          "'%.80s' says how many bodies it has, a whole number", fill->key->text);
        return false;
    }
    if (!slip_indices_number(ix, node, 0, node->length, false, count)) return false;
    if (*count < 1)
        slip_reader_error(ix->r, node->where, "count: 100", "there has to be one body at least, got %ld",
                          *count);
    return *count >= 1;
}

// the keys that bodies have go from the fill to a map of their own, of which each body is a copy
static slip_yaml *take_template(slip_reader *r, slip_yaml *fill)
{
    slip_yaml *body = new_map(r, fill->where), *child = fill->first;
    if (!body) return NULL;
    fill->first = fill->last = NULL;
    fill->count = 0;
    for (slip_yaml *next; child; child = next) {
        next = child->next;
        slip_yaml_append(is_of_fill(child) ? fill : body, child->key, child);
    }
    return body;
}

static void write_out(slip_reader *r, slip_yaml *fill, slip_yaml *bodies)
{
    slip_indices ix = { .r = r, .example = "count: 100" };
    static const slip_yaml index = { .text = "i", .length = 1 };
    long count;
    if (!read_count(&ix, fill, &count) || !slip_indices_push(&ix, &index, 0, 1)) return;
    const slip_yaml *body = take_template(r, fill);
    for (long k = 1; body && k <= count; k++) {
        ix.list[0].value = k;
        slip_yaml *key = filled_name(&ix, fill), *made = slip_indices_copy(&ix, body, fill->key->where);
        if (!key || !made) return;
        slip_yaml_append(bodies, key, made);
    }
}

bool slip_expand_fills(slip_reader *r)
{
    const int before = slip_diagnostics_error_count(r->notes);
    slip_yaml *fills = slip_yaml_find(r->root, "fill");
    if (!fills || fills->kind != SLIP_YAML_MAP || fills->bad)
        return false; // what else it is, the schema says
    slip_yaml *bodies = bodies_of(r, fills);
    for (slip_yaml *fill = bodies ? fills->first : NULL; fill && !slip_reader_stopped(r); fill = fill->next)
        if (fill->kind == SLIP_YAML_MAP && !fill->bad) write_out(r, fill, bodies);
    return slip_diagnostics_error_count(r->notes) == before;
}
