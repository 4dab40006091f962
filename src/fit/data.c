/// fit/data.c: measured columns from a CSV file.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/status.h"
#include "slipstick/fit.h"

enum { MOST_FIELDS = 32 };

typedef struct fields {
    int count, time;
    int column[MOST_FIELDS]; // of the data, -1 when ignored
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
        next = strchr(at, ',');
        if (next) *next++ = '\0';
        while (*at == ' ') at++;
        if (f->count == MOST_FIELDS)
            return slip_fail(error, SLIP_BAD_ARGUMENT, path, "has more than %d columns", MOST_FIELDS);
        f->column[f->count] = -1;
        if (strcmp(at, "t") == 0) {
            f->time = f->count;
        } else if (strcmp(at, "-") != 0) {
            if (data->columns == SLIP_FIT_MOST_COLUMNS)
                return slip_fail(error, SLIP_BAD_ARGUMENT, path, "at most %d columns can be compared",
                                 SLIP_FIT_MOST_COLUMNS);
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

static bool read_row(char *line, const fields *f, double *t, double *row)
{
    char *at = line;
    for (int k = 0; k < f->count; k++) {
        char *end;
        double value = strtod(at, &end);
        if (end == at) return false;
        if (k == f->time) *t = value;
        if (f->column[k] >= 0) row[f->column[k]] = value;
        while (*end == ' ' || *end == ',' || *end == ';' || *end == '\t') end++;
        at = end;
    }
    return true;
}

static slip_status read_rows(FILE *file, const char *path, const char *columns, slip_error *error,
                             slip_fit_data *data)
{
    char line[1024];
    size_t rows = 0, capacity = 0, capacity_t = 0;
    fields f;
    slip_status status = columns ? read_names(columns, path, error, data, &f) : SLIP_OK;
    for (long number = 1; status == SLIP_OK && fgets(line, sizeof line, file); number++) {
        double t = NAN, row[SLIP_FIT_MOST_COLUMNS] = { 0 };
        if (line[0] == '#' || line[strspn(line, " \t\r\n")] == '\0') continue;
        if (number == 1 && !columns) {
            status = read_names(line, path, error, data, &f);
            continue;
        }
        if (!read_row(line, &f, &t, row)) {
            if (number == 1) continue; // a header that was named otherwise
            return slip_fail(error, SLIP_BAD_ARGUMENT, path, "line %ld is not %d numbers: %.50s", number,
                             f.count, line);
        }
        if (!isfinite(t) || (rows && !(t > data->t[rows - 1])))
            return slip_fail(error, SLIP_BAD_ARGUMENT, path, "line %ld: times must increase, got %g", number,
                             t);
        size_t bytes = (size_t)data->columns * sizeof(double);
        if (!slip_grow((void **)&data->t, &capacity_t, rows, sizeof *data->t) ||
            !slip_grow((void **)&data->value, &capacity, rows, bytes))
            return slip_fail(error, SLIP_NO_MEMORY, path, "out of memory");
        data->t[rows] = t;
        memcpy(data->value + rows * (size_t)data->columns, row, bytes);
        data->rows = (int)++rows;
    }
    if (status == SLIP_OK && rows == 0) return slip_fail(error, SLIP_BAD_ARGUMENT, path, "holds no data");
    return status;
}

slip_status slip_fit_data_read(const char *path, const char *columns, slip_error *error, slip_fit_data *data)
{
    *data = (slip_fit_data){ 0 };
    FILE *file = fopen(path, "r");
    if (!file) return slip_fail(error, SLIP_IO, path, "%s", strerror(errno));
    slip_status status = read_rows(file, path, columns, error, data);
    fclose(file);
    if (status != SLIP_OK) slip_fit_data_destroy(data);
    return status;
}

void slip_fit_data_destroy(slip_fit_data *data)
{
    free(data->t);
    free(data->value);
    *data = (slip_fit_data){ 0 };
}
