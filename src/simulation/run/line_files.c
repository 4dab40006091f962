/// simulation/run/line_files.c: result files that are valid at every moment.
#include "simulation/run/line_files.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "platform/platform.h"
#include "slipstick/run.h"

bool slip_line_file_open(slip_line_file *lines, const char *path, char *buffer, size_t size)
{
    *lines = (slip_line_file){ .file = -1, .buffer = buffer, .size = size };
    lines->failed = slip_file_open_new(path, &lines->file);
    slip_file_about about;
    lines->regular =
        lines->file >= 0 && slip_file_about_open(lines->file, &about) == 0 && about.kind == SLIP_FILE_REGULAR;
    return lines->file >= 0;
}

static void write_bytes(slip_line_file *lines, const char *bytes, size_t count)
{
    if (lines->failed) return;
    lines->failed = slip_file_write_all(lines->file, bytes, count);
    lines->written += (long long)count;
}

// A process that is killed may lose the rest of a write at a page boundary of the file. A line that crosses
// one is therefore written as a comment first; its first byte, written last, turns it into a row.
static void write_across_page(slip_line_file *lines, const char *line, size_t length)
{
    const uint64_t start = (uint64_t)lines->written;
    write_bytes(lines, lines->regular ? "#" : line, 1);
    write_bytes(lines, line + 1, length - 1);
    write_bytes(lines, "\n", 1);
    if (!lines->regular || lines->failed) return;
    lines->failed = slip_file_write_at(lines->file, line, 1, start);
}

// Length of the whole lines that fit into the current page of the file; 0 when none does.
static size_t lines_within_page(const slip_line_file *lines, const char *bytes, size_t count)
{
    enum { PAGE = 4096 };
    size_t room = PAGE - (size_t)(lines->written % PAGE);
    if (count <= room) return count;
    while (room > 0 && bytes[room - 1] != '\n') room--;
    return room;
}

// Removes the part of a line that a failed write has left.
static void truncate_partial_line(slip_line_file *lines, long long start)
{
    if (lines->failed && lines->regular && slip_file_truncate(lines->file, (uint64_t)start) == 0)
        lines->written = start;
}

void slip_line_file_flush(slip_line_file *lines)
{
    if (lines->used == 0) return; // also without a buffer
    const char *at = lines->buffer, *end = at + lines->used;
    while (at < end && lines->file >= 0 && !lines->failed) {
        const long long start = lines->written;
        size_t piece = lines_within_page(lines, at, (size_t)(end - at));
        if (piece > 0) {
            write_bytes(lines, at, piece);
        } else {
            piece = (size_t)((const char *)memchr(at, '\n', (size_t)(end - at)) - at) + 1;
            write_across_page(lines, at, piece - 1);
        }
        truncate_partial_line(lines, start);
        at += piece;
    }
    lines->used = 0;
}

void slip_line_file_close(slip_line_file *lines)
{
    if (lines->file < 0) return;
    slip_line_file_flush(lines);
    const int error = slip_file_close(lines->file);
    if (!lines->failed) lines->failed = error;
    lines->file = -1;
}

void slip_line_file_numbers(slip_line_file *lines, const double *values, int count)
{
    if (lines->size - lines->used < (size_t)count * SLIP_DECIMAL_SIZE) slip_line_file_flush(lines);
    for (int k = 0; k < count; k++) {
        lines->used += (size_t)slip_decimal_write(values[k], lines->buffer + lines->used);
        lines->buffer[lines->used++] = k + 1 < count ? ',' : '\n'; // in place of the end of the text
    }
}

void slip_line_file_text(slip_line_file *lines, const char *text)
{
    size_t length = strlen(text);
    if (lines->size - lines->used < length + 1) slip_line_file_flush(lines);
    if (length + 1 > lines->size) { // a line longer than the buffer is written directly
        const long long start = lines->written;
        write_across_page(lines, text, length);
        truncate_partial_line(lines, start);
        return;
    }
    memcpy(lines->buffer + lines->used, text, length);
    lines->buffer[lines->used + length] = '\n';
    lines->used += length + 1;
}

int slip_number_write(double value, char text[SLIP_NUMBER_SIZE])
{
    _Static_assert((int)SLIP_NUMBER_SIZE >= (int)SLIP_DECIMAL_SIZE, "every double has room");
    return slip_decimal_write(value, text);
}

void slip_csv_number(slip_text *line, double value)
{
    slip_text_bytes(line, ",", 1);
    if (!isnan(value)) slip_text_number(line, value);
}

void slip_csv_field(slip_text *line, const char *text)
{
    if (!strpbrk(text, ",\"\n\r")) {
        slip_text_add(line, "%s", text);
        return;
    }
    slip_text_add(line, "\"");
    for (; *text; text++) slip_text_add(line, *text == '"' ? "\"\"" : "%c", *text);
    slip_text_add(line, "\"");
}

int slip_make_directories(const char *path)
{
    size_t length = strlen(path);
    char *copy = malloc(length + 1);
    if (!copy) return ENOMEM;
    memcpy(copy, path, length + 1);
    int error = 0;
    for (size_t k = 1; k <= length && !error; k++) {
        if (copy[k] != '/' && copy[k] != '\0') continue;
        char keep = copy[k];
        copy[k] = '\0';
        error = slip_path_make_folder(copy);
        if (error == EEXIST) error = 0;
        copy[k] = keep;
    }
    slip_file_about about;
    if (!error && (slip_path_about(path, &about) != 0 || about.kind != SLIP_FILE_FOLDER)) error = ENOTDIR;
    free(copy);
    return error;
}
