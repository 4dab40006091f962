/// base/diagnostics.c: places, carets and near misses.
#include "base/diagnostics.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"

struct slip_diagnostics {
    slip_pool *pool; // owns every string
    slip_diagnostic *items;
    size_t count, capacity;
    int errors;
    int copies;   ///< errors among them that are not in the list, since they are the same as one before
    int repeats;  ///< the same with warnings
    bool passing; ///< such a one was the last, and notes on it are passed over too
};

slip_diagnostics *slip_diagnostics_create(void)
{
    slip_diagnostics *notes = calloc(1, sizeof *notes);
    if (!notes) return NULL;
    notes->pool = slip_pool_create();
    if (!notes->pool) {
        free(notes);
        return NULL;
    }
    return notes;
}

void slip_diagnostics_destroy(slip_diagnostics *notes)
{
    if (!notes) return;
    slip_pool_destroy(notes->pool);
    free(notes->items);
    free(notes);
}

int slip_diagnostics_count(const slip_diagnostics *notes)
{
    return (int)notes->count;
}
int slip_diagnostics_error_count(const slip_diagnostics *notes)
{
    return notes->errors;
}

slip_diagnostics_mark slip_diagnostics_set_mark(const slip_diagnostics *notes)
{
    return (slip_diagnostics_mark){ notes->count, notes->errors, notes->copies, notes->repeats };
}

void slip_diagnostics_rewind(slip_diagnostics *notes, slip_diagnostics_mark mark)
{
    notes->count = mark.count;
    notes->errors = mark.errors;
    notes->copies = mark.copies;
    notes->repeats = mark.repeats;
    notes->passing = false;
}

slip_diagnostic slip_diagnostics_get(const slip_diagnostics *notes, int index)
{
    return notes->items[index];
}

/// The text of a line, still in its source: a line may be as long as a file, so it is copied only for what is
/// kept.
typedef struct line_text {
    const char *text;
    size_t length;
} line_text;

// fills line and column of a span; the line that it stands in
static line_text find_place(slip_span where, slip_diagnostic *d)
{
    const slip_source *s = where.source;
    d->file = s ? s->name : "";
    d->length = 1;
    if (!s || where.start < 0 || where.start > s->length) return (line_text){ "", 0 };
    long begin = where.start;
    while (begin > 0 && s->text[begin - 1] != '\n') begin--;
    long end = where.start;
    while (end < s->length && s->text[end] != '\n' && s->text[end] != '\r') end++;
    d->line = 1;
    for (long k = 0; k < begin; k++) d->line += s->text[k] == '\n';
    d->column = (int)(where.start - begin) + 1;
    long reach = where.length < end - where.start ? where.length : end - where.start;
    d->length = reach > 1 ? (int)reach : 1;
    return s->hidden ? (line_text){ "", 0 } : (line_text){ s->text + begin, (size_t)(end - begin) };
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// equal but for numbers, as those in the names of copies: x3_1
static bool equal_but_for_digits(const char *a, const char *b)
{
    while (*a && *b) {
        if (is_digit(*a) && is_digit(*b)) {
            while (is_digit(*a)) a++;
            while (is_digit(*b)) b++;
        } else if (*a++ != *b++)
            return false;
    }
    return *a == *b;
}

// up to a zero byte, if there is one
static bool is_same_line(const char *said, line_text line)
{
    const char *zero = memchr(line.text, '\0', line.length);
    const size_t length = zero ? (size_t)(zero - line.text) : line.length;
    return strlen(said) == length && memcmp(said, line.text, length) == 0;
}

// what is repeated in a model makes the same mistake at the same place many times
static bool is_duplicate(const slip_diagnostics *notes, const slip_diagnostic *d, line_text line,
                         const char *text)
{
    for (size_t k = 0; k < notes->count && d->line > 0; k++) {
        const slip_diagnostic *said = &notes->items[k];
        if (said->severity == d->severity && said->line == d->line && said->column == d->column &&
            strcmp(said->file, d->file) == 0 && is_same_line(said->source, line) &&
            equal_but_for_digits(said->text, text))
            return true;
    }
    return false;
}

// true when it need not be said again
static bool skip_duplicate(slip_diagnostics *notes, const slip_diagnostic *d, line_text line,
                           const char *text)
{
    if (d->severity == SLIP_NOTE) return notes->passing;
    notes->passing = is_duplicate(notes, d, line, text);
    notes->copies += notes->passing && d->severity == SLIP_ERROR;
    notes->repeats += notes->passing;
    return notes->passing;
}

bool slip_diagnose(slip_diagnostics *notes, slip_severity severity, slip_span where, const char *hint,
                   const char *format, ...)
{
    if (severity == SLIP_ERROR) notes->errors++;
    if (notes->count >= SLIP_MAX_DIAGNOSTICS) return false;
    char text[600];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);

    slip_diagnostic d = { .severity = severity };
    if (!slip_array_grow((void **)&notes->items, &notes->capacity, notes->count, sizeof d)) return false;
    const line_text line = find_place(where, &d);
    if (skip_duplicate(notes, &d, line, text)) return true;
    d.file = slip_pool_text(notes->pool, d.file, strlen(d.file));
    d.source = slip_pool_text(notes->pool, line.text, line.length);
    d.text = slip_pool_text(notes->pool, text, strlen(text));
    d.hint = hint ? slip_pool_text(notes->pool, hint, strlen(hint)) : "";
    if (!d.file || !d.source || !d.text || !d.hint) return false;
    notes->items[notes->count++] = d;
    return true;
}

// files in the order in which they are first complained about, --set behind them
static int rank_of(const slip_diagnostics *notes, int from, const char *file)
{
    if (strcmp(file, SLIP_OVERRIDE_NAME) == 0) return SLIP_MAX_DIAGNOSTICS;
    while (strcmp(notes->items[from].file, file) != 0) from++;
    return from;
}

// of two records, does the first stand after the second?
static bool stands_after(const slip_diagnostics *notes, int from, const slip_diagnostic *a,
                         const slip_diagnostic *b)
{
    int a_rank = rank_of(notes, from, a->file), b_rank = rank_of(notes, from, b->file);
    if (a_rank != b_rank) return a_rank > b_rank;
    return a->line != b->line ? a->line > b->line : a->column > b->column;
}

void slip_diagnostics_sort(slip_diagnostics *notes, int from)
{
    slip_diagnostic sorted[SLIP_MAX_DIAGNOSTICS];
    int count = 0, total = (int)notes->count;
    for (int k = from; k < total;) { // insertion of a record with the notes behind it; there are at most 100
        int length = 1, at = count;
        while (k + length < total && notes->items[k + length].severity == SLIP_NOTE) length++;
        while (at > 0) { // before which group does this one stand?
            int head = at - 1;
            while (head > 0 && sorted[head].severity == SLIP_NOTE) head--;
            if (!stands_after(notes, from, &sorted[head], &notes->items[k])) break;
            at = head;
        }
        memmove(sorted + at + length, sorted + at, (size_t)(count - at) * sizeof *sorted);
        memcpy(sorted + at, notes->items + k, (size_t)length * sizeof *sorted);
        count += length;
        k += length;
    }
    if (count) memcpy(notes->items + from, sorted, (size_t)count * sizeof *sorted);
}

// a source line may hold tabs and bytes above 127: one column per character, tabs as one space
static void add_source_line(slip_text *out, const slip_diagnostic *d)
{
    enum { WIDEST = 160 };
    const char *line = d->source;
    int from = 0, length = (int)strlen(line);
    if (d->column > WIDEST - 40) from = d->column - (WIDEST - 40);
    while (from > 0 && ((unsigned char)line[from] & 0xC0) == 0x80) from--; // not inside a character
    int to = from + WIDEST < length ? from + WIDEST : length;
    slip_text_add(out, "%6d | %s", d->line, from > 0 ? "..." : "");
    for (int k = from; k < to; k++) {
        unsigned char c = (unsigned char)line[k];
        char shown = c < 32 || c == 127 ? ' ' : (char)c;
        slip_text_bytes(out, &shown, 1);
    }
    slip_text_add(out, "%s\n       | %s", to < length ? "..." : "", from > 0 ? "   " : "");
    for (int k = from; k < d->column - 1 && k < to; k++)
        if (((unsigned char)line[k] & 0xC0) != 0x80) slip_text_add(out, " ");
    slip_text_add(out, "^");
    for (int k = d->column; k < d->column - 1 + d->length && k < to; k++)
        if (((unsigned char)line[k] & 0xC0) != 0x80) slip_text_add(out, "~");
    slip_text_add(out, "\n");
}

char *slip_diagnostics_text(const slip_diagnostics *notes)
{
    static const char *const words[] = { "error", "warning", "note" };
    slip_text out = { 0 };
    for (size_t k = 0; k < notes->count; k++) {
        const slip_diagnostic *d = &notes->items[k];
        if (d->file[0]) slip_text_add(&out, "%s:", d->file);
        if (d->line) slip_text_add(&out, "%d:%d:", d->line, d->column);
        slip_text_add(&out, "%s%s: %s\n", out.length && out.data[out.length - 1] == ':' ? " " : "",
                      words[d->severity], d->text);
        if (d->line && d->source[0]) add_source_line(&out, d);
        if (d->hint[0]) slip_text_add(&out, "       = %s\n", d->hint);
    }
    if (notes->repeats > 0)
        slip_text_add(&out, "... and %d more of the same, in copies of a repeated part\n", notes->repeats);
    int more = notes->errors - notes->copies;
    for (size_t k = 0; k < notes->count; k++) more -= notes->items[k].severity == SLIP_ERROR;
    if (more > 0) slip_text_add(&out, "... and %d more error%s\n", more, more == 1 ? "" : "s");
    char *text = slip_text_take(&out);
    if (text) slip_text_mask_control(text);
    return text;
}

// edit distance with adjacent swaps, cut off at words of 40 characters
static int edit_distance(const char *a, const char *b)
{
    enum { MAX_LENGTH = 40 };
    int na = (int)strlen(a), nb = (int)strlen(b);
    if (na > MAX_LENGTH || nb > MAX_LENGTH) return MAX_LENGTH;
    int row[3][MAX_LENGTH + 1];
    for (int j = 0; j <= nb; j++) row[0][j] = j;
    for (int i = 1; i <= na; i++) {
        int *now = row[i % 3], *before = row[(i + 2) % 3], *earlier = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= nb; j++) {
            int best = before[j - 1] + (a[i - 1] != b[j - 1]);
            if (before[j] + 1 < best) best = before[j] + 1;
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && earlier[j - 2] + 1 < best)
                best = earlier[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[na % 3][nb];
}

// how many characters two words begin with alike
static int common_beginning(const char *a, const char *b)
{
    int length = 0;
    while (a[length] && a[length] == b[length]) length++;
    return length;
}

// A word that someone has heard but not read: all but its last letter begin a name, 'moro' and moreau.
static int beginning_of(const char *word, const char *const *names, int count)
{
    enum { SHORTEST = 3 };
    const int wanted = (int)strlen(word) - 1;
    for (int k = 0; k < count && wanted >= SHORTEST; k++)
        if (common_beginning(word, names[k]) >= wanted) return k;
    return -1;
}

const char *slip_suggest_name(const char *word, const char *const *names, int count, char *buffer, int size)
{
    int length = (int)strlen(word), best = 1 + length / 3, at = -1;
    if (best > 3) best = 3;
    for (int k = 0; k < count; k++) {
        int d = edit_distance(word, names[k]);
        if (d < best || (d == best && at < 0)) best = d, at = k;
    }
    if (at < 0) {
        at = beginning_of(word, names, count);
        best = 0;
    }
    if (at >= 0 && best < length)
        snprintf(buffer, (size_t)size, "did you mean '%s'?", names[at]);
    else
        buffer[0] = '\0';
    return buffer;
}

const char *slip_span_place(slip_span where, char *buffer, int size)
{
    if (!where.source) {
        snprintf(buffer, (size_t)size, "model");
        return buffer;
    }
    int line = 1, column = 1;
    for (long k = 0; k < where.start && k < where.source->length; k++) {
        bool newline = where.source->text[k] == '\n';
        line += newline;
        column = newline ? 1 : column + 1;
    }
    snprintf(buffer, (size_t)size, "%s:%d:%d", where.source->name, line, column);
    return buffer;
}
