/// model/reader/renamed_keys.c: keys under their former names, the RENAMED lines of schema.def.
///
/// A tree is given the present names as soon as it is read, so that nothing after this knows the former ones;
/// the first use of each is noted, and no more, since a model may have thousands.
#include <stdio.h>
#include <string.h>

#include "model/reader/reader.h"

#define KEY(parent, key, type, range, unit, front, fallback, meaning)
#define MUST(parent, key, type, range, unit, front, meaning)
#define PARTS(kind, parent, front)
#define RENAMED(parent, old, key) { parent, old, key },
static const struct {
    const char *parent, *old, *key;
} renamed[] = {
#include "model/reader/schema.def"
};
enum { RENAMED_COUNT = sizeof renamed / sizeof renamed[0] };

// said when a model is read, not for each variation of it
static void note_once(slip_reader *r, int k, slip_span where, const char *old, const char *now)
{
    if (!r->before && !(r->old_names >> k & 1u))
        slip_reader_note(
            r, where, "'%.80s' is now called '%.80s'; the old name is still read in this version", old, now);
    r->old_names |= 1u << k;
}

static void rename_key(slip_reader *r, int k, slip_yaml *key)
{
    note_once(r, k, key->where, renamed[k].old, renamed[k].key);
    key->text = renamed[k].key;
    key->length = (uint32_t)strlen(renamed[k].key);
    key->map = NULL;
    key->renamed = true;
}

// the key of a map that is written with its former name, unless the present one is there too
static void rename_child(slip_reader *r, int k, const slip_yaml *map)
{
    slip_yaml *old = slip_yaml_find(map, renamed[k].old);
    if (!old || old->bad) return;
    if (!slip_yaml_find(map, renamed[k].key)) {
        rename_key(r, k, old->key);
        return;
    }
    old->bad = true;
    slip_reader_error(r, old->key->where, "leave out the old one",
                      "'%s' is the former name of '%s', which is here too", renamed[k].old, renamed[k].key);
}

// `path` leads from the map to those that have the key, "contacts.*"; the recursion is as deep as the path
static void rename_below(slip_reader *r, int k, slip_yaml *map, const char *path)
{
    if (map->kind != SLIP_YAML_MAP) return;
    if (!path[0]) {
        rename_child(r, k, map);
        return;
    }
    const size_t length = strcspn(path, "."), rest = length + (path[length] == '.');
    const bool any = path[0] == '*';
    for (slip_yaml *child = map->first; child; child = child->next)
        if (any || (child->key->length == length && memcmp(child->key->text, path, length) == 0))
            rename_below(r, k, child, path + rest);
}

// what is left of `path` below `above`; NULL when it does not lead there
static const char *path_below(const char *path, const char *above)
{
    const size_t length = strlen(above);
    if (!length) return path;
    if (strncmp(path, above, length) != 0 || (path[length] && path[length] != '.')) return NULL;
    return path + length + (path[length] == '.');
}

void slip_rename_old_keys(slip_reader *r, slip_yaml *node, const char *path)
{
    for (int k = 0; k < RENAMED_COUNT; k++) {
        const char *below = path_below(renamed[k].parent, path);
        if (below) rename_below(r, k, node, below);
    }
    slip_yaml *repeat =
        path[0] ? NULL : slip_yaml_find(node, "repeat"); // blocks hold sections, as a file does
    if (repeat && repeat->kind == SLIP_YAML_LIST)
        for (slip_yaml *block = repeat->first; block; block = block->next)
            for (int k = 0; k < RENAMED_COUNT; k++) rename_below(r, k, block, renamed[k].parent);
    else if (repeat)
        for (int k = 0; k < RENAMED_COUNT; k++) rename_below(r, k, repeat, renamed[k].parent);
}

static int find_renamed(const char *parent, const char *name)
{
    for (int k = 0; k < RENAMED_COUNT; k++)
        if (strcmp(renamed[k].parent, parent) == 0 && strcmp(renamed[k].old, name) == 0) return k;
    return -1;
}

void slip_rename_old_key(slip_reader *r, const char *parent, slip_yaml *key)
{
    const int k = find_renamed(parent, key->text);
    if (k >= 0) rename_key(r, k, key);
}

bool slip_is_old_key(const char *parent, const char *name)
{
    return find_renamed(parent, name) >= 0;
}

const char *slip_written_key(const slip_yaml *key)
{
    for (int k = 0; k < RENAMED_COUNT && key->renamed; k++)
        if (strcmp(renamed[k].key, key->text) == 0) return renamed[k].old;
    return key->text;
}

slip_symbol *slip_lookup_renamed(slip_reader *r, const char *name, size_t length)
{
    for (int k = 0; k < RENAMED_COUNT; k++) {
        const size_t old = strlen(renamed[k].old), stem = length > old ? length - old : 0;
        if (!stem || name[stem - 1] != '_' || memcmp(name + stem, renamed[k].old, old) != 0) continue;
        char now[240];
        const int size = snprintf(now, sizeof now, "%.*s%s", (int)stem, name, renamed[k].key);
        slip_symbol *s = (size_t)size < sizeof now ? slip_lookup(r, now, (size_t)size) : NULL;
        if (!s || s->kind != SLIP_SYMBOL_FRICTION) continue;
        char typed[240];
        snprintf(typed, sizeof typed, "%.*s", (int)length, name);
        note_once(r, k, s->node->key->where, typed, now);
        return s;
    }
    return NULL;
}
