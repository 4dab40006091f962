/// model/reader/include_files.c: `include:`, sections that stand in other files. Done to the tree before anything else.
///
///     include: parts/arm.yaml
///     include: [materials.yaml, ../base.yaml]
///
/// Sections are joined name by name. What the including file gives itself replaces what an included one
/// gives; two included files that give the same are a mistake. A file that is included a second time adds
/// nothing.
#include <stdlib.h>
#include <string.h>

#include "model/reader/input_files.h"
#include "model/reader/reader.h"

enum { MAX_DEPTH = 16 }; // files that include files

/// a file whose sections are being put in, and who included it
typedef struct opened {
    const slip_source *file;
    slip_file_identity identity;
    const struct opened *by;
    slip_span where; // the name of it there
} opened;

static bool is_same_file(slip_file_identity a, slip_file_identity b)
{
    return a.inode == b.inode && a.device == b.device;
}

// whether a file includes itself, at once or by way of others
static bool is_circle(slip_reader *r, const opened *in, const slip_yaml *name, const slip_included *file)
{
    const opened *same = in;
    while (same && !is_same_file(same->identity, file->identity)) same = same->by;
    if (!same) return false;
    slip_reader_error(r, name->where, NULL, "'%.200s' includes itself", name->text);
    for (const opened *k = in; k != same; k = k->by) slip_reader_note(r, k->where, "by way of this file");
    return true;
}

// the file of that name, linked to the model; NULL when there was a mistake
static slip_included *open_file(slip_reader *r, const opened *in, const slip_yaml *name)
{
    slip_included *file = slip_input_file_read(r, in->file, name, SLIP_INPUT_SECTIONS);
    if (!file || is_circle(r, in, name, file)) return NULL;
    for (const slip_included *k = r->model->included; k && !file->again; k = k->next)
        file->again = is_same_file(k->identity, file->identity);
    return slip_input_file_keep(r, name, file) ? file : NULL;
}

// ------------------------------------------------------------------------------------------------ joining

typedef struct index_of_map {
    slip_yaml **sorted;
    int count;
} index_of_map;

static int by_key(const void *left, const void *right)
{
    return strcmp((*(slip_yaml *const *)left)->key->text, (*(slip_yaml *const *)right)->key->text);
}

// sorting keeps sections with very many names from taking quadratic time
static bool make_index(slip_reader *r, const slip_yaml *map, index_of_map *index)
{
    index->count = 0;
    index->sorted = malloc(((size_t)map->count + 1) * sizeof *index->sorted);
    if (!index->sorted) return slip_reader_no_memory(r);
    for (slip_yaml *child = map->first; child; child = child->next) index->sorted[index->count++] = child;
    qsort(index->sorted, (size_t)index->count, sizeof *index->sorted, by_key);
    return true;
}

static slip_yaml *find_key(const index_of_map *index, slip_yaml *child)
{
    slip_yaml **there = bsearch(&child, index->sorted, (size_t)index->count, sizeof child, by_key);
    return there ? *there : NULL;
}

// `repeat` is a list of blocks, or one of them
static void join_blocks(slip_reader *r, slip_yaml *into, slip_yaml *from)
{
    if (into->kind == SLIP_YAML_MAP) {
        slip_yaml *block = SLIP_POOL_NEW(r->scratch, slip_yaml, 1);
        if (!block) slip_reader_no_memory(r);
        if (!block) return;
        *block = *into;
        into->kind = SLIP_YAML_LIST;
        into->first = into->last = NULL;
        into->count = 0;
        slip_yaml_append(into, NULL, block);
    }
    if (from->kind == SLIP_YAML_MAP) slip_yaml_append(into, NULL, from);
    for (slip_yaml *block = from->kind == SLIP_YAML_LIST ? from->first : NULL, *next; block; block = next) {
        next = block->next;
        slip_yaml_append(into, NULL, block);
    }
}

static void join_maps(slip_reader *r, const slip_source *own, slip_yaml *into, slip_yaml *from,
                      bool sections);

// what both give: names of a section side by side, else the including file has the last word
static void settle_duplicate(slip_reader *r, const slip_source *own, slip_yaml *there, slip_yaml *child,
                             bool section)
{
    bool maps = there->kind == SLIP_YAML_MAP && child->kind == SLIP_YAML_MAP;
    bool blocks = section && strcmp(child->key->text, "repeat") == 0 && there->kind != SLIP_YAML_SCALAR &&
                  child->kind != SLIP_YAML_SCALAR;
    if (blocks) {
        join_blocks(r, there, child);
    } else if (section && maps) {
        join_maps(r, own, there, child, false);
    } else if (there->key->where.source != own && !there->bad) {
        slip_reader_error(r, child->key->where, NULL, "'%.80s' is given twice", child->key->text);
        slip_reader_note(r, there->key->where, "the first one is here");
    }
}

static void join_maps(slip_reader *r, const slip_source *own, slip_yaml *into, slip_yaml *from, bool sections)
{
    index_of_map index;
    if (!make_index(r, into, &index)) return;
    for (slip_yaml *child = from->first, *next; child && !slip_reader_stopped(r); child = next) {
        next = child->next;
        slip_yaml *there = find_key(&index, child);
        if (there)
            settle_duplicate(r, own, there, child, sections);
        else
            slip_yaml_append(into, child->key, child);
    }
    free(index.sorted);
}

// ------------------------------------------------------------------------------------------------- trees

static slip_yaml *take_out(slip_yaml *map, const char *key)
{
    slip_yaml *child = map->first;
    while (child && strcmp(child->key->text, key) != 0) child = child->next;
    if (child) slip_yaml_remove(map, child);
    return child;
}

// name and about are those of the file that is read; the version has to be the same
static void take_header(slip_reader *r, slip_yaml *root)
{
    take_out(root, "name");
    take_out(root, "about");
    const slip_yaml *version = take_out(root, "slipstick");
    if (version && (version->kind != SLIP_YAML_SCALAR || strcmp(version->text, "1") != 0))
        slip_reader_error(r, version->where, NULL, "this program reads version 1 of the model language");
}

static void include_all(slip_reader *r, const opened *in, slip_yaml *root, int depth);

static void include_file(slip_reader *r, const opened *in, const slip_yaml *name, slip_yaml *into, int depth)
{
    if (name->kind != SLIP_YAML_SCALAR || name->length == 0) {
        slip_reader_error(r, name->kind == SLIP_YAML_SCALAR && name->key ? name->key->where : name->where,
                          "include: [parts/arm.yaml]", "expected the name of a file, got %s",
                          slip_yaml_describe(name));
        return;
    }
    if (depth > MAX_DEPTH) {
        slip_reader_error(r, name->where, NULL, "files include files more than %d deep", MAX_DEPTH);
        return;
    }
    const slip_included *file = open_file(r, in, name);
    if (!file || file->again) return;
    slip_yaml *root;
    slip_status status = slip_yaml_read(r->scratch, &file->file, 0, r->notes, &root);
    if (status == SLIP_NO_MEMORY) slip_reader_no_memory(r);
    if (status != SLIP_OK) return;
    if (!root || root->kind != SLIP_YAML_MAP) {
        slip_reader_error(r, name->where, NULL, "'%.200s' holds %s, not a map of sections", name->text,
                          root ? slip_yaml_describe(root) : "nothing");
        return;
    }
    take_header(r, root);
    slip_rename_old_keys(r, root, "");
    include_all(r, &(opened){ &file->file, file->identity, in, name->where }, root, depth);
    join_maps(r, in->file, into, root, true);
}

static void include_all(slip_reader *r, const opened *in, slip_yaml *root, int depth)
{
    slip_yaml *names = take_out(root, "include");
    if (!names || names->bad) return;
    if (names->kind != SLIP_YAML_LIST) include_file(r, in, names, root, depth + 1);
    for (slip_yaml *name = names->kind == SLIP_YAML_LIST ? names->first : NULL; name; name = name->next)
        if (!slip_reader_stopped(r)) include_file(r, in, name, root, depth + 1);
}

bool slip_include_files(slip_reader *r)
{
    if (!slip_yaml_find(r->root, "include")) return true;
    int before = slip_diagnostics_error_count(r->notes);
    opened main = { .file = &r->model->sources[0] };
    if (!r->before) main.identity = slip_file_identify(main.file->name);
    include_all(r, &main, r->root, 0);
    return !slip_reader_stopped(r) && slip_diagnostics_error_count(r->notes) == before;
}
