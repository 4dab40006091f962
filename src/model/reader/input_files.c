/// model/reader/input_files.c: files that a model names, from the disk or as they were kept.
#include "model/reader/input_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"

/// What files of a kind may have together. Sections become a tree of nodes, which takes some fifty times their size;
/// recordings and meshes are large by nature and become arrays.
typedef struct input_limits {
    const char *of;
    int files, mebibytes;
} input_limits;

static const input_limits limits[] = {
    [SLIP_INPUT_SECTIONS] = { "included files", 256, 8 },
    [SLIP_INPUT_DATA] = { "data files", 4096, 1024 },
};

static size_t byte_limit(slip_input_kind kind)
{
    return (size_t)limits[kind].mebibytes << 20;
}

bool slip_is_included(const slip_model *model, slip_span where)
{
    for (const slip_included *k = model->included; k; k = k->next)
        if (where.source == &k->file) return true;
    return false;
}

// ----------------------------------------------------------------------------------------------- folders

// a folder that is not there holds nothing
static bool keep_folder(slip_model *model, char *real, int error)
{
    if (!real) return error != ENOMEM;
    char *kept = slip_pool_text(model->pool, real, strlen(real));
    free(real);
    if (kept) model->folders[model->folder_count++] = kept;
    return kept != NULL;
}

bool slip_input_folders_set(slip_model *model, const char *name, const char *const *allow, int allow_count)
{
    int error;
    model->folders = SLIP_POOL_NEW(model->pool, const char *, allow_count + 1);
    if (!model->folders) return false;
    char *own = slip_file_real_folder(name, &error);
    model->has_own_folder = own != NULL;
    bool fine = keep_folder(model, own, error);
    for (int k = 0; k < allow_count && fine; k++) {
        char *real = slip_path_real(allow[k], &error);
        fine = keep_folder(model, real, error);
    }
    return fine;
}

static void say_outside(slip_reader *r, const slip_yaml *name)
{
    slip_reader_error(
        r, name->where,
        "a model reads from its own folder and below; --allow DIR (allow in C and Python) adds a folder",
        "'%.200s' is outside of the folders from which this model may read", name->text);
}

static void say_unreadable(slip_reader *r, const slip_yaml *name, const char *path, int error)
{
    char hint[300] = "";
    if (error == ENOENT && strcmp(path, name->text) != 0)
        snprintf(hint, sizeof hint, "names are relative to the file they stand in: this is %.220s", path);
    slip_reader_error(r, name->where, hint[0] ? hint : NULL, "'%.200s' cannot be read: %s", name->text,
                      slip_file_reason(error));
}

static void say_too_large(slip_reader *r, const slip_yaml *name, slip_input_kind kind)
{
    slip_reader_error(r, name->where, NULL, "the %s are larger than %d MiB together", limits[kind].of,
                      limits[kind].mebibytes);
}

// what is not there is looked for in the folders that are: whether a file exists elsewhere is nobody's business
static void say_missing(slip_reader *r, const slip_yaml *name, const char *path, int error)
{
    const slip_model *m = r->model;
    char *there = slip_file_real_prefix(path);
    if (there && slip_file_folder_of(there, m->folders, m->folder_count) >= 0)
        say_unreadable(r, name, path, error);
    else
        say_outside(r, name);
    free(there);
}

// -------------------------------------------------------------------------------------------------- files

// relative to the folder of the file that the name stands in; NULL when out of memory
static char *path_of(slip_reader *r, const slip_source *in, const slip_yaml *name)
{
    const char *slash = strrchr(in->name, '/');
    size_t folder = slash && name->text[0] != '/' ? (size_t)(slash - in->name) + 1 : 0;
    char *path = SLIP_POOL_NEW(r->model->pool, char, folder + name->length + 1);
    if (!path) slip_reader_no_memory(r);
    if (!path) return NULL;
    memcpy(path, in->name, folder);
    memcpy(path + folder, name->text, name->length);
    return path;
}

static const slip_included *kept_under(const slip_model *model, const char *path)
{
    for (const slip_included *k = model ? model->included : NULL; k; k = k->next)
        if (strcmp(k->file.name, path) == 0) return k;
    return NULL;
}

// its text into the pool of the model, without a byte order mark
static bool take_text(slip_reader *r, const char *path, const char *bytes, size_t length, slip_included *into)
{
    size_t mark = length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    into->file.name = path;
    into->file.text = slip_pool_text(r->model->pool, bytes + mark, length - mark);
    into->file.length = (long)(length - mark);
    return into->file.text || slip_reader_no_memory(r);
}

static const slip_memory_file *in_memory(const slip_reader *r, const char *path)
{
    for (int k = 0; k < r->file_count; k++)
        if (strcmp(r->files[k].path, path) == 0) return &r->files[k];
    return NULL;
}

// no file of a disk has such an identity
static bool read_from_memory(slip_reader *r, const slip_yaml *name, const slip_memory_file *file,
                             slip_included *into)
{
    into->identity = (slip_file_identity){ UINT64_MAX, (uint64_t)(file - r->files) };
    if (file->length <= byte_limit(into->kind))
        return take_text(r, into->file.name, file->text, file->length, into);
    say_too_large(r, name, into->kind);
    return false;
}

static bool read_from_disk(slip_reader *r, const slip_yaml *name, const char *path, slip_included *into)
{
    const slip_model *m = r->model;
    int error;
    char *real = slip_path_real(path, &error);
    const int folder = real ? slip_file_folder_of(real, m->folders, m->folder_count) : -1;
    slip_text text = { 0 };
    bool fine = false;
    if (real && folder >= 0)
        error = slip_file_read_regular(real, byte_limit(into->kind), &text, &into->identity);
    free(real);
    if (error == ENOMEM)
        slip_reader_no_memory(r);
    else if (error == EFBIG)
        say_too_large(r, name, into->kind);
    else if (error)
        say_missing(r, name, path, error);
    else if (folder < 0)
        say_outside(r, name);
    else
        fine = take_text(r, path, text.data ? text.data : "", text.length, into);
    into->file.hidden = !m->has_own_folder || folder != 0;
    slip_text_destroy(&text);
    return fine;
}

slip_included *slip_input_file_read(slip_reader *r, const slip_source *in, const slip_yaml *name,
                                    slip_input_kind kind)
{
    char *path = path_of(r, in, name);
    slip_included *file = path ? SLIP_READER_NEW(r, slip_included, 1) : NULL;
    if (!file) return NULL;
    file->kind = kind;
    file->file.name = path;
    const slip_memory_file *memory = in_memory(r, path);
    if (memory) return read_from_memory(r, name, memory, file) ? file : NULL;
    const slip_included *kept = kept_under(r->before, path);
    if (!kept) return read_from_disk(r, name, path, file) ? file : NULL;
    file->identity = kept->identity;
    file->file.hidden = kept->file.hidden;
    return take_text(r, path, kept->file.text, (size_t)kept->file.length, file) ? file : NULL;
}

bool slip_input_file_keep(slip_reader *r, const slip_yaml *name, slip_included *file)
{
    const input_limits *most = &limits[file->kind];
    size_t bytes = file->again ? 0 : (size_t)file->file.length;
    int files = 1;
    slip_included **end = &r->model->included;
    for (; *end; end = &(*end)->next) {
        const bool same = (*end)->kind == file->kind;
        bytes += same && !(*end)->again ? (size_t)(*end)->file.length : 0;
        files += same;
    }
    if (bytes > byte_limit(file->kind)) {
        say_too_large(r, name, file->kind);
        return false;
    }
    if (files > most->files) {
        slip_reader_error(r, name->where, NULL, "the model has more than %d %s", most->files, most->of);
        return false;
    }
    *end = file;
    return true;
}

// a data file has no folder of its own but that of the file in which it is named
const slip_source *slip_read_data_file(slip_reader *r, const slip_yaml *name)
{
    const slip_source *in = name->where.source;
    if (!strchr(in->name, '/') || strcmp(in->name, SLIP_OVERRIDE_NAME) == 0) in = &r->model->sources[0];
    char *path = path_of(r, in, name);
    const slip_included *known = path ? kept_under(r->model, path) : NULL;
    if (!path || known) return known ? &known->file : NULL;
    slip_included *file = slip_input_file_read(r, in, name, SLIP_INPUT_DATA);
    return file && slip_input_file_keep(r, name, file) ? &file->file : NULL;
}
