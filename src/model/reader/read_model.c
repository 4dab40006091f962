/// model/reader/read_model.c: where models come from: a file, or text in memory.
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/reader/input_files.h"
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

// mistakes that were counted but could not be kept for lack of memory; copies of one are not kept either
static bool messages_were_lost(const slip_diagnostics *notes)
{
    int count = slip_diagnostics_count(notes), errors = slip_diagnostics_set_mark(notes).copies;
    for (int k = 0; k < count; k++) errors += slip_diagnostics_get(notes, k).severity == SLIP_ERROR;
    return count < SLIP_MAX_DIAGNOSTICS && errors < slip_diagnostics_error_count(notes);
}

// the folders of a model that is read again are those that it had, wherever the program stands now
static bool set_folders(slip_model *m, const slip_model_def *def, const slip_model *before)
{
    if (!before) return slip_input_folders_set(m, def->file, def->allow, def->allow_count);
    m->folders = SLIP_POOL_NEW(m->pool, const char *, before->folder_count + 1);
    bool kept = m->folders != NULL;
    m->has_own_folder = before->has_own_folder;
    for (int k = 0; k < before->folder_count && kept; k++) {
        m->folders[k] = slip_pool_text(m->pool, before->folders[k], strlen(before->folders[k]));
        kept = m->folders[k] != NULL;
        m->folder_count += kept;
    }
    return kept;
}

// with room for *delays of them; afterwards as many as there are. `before`: the model that the text is of, which
// keeps the files it names; NULL: they are read
static slip_status read_once(const slip_model_def *def, const slip_model *before, int *delays,
                             slip_diagnostics *notes, slip_model **model)
{
    slip_reader r = { .notes = notes,
                      .model = calloc(1, sizeof *r.model),
                      .scratch = slip_pool_create(),
                      .hole = SLIP_NONE,
                      .delay_room = *delays,
                      .before = before,
                      .files = def->files,
                      .file_count = def->file_count };
    int errors = slip_diagnostics_error_count(notes), first = slip_diagnostics_count(notes);
    if (!r.model || !slip_model_start(r.model) || !r.scratch || !slip_schema_create(r.scratch, &r.schema) ||
        !keep_sources(r.model, def->file, def->text, def->length, def->sets, def->set_count) ||
        !set_folders(r.model, def, before))
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

static slip_status too_large(const char *name, slip_diagnostics *notes)
{
    slip_source file = { .name = name };
    slip_span whole = { &file, -1, 0 };
    slip_diagnose(notes, SLIP_ERROR, whole, NULL, "the file is larger than %d MiB", SLIP_YAML_BYTES >> 20);
    return SLIP_BAD_FILE;
}

static slip_status read_text(const slip_model_def *def, const slip_model *before, slip_diagnostics *notes,
                             slip_model **model)
{
    *model = NULL;
    if (def->length > SLIP_YAML_BYTES) return too_large(def->file, notes);
    slip_diagnostics_mark mark = slip_diagnostics_set_mark(notes);
    int delays = 0, room;
    slip_status status;
    do { // more delays than there was room for: again
        slip_diagnostics_rewind(notes, mark);
        slip_model_destroy(*model);
        *model = NULL;
        room = delays;
        status = read_once(def, before, &delays, notes, model);
    } while (delays > room && status != SLIP_NO_MEMORY);
    assert(!*model || slip_model_is_consistent(*model));
    return status;
}

slip_status slip_model_read_again(const slip_model *before, const char *const *sets, int set_count,
                                  slip_diagnostics *notes, slip_model **model)
{
    const slip_source *file = &before->sources[0];
    const slip_model_def def = { .file = file->name,
                                 .text = file->text,
                                 .length = (size_t)file->length,
                                 .sets = sets,
                                 .set_count = set_count };
    return read_text(&def, before, notes, model);
}

static slip_status cannot_read(const char *path, int error, slip_diagnostics *notes)
{
    if (error == EFBIG) return too_large(path, notes);
    slip_source file = { .name = path };
    slip_span whole = { &file, -1, 0 };
    bool full = slip_diagnostics_count(notes) >= SLIP_MAX_DIAGNOSTICS;
    bool said =
        slip_diagnose(notes, SLIP_ERROR, whole, NULL, "the file cannot be read: %s", slip_file_reason(error));
    return said || full ? SLIP_IO : SLIP_NO_MEMORY;
}

slip_model_def slip_default_model_def(void)
{
    return (slip_model_def){ .file = NULL };
}

slip_status slip_model_read(const slip_model_def *def, slip_diagnostics *notes, slip_model **model)
{
    if (!def || !model || !notes || !def->file || (!def->text && def->length) || def->set_count < 0 ||
        (def->set_count && !def->sets) || def->allow_count < 0 || (def->allow_count && !def->allow) ||
        def->file_count < 0 || (def->file_count && !def->files))
        return SLIP_BAD_ARGUMENT;
    *model = NULL;
    if (def->text) return read_text(def, NULL, notes, model);
    slip_text text = { 0 };
    slip_model_def read = *def;
    int error = slip_file_read(def->file, SLIP_YAML_BYTES, &text);
    slip_status status = error == ENOMEM ? SLIP_NO_MEMORY
                         : error         ? cannot_read(def->file, error, notes)
                                         : SLIP_OK;
    read.text = text.data ? text.data : "";
    read.length = text.length;
    if (status == SLIP_OK) status = read_text(&read, NULL, notes, model);
    slip_text_destroy(&text);
    return status;
}

slip_status slip_model_read_text(const char *name, const char *text, size_t length, const char *const *sets,
                                 int set_count, slip_diagnostics *notes, slip_model **model)
{
    if (!text && length) return SLIP_BAD_ARGUMENT;
    return slip_model_read(
        &(slip_model_def){
            .file = name, .text = text ? text : "", .length = length, .sets = sets, .set_count = set_count },
        notes, model);
}

slip_status slip_model_read_file(const char *path, const char *const *sets, int set_count,
                                 slip_diagnostics *notes, slip_model **model)
{
    return slip_model_read(&(slip_model_def){ .file = path, .sets = sets, .set_count = set_count }, notes,
                           model);
}
