/// model/input.c: where models come from: a file, or text in memory.
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "model/reader.h"

// the model's own copies of the file and the overrides, for messages and reports
static bool keep_sources(slip_model *m, const char *name, const char *text, size_t length,
                         const char *const *sets, int set_count)
{
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { // a byte order mark is not part of the text
        text += 3;
        length -= 3;
    }
    m->sources = SLIP_POOL_NEW(m->pool, slip_source, 1 + set_count);
    if (!m->sources) return false;
    m->source_count = 1 + set_count;
    m->sources[0].name = slip_pool_text(m->pool, name, strlen(name));
    m->sources[0].text = slip_pool_text(m->pool, text, length);
    m->sources[0].length = (long)length;
    bool kept = m->sources[0].name && m->sources[0].text;
    for (int k = 0; k < set_count && kept; k++) {
        slip_source *s = &m->sources[1 + k];
        s->name = SLIP_OVERRIDE_NAME;
        s->length = (long)strlen(sets[k]);
        s->text = slip_pool_text(m->pool, sets[k], strlen(sets[k]));
        kept = s->text != NULL;
    }
    return kept;
}

static void close_reader(slip_reader *r)
{
    free(r->symbols);
    free(r->slots);
    free(r->quantities);
    free(r->noted);
    free(r->shaping);
    slip_release_bodies(r);
    slip_pool_destroy(r->scratch);
    slip_diagnostics_destroy(r->trial);
}

// mistakes that were counted but could not be kept for lack of memory
static bool messages_were_lost(const slip_diagnostics *notes)
{
    int count = slip_diagnostics_count(notes), errors = 0;
    for (int k = 0; k < count; k++) errors += slip_diagnostics_get(notes, k).severity == SLIP_ERROR;
    return count < SLIP_MAX_DIAGNOSTICS && errors < slip_diagnostics_error_count(notes);
}

slip_status slip_model_read_text(const char *name, const char *text, size_t length, const char *const *sets,
                                 int set_count, slip_diagnostics *notes, slip_model **model)
{
    if (!model || !notes || !name || (!text && length) || set_count < 0 || (set_count && !sets))
        return SLIP_BAD_ARGUMENT;
    *model = NULL;
    if (length > SLIP_YAML_BYTES) {
        slip_source file = { .name = name };
        slip_span whole = { &file, -1, 0 };
        slip_diagnose(notes, SLIP_ERROR, whole, NULL, "the file is larger than %d MiB",
                      SLIP_YAML_BYTES >> 20);
        return SLIP_BAD_FILE;
    }
    slip_reader r = {
        .notes = notes, .model = calloc(1, sizeof *r.model), .scratch = slip_pool_create(), .hole = SLIP_NONE
    };
    int before = slip_diagnostics_error_count(notes), first = slip_diagnostics_count(notes);
    if (!r.model || !slip_model_start(r.model) || !r.scratch || !slip_schema_create(r.scratch, &r.schema) ||
        !keep_sources(r.model, name, text, length, sets, set_count))
        slip_reader_no_memory(&r);
    else
        slip_read_tree(&r);
    close_reader(&r);
    slip_diagnostics_sort(notes, first);
    bool mistakes = slip_diagnostics_error_count(notes) != before;
    slip_status status = r.status != SLIP_OK ? r.status : mistakes ? SLIP_BAD_MODEL : SLIP_OK;
    if (messages_were_lost(notes)) status = SLIP_NO_MEMORY;
    if (status == SLIP_OK)
        *model = r.model;
    else
        slip_model_destroy(r.model);
    assert(!*model || slip_model_is_whole(*model));
    return status;
}

static const char *reason(int error)
{
    switch (error) {
    case ENOENT:
        return "there is no such file";
    case EACCES:
        return "no permission to read it";
    case EISDIR:
        return "it is a directory";
    case ENOTDIR:
        return "a part of the path is not a directory";
    case ENAMETOOLONG:
        return "the name is too long";
    default:
        return "reading it failed";
    }
}

static slip_status cannot_read(const char *path, int error, slip_diagnostics *notes)
{
    slip_source file = { .name = path };
    slip_span whole = { &file, -1, 0 };
    bool full = slip_diagnostics_count(notes) >= SLIP_MAX_DIAGNOSTICS;
    bool said = slip_diagnose(notes, SLIP_ERROR, whole, NULL, "the file cannot be read: %s", reason(error));
    return said || full ? SLIP_IO : SLIP_NO_MEMORY;
}

// one byte more than the limit is enough to know that a file is too long: /dev/zero ends here too
static slip_status read_all(FILE *stream, const char *path, slip_text *text, slip_diagnostics *notes)
{
    char chunk[65536];
    size_t count;
    errno = 0;
    while (text->length <= SLIP_YAML_BYTES && (count = fread(chunk, 1, sizeof chunk, stream)) > 0) {
        slip_text_bytes(text, chunk, count);
        if (text->failed) return SLIP_NO_MEMORY;
    }
    return ferror(stream) ? cannot_read(path, errno, notes) : SLIP_OK;
}

slip_status slip_model_read_file(const char *path, const char *const *sets, int set_count,
                                 slip_diagnostics *notes, slip_model **model)
{
    if (!path || !notes || !model) return SLIP_BAD_ARGUMENT;
    *model = NULL;
    errno = 0;
    FILE *stream = fopen(path, "rb");
    if (!stream) return errno == ENOMEM ? SLIP_NO_MEMORY : cannot_read(path, errno, notes);
    slip_text text = { 0 };
    slip_status status = read_all(stream, path, &text, notes);
    fclose(stream);
    if (status == SLIP_OK)
        status = slip_model_read_text(path, text.data ? text.data : "", text.length, sets, set_count, notes,
                                      model);
    slip_text_destroy(&text);
    return status;
}
