/// run/files.c: result files that are valid at every moment.
#define _POSIX_C_SOURCE 200809L
#include "run/files.h"

#include <errno.h>
#include <math.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/whole_file.h"

bool slip_lines_open(slip_lines *lines, const char *path, char *buffer, size_t size)
{
    *lines = (slip_lines){ .file = -1, .buffer = buffer, .size = size };
    do lines->file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    while (lines->file < 0 && errno == EINTR);
    if (lines->file < 0) lines->failed = errno;
    return lines->file >= 0;
}

// as many whole lines as fit into the page of the file that is begun; one line where none does
static size_t next_piece(const slip_lines *lines, const char *bytes, size_t count)
{
    enum { PAGE = 4096 };
    size_t room = PAGE - (size_t)(lines->written % PAGE);
    if (count <= room) return count;
    for (size_t k = room; k > 0; k--)
        if (bytes[k - 1] == '\n') return k;
    const char *end = memchr(bytes, '\n', count);
    return end ? (size_t)(end - bytes) + 1 : count;
}

// A process that is killed may lose the rest of a write at the border of a page, so that lines which cross
// one go by themselves.
void slip_lines_flush(slip_lines *lines)
{
    const char *at = lines->buffer, *end = at + lines->used;
    while (lines->file >= 0 && at < end && !lines->failed) {
        size_t piece = next_piece(lines, at, (size_t)(end - at));
        lines->failed = slip_write_all(lines->file, at, piece);
        lines->written += (long long)piece;
        at += piece;
    }
    lines->used = 0;
}

void slip_lines_close(slip_lines *lines)
{
    if (lines->file < 0) return;
    slip_lines_flush(lines);
    if (close(lines->file) != 0 && !lines->failed) lines->failed = errno;
    lines->file = -1;
}

void slip_lines_numbers(slip_lines *lines, const double *values, int count)
{
    enum { WIDEST = 26 }; // -1.2345678901234567e-308 and a comma
    if (lines->size - lines->used < (size_t)count * WIDEST) slip_lines_flush(lines);
    for (int k = 0; k < count; k++) {
        const double value = isnan(values[k]) ? NAN : values[k]; // "nan", whatever sign the processor gave it
        lines->used += (size_t)snprintf(lines->buffer + lines->used, WIDEST, "%.17g%c", value,
                                        k + 1 < count ? ',' : '\n');
    }
}

void slip_lines_text(slip_lines *lines, const char *text)
{
    size_t length = strlen(text);
    if (lines->size - lines->used < length + 1) slip_lines_flush(lines);
    if (length + 1 > lines->size) { // longer than the buffer: straight to the file
        if (!lines->failed) lines->failed = slip_write_all(lines->file, text, length);
        if (!lines->failed) lines->failed = slip_write_all(lines->file, "\n", 1);
        lines->written += (long long)length + 1;
        return;
    }
    memcpy(lines->buffer + lines->used, text, length);
    lines->buffer[lines->used + length] = '\n';
    lines->used += length + 1;
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
        if (mkdir(copy, 0777) != 0 && errno != EEXIST) error = errno;
        copy[k] = keep;
    }
    struct stat info;
    if (!error && (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))) error = ENOTDIR;
    free(copy);
    return error;
}
