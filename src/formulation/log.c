/// formulation/log.c: warnings, located events and the sentence that ends a run. See log.h.
#include "formulation/log.h"
#include "base/elementary.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RESERVED_ENTRIES = 64 }; // warnings and events that fit without growing

typedef struct slip_log_entry {
    slip_warning warning; // first, so that one can be had from the other
    slip_log *log;
    struct slip_log_entry *next; // in the same slot
} entry;

typedef struct slip_log_located {
    slip_event event;
    size_t text; // place in event_text
} located;

const char *slip_warning_kind_name(slip_warning_kind kind)
{
#define AS_WORD(name, word, text) word,
    static const char *const words[] = { SLIP_WARNINGS(AS_WORD) };
    return kind >= 0 && kind < SLIP_WARNING_COUNT ? words[kind] : "none";
}

const char *slip_warning_kind_text(slip_warning_kind kind)
{
#define AS_TEXT(name, word, text) text,
    static const char *const texts[] = { SLIP_WARNINGS(AS_TEXT) };
    return kind >= 0 && kind < SLIP_WARNING_COUNT ? texts[kind] : "none";
}

int slip_warning_kind_is_note(slip_warning_kind kind)
{
    return kind == SLIP_WARNING_OPEN_FORCE || kind == SLIP_WARNING_NO_DERIVATIVES ||
           kind == SLIP_WARNING_STEP_DERIVATIVES || kind == SLIP_WARNING_IMPACT_LAW ||
           kind == SLIP_WARNING_FIXED_MASS || kind == SLIP_WARNING_SECOND_SOLUTION;
}

// kind and element, by FNV-1a
static size_t warning_hash(slip_warning_kind kind, const char *element)
{
    uint64_t h = 14695981039346656037u ^ (uint64_t)kind;
    for (; *element; element++) h = (h ^ (unsigned char)*element) * 1099511628211u;
    return (size_t)(h ^ (h >> 32));
}

static entry **warning_slot(const slip_log *log, slip_warning_kind kind, const char *element)
{
    return &log->slots[warning_hash(kind, element) & (log->slot_count - 1)];
}

static void put_into_slot(slip_log *log, entry *e)
{
    entry **slot = warning_slot(log, e->warning.kind, e->warning.element);
    e->next = *slot;
    *slot = e;
}

// room for `count` + 1 warnings, and about as many slots
static bool grow_warnings(slip_log *log, size_t count)
{
    size_t before = log->warning_capacity;
    if (!slip_array_grow((void **)&log->warnings, &log->warning_capacity, count, sizeof *log->warnings))
        return false;
    if (log->warning_capacity == before && log->slots) return true;
    entry **slots =
        calloc(log->warning_capacity, sizeof *slots); // a power of two, as slip_array_grow doubles
    if (!slots) return false;
    free((void *)log->slots);
    log->slots = slots;
    log->slot_count = log->warning_capacity;
    for (size_t k = 0; k < log->warning_count; k++) put_into_slot(log, log->warnings[k]);
    return true;
}

static bool grow_events(slip_log *log, size_t count)
{
    return slip_array_grow((void **)&log->events, &log->event_capacity, count, sizeof *log->events);
}

void slip_log_destroy(slip_log *log)
{
    if (!log) return;
    slip_pool_destroy(log->kept);
    free((void *)log->warnings);
    free((void *)log->slots);
    free(log->events);
    slip_text_destroy(&log->event_text);
    slip_text_destroy(&log->failure);
    free(log);
}

// room for what ordinary runs say, so that their steps allocate nothing at all
static bool reserve_log(slip_log *log)
{
    log->kept = slip_pool_create();
    if (!log->kept) return false;
    slip_pool_mark start = slip_pool_set_mark(log->kept);
    bool fine = slip_pool_take(log->kept, 16384, 1) != NULL;
    slip_pool_rewind(log->kept, start);
    slip_text_reserve(&log->event_text, 4096);
    fine = fine && !log->event_text.failed;
    while (fine && log->warning_capacity < RESERVED_ENTRIES) fine = grow_warnings(log, log->warning_capacity);
    while (fine && log->event_capacity < RESERVED_ENTRIES) fine = grow_events(log, log->event_capacity);
    return fine;
}

slip_log *slip_log_create(void)
{
    slip_log *log = calloc(1, sizeof *log);
    if (log && reserve_log(log)) return log;
    slip_log_destroy(log);
    return NULL;
}

void slip_log_reset(slip_log *log)
{
    if (log->warning_count) memset((void *)log->slots, 0, log->slot_count * sizeof *log->slots);
    slip_pool_rewind(log->kept, (slip_pool_mark){ 0 });
    slip_log_clear_events(log);
    log->warning_count = log->failure.length = 0;
    log->failure.failed = log->event_text.failed = log->failed = log->news = log->wordless = false;
    log->muted = 0;
}

bool slip_log_out_of_memory(const slip_log *log)
{
    return log->failed || log->event_text.failed || log->failure.failed;
}

// ------------------------------------------------------------------------------------------ sentences

static char *store_text(slip_log *log, const char *format, va_list list)
{
    va_list again;
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : slip_pool_take(log->kept, (size_t)length + 1, 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, list);
    else
        log->failed = log->news = true;
    return text;
}

const char *slip_log_store_text(slip_log *log, const char *format, ...)
{
    if (log->muted) return "";
    va_list list;
    va_start(list, format);
    const char *text = store_text(log, format, list);
    va_end(list);
    return text ? text : "";
}

void slip_log_set_failure(slip_log *log, const char *format, va_list list)
{
    log->failure.length = 0;
    slip_text_add_list(&log->failure, format, list);
}

const char *slip_log_failure(const slip_log *log)
{
    return log->failure.data && !log->failure.failed ? log->failure.data : "";
}

// ------------------------------------------------------------------------------------------- warnings

// the end of the number that begins at `at`, or `at`. Digits in a name begin none
static const char *skip_number(const char *text, const char *at)
{
    bool inside = at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_' || at[-1] == '\'');
    if (inside || !strchr("+-.0123456789", *at)) return at;
    char *end;
    strtod(at, &end);
    return end;
}

static bool differ_in_numbers_alone(const char *a, const char *b)
{
    const char *p = a, *q = b;
    while (*p && *q) {
        const char *after_p = skip_number(a, p), *after_q = skip_number(b, q);
        if ((after_p > p) != (after_q > q)) return false;
        if (after_p == p && *p != *q) return false;
        p = after_p > p ? after_p : p + 1;
        q = after_q > q ? after_q : q + 1;
    }
    return *p == *q;
}

static entry *find_warning(const slip_log *log, slip_warning_kind kind, const char *element, const char *text)
{
    entry *e = *warning_slot(log, kind, element);
    while (e && !(e->warning.kind == kind && strcmp(e->warning.element, element) == 0 &&
                  differ_in_numbers_alone(e->warning.text, text)))
        e = e->next;
    return e;
}

slip_warning *slip_log_add(slip_log *log, slip_warning warning)
{
    entry *e = slip_pool_take(log->kept, 1, sizeof *e);
    log->news = true;
    if (!e || !grow_warnings(log, log->warning_count)) {
        log->failed = true;
        return NULL;
    }
    *e = (entry){ warning, log, NULL };
    put_into_slot(log, e);
    log->warnings[log->warning_count++] = e;
    return &e->warning;
}

slip_warning *slip_log_warn(slip_log *log, double t, slip_warning_kind kind, const char *element,
                            const char *format, va_list list)
{
    assert(kind >= 0 && kind < SLIP_WARNING_COUNT);
    if (log->muted) return NULL;
    slip_pool_mark before = slip_pool_set_mark(log->kept);
    char *text = store_text(log, format, list);
    if (!text) return NULL;
    entry *known = find_warning(log, kind, element, text);
    if (!known)
        return slip_log_add(
            log,
            (slip_warning){ .kind = kind, .t = t, .last = t, .count = 1, .element = element, .text = text });
    slip_pool_rewind(log->kept, before);
    slip_log_repeat(log, &known->warning, t);
    return &known->warning;
}

void slip_log_repeat(slip_log *log, slip_warning *warning, double t)
{
    if (!warning || log->muted) return;
    warning->last = t;
    warning->count++;
}

void slip_warning_value(slip_warning *warning, const char *name, double value, const char *unit)
{
    if (!warning) return;
    for (int k = 0; k < warning->value_count; k++)
        if (strcmp(warning->values[k].name, name) == 0) return;
    assert(warning->value_count < SLIP_MAX_VALUES);
    warning->values[warning->value_count++] = (slip_measured_value){ name, value, unit };
}

static void add_advice(slip_warning *warning, const char *key, double value, const char *word)
{
    if (!warning) return;
    slip_log *log = ((entry *)warning)->log;
    const char *star = strchr(key, '*');
    slip_pool_mark before = slip_pool_set_mark(log->kept);
    if (star) key = slip_log_store_text(log, "%.*s%s%s", (int)(star - key), key, warning->element, star + 1);
    for (int k = 0; k < warning->advice_count; k++)
        if (strcmp(warning->advice[k].key, key) == 0) {
            slip_pool_rewind(log->kept, before);
            return;
        }
    if (!key[0]) return; // out of memory
    assert(warning->advice_count < SLIP_MAX_ADVICE);
    warning->advice[warning->advice_count++] = (slip_advice){ key, word, value };
}

void slip_warning_advise(slip_warning *warning, const char *key, double value)
{
    add_advice(warning, key, value, NULL);
}

void slip_warning_advise_word(slip_warning *warning, const char *key, const char *word)
{
    add_advice(warning, key, NAN, word);
}

double slip_round_down_two_digits(double value)
{
    // relative: a value that is below a multiple of its unit by rounding alone is that multiple
    static const double ROUNDING = 1e-12;
    double unit = slip_pow10((int)floor(slip_log10(value)) - 1);
    return floor(value / unit * (1.0 + ROUNDING)) * unit;
}

void slip_log_add_warnings(slip_log *log, const slip_log *from)
{
    assert(!log->muted && log != from);
    log->failed = log->failed || slip_log_out_of_memory(from);
    for (size_t k = 0; k < from->warning_count; k++) slip_log_add(log, from->warnings[k]->warning);
}

slip_warning *slip_log_entry_at(const slip_log *log, int k)
{
    return k >= 0 && (size_t)k < log->warning_count ? &log->warnings[k]->warning : NULL;
}

// number k of the notes, or of the warnings proper
static const slip_warning *find_entry(const slip_log *log, bool note, int k)
{
    for (size_t i = 0; i < log->warning_count; i++) {
        const slip_warning *w = &log->warnings[i]->warning;
        if ((slip_warning_kind_is_note(w->kind) != 0) == note && k-- == 0) return w;
    }
    return NULL;
}

int slip_log_warning_count(const slip_log *log)
{
    int count = 0;
    for (size_t i = 0; i < log->warning_count; i++)
        count += !slip_warning_kind_is_note(log->warnings[i]->warning.kind);
    return count;
}

const slip_warning *slip_log_warning(const slip_log *log, int k)
{
    return find_entry(log, false, k);
}

const slip_warning *slip_log_note_at(const slip_log *log, int k)
{
    return find_entry(log, true, k);
}

// --------------------------------------------------------------------------------------------- events

static located *add_event(slip_log *log, slip_event event)
{
    log->news = true;
    if (!grow_events(log, log->event_count)) {
        log->failed = true;
        return NULL;
    }
    located *added = &log->events[log->event_count++];
    *added = (located){ event, log->event_text.length };
    return added;
}

void slip_log_event_format(slip_log *log, slip_event event, const char *format, va_list list)
{
    if (log->muted || !add_event(log, event)) return;
    if (!log->wordless) slip_text_add_list(&log->event_text, format, list);
    slip_text_bytes(&log->event_text, "", 1);
}

void slip_log_omit_event_text(slip_log *log)
{
    log->wordless = true;
}

void slip_log_add_event(slip_log *log, slip_event event, const char *text)
{
    if (!add_event(log, event)) return;
    slip_text_bytes(&log->event_text, text, strlen(text) + 1);
}

int slip_log_event_count(const slip_log *log)
{
    return (int)log->event_count;
}

slip_event slip_log_event(const slip_log *log, int k)
{
    assert(k >= 0 && (size_t)k < log->event_count);
    slip_event event = log->events[k].event;
    event.text = log->event_text.failed ? "" : log->event_text.data + log->events[k].text;
    return event;
}

void slip_log_clear_events(slip_log *log)
{
    log->event_count = log->event_text.length = 0;
}

// ---------------------------------------------------------------------------------------------- peeks

void slip_log_mute(slip_log *log)
{
    log->muted++;
}

void slip_log_unmute(slip_log *log)
{
    assert(log->muted > 0);
    log->muted--;
}
