/// base/atomic_file.c: see atomic_file.h.
#include "base/atomic_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "platform/platform.h"

// a file beside `path` with a name of its own, so that two runs do not write into one
enum { PATH_BYTES = 4200 };

static int open_beside(const char *path, char beside[PATH_BYTES], int *file)
{
    *file = -1;
    if (!slip_path_beside(path, beside, PATH_BYTES)) return ENAMETOOLONG;
    return slip_file_open_new(beside, file);
}

static int write_and_sync(int file, const char *bytes, size_t count)
{
    const int error = slip_file_write_all(file, bytes, count);
    return error ? error : slip_file_sync(file);
}

// a nameless file cannot replace another: it gets a name beside it first, and takes its place by one rename
static int publish_unnamed(const char *path, int file)
{
    char beside[PATH_BYTES];
    int error = slip_file_name(file, path);
    if (error != EEXIST) return error;
    if (!slip_path_beside(path, beside, sizeof beside)) return ENAMETOOLONG;
    error = slip_file_name(file, beside);
    if (error) return error;
    error = slip_path_replace(beside, path);
    if (error) slip_path_remove(beside);
    return error;
}

static int close_after(int file, int error)
{
    const int code = file >= 0 ? slip_file_close(file) : 0;
    return error ? error : code;
}

static int write_beside_and_rename(const char *path, const char *bytes, size_t count)
{
    char beside[PATH_BYTES];
    int file, error = open_beside(path, beside, &file);
    if (error) return error;
    error = close_after(file, write_and_sync(file, bytes, count));
    if (!error) error = slip_path_replace(beside, path);
    if (error) slip_path_remove(beside);
    return error;
}

static int replace_file(const char *path, const char *bytes, size_t count)
{
    int file;
    if (slip_file_open_nameless(path, &file) != 0) return write_beside_and_rename(path, bytes, count);
    const int error = write_and_sync(file, bytes, count);
    const bool placed = !error && publish_unnamed(path, file) == 0;
    slip_file_close(file);
    return error || placed
               ? error
               : write_beside_and_rename(path, bytes, count); // without /proc it cannot get a name
}

static int write_into(const char *path, const char *bytes, size_t count)
{
    int file;
    const int error = slip_file_open_written(path, &file);
    return error ? error : close_after(file, slip_file_write_all(file, bytes, count));
}

static bool is_of_kind(const char *path, slip_file_kind kind)
{
    slip_file_about about;
    return slip_path_about(path, &about) == 0 && about.kind == kind;
}

int slip_file_write_atomic_bytes(const char *path, const char *bytes, size_t count)
{
    int missing;
    if (is_of_kind(path, SLIP_FILE_OTHER)) return write_into(path, bytes, count);
    char *target = slip_path_real(path, &missing); // NULL where there is nothing yet
    const int error = replace_file(target ? target : path, bytes, count);
    free(target);
    return error;
}

int slip_file_write_atomic(const char *path, const char *text)
{
    return slip_file_write_atomic_bytes(path, text, strlen(text));
}

int slip_file_is_writable(const char *path)
{
    if (is_of_kind(path, SLIP_FILE_FOLDER)) return EISDIR;
    if (is_of_kind(path, SLIP_FILE_OTHER)) return slip_path_is_writable(path);
    char beside[PATH_BYTES] = "";
    int file, missing, error = 0;
    char *target = slip_path_real(path, &missing);
    if (slip_file_open_nameless(target ? target : path, &file) != 0)
        error = open_beside(target ? target : path, beside, &file);
    if (file >= 0) slip_file_close(file);
    if (file >= 0 && beside[0]) slip_path_remove(beside);
    free(target);
    return error;
}

char *slip_file_read_text(const char *path, slip_error *error)
{
    FILE *file = fopen(path, "rb");
    slip_text text = { 0 };
    char block[65536];
    size_t count = 0;
    while (file && text.length <= SLIP_TEXT_FILE_BYTES && !text.failed &&
           (count = fread(block, 1, sizeof block, file)) > 0)
        slip_text_bytes(&text, block, count);
    bool failed = !file || ferror(file), large = text.length > SLIP_TEXT_FILE_BYTES;
    if (failed) slip_fail(error, SLIP_IO, path, "%s", strerror(errno));
    if (large && !failed)
        slip_fail(error, SLIP_BAD_FILE, path, "is larger than %d MiB", SLIP_TEXT_FILE_BYTES >> 20);
    if (file) fclose(file);
    if (failed || large || text.length == 0) {
        if (!failed && !large) slip_fail(error, SLIP_BAD_ARGUMENT, path, "is empty");
        slip_text_destroy(&text);
        return NULL;
    }
    if (memchr(text.data, '\0', text.length)) { // what stands behind it would be out of sight
        slip_fail(error, SLIP_BAD_FILE, path, "is not a text: it holds a zero byte");
        slip_text_destroy(&text);
        return NULL;
    }
    char *whole = slip_text_take(&text);
    if (!whole) slip_fail(error, SLIP_NO_MEMORY, path, "out of memory");
    return whole;
}
