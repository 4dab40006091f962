/// model/reader/read_model.c: where models come from: a file, or text in memory.
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/yaml/model_files.h"
#include "model/reader/reader.h"

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
    free(r->delays);
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

// What a model is read from. `before`: the model that the text is of, which keeps the files it includes;
// NULL: they are read
typedef struct origin {
    const char *name, *text;
    size_t length;
    const slip_model *before;
    const char *const *sets;
    int set_count;
} origin;

// with room for *delays of them; afterwards as many as there are
static slip_status read_once(const origin *o, int *delays, slip_diagnostics *notes, slip_model **model)
{
    slip_reader r = { .notes = notes,
                      .model = calloc(1, sizeof *r.model),
                      .scratch = slip_pool_create(),
                      .hole = SLIP_NONE,
                      .delay_room = *delays,
                      .before = o->before };
    int errors = slip_diagnostics_error_count(notes), first = slip_diagnostics_count(notes);
    if (!r.model || !slip_model_start(r.model) || !r.scratch || !slip_schema_create(r.scratch, &r.schema) ||
        !keep_sources(r.model, o->name, o->text, o->length, o->sets, o->set_count))
        slip_reader_no_memory(&r);
    else
        slip_read_tree(&r);
    *delays = (int)r.delay_count;
    close_reader(&r);
    slip_diagnostics_sort(notes, first);
    bool mistakes = slip_diagnostics_error_count(notes) != errors;
    slip_status status = r.status != SLIP_OK ? r.status : mistakes ? SLIP_BAD_MODEL : SLIP_OK;
    if (messages_were_lost(notes)) status = SLIP_NO_MEMORY;
    if (status == SLIP_OK)
        *model = r.model;
    else
        slip_model_destroy(r.model);
    return status;
}

static slip_status read_text(const char *name, const char *text, size_t length, const slip_model *before,
                             const char *const *sets, int set_count, slip_diagnostics *notes,
                             slip_model **model)
{
    *model = NULL;
    if (length > SLIP_YAML_BYTES) {
        slip_source file = { .name = name };
        slip_span whole = { &file, -1, 0 };
        slip_diagnose(notes, SLIP_ERROR, whole, NULL, "the file is larger than %d MiB",
                      SLIP_YAML_BYTES >> 20);
        return SLIP_BAD_FILE;
    }
    origin o = { name, text, length, before, sets, set_count };
    slip_diagnostics_mark mark = slip_diagnostics_set_mark(notes);
    int delays = 0, room;
    slip_status status;
    do { // more delays than there was room for: again
        slip_diagnostics_rewind(notes, mark);
        slip_model_destroy(*model);
        *model = NULL;
        room = delays;
        status = read_once(&o, &delays, notes, model);
    } while (delays > room && status != SLIP_NO_MEMORY);
    assert(!*model || slip_model_is_consistent(*model));
    return status;
}

slip_status slip_model_read_text(const char *name, const char *text, size_t length, const char *const *sets,
                                 int set_count, slip_diagnostics *notes, slip_model **model)
{
    if (!model || !notes || !name || (!text && length) || set_count < 0 || (set_count && !sets))
        return SLIP_BAD_ARGUMENT;
    return read_text(name, text, length, NULL, sets, set_count, notes, model);
}

slip_status slip_model_read_again(const slip_model *before, const char *const *sets, int set_count,
                                  slip_diagnostics *notes, slip_model **model)
{
    const slip_source *file = &before->sources[0];
    return read_text(file->name, file->text, (size_t)file->length, before, sets, set_count, notes, model);
}

static slip_status cannot_read(const char *path, int error, slip_diagnostics *notes)
{
    slip_source file = { .name = path };
    slip_span whole = { &file, -1, 0 };
    bool full = slip_diagnostics_count(notes) >= SLIP_MAX_DIAGNOSTICS;
    bool said =
        slip_diagnose(notes, SLIP_ERROR, whole, NULL, "the file cannot be read: %s", slip_file_reason(error));
    return said || full ? SLIP_IO : SLIP_NO_MEMORY;
}

slip_status slip_model_read_file(const char *path, const char *const *sets, int set_count,
                                 slip_diagnostics *notes, slip_model **model)
{
    if (!path || !notes || !model) return SLIP_BAD_ARGUMENT;
    *model = NULL;
    slip_text text = { 0 };
    int error = slip_file_read(path, SLIP_YAML_BYTES, &text);
    slip_status status = error == ENOMEM ? SLIP_NO_MEMORY : error ? cannot_read(path, error, notes) : SLIP_OK;
    if (status == SLIP_OK)
        status = slip_model_read_text(path, text.data ? text.data : "", text.length, sets, set_count, notes,
                                      model);
    slip_text_destroy(&text);
    return status;
}
