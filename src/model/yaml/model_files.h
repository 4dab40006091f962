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

/// The bytes of a file, at most one more than `limit`: that is enough to know that a file is too long, and
/// /dev/zero ends there too. 0, or errno; ENOMEM when out of memory.
int slip_file_read(const char *path, size_t limit, slip_text *text);

/// The same for regular files alone, without waiting for anything: EINVAL for a directory, a pipe or a
/// device.
int slip_file_read_regular(const char *path, size_t limit, slip_text *text, slip_file_identity *identity);

/// What identifies a regular file; all zero where there is none of that name.
slip_file_identity slip_file_identify(const char *path);

/// Why a file cannot be read, in words.
const char *slip_file_reason(int error);

#endif
