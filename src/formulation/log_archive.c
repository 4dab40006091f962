/// formulation/log_archive.c: what a method has said so far, for a run that is interrupted.
#include <stdlib.h>

#include "formulation/log.h"

// a text that is kept with the log; literals of the program are kept once more
static const char *archive_text(slip_log *log, slip_archive *a, const char *key, const char *value)
{
    char *read = slip_archive_text(a, key, value);
    if (!slip_archive_reads(a)) return value;
    const char *kept = read ? slip_log_store_text(log, "%s", read) : "";
    free(read);
    return kept;
}

static void archive_values(slip_log *log, slip_archive *a, slip_warning *w)
{
    slip_archive_int(a, "values", &w->value_count);
    if (w->value_count < 0 || w->value_count > SLIP_MAX_VALUES)
        slip_archive_fail(a, SLIP_BAD_ARGUMENT, "a warning has no %d values", w->value_count);
    for (int k = 0; k < w->value_count && a->status == SLIP_OK; k++) {
        w->values[k].name = archive_text(log, a, "name", w->values[k].name);
        slip_archive_double(a, "value", &w->values[k].value);
        w->values[k].unit = archive_text(log, a, "unit", w->values[k].unit);
    }
    slip_archive_int(a, "advice", &w->advice_count);
    if (w->advice_count < 0 || w->advice_count > SLIP_MAX_ADVICE)
        slip_archive_fail(a, SLIP_BAD_ARGUMENT, "a warning has no %d pieces of advice", w->advice_count);
    for (int k = 0; k < w->advice_count && a->status == SLIP_OK; k++) {
        slip_advice *advice = &w->advice[k];
        bool word = advice->word != NULL;
        advice->key = archive_text(log, a, "key", advice->key);
        slip_archive_bool(a, "in words", &word);
        advice->word = word ? archive_text(log, a, "word", advice->word) : NULL;
        slip_archive_double(a, "value", &advice->value);
    }
}

static void archive_warning(slip_log *log, slip_archive *a, slip_warning *w)
{
    int kind = (int)w->kind;
    slip_archive_open(a, "warning");
    slip_archive_int(a, "kind", &kind);
    if (kind < 0 || kind >= SLIP_WARNING_COUNT)
        slip_archive_fail(a, SLIP_BAD_ARGUMENT, "there is no warning %d", kind);
    w->kind = (slip_warning_kind)kind;
    slip_archive_double(a, "t", &w->t);
    slip_archive_double(a, "last", &w->last);
    slip_archive_long(a, "count", &w->count);
    w->element = archive_text(log, a, "element", w->element);
    w->text = archive_text(log, a, "text", w->text);
    archive_values(log, a, w);
    slip_archive_close(a);
}

// located events that the simulation has not told yet
static void archive_events(slip_log *log, slip_archive *a)
{
    int count = slip_log_event_count(log);
    slip_archive_int(a, "events", &count);
    if (slip_archive_reads(a)) slip_log_clear_events(log);
    for (int k = 0; k < count && a->status == SLIP_OK; k++) {
        slip_event e =
            slip_archive_reads(a) ? slip_event_at(0.0, "", SLIP_EVENT_IMPACT) : slip_log_event(log, k);
        int kind = (int)e.kind;
        slip_archive_open(a, "event");
        slip_archive_int(a, "kind", &kind);
        e.kind = (slip_event_kind)(kind < 0 || kind >= SLIP_EVENT_COUNT ? 0 : kind);
        slip_archive_double(a, "t", &e.t);
        e.element = archive_text(log, a, "element", e.element);
        const char *text = archive_text(log, a, "text", e.text);
#define AS_MEMBER(name, member, unit) slip_archive_double(a, name, &e.member);
        SLIP_EVENT_NUMBERS(AS_MEMBER)
        slip_archive_close(a);
        if (slip_archive_reads(a) && a->status == SLIP_OK) slip_log_add_event(log, e, text);
    }
}

void slip_log_archive(slip_log *log, slip_archive *a)
{
    int count = (int)log->warning_count, made = count;
    slip_archive_open(a, "log");
    slip_archive_int(a, "warnings", &count);
    if (count < made)
        slip_archive_fail(a, SLIP_BAD_ARGUMENT, "%d warnings, and the start alone has %d", count, made);
    for (int k = 0; k < count && a->status == SLIP_OK; k++) {
        slip_warning fresh = { .element = "", .text = "" };
        slip_warning *w = k < made ? slip_log_entry_at(log, k) : &fresh;
        archive_warning(log, a, w);
        if (k >= made && a->status == SLIP_OK) slip_log_add(log, fresh);
    }
    archive_events(log, a);
    slip_archive_bool(a, "news", &log->news);
    slip_archive_close(a);
}

// The number of a warning of this log; -1 for NULL.
static int warning_index(const slip_log *log, const slip_warning *warning)
{
    for (int k = 0; k < (int)log->warning_count && warning; k++)
        if (slip_log_entry_at(log, k) == warning) return k;
    return -1;
}

void slip_log_archive_reference(slip_log *log, slip_archive *a, const char *key, slip_warning **held)
{
    int number = warning_index(log, *held);
    slip_archive_int(a, key, &number);
    if (number >= (int)log->warning_count)
        slip_archive_fail(a, SLIP_BAD_ARGUMENT, "there is no warning %d", number);
    if (slip_archive_reads(a)) *held = slip_log_entry_at(log, number);
}
