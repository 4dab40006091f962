/// model/reader/reader.c: messages, memory and the search for keys while a tree becomes a model.
#include "model/reader/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

bool slip_reader_no_memory(slip_reader *r)
{
    r->status = SLIP_NO_MEMORY;
    return false;
}

bool slip_reader_stopped(const slip_reader *r)
{
    return r->status != SLIP_OK || slip_diagnostics_error_count(r->notes) > SLIP_MAX_DIAGNOSTICS;
}

static void add_message(slip_reader *r, slip_severity severity, slip_span where, const char *hint,
                        const char *format, va_list list) SLIP_PRINTF(5, 0);
static void add_message(slip_reader *r, slip_severity severity, slip_span where, const char *hint,
                        const char *format, va_list list)
{
    char text[600];
    vsnprintf(text, sizeof text, format, list);
    bool full = slip_diagnostics_count(r->notes) >= SLIP_MAX_DIAGNOSTICS;
    if (!slip_diagnose(r->notes, severity, where, hint, "%s", text) && !full) slip_reader_no_memory(r);
}

void slip_reader_error(slip_reader *r, slip_span where, const char *hint, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    add_message(r, SLIP_ERROR, where, hint, format, list);
    va_end(list);
}

void slip_reader_warning(slip_reader *r, slip_span where, const char *hint, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    add_message(r, SLIP_WARNING, where, hint, format, list);
    va_end(list);
}

void slip_reader_note(slip_reader *r, slip_span where, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    add_message(r, SLIP_NOTE, where, NULL, format, list);
    va_end(list);
}

void *slip_reader_take(slip_reader *r, size_t count, size_t size)
{
    void *memory = slip_pool_take(r->model->pool, count, size);
    if (!memory) slip_reader_no_memory(r);
    return memory;
}

const char *slip_reader_text(slip_reader *r, const char *text, size_t length)
{
    const char *copy = slip_pool_text(r->model->pool, text, length);
    if (!copy) slip_reader_no_memory(r);
    return copy;
}

const char *slip_reader_unit(slip_reader *r, const slip_dimension *dimension)
{
    char text[SLIP_UNIT_LENGTH];
    slip_dimension_text(dimension, text, sizeof text);
    enum { UNITS = sizeof r->units / sizeof *r->units };
    if (!text[0]) return "";
    for (int k = 0; k < UNITS && k < r->unit_count; k++)
        if (strcmp(r->units[k], text) == 0) return r->units[k];
    const char *kept = slip_reader_text(r, text, strlen(text));
    if (kept) r->units[r->unit_count++ % UNITS] = kept;
    return kept ? kept : "";
}

slip_yaml *slip_reader_value(const slip_yaml *map, const char *key)
{
    slip_yaml *node = slip_yaml_find(map, key);
    return node && !node->bad ? node : NULL;
}

slip_yaml *slip_reader_map(const slip_yaml *map, const char *key)
{
    slip_yaml *node = slip_reader_value(map, key);
    return node && node->kind == SLIP_YAML_MAP ? node : NULL;
}

const char *slip_read_word(slip_reader *r, const slip_yaml *map, const char *key, slip_span *where)
{
    const slip_yaml *node = slip_reader_value(map, key);
    if (!node) return NULL;
    *where = node->where;
    return slip_reader_text(r, node->text, node->length);
}

const char *slip_read_part(slip_reader *r, const slip_yaml *map, const char *key, slip_part_kind kind,
                           slip_span *where)
{
    const char *word = slip_read_word(r, map, key, where);
    if (!word || slip_part_find(kind, word) >= 0) return word;
    int count;
    const char *const *names = slip_part_names(kind, &count);
    char near[96], list[96];
    slip_suggest_name(word, names, count, near, sizeof near);
    snprintf(list, sizeof list, "`slipstick list %s` shows them", slip_part_kind_name(kind));
    slip_reader_error(r, *where, near[0] ? near : list, "'%.80s' is not one of the %s", word,
                      slip_part_kind_name(kind));
    return NULL;
}
