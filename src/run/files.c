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

static int write_all(int file, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t done = write(file, bytes, count);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return errno;
        bytes += done;
        count -= (size_t)done;
    }
    return 0;
}

bool slip_lines_open(slip_lines *lines, const char *path, char *buffer, size_t size)
{
    *lines = (slip_lines){ .file = -1, .buffer = buffer, .size = size };
    do lines->file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    while (lines->file < 0 && errno == EINTR);
    if (lines->file < 0) lines->failed = errno;
    return lines->file >= 0;
}

void slip_lines_flush(slip_lines *lines)
{
    if (lines->file >= 0 && lines->used && !lines->failed)
        lines->failed = write_all(lines->file, lines->buffer, lines->used);
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
        if (!lines->failed) lines->failed = write_all(lines->file, text, length);
        if (!lines->failed) lines->failed = write_all(lines->file, "\n", 1);
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

int slip_write_whole(const char *path, const char *text)
{
    slip_text beside = { 0 };
    slip_text_add(&beside, "%s.part", path);
    if (beside.failed) return ENOMEM;
    int error = 0, file = open(beside.data, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) error = errno;
    if (!error) error = write_all(file, text, strlen(text));
    if (file >= 0 && close(file) != 0 && !error) error = errno;
    if (!error && rename(beside.data, path) != 0) error = errno;
    if (error && file >= 0) unlink(beside.data);
    slip_text_destroy(&beside);
    return error;
}
