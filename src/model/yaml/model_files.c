/// model/yaml/model_files.c: files that a model is read from.
#define _POSIX_C_SOURCE 200809L // fstat, fdopen, O_NONBLOCK
#include "model/yaml/model_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int read_stream(FILE *stream, size_t limit, slip_text *text)
{
    char chunk[65536];
    size_t count;
    errno = 0;
    while (text->length <= limit && (count = fread(chunk, 1, sizeof chunk, stream)) > 0) {
        slip_text_bytes(text, chunk, count);
        if (text->failed) return ENOMEM;
    }
    if (!ferror(stream)) return 0;
    return errno ? errno : EIO;
}

int slip_file_read(const char *path, size_t limit, slip_text *text)
{
    errno = 0;
    FILE *stream = fopen(path, "rb");
    if (!stream) return errno ? errno : EIO;
    int error = read_stream(stream, limit, text);
    fclose(stream);
    return error;
}

static slip_file_identity identity_of(const struct stat *about)
{
    return (slip_file_identity){ (uint64_t)about->st_dev, (uint64_t)about->st_ino };
}

int slip_file_read_regular(const char *path, size_t limit, slip_text *text, slip_file_identity *identity)
{
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0) return errno ? errno : EIO;
    struct stat about;
    int error = fstat(file, &about) != 0 ? errno : 0;
    if (!error && S_ISDIR(about.st_mode)) error = EISDIR;
    if (!error && !S_ISREG(about.st_mode)) error = EINVAL;
    FILE *stream = error ? NULL : fdopen(file, "rb");
    if (!stream) {
        if (!error) error = errno;
        close(file);
        return error;
    }
    *identity = identity_of(&about);
    error = read_stream(stream, limit, text);
    fclose(stream);
    return error;
}

slip_file_identity slip_file_identify(const char *path)
{
    struct stat about;
    bool regular = stat(path, &about) == 0 && S_ISREG(about.st_mode);
    return regular ? identity_of(&about) : (slip_file_identity){ 0 };
}

const char *slip_file_reason(int error)
{
    switch (error) {
    case ENOENT:
        return "there is no such file";
    case EACCES:
        return "no permission to read it";
    case EISDIR:
        return "it is a directory";
    case ENOTDIR:
        return "a part of the path is not a directory";
    case ENAMETOOLONG:
        return "the name is too long";
    case ELOOP:
        return "too many symbolic links";
    case EINVAL:
        return "it is not a regular file";
    default:
        return "reading it failed";
    }
}
