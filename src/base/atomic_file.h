/// base/atomic_file.h: atomic file writes: a file is replaced completely or not at all.
#ifndef SLIP_BASE_ATOMIC_FILE_H
#define SLIP_BASE_ATOMIC_FILE_H

#include <stddef.h>

#include "base/status.h"

/// Writes a text as one file: to a nameless file, or to one beside it if the file system has none, which is
/// synchronised to disk and then renamed. A symbolic link stays, and its target is replaced; anything but a
/// regular file (/dev/stdout, a pipe) is written to directly. 0 or errno; after a failure nothing has
/// changed.
int slip_file_write_atomic(const char *path, const char *text);
int slip_file_write_atomic_bytes(const char *path, const char *bytes,
                                 size_t count); ///< the same for any bytes

/// A whole file as text, to be released with free(); NULL with *error.
enum { SLIP_TEXT_FILE_BYTES = 1 << 30 }; ///< most bytes of it; /dev/zero has more
char *slip_file_read_text(const char *path, slip_error *error);

/// Whether slip_file_write_atomic could begin; 0 or errno.
int slip_file_is_writable(const char *path);

#endif
