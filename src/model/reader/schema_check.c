/// model/reader/schema_check.c: unknown keys, wrong types and missing keys of a tree.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "model/reader/schema.h"

enum { MAX_SIBLINGS = 64 };

#define EXPECTED(name, word, expected) expected,
static const char *const type_expected[] = { SLIP_KEY_TYPES(EXPECTED) };

static void list_keys(const slip_schema *s, const char *parent, char *buffer, size_t size)
{
    const char *names[MAX_SIBLINGS];
    int count = slip_schema_names(s, parent, names, MAX_SIBLINGS);
    size_t at = 0;
    buffer[0] = '\0';
    for (int k = 0; k < count && at < size; k++)
        at += (size_t)snprintf(buffer + at, size - at, "%s%s",
                               k == 0          ? ""
                               : k + 1 < count ? ", "
                                               : " and ",
                               names[k]);
}

// what a node is called in messages: "contacts.floor", "the file"
typedef struct place {
    const char *parent; // path in the table
    char name[160];     // path in the file
} place;

// the map beside a key in which it has a place: stiffness, in compliance; NULL when there is none
static const slip_key *map_with_key(const slip_schema *s, const char *parent, const char *name)
{
    for (int k = 0; k < s->count; k++) {
        const slip_key *map = &s->keys[k];
        if (strcmp(map->parent, parent) != 0 || strcmp(map->key, "*") == 0) continue;
        const slip_key *inner = slip_schema_child(s, map->info.path, name);
        if (inner && strcmp(inner->key, name) == 0) return map;
    }
    return NULL;
}

static void say_unknown(const slip_schema *s, const slip_yaml *node, const place *in, slip_diagnostics *notes)
{
    const char *names[MAX_SIBLINGS];
    int count = slip_schema_names(s, in->parent, names, MAX_SIBLINGS);
    char hint[600], list[500];
    slip_suggest_name(node->key->text, names, count, hint, (int)sizeof hint);
    list_keys(s, in->parent, list, sizeof list);
    const slip_key *map = map_with_key(s, in->parent, node->key->text);
    if (map)
        snprintf(hint, sizeof hint, "it stands in '%s': %s: {%.80s: ...}", map->key, map->key,
                 node->key->text);
    if (strcmp(node->key->text, "<<") == 0)
        snprintf(hint, sizeof hint, "merge keys are not used in model files");
    else if (!hint[0])
        snprintf(hint, sizeof hint, "the keys here are %s", list);
    slip_diagnose(notes, SLIP_ERROR, node->key->where, hint, "unknown key '%.80s'%s%s", node->key->text,
                  in->name[0] ? " in " : "", in->name);
}

// {g: 9,81} is g: 9 and a key 81 without a value
static bool is_decimal_comma(const slip_yaml *node)
{
    const char *key = node->key->text;
    return slip_yaml_is_empty(node) && node->key->plain && key[0] >= '0' && key[0] <= '9';
}

static void say_wrong_type(const slip_schema *s, const slip_yaml *node, const slip_key *key, const char *name,
                           slip_diagnostics *notes)
{
    char expected[600], list[500], got[40];
    snprintf(got, sizeof got, "%s", slip_yaml_describe(node));
    if (node->kind == SLIP_YAML_LIST) snprintf(got, sizeof got, "a list of %d", node->count);
    snprintf(expected, sizeof expected, "%s", type_expected[key->type]);
    list_keys(s, key->info.path, list, sizeof list);
    if (key->type == SLIP_KEY_MAP && list[0])
        snprintf(expected, sizeof expected, "a map with the keys %s", list);
    slip_span where = slip_yaml_is_empty(node) ? node->key->where : node->where;
    if (is_decimal_comma(node))
        slip_diagnose(notes, SLIP_ERROR, where, "write numbers with a decimal point: 9.81",
                      "a comma separates values, so '%.40s' is a key without a value", node->key->text);
    else
        slip_diagnose(notes, SLIP_ERROR, where, NULL, "'%s': expected %s, got %s", name, expected, got);
}

static bool is_list_of_scalars(const slip_yaml *list)
{
    for (const slip_yaml *item = list->first; item; item = item->next)
        if (item->kind != SLIP_YAML_SCALAR || slip_yaml_is_empty(item)) return false;
    return true;
}

static bool is_list_of(const slip_yaml *node, int low, int high)
{
    return node->kind == SLIP_YAML_LIST && node->count >= low && node->count <= high &&
           is_list_of_scalars(node);
}

static bool is_list_of_places(const slip_yaml *node)
{
    if (node->kind != SLIP_YAML_LIST || node->count == 0) return false;
    for (const slip_yaml *item = node->first; item; item = item->next)
        if (!is_list_of(item, 2, 3)) return false;
    return true;
}

static bool has_type(const slip_yaml *node, slip_key_type type)
{
    bool value = node->kind == SLIP_YAML_SCALAR && !slip_yaml_is_empty(node);
    switch (type) {
    case SLIP_KEY_MAP:
    case SLIP_KEY_NAMES:
        return node->kind == SLIP_YAML_MAP;
    case SLIP_KEY_FILES: // gone when a tree is checked, unless it came by --set
        return false;
    case SLIP_KEY_BLOCKS: // gone when a tree is checked
        return node->kind != SLIP_YAML_SCALAR;
    case SLIP_KEY_NUMBERS:
        return node->kind == SLIP_YAML_LIST && node->count > 0 && is_list_of_scalars(node);
    case SLIP_KEY_GRID:
        return node->kind == SLIP_YAML_LIST && node->count > 0;
    case SLIP_KEY_START:
        return node->kind == SLIP_YAML_MAP || (value && strcmp(node->text, "at rest") == 0);
    case SLIP_KEY_LAW:
    case SLIP_KEY_INPUT:
    case SLIP_KEY_COORDINATE:
        return value || node->kind == SLIP_YAML_MAP;
    case SLIP_KEY_SLIP:
        return value || (node->kind == SLIP_YAML_LIST && node->count == 2 && is_list_of_scalars(node));
    case SLIP_KEY_PLACE:
    case SLIP_KEY_SIZES:
        return is_list_of(node, 2, 3);
    case SLIP_KEY_PLACES:
        return is_list_of_places(node);
    case SLIP_KEY_TRIPLE:
    case SLIP_KEY_DISC:
        return is_list_of(node, 3, 3);
    case SLIP_KEY_VECTOR:
    case SLIP_KEY_EDGES:
        return value || is_list_of(node, 2, 3);
    case SLIP_KEY_DIRECTION:
        return value || is_list_of(node, 3, 3);
    case SLIP_KEY_ATTITUDE:
        return is_list_of(node, 4, 4);
    case SLIP_KEY_TURN:
        return node->kind == SLIP_YAML_MAP || is_list_of(node, 4, 4);
    case SLIP_KEY_INERTIA:
        return value || is_list_of(node, 3, 3) || is_list_of(node, 6, 6);
    case SLIP_KEY_DIRECTIONS:
        return is_list_of(node, 2, 3) || (is_list_of_places(node) && node->count == 2);
    case SLIP_KEY_REFERENCE:
        return value || (node->kind == SLIP_YAML_LIST && node->count > 0 && is_list_of_scalars(node));
    case SLIP_KEY_SIDES:
        if (node->kind != SLIP_YAML_LIST || node->count != 2) return false;
        for (const slip_yaml *item = node->first; item; item = item->next)
            if (item->kind == SLIP_YAML_LIST ? !item->count || !is_list_of_scalars(item)
                                             : item->kind == SLIP_YAML_MAP || slip_yaml_is_empty(item))
                return false;
        return true;
    case SLIP_KEY_MASS:
        if (node->kind == SLIP_YAML_MAP) return true;
        if (node->kind != SLIP_YAML_LIST) return false;
        for (const slip_yaml *row = node->first; row; row = row->next)
            if (row->kind != SLIP_YAML_LIST || !is_list_of_scalars(row)) return false;
        return true;
    case SLIP_KEY_VERSION:
    case SLIP_KEY_TEXT:
    case SLIP_KEY_CONSTANT:
    case SLIP_KEY_FORMULA:
        return value;
    case SLIP_KEY_TYPE_COUNT:
        break;
    }
    assert(false && "not a type of key");
    return false;
}

bool slip_schema_misspelt(const slip_schema *s, const slip_yaml *map, const char *parent, const char *key)
{
    if (!map || map->kind != SLIP_YAML_MAP) return false;
    char hint[120];
    for (const slip_yaml *child = map->first; child; child = child->next)
        if (child->bad && !slip_schema_child(s, parent, child->key->text) &&
            slip_suggest_name(child->key->text, &key, 1, hint, (int)sizeof hint)[0])
            return true;
    return false;
}

static void find_missing(const slip_schema *s, const slip_yaml *map, const place *in, slip_diagnostics *notes)
{
    for (int k = 0; k < s->count; k++) {
        const slip_key *key = &s->keys[k];
        if (!key->required || strcmp(key->parent, in->parent) != 0) continue;
        if (slip_yaml_find(map, key->key) || slip_schema_misspelt(s, map, in->parent, key->key)) continue;
        char hint[300];
        snprintf(hint, sizeof hint, "%s: %s", key->key, key->info.meaning);
        slip_span where = map->key ? map->key->where : (slip_span){ map->where.source, 0, 1 };
        slip_diagnose(notes, SLIP_ERROR, where, hint, "%s%s '%s'", in->name[0] ? in->name : "the model",
                      in->name[0] ? " needs" : " has no", key->key);
    }
}

static void check_map(const slip_schema *s, slip_yaml *map, const place *in, slip_diagnostics *notes);

// lists of a model are two deep at the most; deeper ones are of a wrong type
static void set_entry(slip_yaml *node, const slip_key *key)
{
    node->entry = key;
    if (node->kind != SLIP_YAML_LIST) return;
    for (slip_yaml *item = node->first; item; item = item->next) {
        item->entry = key;
        for (slip_yaml *inner = item->kind == SLIP_YAML_LIST ? item->first : NULL; inner; inner = inner->next)
            inner->entry = key;
    }
}

static void check_value(const slip_schema *s, slip_yaml *node, const slip_key *key, const place *in,
                        slip_diagnostics *notes)
{
    place inner = { .parent = key->info.path };
    snprintf(inner.name, sizeof inner.name, "%.70s%s%.70s", in->name, in->name[0] ? "." : "",
             node->key->text);
    if (has_type(node, key->type)) {
        set_entry(node, key);
        if (node->kind == SLIP_YAML_MAP) check_map(s, node, &inner, notes);
        return;
    }
    node->bad = true;
    // where names of the user's stand beside fixed keys, a misspelt key is likelier than a wrong value
    const char *names[MAX_SIBLINGS];
    int count = slip_schema_names(s, in->parent, names, MAX_SIBLINGS);
    char hint[120];
    if (strcmp(key->key, "*") == 0 &&
        slip_suggest_name(node->key->text, names, count, hint, (int)sizeof hint)[0])
        say_unknown(s, node, in, notes);
    else
        say_wrong_type(s, node, key, inner.name, notes);
}

// the recursion is as deep as the table, not as the file
static void check_map(const slip_schema *s, slip_yaml *map, const place *in, slip_diagnostics *notes)
{
    for (slip_yaml *child = map->first; child; child = child->next) {
        if (child->bad) continue;
        const slip_key *key = slip_schema_child(s, in->parent, child->key->text);
        if (key) {
            check_value(s, child, key, in, notes);
        } else {
            child->bad = true;
            say_unknown(s, child, in, notes);
        }
        if (slip_diagnostics_error_count(notes) > SLIP_MAX_DIAGNOSTICS) return;
    }
    find_missing(s, map, in, notes);
}

void slip_schema_check(const slip_schema *s, slip_yaml *root, slip_diagnostics *notes)
{
    place top = { .parent = "" };
    check_map(s, root, &top, notes);
}
