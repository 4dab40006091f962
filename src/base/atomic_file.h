/// base/atomic_file.h: files that appear whole or not at all.
#ifndef SLIP_BASE_ATOMIC_FILE_H
#define SLIP_BASE_ATOMIC_FILE_H

#include <stddef.h>

#include "base/status.h"

/// All bytes to a descriptor, however the system takes them; 0 or errno.
int slip_file_write_all(int file, const char *bytes, size_t count);

/// Puts a text into place as one file: written without a name, or beside it where the file system has no such
/// files, brought to the disk, then put in its place. A link stays a link and its target is replaced; what is
/// not a regular file (/dev/stdout, a pipe) is written to. 0 or errno; after a failure nothing has changed.
int slip_file_write_atomic(const char *path, const char *text);
int slip_file_write_atomic_bytes(const char *path, const char *bytes,
                                 size_t count); ///< the same for any bytes

/// A whole file as text, to be released with free(); NULL with *error.
enum { SLIP_TEXT_FILE_BYTES = 1 << 30 }; ///< most bytes of it; /dev/zero has more
char *slip_file_read_text(const char *path, slip_error *error);

/// Whether slip_file_write_atomic could begin; 0 or errno.
int slip_file_is_writable(const char *path);

#endif
