/// output/plot/run_table.c: reading what a run wrote.
#include "output/plot/run_table.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_read.h"
#include "base/status.h"
#include "platform/platform.h"
#include "base/text.h"
#include "base/atomic_file.h"

/// One CSV file on its way.
typedef struct lines {
    FILE *file;
    char path[4200];
    char *line;
    size_t room;
    long number;
} lines;

static slip_status no_memory(slip_error *error)
{
    return slip_fail(error, SLIP_NO_MEMORY, "table", "out of memory");
}

static slip_status open_lines(lines *l, const char *directory, const char *name, slip_error *error)
{
    snprintf(l->path, sizeof l->path, "%.4000s%s%s", directory, name[0] ? "/" : "", name);
    l->file = fopen(l->path, "r");
    return l->file ? SLIP_OK : slip_fail(error, SLIP_IO, l->path, "%s", strerror(errno));
}

static void close_lines(lines *l)
{
    if (l->file) fclose(l->file);
    free(l->line);
}

enum { MAX_LINE = 1 << 24 }; // bytes; thousands of columns have less

// with its end, if it has one; -1 past the last one, and where a line is longer than any table has
static ptrdiff_t read_line(lines *l)
{
    size_t length = 0;
    for (int c; length < MAX_LINE && (c = getc(l->file)) != EOF;) {
        if (length + 1 >= l->room) {
            const size_t room = l->room ? 2 * l->room : 4096;
            char *line = realloc(l->line, room);
            if (!line) return -1;
            l->line = line;
            l->room = room;
        }
        l->line[length++] = (char)c;
        if (c == '\n') break;
    }
    if (length == MAX_LINE) errno = EFBIG;
    if (length == 0 || length == MAX_LINE) return -1;
    l->line[length] = '\0';
    return (ptrdiff_t)length;
}

// the next line that ends, without its end; false past the last one, and when it cannot be read
static bool next_line(lines *l)
{
    ptrdiff_t length = read_line(l);
    if (length <= 0 || l->line[length - 1] != '\n') return false;
    l->number++;
    l->line[--length] = '\0';
    if (length > 0 && l->line[length - 1] == '\r') l->line[length - 1] = '\0';
    return true;
}

// reading ended with the file, and not before
static slip_status check_end(const lines *l, slip_error *error)
{
    return feof(l->file) ? SLIP_OK : slip_fail(error, SLIP_IO, l->path, "%s", strerror(errno));
}

// the field that begins here, taken out of its quotes, in place; *at moves to the next one, NULL past the
// last
static char *take_field(char **at)
{
    char *field = *at, *to = *at, *from = *at;
    bool quoted = *from == '"';
    if (quoted) from++;
    for (; *from && (quoted || *from != ','); from++) {
        if (quoted && *from == '"' && *++from != '"') quoted = false;
        if (!quoted && (*from == ',' || !*from)) break;
        *to++ = *from;
    }
    *at = *from == ',' ? from + 1 : NULL;
    *to = '\0';
    slip_text_mask_control(field); // it may be shown on a terminal
    return field;
}

static char *copy_string(slip_run_table *t, const char *text)
{
    return slip_pool_text(t->pool, text, strlen(text));
}

// ------------------------------------------------------------------------------------------- rows

static slip_status read_header(slip_run_table *t, lines *l, slip_error *error)
{
    if (!next_line(l)) {
        slip_status status = check_end(l, error);
        return status != SLIP_OK ? status
                                 : slip_fail(error, SLIP_BAD_ARGUMENT, l->path, "is empty: no header line");
    }
    int count = 1;
    for (const char *c = l->line; *c; c++) count += *c == ',';
    t->name = SLIP_POOL_NEW(t->pool, const char *, count);
    t->unit = SLIP_POOL_NEW(t->pool, const char *, count);
    t->column = SLIP_POOL_NEW(t->pool, double *, count);
    if (!t->name || !t->unit || !t->column) return no_memory(error);
    for (char *at = l->line; at; t->column_count++) {
        t->name[t->column_count] = copy_string(t, take_field(&at));
        t->unit[t->column_count] = t->column_count ? "" : "s";
        if (!t->name[t->column_count]) return no_memory(error);
    }
    if (strcmp(t->name[0], "t") != 0)
        return slip_fail(error, SLIP_BAD_ARGUMENT, l->path,
                         "line 1: the first column is '%.40s', expected t: this is not a trajectory",
                         t->name[0]);
    return SLIP_OK;
}

static bool reserve_row(slip_run_table *t)
{
    if (t->rows < t->room) return true;
    long room = t->room ? 2 * t->room : 1024;
    for (int k = 0; k < t->column_count; k++) {
        double *bigger = realloc(t->column[k], (size_t)room * sizeof *bigger);
        if (!bigger) return false;
        t->column[k] = bigger;
    }
    t->room = room;
    return true;
}

static slip_status read_row(slip_run_table *t, const lines *l, slip_error *error)
{
    const char *at = l->line;
    if (!reserve_row(t)) return no_memory(error);
    for (int k = 0; k < t->column_count; k++) {
        char *end;
        double value = strtod(at, &end);
        bool last = k + 1 == t->column_count;
        if (end == at || *end != (last ? '\0' : ','))
            return slip_fail(error, SLIP_BAD_ARGUMENT, l->path, "line %ld: column %d (%.40s) is not a number",
                             l->number, k + 1, t->name[k]);
        t->column[k][t->rows] = value;
        at = end + 1;
    }
    if (!isfinite(t->column[0][t->rows]))
        return slip_fail(error, SLIP_BAD_ARGUMENT, l->path, "line %ld: the time is not finite", l->number);
    if (t->rows && !(t->column[0][t->rows] >= t->column[0][t->rows - 1]))
        return slip_fail(error, SLIP_BAD_ARGUMENT, l->path, "line %ld: the time goes back", l->number);
    t->rows++;
    return SLIP_OK;
}

static slip_status read_rows(slip_run_table *t, const char *directory, const char *name, slip_error *error)
{
    lines l = { 0 };
    slip_status status = open_lines(&l, directory, name, error);
    if (status == SLIP_OK) status = read_header(t, &l, error);
    while (status == SLIP_OK && next_line(&l))
        if (l.line[0]) status = read_row(t, &l, error);
    if (status == SLIP_OK) status = check_end(&l, error);
    if (status == SLIP_OK && t->rows == 0)
        status = slip_fail(error, SLIP_BAD_ARGUMENT, l.path, "has no rows");
    close_lines(&l);
    return status;
}

// ------------------------------------------------------------------------------------------- events

static bool add_event(slip_run_table *t, double time, const char *element, const char *kind)
{
    for (int k = 0; k < SLIP_EVENT_COUNT; k++) {
        if (strcmp(kind, slip_event_name((slip_event_kind)k)) != 0) continue;
        if (t->event_count == t->event_room) {
            int room = t->event_room ? 2 * t->event_room : 256;
            slip_event *bigger = realloc(t->events, (size_t)room * sizeof *bigger);
            if (!bigger) return false;
            t->events = bigger, t->event_room = room;
        }
        const char *kept = copy_string(t, element);
        if (!kept) return false;
        t->events[t->event_count++] =
            (slip_event){ .t = time, .element = kept, .kind = (slip_event_kind)k, .text = "" };
    }
    return true;
}

// a run without events, or a table from elsewhere, has no such file
static slip_status read_events(slip_run_table *t, const char *directory, slip_error *error)
{
    lines l = { 0 };
    slip_status status = SLIP_OK;
    if (open_lines(&l, directory, "events.csv", NULL) != SLIP_OK) return SLIP_OK;
    bool header = next_line(&l);
    while (header && status == SLIP_OK && next_line(&l)) {
        char *at = l.line, *end, *time = take_field(&at), *element = at ? take_field(&at) : "",
             *kind = at ? take_field(&at) : "";
        double value = strtod(time, &end);
        if (end == time || *end || !isfinite(value))
            status =
                slip_fail(error, SLIP_BAD_ARGUMENT, l.path, "line %ld does not begin with a time", l.number);
        else if (!add_event(t, value, element, kind))
            status = no_memory(error);
    }
    if (status == SLIP_OK) status = check_end(&l, error);
    close_lines(&l);
    return status;
}

// ------------------------------------------------------------------------------------------- summary

// title and units; a table without a summary has neither
static bool read_summary(slip_run_table *t, const char *directory)
{
    char path[4200];
    snprintf(path, sizeof path, "%.4000s/summary.json", directory);
    char *json = slip_file_read_text(path, NULL);
    const char *units = slip_json_member(json, "units");
    char *title = slip_json_read_text(slip_json_member(json, "model"));
    bool fine = true;
    if (title) {
        slip_text_mask_control(title);
        fine = (t->title = copy_string(t, title)) != NULL;
    }
    for (int k = 0; k < t->column_count && fine; k++) {
        char *unit = slip_json_read_text(slip_json_member(units, t->name[k]));
        if (unit) {
            slip_text_mask_control(unit);
            fine = (t->unit[k] = copy_string(t, unit)) != NULL;
        }
        free(unit);
    }
    free(title);
    free(json);
    return fine;
}

// -------------------------------------------------------------------------------------------- table

slip_status slip_run_table_read(const char *path, slip_error *error, slip_run_table **out)
{
    slip_file_about about;
    *out = NULL;
    slip_run_table *t = calloc(1, sizeof *t);
    if (!t || !(t->pool = slip_pool_create())) {
        free(t);
        return no_memory(error);
    }
    bool directory = slip_path_about(path, &about) == 0 && about.kind == SLIP_FILE_FOLDER;
    slip_status status = read_rows(t, path, directory ? "trajectory.csv" : "", error);
    if (status == SLIP_OK && directory) status = read_events(t, path, error);
    t->title = status == SLIP_OK ? copy_string(t, path) : "";
    if (status == SLIP_OK && (!t->title || (directory && !read_summary(t, path)))) status = no_memory(error);
    if (status != SLIP_OK) {
        slip_run_table_destroy(t);
        return status;
    }
    *out = t;
    return SLIP_OK;
}

void slip_run_table_destroy(slip_run_table *t)
{
    if (!t) return;
    for (int k = 0; k < t->column_count && t->column; k++) free(t->column[k]);
    free(t->events);
    slip_pool_destroy(t->pool);
    free(t);
}

const char *slip_run_table_title(const slip_run_table *t)
{
    return t->title;
}

int slip_run_table_column_count(const slip_run_table *t)
{
    return t->column_count;
}

const char *slip_run_table_column_name(const slip_run_table *t, int k)
{
    return k >= 0 && k < t->column_count ? t->name[k] : NULL;
}

const char *slip_run_table_column_unit(const slip_run_table *t, int k)
{
    return k >= 0 && k < t->column_count ? t->unit[k] : "";
}

long slip_run_table_row_count(const slip_run_table *t)
{
    return t->rows;
}

const double *slip_run_table_column(const slip_run_table *t, int k)
{
    return k >= 0 && k < t->column_count ? t->column[k] : NULL;
}

int slip_run_table_event_count(const slip_run_table *t)
{
    return t->event_count;
}

slip_event slip_run_table_event(const slip_run_table *t, int k)
{
    return k >= 0 && k < t->event_count ? t->events[k] : (slip_event){ .t = NAN, .element = "", .text = "" };
}

int slip_run_table_find(const slip_run_table *t, const char *name)
{
    for (int k = 0; k < t->column_count; k++)
        if (strcmp(t->name[k], name) == 0) return k;
    return -1;
}
