/// model/bodies/values.c: constants, places and choices between keys.
#include <stdio.h>
#include <string.h>

#include "model/bodies/bodies.h"

slip_ref slip_read_length(slip_reader *r, slip_yaml *map, const char *parent, const char *key, const char *of,
                          double fallback)
{
    slip_yaml *node = slip_yaml_find(map, key);
    if (!node) return slip_node_number(r, fallback);
    char what[200];
    snprintf(what, sizeof what, "the %s of %.150s", key, of);
    slip_wanted wanted = { .what = what, .count = 1, .range = slip_schema_child(parent, key)->range };
    slip_value value;
    return slip_read_formula(r, node, &wanted, &value, NULL) ? value.part[0] : SLIP_NONE;
}

bool slip_read_place(slip_reader *r, slip_yaml *list, const char *what, slip_vec *out)
{
    slip_wanted wanted = { .what = what, .count = 1 };
    slip_value value;
    *out = (slip_vec){ SLIP_NONE, SLIP_NONE };
    if (!list || list->bad) return false;
    bool outer = r->bodies->in_place;
    r->bodies->in_place = true; // a point of points could be one of itself
    if (slip_read_formula(r, list->first, &wanted, &value, NULL)) out->x = value.part[0];
    if (slip_read_formula(r, list->first->next, &wanted, &value, NULL)) out->y = value.part[0];
    r->bodies->in_place = outer;
    return out->x != SLIP_NONE && out->y != SLIP_NONE;
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
