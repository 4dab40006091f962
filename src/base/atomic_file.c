#define _GNU_SOURCE // O_TMPFILE; elsewhere than on Linux there is none
#include "base/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

int slip_file_write_all(int file, const char *bytes, size_t count)
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

// a file beside `path` with a name of its own, so that two runs do not write into one
static int open_beside(const char *path, slip_text *beside, int *file)
{
    *file = -1;
    slip_text_add(beside, "%s.%ld.part", path, (long)getpid());
    if (beside->failed) return ENOMEM;
    *file = open(beside->data, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return *file < 0 ? errno : 0;
}

// A file that has no name while it is written leaves nothing behind, whatever ends the process; -1 where the
// file system has no such files.
static int open_nameless(const char *path)
{
#ifdef O_TMPFILE
    const char *slash = strrchr(path, '/');
    const size_t length = slash == path ? 1 : slash ? (size_t)(slash - path) : 0;
    char *folder = length ? strndup(path, length) : strdup(".");
    const int file = folder ? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;
    free(folder);
    return file;
#else
    (void)path;
    return -1;
#endif
}

static int link_under_name(int file, const char *name)
{
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", file);
    return linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

static int write_and_sync(int file, const char *bytes, size_t count)
{
    int error = slip_file_write_all(file, bytes, count);
    if (!error && fsync(file) != 0 && errno != EINVAL && errno != EROFS) error = errno;
    return error;
}

// a link cannot replace a file: it gets a name beside it first, and takes its place by one rename
static int publish_unnamed(const char *path, int file)
{
    int error = link_under_name(file, path);
    if (error != EEXIST) return error;
    slip_text beside = { 0 };
    slip_text_add(&beside, "%s.%ld.part", path, (long)getpid());
    error = beside.failed ? ENOMEM : link_under_name(file, beside.data);
    if (!error && rename(beside.data, path) != 0) {
        error = errno;
        unlink(beside.data);
    }
    slip_text_destroy(&beside);
    return error;
}

static int write_beside_and_rename(const char *path, const char *bytes, size_t count)
{
    slip_text beside = { 0 };
    int file, error = open_beside(path, &beside, &file);
    if (!error) error = write_and_sync(file, bytes, count);
    if (file >= 0 && close(file) != 0 && !error) error = errno;
    if (!error && rename(beside.data, path) != 0) error = errno;
    if (error && file >= 0) unlink(beside.data);
    slip_text_destroy(&beside);
    return error;
}

static int replace_file(const char *path, const char *bytes, size_t count)
{
    const int file = open_nameless(path);
    if (file < 0) return write_beside_and_rename(path, bytes, count);
    const int error = write_and_sync(file, bytes, count);
    const bool placed = !error && publish_unnamed(path, file) == 0;
    close(file);
    return error || placed
               ? error
               : write_beside_and_rename(path, bytes, count); // without /proc it cannot get a name
}

static int write_into(const char *path, const char *bytes, size_t count)
{
    int file = open(path, O_WRONLY | O_CLOEXEC), error = file < 0 ? errno : 0;
    if (!error) error = slip_file_write_all(file, bytes, count);
    if (file >= 0 && close(file) != 0 && !error) error = errno;
    return error;
}

static bool is_special(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

int slip_file_write_atomic_bytes(const char *path, const char *bytes, size_t count)
{
    if (is_special(path)) return write_into(path, bytes, count);
    char *target = realpath(path, NULL); // NULL where there is nothing yet
    int error = replace_file(target ? target : path, bytes, count);
    free(target);
    return error;
}

int slip_file_write_atomic(const char *path, const char *text)
{
    return slip_file_write_atomic_bytes(path, text, strlen(text));
}

int slip_file_is_writable(const char *path)
{
    struct stat about;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) return EISDIR;
    if (is_special(path)) return access(path, W_OK) == 0 ? 0 : errno;
    char *target = realpath(path, NULL);
    slip_text beside = { 0 };
    int file = open_nameless(target ? target : path), error = 0;
    if (file < 0) error = open_beside(target ? target : path, &beside, &file);
    if (file >= 0) close(file);
    if (file >= 0 && beside.data) unlink(beside.data);
    slip_text_destroy(&beside);
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
