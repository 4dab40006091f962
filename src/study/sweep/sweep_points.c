/// study/sweep/sweep_points.c: points from a CSV file.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/table_reader.h"
#include "slipstick/sweep.h"

static slip_status no_memory(const char *path, slip_error *error)
{
    return slip_fail(error, SLIP_NO_MEMORY, path, "out of memory");
}

static slip_status add_key(slip_sweep_table *t, const char *text, size_t length, const slip_table_reader *r,
                           slip_error *error)
{
    while (length && text[0] == ' ') text++, length--;
    while (length && text[length - 1] == ' ') length--;
    if (length == 0)
        return slip_fail(error, SLIP_BAD_FILE, r->path, "line %ld: column %d has no name", r->line,
                         t->columns + 1);
    char **keys = realloc(t->keys, ((size_t)t->columns + 1) * sizeof *keys);
    if (!keys) return no_memory(r->path, error);
    t->keys = keys;
    keys[t->columns] = malloc(length + 1);
    if (!keys[t->columns]) return no_memory(r->path, error);
    memcpy(keys[t->columns], text, length);
    keys[t->columns++][length] = '\0';
    return SLIP_OK;
}

static slip_status read_keys(slip_sweep_table *t, const slip_table_reader *r, slip_error *error)
{
    slip_status status = SLIP_OK;
    for (const char *at = r->text; status == SLIP_OK;) {
        const size_t length = strcspn(at, ",;\t\r\n");
        status = add_key(t, at, length, r, error);
        at += length;
        if (*at != ',' && *at != ';' && *at != '\t') break;
        at++;
    }
    return status;
}

static slip_status read_rows(slip_sweep_table *t, slip_table_reader *r, slip_error *error)
{
    size_t capacity = 0;
    slip_status status = SLIP_OK;
    while (status == SLIP_OK && slip_table_reader_next(r, &status, error)) {
        if (r->first && !slip_table_reader_is_header(r))
            return slip_fail(error, SLIP_BAD_FILE, r->path,
                             "line %ld: expected the names of what is varied, got a number", r->line);
        if (r->first) {
            status = read_keys(t, r, error);
            continue;
        }
        const size_t columns = (size_t)t->columns;
        if (!slip_array_grow((void **)&t->values, &capacity, (size_t)t->rows, columns * sizeof *t->values))
            return no_memory(r->path, error);
        status = slip_table_reader_numbers(r, t->columns, t->values + (size_t)t->rows * columns, error);
        if (status == SLIP_OK) t->rows++;
    }
    if (status == SLIP_OK && t->rows == 0) return slip_fail(error, SLIP_BAD_FILE, r->path, "holds no points");
    t->unfinished = r->unfinished ? r->line : 0;
    return status;
}

slip_status slip_sweep_table_read(const char *path, slip_error *error, slip_sweep_table *table)
{
    *table = (slip_sweep_table){ 0 };
    slip_table_reader rows = { .file = fopen(path, "r"), .path = path };
    if (!rows.file) return slip_fail(error, SLIP_IO, path, "%s", strerror(errno));
    slip_status status = read_rows(table, &rows, error);
    fclose(rows.file);
    if (status != SLIP_OK) slip_sweep_table_destroy(table);
    return status;
}

void slip_sweep_table_destroy(slip_sweep_table *table)
{
    for (int k = 0; k < table->columns; k++) free(table->keys[k]);
    free(table->keys);
    free(table->values);
    *table = (slip_sweep_table){ 0 };
}
