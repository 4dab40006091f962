/// model/bodies/body_values.c: constants, places and choices between keys.
#include <stdio.h>
#include <string.h>

#include "model/bodies/rigid_bodies.h"

slip_ref slip_read_length(slip_reader *r, slip_yaml *map, const char *parent, const char *key, const char *of,
                          double fallback)
{
    slip_yaml *node = slip_yaml_find(map, key);
    if (!node) return slip_node_number(r, fallback);
    char what[200];
    snprintf(what, sizeof what, "the %s of %.150s", key, of);
    slip_formula_spec wanted = { .what = what,
                                 .count = 1,
                                 .range = slip_schema_child(&r->schema, parent, key)->range };
    slip_value value;
    return slip_read_formula(r, node, &wanted, &value, NULL) ? value.part[0] : SLIP_NONE;
}

// so many components as there are dimensions; anything else is a mistake
static bool has_dimensions(slip_reader *r, slip_yaml *list, const char *what)
{
    int count = slip_dimensions(r);
    if (list->count == count) return true;
    slip_reader_error(r, list->where, count == 2 ? "space: 3 is for bodies in space" : NULL,
                      "%s is a list of %s, got a list of %d", what,
                      count == 2 ? "two: x and y" : "three: x, y and z", list->count);
    list->bad = true;
    return false;
}

bool slip_read_place(slip_reader *r, slip_yaml *list, const char *what, slip_vec *out)
{
    slip_formula_spec wanted = { .what = what, .count = 1 };
    slip_value value;
    *out = slip_vec_none();
    if (!list || list->bad || !has_dimensions(r, list, what)) return false;
    bool outer = r->bodies->in_place;
    slip_yaml *y = list->first->next;
    r->bodies->in_place = true; // a point of points could be one of itself
    if (slip_read_formula(r, list->first, &wanted, &value, NULL)) out->x = value.part[0];
    if (slip_read_formula(r, y, &wanted, &value, NULL)) out->y = value.part[0];
    if (y->next && slip_read_formula(r, y->next, &wanted, &value, NULL)) out->z = value.part[0];
    r->bodies->in_place = outer;
    return slip_vec_is_complete(r, *out);
}

void slip_check_direction(slip_reader *r, slip_yaml *node)
{
    bool list = node->kind == SLIP_YAML_LIST, space = slip_dimensions(r) == 3;
    if (node->bad || list == space) return;
    slip_reader_error(r, node->where, space ? "along: [1, 0, 0]" : "along: 30 deg",
                      space ? "in space a direction is a list of three"
                            : "in the plane a direction is an angle");
    node->bad = true;
}

slip_yaml *slip_choose_key(slip_reader *r, slip_yaml *map, const char *const *keys, int count, const char *of)
{
    slip_yaml *chosen = NULL;
    char list[200] = "";
    size_t at = 0;
    for (int k = 0; k < count; k++) {
        slip_yaml *node = slip_yaml_find(map, keys[k]);
        if (at < sizeof list)
            at += (size_t)snprintf(list + at, sizeof list - at, "%s%s",
                                   k == 0          ? ""
                                   : k + 1 < count ? ", "
                                                   : " or ",
                                   keys[k]);
        if (node && chosen) {
            slip_reader_error(r, node->key->where, NULL, "%s has both '%s' and '%s'; give one of them", of,
                              chosen->key->text, keys[k]);
            return NULL;
        }
        if (node) chosen = node;
    }
    if (chosen) return chosen->bad ? NULL : chosen;
    for (const slip_yaml *child = map->first; child; child = child->next)
        if (child->bad) return NULL; // most likely the one that is missed
    slip_reader_error(r, map->key ? map->key->where : map->where, NULL, "%s needs %s", of, list);
    return NULL;
}

int slip_list_items(slip_yaml *node, slip_yaml **items, int most)
{
    if (node->kind == SLIP_YAML_SCALAR) {
        items[0] = node;
        return 1;
    }
    int count = 0;
    for (slip_yaml *item = node->first; item && count < most; item = item->next) items[count++] = item;
    return count;
}
