/// model/reader/csv_columns.c: columns of numbers from a file of comma-separated values. Lines that begin with # and empty
/// ones are left out; the first of the others may name the columns.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/table_reader.h"
#include "model/reader/input_files.h"
#include "model/reader/lookup_tables.h"

enum {
    MAX_FIELDS = 64,
    MAX_COLUMNS = 3,
    MAX_ROWS = 20000000, // a row takes 40 bytes and more, and lines can be as short as one byte
};

/// A line, and where its fields stand in the file.
typedef struct line {
    long start, end;
    int count;
    long at[MAX_FIELDS], length[MAX_FIELDS];
} line;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

// fields between blanks, and one comma or semicolon at the most
static void split_line(const slip_source *file, line *l)
{
    const char *text = file->text;
    long at = l->start;
    l->count = 0;
    while (at < l->end && is_blank(text[at])) at++;
    while (at < l->end) {
        long from = at;
        while (at < l->end && !is_blank(text[at]) && text[at] != ',' && text[at] != ';') at++;
        if (l->count < MAX_FIELDS) l->at[l->count] = from, l->length[l->count] = at - from;
        l->count++;
        while (at < l->end && is_blank(text[at])) at++;
        if (at < l->end && (text[at] == ',' || text[at] == ';')) at++;
        while (at < l->end && is_blank(text[at])) at++;
    }
}

// the next line that says something; false at the end
static bool next_line(const slip_source *file, long *at, line *l)
{
    while (*at < file->length) {
        l->start = *at;
        const char *stop = memchr(file->text + *at, '\n', (size_t)(file->length - *at));
        l->end = stop ? (long)(stop - file->text) : file->length;
        *at = l->end + 1;
        split_line(file, l);
        if (l->count > 0 && file->text[l->at[0]] != '#') return true;
    }
    return false;
}

static bool is_header(const slip_source *file, const line *l)
{
    char c = file->text[l->at[0]];
    return isalpha((unsigned char)c) || c == '_' || c == '"';
}

static bool is_called(const slip_source *file, const line *l, int k, const char *name)
{
    const char *text = file->text + l->at[k];
    size_t length = (size_t)l->length[k];
    if (length >= 2 && text[0] == '"' && text[length - 1] == '"') text++, length -= 2;
    return strlen(name) == length && memcmp(text, name, length) == 0;
}

// the number of a column: by its name in the header, or as it is given
static int find_column(slip_reader *r, const slip_source *file, const line *header, const slip_yaml *name,
                       const slip_yaml *of)
{
    const char *text = name ? name->text : "t";
    for (int k = 0; header && k < header->count && k < MAX_FIELDS; k++)
        if (is_called(file, header, k, text)) return k;
    char *end = NULL;
    long number = name ? strtol(text, &end, 10) : 0;
    if (end && *end == '\0' && end != text && number >= 1 && number <= MAX_FIELDS) return (int)number - 1;
    slip_reader_error(r, name ? name->where : of->where,
                      header ? NULL : "the file has no line of names: count the columns from 1",
                      "there is no column '%.80s' in %.160s", text, file->name);
    return -1;
}

static bool read_field(slip_reader *r, const slip_source *file, const line *l, int column, double *value)
{
    const char *text = file->text + l->at[column];
    const long length = l->length[column];
    const slip_field field = slip_field_read(text, (size_t)length, value);
    if (field == SLIP_FIELD_NUMBER) return true;
    if (file->hidden) {
        slip_reader_error(r, slip_span_at(file, l->at[column], length), NULL,
                          "this field is not a decimal number that fits");
        return false;
    }
    // cppcheck-suppress varFuncNullUB  // the NULL is a named argument
    slip_reader_error(r, slip_span_at(file, l->at[column], length), NULL,
                      field == SLIP_FIELD_TOO_LARGE ? "%.*s is too large for a number"
                                                    : "'%.*s' is not a decimal number",
                      (int)(length < 63 ? length : 63), text);
    return false;
}

static int count_lines(const slip_source *file)
{
    int count = 1;
    for (long k = 0; k < file->length; k++) count += file->text[k] == '\n';
    return count;
}

/// What is read while the rows are gone through.
typedef struct csv_reading {
    slip_reader *r;
    const slip_source *file;
    int count, column[MAX_COLUMNS], width;
    double *value[MAX_COLUMNS];
    long *place[MAX_COLUMNS], *length;
    int rows;
} csv_reading;

static bool store_row(csv_reading *x, const line *l)
{
    slip_span where = slip_span_at(x->file, l->start, l->end - l->start);
    if (x->rows == 0) x->width = x->width ? x->width : l->count;
    if (l->count != x->width || l->count > MAX_FIELDS) {
        slip_reader_error(x->r, where, NULL, "this line has %d fields, expected %d", l->count, x->width);
        return false;
    }
    for (int k = 0; k < x->count; k++) {
        if (x->column[k] >= l->count) {
            slip_reader_error(x->r, where, NULL, "there is no column %d in this line", x->column[k] + 1);
            return false;
        }
        if (!read_field(x->r, x->file, l, x->column[k], &x->value[k][x->rows])) return false;
        x->place[k][x->rows] = l->at[x->column[k]];
    }
    x->length[x->rows++] = l->length[x->column[0]];
    return true;
}

static bool allocate_columns(csv_reading *x, const slip_yaml *of)
{
    const int most = count_lines(x->file);
    if (most > MAX_ROWS) {
        slip_reader_error(x->r, of->where, NULL, "'%.160s' has more than %d lines", x->file->name, MAX_ROWS);
        return false;
    }
    bool fine = (x->length = SLIP_POOL_NEW(x->r->scratch, long, most)) != NULL;
    for (int k = 0; k < x->count && fine; k++) {
        x->value[k] = SLIP_POOL_NEW(x->r->scratch, double, most);
        x->place[k] = SLIP_POOL_NEW(x->r->scratch, long, most);
        fine = x->value[k] && x->place[k];
    }
    return fine || slip_reader_no_memory(x->r);
}

bool slip_csv_read(slip_reader *r, const slip_yaml *file, const slip_yaml *const *names, int count,
                   slip_csv *csv)
{
    csv_reading x = { .r = r, .file = slip_read_data_file(r, file), .count = count };
    line l;
    long at = 0;
    if (!x.file || !allocate_columns(&x, file)) return false;
    if (!next_line(x.file, &at, &l)) {
        slip_reader_error(r, file->where, NULL, "'%.160s' holds no data", x.file->name);
        return false;
    }
    bool header = is_header(x.file, &l);
    for (int k = 0; k < count; k++)
        if ((x.column[k] = find_column(r, x.file, header ? &l : NULL, names[k], file)) < 0) return false;
    if (header) x.width = l.count;
    if (!header && !store_row(&x, &l)) return false;
    while (next_line(x.file, &at, &l))
        if (!store_row(&x, &l)) return false;
    csv->file = x.file;
    csv->rows = x.rows;
    csv->length = x.length;
    for (int k = 0; k < count; k++) csv->value[k] = x.value[k], csv->place[k] = x.place[k];
    if (x.rows == 0) slip_reader_error(r, file->where, NULL, "'%.160s' holds no data", x.file->name);
    return x.rows > 0;
}
