/// model/yaml/model_files.c: files that a model is read from.
#include "model/yaml/model_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"

// all of it, or an error: what was cut off would be a wrong answer that nobody sees
static int read_stream(FILE *stream, size_t limit, slip_text *text)
{
    char chunk[65536];
    size_t count;
    errno = 0;
    while ((count = fread(chunk, 1, sizeof chunk, stream)) > 0) {
        if (count > limit - text->length) return EFBIG;
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

static slip_file_identity identity_of(const slip_file_about *about)
{
    return (slip_file_identity){ about->device, about->number };
}

// a whole open file
static int read_open(int file, size_t limit, slip_text *text, slip_file_identity *identity)
{
    slip_file_about about;
    const int error = slip_file_about_open(file, &about);
    if (error) return error;
    if (about.kind == SLIP_FILE_FOLDER) return EISDIR;
    if (about.kind != SLIP_FILE_REGULAR) return EINVAL;
    if (about.size > limit) return EFBIG; // before a gigabyte is read in vain
    *identity = identity_of(&about);
    char chunk[65536];
    for (size_t count;;) {
        const int failed = slip_file_read_some(file, chunk, sizeof chunk, &count);
        if (failed || count == 0) return failed;
        if (count > limit - text->length) return EFBIG;
        slip_text_bytes(text, chunk, count);
        if (text->failed) return ENOMEM;
    }
}

int slip_file_read_regular(const char *path, size_t limit, slip_text *text, slip_file_identity *identity)
{
    int file;
    int error = slip_file_open_regular(path, &file);
    if (error) return error;
    error = read_open(file, limit, text, identity);
    slip_file_close(file);
    return error;
}

slip_file_identity slip_file_identify(const char *path)
{
    slip_file_about about;
    const bool regular = slip_path_about(path, &about) == 0 && about.kind == SLIP_FILE_REGULAR;
    return regular ? identity_of(&about) : (slip_file_identity){ 0 };
}

// whether a real path is a folder or stands in it
static bool is_under(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    if (length > 0 && folder[length - 1] == '/') length--; // the root
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

int slip_file_folder_of(const char *path, const char *const *folders, int count)
{
    for (int k = 0; k < count; k++)
        if (folders[k] && is_under(path, folders[k])) return k;
    return -1;
}

char *slip_file_real_prefix(const char *path)
{
    char *part = malloc(strlen(path) + 1), *real = NULL;
    if (!part) return NULL;
    memcpy(part, path, strlen(path) + 1);
    int error;
    while (!(real = slip_path_real(part, &error)) && error != ENOMEM) {
        char *slash = strrchr(part, '/');
        if (!slash || slash == part) {
            real = slip_path_real(slash ? "/" : ".", &error);
            break;
        }
        *slash = '\0';
    }
    free(part);
    return real;
}

char *slip_file_real_folder(const char *path, int *error)
{
    const char *slash = strrchr(path, '/');
    if (!slash) return slip_path_real(".", error);
    char *folder = malloc((size_t)(slash - path) + 2);
    *error = ENOMEM;
    if (!folder) return NULL;
    memcpy(folder, path, (size_t)(slash - path) + 1);
    folder[slash - path + 1] = '\0';
    char *real = slip_path_real(folder, error);
    free(folder);
    return real;
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
    case EFBIG:
        return "it is too large";
    default:
        return "reading it failed";
    }
}
