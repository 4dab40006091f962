/// platform/files_posix.c: files, on POSIX systems and WASI.
#define _GNU_SOURCE // O_TMPFILE, flock; elsewhere than on Linux there is no O_TMPFILE
#include "platform/platform.h"

#if !defined(_WIN32)

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifndef __wasi__
#include <sys/file.h>
#endif

// ---------------------------------------------------------------------------------------------- paths

static slip_file_about about_of(const struct stat *s)
{
    return (slip_file_about){ .kind = S_ISREG(s->st_mode)   ? SLIP_FILE_REGULAR
                                      : S_ISDIR(s->st_mode) ? SLIP_FILE_FOLDER
                                                            : SLIP_FILE_OTHER,
                              .size = (uint64_t)s->st_size,
                              .device = (uint64_t)s->st_dev,
                              .number = (uint64_t)s->st_ino };
}

int slip_path_about(const char *path, slip_file_about *about)
{
    struct stat s;
    if (stat(path, &s) != 0) return errno;
    *about = about_of(&s);
    return 0;
}

int slip_path_make_folder(const char *path)
{
    return mkdir(path, 0777) == 0 ? 0 : errno;
}

int slip_path_replace(const char *from, const char *to)
{
    return rename(from, to) == 0 ? 0 : errno;
}

bool slip_path_replaces_open(void)
{
    return true;
}

void slip_path_remove(const char *path)
{
    unlink(path);
}

int slip_path_is_writable(const char *path)
{
    return access(path, W_OK) == 0 ? 0 : errno;
}

#ifdef __wasi__

// the parts of a path behind those of another, without dots; the end of what is kept
static size_t append_parts(char *real, size_t end, const char *path)
{
    for (const char *at = path; *at;) {
        const size_t part = strcspn(at, "/");
        if (part == 2 && memcmp(at, "..", 2) == 0) {
            while (end > 0 && real[--end] != '/') {}
        } else if (part > 0 && !(part == 1 && *at == '.')) {
            real[end++] = '/';
            memcpy(real + end, at, part);
            end += part;
        }
        at += part + (at[part] == '/');
    }
    return end;
}

// Folders are handed to a program from outside, and it cannot see where they lie: the real path is the given
// one, where it exists, without its dots.
char *slip_path_real(const char *path, int *error)
{
    struct stat s;
    char here[4096] = "/";
    *error = stat(path, &s) == 0 ? 0 : errno;
    if (*error) return NULL;
    if (path[0] != '/' && !getcwd(here, sizeof here)) here[0] = '\0';
    char *real = malloc(strlen(here) + strlen(path) + 4);
    *error = real ? 0 : ENOMEM;
    if (!real) return NULL;
    size_t end = append_parts(real, append_parts(real, 0, path[0] == '/' ? "" : here), path);
    if (end == 0) real[end++] = '/';
    real[end] = '\0';
    return real;
}

bool slip_path_beside(const char *path, char *name, size_t size)
{
    const int length = snprintf(name, size, "%s.part", path);
    return length > 0 && (size_t)length < size;
}

#else

char *slip_path_real(const char *path, int *error)
{
    errno = 0;
    char *real = realpath(path, NULL);
    *error = real ? 0 : errno ? errno : EIO;
    return real;
}

bool slip_path_beside(const char *path, char *name, size_t size)
{
    const int length = snprintf(name, size, "%s.%ld.part", path, (long)getpid());
    return length > 0 && (size_t)length < size;
}

#endif

// ------------------------------------------------------------------------------------------- open files

static int open_file(const char *path, int flags, int *file)
{
    do *file = open(path, flags | O_CLOEXEC, 0666);
    while (*file < 0 && errno == EINTR);
    return *file >= 0 ? 0 : errno ? errno : EIO;
}

int slip_file_open_new(const char *path, int *file)
{
    return open_file(path, O_WRONLY | O_CREAT | O_TRUNC, file);
}

int slip_file_open_written(const char *path, int *file)
{
    return open_file(path, O_WRONLY, file);
}

int slip_file_open_kept(const char *path, int *file)
{
    return open_file(path, O_RDWR | O_CREAT, file);
}

int slip_file_open_regular(const char *path, int *file)
{
#ifdef O_NOCTTY
    return open_file(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW, file);
#else
    return open_file(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW, file);
#endif
}

int slip_file_open_nameless(const char *path, int *file)
{
    *file = -1;
#ifdef O_TMPFILE
    const char *slash = strrchr(path, '/');
    const size_t length = slash == path ? 1 : slash ? (size_t)(slash - path) : 0;
    char *folder = length ? strndup(path, length) : strdup(".");
    const int error = folder ? open_file(folder, O_TMPFILE | O_WRONLY, file) : ENOMEM;
    free(folder);
    return error;
#else
    (void)path;
    return ENOTSUP;
#endif
}

int slip_file_name(int file, const char *name)
{
#ifdef O_TMPFILE
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", file);
    return linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
#else
    (void)file, (void)name;
    return ENOTSUP;
#endif
}

int slip_file_about_open(int file, slip_file_about *about)
{
    struct stat s;
    if (fstat(file, &s) != 0) return errno;
    *about = about_of(&s);
    return 0;
}

int slip_file_write_all(int file, const char *bytes, size_t count)
{
    while (count > 0) {
        const ssize_t done = write(file, bytes, count);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return errno;
        bytes += done;
        count -= (size_t)done;
    }
    return 0;
}

int slip_file_read_some(int file, char *bytes, size_t room, size_t *got)
{
    ssize_t count;
    do count = read(file, bytes, room);
    while (count < 0 && errno == EINTR);
    *got = count > 0 ? (size_t)count : 0;
    return count < 0 ? errno : 0;
}

int slip_file_write_at(int file, const char *bytes, size_t count, uint64_t at)
{
    while (count > 0) {
        const ssize_t done = pwrite(file, bytes, count, (off_t)at);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return done < 0 ? errno : EIO;
        bytes += done;
        count -= (size_t)done;
        at += (uint64_t)done;
    }
    return 0;
}

int slip_file_read_all(int file, char *bytes, size_t count)
{
    for (size_t had = 0; had < count;) {
        const ssize_t got = pread(file, bytes + had, count - had, (off_t)had);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return got < 0 ? errno : EIO;
        had += (size_t)got;
    }
    return 0;
}

// lseek in brackets: of WASI it is also a macro, which pedantic C does not know
int slip_file_truncate(int file, uint64_t size)
{
    return ftruncate(file, (off_t)size) == 0 && (lseek)(file, (off_t)size, SEEK_SET) >= 0 ? 0 : errno;
}

int slip_file_seek_end(int file)
{
    return (lseek)(file, 0, SEEK_END) >= 0 ? 0 : errno;
}

int slip_file_lock(int file)
{
#ifdef __wasi__
    (void)file; // there is no other process
    return 0;
#else
    if (flock(file, LOCK_EX | LOCK_NB) == 0) return 0;
    return errno == EWOULDBLOCK ? EAGAIN : errno;
#endif
}

int slip_file_sync(int file)
{
    return fsync(file) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno; // not all files can be
}

int slip_file_close(int file)
{
    return close(file) == 0 ? 0 : errno;
}

#endif
