/// model/schema.c: unknown keys, wrong types and missing keys, from one table.
#include "model/schema.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

#define EXPECTED(name, word, expected) expected,
static const char *const type_expected[] = { SLIP_KEY_TYPES(EXPECTED) };

static const struct {
    double low, high;
    int open;
    const char *text;
} ranges[] = {
#define ROW(name, low, high, open, text) { low, high, open, text },
    SLIP_KEY_RANGES(ROW)
};

// the words once more as objects that a constant table can point to
#define TYPE_WORD(name, word, expected) static const char type_word_##name[] = word;
SLIP_KEY_TYPES(TYPE_WORD)
#define RANGE_WORD(name, low, high, open, text) static const char range_word_##name[] = text;
SLIP_KEY_RANGES(RANGE_WORD)

// the path is parent.key without the dot that a parent of "" leaves
#define ENTRY(parent, key, type, range, front, fallback, meaning, required)                                  \
    { { &(parent "." key)[sizeof(parent) == 1], type_word_##type, range_word_##range, fallback, meaning },   \
      parent,                                                                                                \
      key,                                                                                                   \
      SLIP_KEY_##type,                                                                                       \
      SLIP_RANGE_##range,                                                                                    \
      SLIP_FRONT_##front,                                                                                    \
      required },
#define KEY(parent, key, type, range, front, fallback, meaning)                                              \
    ENTRY(parent, key, type, range, front, fallback, meaning, false)
#define MUST(parent, key, type, range, front, meaning)                                                       \
    ENTRY(parent, key, type, range, front, "required", meaning, true)
static const slip_key keys[] = {
#include "model/schema.def"
};

enum { KEY_COUNT = sizeof keys / sizeof keys[0], MOST_SIBLINGS = 32 };

const slip_key *slip_schema_key(int k)
{
    return k >= 0 && k < KEY_COUNT ? &keys[k] : NULL;
}

const slip_key_info *slip_model_key(int k)
{
    return k >= 0 && k < KEY_COUNT ? &keys[k].info : NULL;
}

const slip_key *slip_schema_child(const char *parent, const char *name)
{
    const slip_key *any = NULL;
    for (int k = 0; k < KEY_COUNT; k++) {
        if (strcmp(keys[k].parent, parent) != 0) continue;
        if (strcmp(keys[k].key, name) == 0) return &keys[k];
        if (strcmp(keys[k].key, "*") == 0) any = &keys[k];
    }
    return any;
}

bool slip_range_holds(slip_key_range range, double value)
{
    if (!(value >= ranges[range].low && value <= ranges[range].high)) return false;
    return !ranges[range].open || value > ranges[range].low;
}

const char *slip_range_text(slip_key_range range)
{
    return ranges[range].text;
}

// the fixed keys of a map, for suggestions
static int fixed_keys(const char *parent, const char **names)
{
    int count = 0;
    for (int k = 0; k < KEY_COUNT && count < MOST_SIBLINGS; k++)
        if (strcmp(keys[k].parent, parent) == 0 && strcmp(keys[k].key, "*") != 0)
            names[count++] = keys[k].key;
    return count;
}

static void list_keys(const char *parent, char *buffer, size_t size)
{
    const char *names[MOST_SIBLINGS];
    int count = fixed_keys(parent, names);
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

static void say_unknown(const slip_yaml *node, const place *in, slip_diagnostics *notes)
{
    const char *names[MOST_SIBLINGS];
    int count = fixed_keys(in->parent, names);
    char hint[400], list[300];
    slip_nearest_name(node->key->text, names, count, hint, (int)sizeof hint);
    list_keys(in->parent, list, sizeof list);
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

static void say_wrong_type(const slip_yaml *node, const slip_key *key, const char *name,
                           slip_diagnostics *notes)
{
    char expected[400], list[300], got[40];
    snprintf(got, sizeof got, "%s", slip_yaml_describe(node));
    if (node->kind == SLIP_YAML_LIST) snprintf(got, sizeof got, "a list of %d", node->count);
    snprintf(expected, sizeof expected, "%s", type_expected[key->type]);
    list_keys(key->info.path, list, sizeof list);
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
    default:
        return value;
    }
}

bool slip_schema_misspelt(const slip_yaml *map, const char *parent, const char *key)
{
    if (!map || map->kind != SLIP_YAML_MAP) return false;
    char hint[120];
    for (const slip_yaml *child = map->first; child; child = child->next)
        if (child->bad && !slip_schema_child(parent, child->key->text) &&
            slip_nearest_name(child->key->text, &key, 1, hint, (int)sizeof hint)[0])
            return true;
    return false;
}

static void find_missing(const slip_yaml *map, const place *in, slip_diagnostics *notes)
{
    for (int k = 0; k < KEY_COUNT; k++) {
        const slip_key *key = &keys[k];
        if (!key->required || strcmp(key->parent, in->parent) != 0) continue;
        if (slip_yaml_find(map, key->key) || slip_schema_misspelt(map, in->parent, key->key)) continue;
        char hint[300];
        snprintf(hint, sizeof hint, "%s: %s", key->key, key->info.meaning);
        slip_span where = map->key ? map->key->where : (slip_span){ map->where.source, 0, 1 };
        slip_diagnose(notes, SLIP_ERROR, where, hint, "%s%s '%s'", in->name[0] ? in->name : "the model",
                      in->name[0] ? " needs" : " has no", key->key);
    }
}

static void check_map(slip_yaml *map, const place *in, slip_diagnostics *notes);

static void check_value(slip_yaml *node, const slip_key *key, const place *in, slip_diagnostics *notes)
{
    place inner = { .parent = key->info.path };
    snprintf(inner.name, sizeof inner.name, "%.70s%s%.70s", in->name, in->name[0] ? "." : "",
             node->key->text);
    if (has_type(node, key->type)) {
        if (node->kind == SLIP_YAML_MAP) check_map(node, &inner, notes);
        return;
    }
    node->bad = true;
    // where names of the user's stand beside fixed keys, a misspelt key is likelier than a wrong value
    const char *names[MOST_SIBLINGS];
    int count = fixed_keys(in->parent, names);
    char hint[120];
    if (strcmp(key->key, "*") == 0 &&
        slip_nearest_name(node->key->text, names, count, hint, (int)sizeof hint)[0])
        say_unknown(node, in, notes);
    else
        say_wrong_type(node, key, inner.name, notes);
}

// the recursion is as deep as the table, not as the file
static void check_map(slip_yaml *map, const place *in, slip_diagnostics *notes)
{
    for (slip_yaml *child = map->first; child; child = child->next) {
        if (child->bad) continue;
        const slip_key *key = slip_schema_child(in->parent, child->key->text);
        if (key) {
            check_value(child, key, in, notes);
        } else {
            child->bad = true;
            say_unknown(child, in, notes);
        }
        if (slip_diagnostics_error_count(notes) > SLIP_MOST_DIAGNOSTICS) return;
    }
    find_missing(map, in, notes);
}

void slip_schema_check(slip_yaml *root, slip_diagnostics *notes)
{
    place top = { .parent = "" };
    check_map(root, &top, notes);
}
