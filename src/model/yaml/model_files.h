/// model/yaml/model_files.h: files that a model is read from.
#ifndef SLIP_MODEL_YAML_MODEL_FILES_H
#define SLIP_MODEL_YAML_MODEL_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/// Two names of one file have the same identity, which is never all zero.
typedef struct slip_file_identity {
    uint64_t device, inode;
} slip_file_identity;

/// All bytes of a file. 0, or errno: EFBIG when there are more than `limit`, which /dev/zero has too; ENOMEM
/// when out of memory. A file is never cut off.
int slip_file_read(const char *path, size_t limit, slip_text *text);

/// The same for regular files alone, without waiting for anything: EINVAL for a directory, a pipe or a
/// device, ELOOP for a symbolic link.
int slip_file_read_regular(const char *path, size_t limit, slip_text *text, slip_file_identity *identity);

/// What identifies a regular file; all zero where there is none of that name.
slip_file_identity slip_file_identify(const char *path);

/// A path without links, dots and relative parts, to be released with free(): of the folder
/// in which the last part of a path stands, and of as much of a path as exists. NULL with errno.
char *slip_file_real_folder(const char *path, int *error);
char *slip_file_real_prefix(const char *path);

/// Which of these folders (all of them real paths, NULL for none) holds that real path, or is it; -1: none.
int slip_file_folder_of(const char *path, const char *const *folders, int count);

/// Why a file cannot be read, in words.
const char *slip_file_reason(int error);

#endif
