/// base/diagnostics.h: recording a diagnostic from inside the library.
#ifndef SLIP_BASE_DIAGNOSTICS_H
#define SLIP_BASE_DIAGNOSTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "slipstick/diagnostics.h"

#define SLIP_OVERRIDE_NAME "--set" ///< the source name of an override, in place of a file

/// A text that diagnostics point into: a model file, or one override.
typedef struct slip_source {
    const char *name; ///< file name as the user gave it
    const char *text; ///< the whole text, not NUL-terminated
    long length;
    bool hidden; ///< messages name places in it, and show none of it: it may not be the reader's to see
} slip_source;

/// A stretch of a source. Offsets are bytes; line and column are worked out when a record is made.
typedef struct slip_span {
    const slip_source *source; ///< NULL: no particular place
    int32_t start, length;     ///< small, since a large model has many of them
} slip_span;

/// Places beyond those that a span can have, in files of gigabytes, become the last one.
static inline slip_span slip_span_at(const slip_source *source, long start, long length)
{
    const long from = start < INT32_MAX ? start : INT32_MAX, most = INT32_MAX - (from > 0 ? from : 0);
    return (slip_span){ source, (int32_t)from, (int32_t)(length < most ? length : most) };
}

/// Records one diagnostic at `where`; `hint` may be NULL. Returns false when out of memory or when
/// the list is full (SLIP_MAX_DIAGNOSTICS); the error count is kept right in either case.
bool slip_diagnose(slip_diagnostics *notes, slip_severity severity, slip_span where, const char *hint,
                   const char *format, ...) SLIP_PRINTF(5, 6);

enum { SLIP_MAX_DIAGNOSTICS = 100 };

/// Sorts records [from, count) by their places, in the order of the file; a note stays after the record that
/// it explains. Files come in the order in which they are first mentioned, --set last.
void slip_diagnostics_sort(slip_diagnostics *notes, int from);

/// A position in the list to return to, as if nothing had been recorded since.
typedef struct slip_diagnostics_mark {
    size_t count;
    int errors, copies, repeats;
} slip_diagnostics_mark;
slip_diagnostics_mark slip_diagnostics_set_mark(const slip_diagnostics *notes);
void slip_diagnostics_rewind(slip_diagnostics *notes, slip_diagnostics_mark mark);

/// Writes "did you mean 'friction'?" into buffer when one of the names is near `word` (a few edits),
/// else an empty string. Returns buffer.
const char *slip_suggest_name(const char *word, const char *const *names, int count, char *buffer, int size);

/// "file.yaml:3:7" of a span, for slip_error.where.
const char *slip_span_place(slip_span where, char *buffer, int size);

#endif
