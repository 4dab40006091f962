/// base/archive.h: state written to a file, and read back from it, by one function.
///
/// A module that keeps state from step to step has a function that names all of it:
///
///     void slip_clock_archive(slip_monotonic_clock *clock, slip_archive *a)
///     {
///         slip_archive_open(a, "clock");
///         slip_archive_double(a, "time", &clock->time);
///         slip_archive_close(a);
///     }
///
/// It writes when the archive was made for writing and reads when it was made for reading, so the two cannot
/// disagree. The file is JSON, its members in the order in which they were written. Numbers come back bit by
/// bit. The first failure is kept, with its place in the file; what follows does nothing.
///
/// A workspace (arena.h) is archived by laying it out once more, with slip_arena.archive set.
#ifndef SLIP_BASE_ARCHIVE_H
#define SLIP_BASE_ARCHIVE_H

#include <stdbool.h>

#include "base/status.h"
#include "base/text.h"

typedef struct slip_archive {
    const char *text, *at; ///< the text being read, and the place in it; NULL: it writes
    const char *name;      ///< of the file, for messages
    slip_text out;
    slip_status status;
    slip_error *error;
    bool comma;
    int blocks; ///< blocks of a workspace, numbered
} slip_archive;

slip_archive slip_archive_writer(slip_error *error);

/// `text` is the whole file and must outlive the reader. A truncated or changed file is refused here by its
/// checksum, so that no value read can be out of range by accident.
slip_archive slip_archive_reader(const char *name, const char *text, slip_error *error);

static inline bool slip_archive_reads(const slip_archive *a)
{
    return a->text != NULL;
}

/// The written text followed by its checksum, to be released with free(); NULL with the error of the archive.
char *slip_archive_take(slip_archive *a);

/// Fails at the present place of the file.
void slip_archive_fail(slip_archive *a, slip_status status, const char *format, ...) SLIP_PRINTF(3, 4);

void slip_archive_open(slip_archive *a, const char *key); ///< NULL: the outermost object
void slip_archive_close(slip_archive *a);

/// Whether the next member is this one; true when it writes.
bool slip_archive_has(slip_archive *a, const char *key);

void slip_archive_double(slip_archive *a, const char *key, double *value);
void slip_archive_int(slip_archive *a, const char *key, int *value);
void slip_archive_long(slip_archive *a, const char *key, long *value);
void slip_archive_bool(slip_archive *a, const char *key, bool *value);
void slip_archive_doubles(slip_archive *a, const char *key, double *values, size_t count);
void slip_archive_ints(slip_archive *a, const char *key, int *values, size_t count);

/// Any bytes without pointers, in hexadecimal.
void slip_archive_bytes(slip_archive *a, const char *key, void *bytes, size_t count);

/// A text: written from `value`; read into a new string, which belongs to the caller, and is "" after a
/// failure. Returns NULL when writing, and when out of memory.
char *slip_archive_text(slip_archive *a, const char *key, const char *value);

#endif
