/// model/read.c: from a text to a checked model.
#include "model/loader.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

// -------------------------------------------------------------------------------------- messages

bool slip_loader_no_memory(slip_loader *r)
{
    r->status = SLIP_NO_MEMORY;
    return false;
}

bool slip_loader_stopped(const slip_loader *r)
{
    return r->status != SLIP_OK || slip_diagnostics_error_count(r->notes) > SLIP_MOST_DIAGNOSTICS;
}

static void say(slip_loader *r, slip_severity severity, slip_span where, const char *hint, const char *format,
                va_list list) SLIP_PRINTF(5, 0);
static void say(slip_loader *r, slip_severity severity, slip_span where, const char *hint, const char *format,
                va_list list)
{
    char text[600];
    vsnprintf(text, sizeof text, format, list);
    bool full = slip_diagnostics_count(r->notes) >= SLIP_MOST_DIAGNOSTICS;
    if (!slip_diagnose(r->notes, severity, where, hint, "%s", text) && !full) slip_loader_no_memory(r);
}

void slip_loader_error(slip_loader *r, slip_span where, const char *hint, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(r, SLIP_ERROR, where, hint, format, list);
    va_end(list);
}

void slip_loader_warning(slip_loader *r, slip_span where, const char *hint, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(r, SLIP_WARNING, where, hint, format, list);
    va_end(list);
}

void slip_loader_note(slip_loader *r, slip_span where, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(r, SLIP_NOTE, where, NULL, format, list);
    va_end(list);
}

void *slip_loader_take(slip_loader *r, size_t count, size_t size)
{
    void *memory = slip_pool_take(r->model->pool, count, size);
    if (!memory) slip_loader_no_memory(r);
    return memory;
}

const char *slip_loader_text(slip_loader *r, const char *text, size_t length)
{
    const char *copy = slip_pool_text(r->model->pool, text, length);
    if (!copy) slip_loader_no_memory(r);
    return copy;
}

slip_yaml *slip_loader_value(const slip_yaml *map, const char *key)
{
    slip_yaml *node = slip_yaml_find(map, key);
    return node && !node->bad ? node : NULL;
}

slip_yaml *slip_loader_map(const slip_yaml *map, const char *key)
{
    slip_yaml *node = slip_loader_value(map, key);
    return node && node->kind == SLIP_YAML_MAP ? node : NULL;
}

// ------------------------------------------------------------------------------------- the header

static void read_header(slip_loader *r)
{
    slip_model *m = r->model;
    const slip_yaml *version = slip_loader_value(r->root, "slipstick");
    if (version && strcmp(version->text, "1") != 0)
        slip_loader_error(r, version->where, NULL,
                          "this program reads version 1 of the model language, not '%.40s'", version->text);
    const slip_yaml *name = slip_loader_value(r->root, "name"), *about = slip_loader_value(r->root, "about");
    m->name = slip_loader_text(r, name ? name->text : "", name ? name->length : 0);
    size_t length = about ? about->length : 0;
    while (length > 0 && strchr(" \r\n", about->text[length - 1])) length--;
    m->about = slip_loader_text(r, about ? about->text : "", length);
}

// the keys of the other front end, when it is clear which one is meant
static void refuse_mixture(slip_loader *r)
{
    const char *mine = r->inclusion ? "inclusion" : "coordinates";
    for (slip_yaml *node = r->root->first; node; node = node->next) {
        if (node->bad) continue;
        slip_key_front front = slip_schema_child("", node->key->text)->front;
        if (front == SLIP_FRONT_ANY || (front == SLIP_FRONT_INCLUSION) == r->inclusion) continue;
        node->bad = true;
        slip_loader_error(r, node->key->where, NULL, "'%s' belongs to %s; this model has '%s'",
                          node->key->text,
                          r->inclusion ? "a mechanical model with 'coordinates'" : "an inclusion", mine);
    }
}

// false when the model is of no kind, so that nothing more can be said about it
static bool decide_kind(slip_loader *r)
{
    const slip_yaml *coordinates = slip_yaml_find(r->root, "coordinates"),
                    *inclusion = slip_yaml_find(r->root, "inclusion");
    if (coordinates && inclusion) {
        bool later = coordinates->where.start < inclusion->where.start;
        slip_loader_error(r, later ? inclusion->key->where : coordinates->key->where,
                          "split it into two models",
                          "a model has 'coordinates' or an 'inclusion', not both");
        slip_loader_note(r, later ? coordinates->key->where : inclusion->key->where, "the other one is here");
        return false;
    }
    if (!coordinates && !inclusion) {
        if (slip_schema_misspelt(r->root, "", "coordinates") ||
            slip_schema_misspelt(r->root, "", "inclusion"))
            return false;
        slip_loader_error(r, (slip_span){ r->root->where.source, 0, 1 },
                          "coordinates: {x: 0}  lists them with where they start",
                          "the model has no 'coordinates' (and no 'inclusion'): nothing can move");
        return false;
    }
    r->inclusion = inclusion != NULL;
    r->model->type = inclusion ? SLIP_INCLUSION : SLIP_MECHANICS;
    const slip_yaml *front = inclusion ? inclusion : coordinates;
    if (!front->bad && front->count == 0)
        slip_loader_error(r, front->key->where, NULL, "'%s' is empty: nothing can move", front->key->text);
    refuse_mixture(r);
    return !front->bad && front->count > 0;
}

// a section of names that was not understood would make every use of its names a mistake
static bool names_are_known(const slip_loader *r)
{
    static const char *const sections[] = { "parameters", "define" };
    for (int k = 0; k < 2; k++) {
        const slip_yaml *node = slip_yaml_find(r->root, sections[k]);
        if ((node && node->bad) || slip_schema_misspelt(r->root, "", sections[k])) return false;
    }
    return true;
}

// -------------------------------------------------------------------------------------- sections

static void declare_section(slip_loader *r, slip_symbol_kind kind, const char *section)
{
    slip_yaml *map = slip_loader_map(r->root, section);
    for (slip_yaml *node = map ? map->first : NULL; node && !slip_loader_stopped(r); node = node->next)
        slip_declare(r, kind, node->key, node);
}

static void read_record(slip_loader *r, slip_yaml *node)
{
    const slip_yaml *key = node->key;
    const slip_symbol *s = slip_lookup(r, key->text, key->length);
    bool taken = s && (s->kind == SLIP_SYMBOL_COORDINATE || s->kind == SLIP_SYMBOL_STATE);
    if (!slip_formula_is_name(key->text, key->length))
        slip_loader_error(r, key->where, "a name is a letter or _, then letters, digits and _",
                          "'%.80s' cannot be the name of a recorded quantity", key->text);
    else if (taken || strcmp(key->text, "t") == 0)
        slip_loader_error(r, key->where,
                          "time and everything that moves is recorded anyway; choose another name",
                          "the result has a column '%.80s' already", key->text);
    char what[160];
    snprintf(what, sizeof what, "record '%.120s'", key->text);
    slip_wanted wanted = { .what = what, .may_use = SLIP_USES_ALL, .count = 1 };
    slip_record record = { .name = slip_loader_text(r, key->text, key->length) };
    if (slip_read_scalar(r, node, &wanted, &record.value))
        r->model->records[r->model->record_count++] = record;
}

static void read_records(slip_loader *r)
{
    slip_yaml *map = slip_loader_map(r->root, "record");
    if (!map) return;
    r->model->records = SLIP_LOADER_NEW(r, slip_record, map->count);
    for (slip_yaml *node = map->first; node && !slip_loader_stopped(r); node = node->next)
        if (!node->bad) read_record(r, node);
}

static const char *read_word(slip_loader *r, const slip_yaml *run, const char *key, slip_span *where)
{
    const slip_yaml *node = slip_loader_value(run, key);
    if (!node) return NULL;
    *where = node->where;
    return slip_loader_text(r, node->text, node->length);
}

static void read_run(slip_loader *r)
{
    slip_run_settings *s = &r->model->run;
    const slip_yaml *run = slip_loader_map(r->root, "run");
    s->formulation = read_word(r, run, "formulation", &s->formulation_at);
    s->integrator = read_word(r, run, "integrator", &s->integrator_at);
    s->solver = read_word(r, run, "solver", &s->solver_at);
    static const char *const names[] = { "step", "until", "every", "relative", "absolute" };
    double *const values[] = { &s->step, &s->until, &s->every, &s->relative, &s->absolute };
    for (int k = 0; k < 5; k++) slip_read_constant(r, run, "run", names[k], NULL, NAN, values[k]);
    if (s->step > s->until)
        slip_loader_warning(r, slip_yaml_find(run, "step")->where, NULL,
                            "the step, %g s, is longer than the run, %g s", s->step, s->until);
}

// ------------------------------------------------------------------------------------ the result

static int count_of_kind(const slip_loader *r, slip_symbol_kind kind)
{
    int count = 0;
    for (size_t k = 0; k < r->symbol_count; k++) count += r->symbols[k]->kind == kind;
    return count;
}

static void warn_of_unused(slip_loader *r)
{
    for (size_t k = 0; k < r->symbol_count; k++) {
        const slip_symbol *s = r->symbols[k];
        bool formula = s->kind == SLIP_SYMBOL_PARAMETER || s->kind == SLIP_SYMBOL_DEFINITION;
        if (formula && !s->used)
            slip_loader_warning(r, s->node->key->where, NULL, "%s '%.80s' is not used",
                                slip_symbol_word(s->kind), s->name);
    }
}

static void keep_names(slip_loader *r)
{
    slip_model *m = r->model;
    m->parameters = SLIP_LOADER_NEW(r, slip_named_value, count_of_kind(r, SLIP_SYMBOL_PARAMETER));
    m->definitions =
        slip_loader_take(r, (size_t)count_of_kind(r, SLIP_SYMBOL_DEFINITION), sizeof *m->definitions);
    m->quantities = SLIP_LOADER_NEW(r, slip_quantity_input, r->quantity_count);
    if (r->status != SLIP_OK) return;
    for (size_t k = 0; k < r->symbol_count; k++) {
        const slip_symbol *s = r->symbols[k];
        slip_span where = s->node->where;
        if (s->kind == SLIP_SYMBOL_PARAMETER)
            m->parameters[m->parameter_count++] =
                (slip_named_value){ s->name, slip_graph_node(m->graph, s->value.part[0]).value, where };
        if (s->kind == SLIP_SYMBOL_DEFINITION)
            m->definitions[m->definition_count++] = (struct slip_definition){ s->name, s->value, where };
    }
    if (r->quantity_count) memcpy(m->quantities, r->quantities, r->quantity_count * sizeof *m->quantities);
    m->quantity_count = (int)r->quantity_count;
}

static void read_names_and_formulas(slip_loader *r)
{
    r->t = slip_graph_input(r->model->graph, "t");
    if (r->t == SLIP_NONE) slip_loader_no_memory(r);
    declare_section(r, SLIP_SYMBOL_PARAMETER, "parameters");
    declare_section(r, SLIP_SYMBOL_DEFINITION, "define");
    if (r->inclusion)
        slip_declare_inclusion(r);
    else
        slip_declare_mechanics(r);
    if (slip_loader_stopped(r)) return;
    slip_read_definitions(r);
    if (slip_loader_stopped(r)) return;
    if (r->inclusion)
        slip_read_inclusion(r);
    else
        slip_read_mechanics(r);
    if (!slip_loader_stopped(r)) read_records(r);
    if (!slip_loader_stopped(r)) read_run(r);
}

static void read_tree(slip_loader *r)
{
    const slip_source *file = &r->model->sources[0];
    int before = slip_diagnostics_error_count(r->notes);
    r->status = slip_yaml_read(r->scratch, file, 0, r->notes, &r->root);
    if (r->status != SLIP_OK) return;
    if (!r->root) {
        slip_loader_error(r, (slip_span){ file, -1, 0 }, "a model begins with  slipstick: 1",
                          "the file is empty");
        return;
    }
    if (r->root->kind != SLIP_YAML_MAP) {
        slip_loader_error(r, r->root->where, "a model begins with  slipstick: 1",
                          "expected a map of keys, got %s", slip_yaml_describe(r->root));
        return;
    }
    slip_apply_overrides(r);
    if (slip_loader_stopped(r)) return;
    slip_schema_check(r->root, r->notes);
    if (slip_loader_stopped(r)) return;
    read_header(r);
    if (!decide_kind(r) || !names_are_known(r) || slip_loader_stopped(r)) return;
    read_names_and_formulas(r);
    if (slip_diagnostics_error_count(r->notes) != before || r->status != SLIP_OK) return;
    warn_of_unused(r);
    keep_names(r);
}

// ----------------------------------------------------------------------------------- entry points

// the model's own copies of the file and the overrides, for messages and reports
static bool keep_sources(slip_model *m, const char *name, const char *text, size_t length,
                         const char *const *sets, int set_count)
{
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { // a byte order mark is no part of the text
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
        s->name = "--set";
        s->length = (long)strlen(sets[k]);
        s->text = slip_pool_text(m->pool, sets[k], strlen(sets[k]));
        kept = s->text != NULL;
    }
    return kept;
}

static void close_reader(slip_loader *r)
{
    free(r->symbols);
    free(r->slots);
    free(r->quantities);
    slip_pool_destroy(r->scratch);
    slip_diagnostics_destroy(r->trial);
}

// mistakes that were counted but could not be kept for lack of memory
static bool messages_were_lost(const slip_diagnostics *notes)
{
    int count = slip_diagnostics_count(notes), errors = 0;
    for (int k = 0; k < count; k++) errors += slip_diagnostics_get(notes, k).severity == SLIP_ERROR;
    return count < SLIP_MOST_DIAGNOSTICS && errors < slip_diagnostics_error_count(notes);
}

slip_status slip_model_read_text(const char *name, const char *text, size_t length, const char *const *sets,
                                 int set_count, slip_diagnostics *notes, slip_model **model)
{
    if (!model || !notes || !name || (!text && length) || set_count < 0 || (set_count && !sets))
        return SLIP_BAD_ARGUMENT;
    *model = NULL;
    if (length > SLIP_YAML_BYTES) {
        slip_source file = { .name = name };
        slip_diagnose(notes, SLIP_ERROR, (slip_span){ &file, -1, 0 }, NULL, "the file is larger than %d MiB",
                      SLIP_YAML_BYTES >> 20);
        return SLIP_BAD_FILE;
    }
    slip_loader r = {
        .notes = notes, .model = calloc(1, sizeof *r.model), .scratch = slip_pool_create(), .hole = SLIP_NONE
    };
    int before = slip_diagnostics_error_count(notes);
    if (r.model) r.model->pool = slip_pool_create();
    if (r.model) r.model->graph = slip_graph_create();
    if (!r.model || !r.scratch || !r.model->pool || !r.model->graph ||
        !keep_sources(r.model, name, text, length, sets, set_count))
        slip_loader_no_memory(&r);
    else
        read_tree(&r);
    close_reader(&r);
    bool mistakes = slip_diagnostics_error_count(notes) != before;
    slip_status status = r.status != SLIP_OK ? r.status : mistakes ? SLIP_BAD_MODEL : SLIP_OK;
    if (messages_were_lost(notes)) status = SLIP_NO_MEMORY;
    if (status == SLIP_OK)
        *model = r.model;
    else
        slip_model_destroy(r.model);
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
    bool full = slip_diagnostics_count(notes) >= SLIP_MOST_DIAGNOSTICS;
    if (!slip_diagnose(notes, SLIP_ERROR, (slip_span){ &file, -1, 0 }, NULL, "the file cannot be read: %s",
                       reason(error)) &&
        !full)
        return SLIP_NO_MEMORY;
    return SLIP_IO;
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
    slip_text_free(&text);
    return status;
}
