/// study/fit/fit_data.c: measured columns from a CSV file.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/table_reader.h"
#include "slipstick/fit.h"

enum { MAX_FIELDS = 32 };

typedef struct fields {
    int count, time;
    int column[MAX_FIELDS]; // of the data, -1 when ignored
} fields;

// "t,th,-": what each field of a line is
static slip_status read_names(const char *text, const char *path, slip_error *error, slip_fit_data *data,
                              fields *f)
{
    char copy[512];
    *f = (fields){ .time = -1 };
    snprintf(copy, sizeof copy, "%s", text);
    copy[strcspn(copy, "\r\n")] = '\0';
    for (char *at = copy, *next; at; at = next) {
        next = strpbrk(at, ",;\t");
        if (next) *next++ = '\0';
        while (*at == ' ') at++;
        for (char *end = at + strlen(at); end > at && end[-1] == ' ';) *--end = '\0';
        if (f->count == MAX_FIELDS)
            return slip_fail(error, SLIP_BAD_ARGUMENT, path, "has more than %d columns", MAX_FIELDS);
        f->column[f->count] = -1;
        if (strcmp(at, "t") == 0) {
            f->time = f->count;
        } else if (strcmp(at, "-") != 0) {
            if (data->columns == SLIP_FIT_MAX_COLUMNS)
                return slip_fail(error, SLIP_BAD_ARGUMENT, path, "at most %d columns can be compared",
                                 SLIP_FIT_MAX_COLUMNS);
            f->column[f->count] = data->columns;
            snprintf(data->name[data->columns++], sizeof data->name[0], "%.60s", at);
        }
        f->count++;
    }
    if (f->time < 0)
        return slip_fail(error, SLIP_BAD_ARGUMENT, path, "no column is called t; say what the columns are");
    return data->columns ? SLIP_OK
                         : slip_fail(error, SLIP_BAD_ARGUMENT, path, "there is no column to compare with");
}

static slip_status store_row(slip_table_reader *r, const fields *f, size_t capacity[2], slip_error *error,
                             slip_fit_data *data)
{
    double value[MAX_FIELDS];
    slip_status status = slip_table_reader_numbers(r, f->count, value, error);
    if (status != SLIP_OK) return status;
    const size_t row = (size_t)data->rows, columns = (size_t)data->columns;
    const double t = value[f->time];
    if (t < 0.0)
        return slip_fail(error, SLIP_BAD_ARGUMENT, r->path,
                         "line %ld: t = %g s is before the start of the run, t = 0", r->line, t);
    if (row && !(t > data->t[row - 1]))
        return slip_fail(error, SLIP_BAD_ARGUMENT, r->path, "line %ld: times must increase, got %g after %g",
                         r->line, t, data->t[row - 1]);
    if (!slip_array_grow((void **)&data->t, &capacity[0], row, sizeof *data->t) ||
        !slip_array_grow((void **)&data->value, &capacity[1], row, columns * sizeof *data->value))
        return slip_fail(error, SLIP_NO_MEMORY, r->path, "out of memory");
    data->t[row] = t;
    for (int k = 0; k < f->count; k++)
        if (f->column[k] >= 0) data->value[row * columns + (size_t)f->column[k]] = value[k];
    data->rows++;
    return SLIP_OK;
}

static slip_status read_rows(slip_table_reader *r, const char *columns, slip_error *error,
                             slip_fit_data *data)
{
    size_t capacity[2] = { 0 };
    fields f = { 0 };
    slip_status status = columns ? read_names(columns, r->path, error, data, &f) : SLIP_OK;
    while (status == SLIP_OK && slip_table_reader_next(r, &status, error)) {
        if (r->first && !columns)
            status = read_names(r->text, r->path, error, data, &f);
        else if (!slip_table_reader_is_header(r))
            status = store_row(r, &f, capacity, error, data);
    }
    if (status == SLIP_OK && data->rows == 0)
        return slip_fail(error, SLIP_BAD_ARGUMENT, r->path, "holds no data");
    data->unfinished = r->unfinished ? r->line : 0;
    return status;
}

slip_status slip_fit_data_read(const char *path, const char *columns, slip_error *error, slip_fit_data *data)
{
    *data = (slip_fit_data){ 0 };
    slip_table_reader rows = { .file = fopen(path, "r"), .path = path };
    if (!rows.file) return slip_fail(error, SLIP_IO, path, "%s", strerror(errno));
    slip_status status = read_rows(&rows, columns, error, data);
    fclose(rows.file);
    if (status != SLIP_OK) slip_fit_data_destroy(data);
    return status;
}

void slip_fit_data_destroy(slip_fit_data *data)
{
    free(data->t);
    free(data->value);
    *data = (slip_fit_data){ 0 };
}
