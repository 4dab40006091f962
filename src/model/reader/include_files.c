/// model/reader/include_files.c: `include:`, sections that stand in other files. Done to the tree before anything else.
///
///     include: parts/arm.yaml
///     include: [materials.yaml, ../base.yaml]
///
/// Sections are joined name by name. What the including file gives itself replaces what an included one
/// gives; two included files that give the same are a mistake. A file that is included a second time adds
/// nothing.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/reader/reader.h"
#include "model/reader/lookup_tables.h"

enum {
    MAX_DEPTH = 16,      // files that include files
    MAX_FILES = 256,     // names of files, of the whole model
    MAX_BYTES = 8 << 20, // all included files together
};

/// a file whose sections are being put in, and who included it
typedef struct opened {
    const slip_source *file;
    slip_file_identity identity;
    const struct opened *by;
    slip_span where; // the name of it there
} opened;

typedef struct include_state {
    slip_reader *r;
    slip_included **end; // where the next one is linked in
    int files;
    size_t bytes;
} include_state;

static bool is_same_file(slip_file_identity a, slip_file_identity b)
{
    return a.inode == b.inode && a.device == b.device;
}

bool slip_is_included(const slip_model *model, slip_span where)
{
    for (const slip_included *k = model->included; k; k = k->next)
        if (where.source == &k->file) return true;
    return false;
}

// ------------------------------------------------------------------------------------------------- files

// relative to the folder of the file that the name stands in; NULL when out of memory
static char *path_of(slip_reader *r, const opened *in, const slip_yaml *name)
{
    const char *slash = strrchr(in->file->name, '/');
    size_t folder = slash && name->text[0] != '/' ? (size_t)(slash - in->file->name) + 1 : 0;
    char *path = SLIP_POOL_NEW(r->model->pool, char, folder + name->length + 1);
    if (!path) slip_reader_no_memory(r);
    if (!path) return NULL;
    memcpy(path, in->file->name, folder);
    memcpy(path + folder, name->text, name->length);
    return path;
}

static const slip_included *kept_under(const slip_model *model, const char *path)
{
    for (const slip_included *k = model ? model->included : NULL; k; k = k->next)
        if (strcmp(k->file.name, path) == 0) return k;
    return NULL;
}

static void say_unreadable(slip_reader *r, const slip_yaml *name, const char *path, int error)
{
    char hint[300] = "";
    if (error == ENOENT && strcmp(path, name->text) != 0)
        snprintf(hint, sizeof hint, "names are relative to the file they stand in: this is %.220s", path);
    slip_reader_error(r, name->where, hint[0] ? hint : NULL, "'%.200s' cannot be read: %s", name->text,
                      slip_file_reason(error));
}

// the text of a file and what identifies it, from the disk or as it was kept
static bool fetch_text(include_state *x, const slip_yaml *name, const char *path, slip_included *into)
{
    slip_reader *r = x->r;
    const slip_included *kept = kept_under(r->before, path);
    if (kept) {
        into->file =
            (slip_source){ path, slip_pool_text(r->model->pool, kept->file.text, (size_t)kept->file.length),
                           kept->file.length };
        into->identity = kept->identity;
        return into->file.text || slip_reader_no_memory(r);
    }
    slip_text text = { 0 };
    int error = slip_file_read_regular(path, MAX_BYTES, &text, &into->identity);
    if (error == ENOMEM)
        slip_reader_no_memory(r);
    else if (error)
        say_unreadable(r, name, path, error);
    const char *bytes = text.data ? text.data : "";
    size_t mark = text.length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    into->file = (slip_source){ path, slip_pool_text(r->model->pool, bytes + mark, text.length - mark),
                                (long)(text.length - mark) };
    slip_text_destroy(&text);
    if (!error && !into->file.text) slip_reader_no_memory(r);
    return !error && into->file.text;
}

// a data file has no folder of its own but that of the file in which it is named
const slip_source *slip_read_data_file(slip_reader *r, const slip_yaml *name)
{
    opened in = { .file = name->where.source };
    if (!strchr(in.file->name, '/') || strcmp(in.file->name, SLIP_OVERRIDE_NAME) == 0)
        in.file = &r->model->sources[0];
    char *path = path_of(r, &in, name);
    slip_included **end = &r->model->included;
    for (; path && *end; end = &(*end)->next)
        if (strcmp((*end)->file.name, path) == 0) return &(*end)->file;
    slip_included *file = path ? SLIP_READER_NEW(r, slip_included, 1) : NULL;
    include_state x = { .r = r };
    if (!file || !fetch_text(&x, name, path, file)) return NULL;
    *end = file;
    return &file->file;
}

static bool is_within_limits(include_state *x, const slip_yaml *name, const slip_included *file)
{
    x->bytes += file->again ? 0 : (size_t)file->file.length;
    if (x->bytes > MAX_BYTES)
        slip_reader_error(x->r, name->where, NULL, "the included files are larger than %d MiB together",
                          MAX_BYTES >> 20);
    else if (++x->files > MAX_FILES)
        slip_reader_error(x->r, name->where, NULL, "more than %d files are included", MAX_FILES);
    else
        return true;
    return false;
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
static slip_included *open_file(include_state *x, const opened *in, const slip_yaml *name)
{
    slip_reader *r = x->r;
    char *path = path_of(r, in, name);
    slip_included *file = path ? SLIP_READER_NEW(r, slip_included, 1) : NULL;
    if (!file || !fetch_text(x, name, path, file) || is_circle(r, in, name, file)) return NULL;
    for (const slip_included *k = r->model->included; k && !file->again; k = k->next)
        file->again = is_same_file(k->identity, file->identity);
    if (!is_within_limits(x, name, file)) return NULL;
    *x->end = file;
    x->end = &file->next;
    return file;
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
    slip_yaml *before = NULL, *child = map->first;
    while (child && strcmp(child->key->text, key) != 0) before = child, child = child->next;
    if (!child) return NULL;
    if (before)
        before->next = child->next;
    else
        map->first = child->next;
    if (map->last == child) map->last = before;
    map->count--;
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

static void include_all(include_state *x, const opened *in, slip_yaml *root, int depth);

static void include_file(include_state *x, const opened *in, const slip_yaml *name, slip_yaml *into,
                         int depth)
{
    slip_reader *r = x->r;
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
    const slip_included *file = open_file(x, in, name);
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
    include_all(x, &(opened){ &file->file, file->identity, in, name->where }, root, depth);
    join_maps(r, in->file, into, root, true);
}

static void include_all(include_state *x, const opened *in, slip_yaml *root, int depth)
{
    slip_yaml *names = take_out(root, "include");
    if (!names || names->bad) return;
    if (names->kind != SLIP_YAML_LIST) include_file(x, in, names, root, depth + 1);
    for (slip_yaml *name = names->kind == SLIP_YAML_LIST ? names->first : NULL; name; name = name->next)
        if (!slip_reader_stopped(x->r)) include_file(x, in, name, root, depth + 1);
}

bool slip_include_files(slip_reader *r)
{
    if (!slip_yaml_find(r->root, "include")) return true;
    int before = slip_diagnostics_error_count(r->notes);
    include_state x = { .r = r, .end = &r->model->included };
    opened main = { .file = &r->model->sources[0] };
    if (!r->before) main.identity = slip_file_identify(main.file->name);
    include_all(&x, &main, r->root, 0);
    return !slip_reader_stopped(r) && slip_diagnostics_error_count(r->notes) == before;
}
