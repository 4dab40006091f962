/// base/text.h: a string that grows. Failure is remembered, so a writer checks once, at the end.
#ifndef SLIP_BASE_TEXT_H
#define SLIP_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef struct slip_text {
    char *data; ///< NUL-terminated once anything was added; NULL before
    size_t length, capacity;
    bool failed; ///< an allocation failed: the text is incomplete
} slip_text;

void slip_text_add(slip_text *text, const char *format, ...) SLIP_PRINTF(2, 3);
void slip_text_add_list(slip_text *text, const char *format, va_list list);
void slip_text_bytes(slip_text *text, const char *bytes, size_t count);
/// The shortest digits that read back to the same double (decimal.h).
void slip_text_number(slip_text *text, double value);
/// Makes room for `count` more bytes.
void slip_text_reserve(slip_text *text, size_t count);
void slip_text_destroy(slip_text *text);

/// The finished string, to be released with free(); NULL when an allocation failed on the way.
/// `text` is empty afterwards.
char *slip_text_take(slip_text *text);

/// Writes it atomically to a file (atomic_file.h); `text` is empty afterwards.
slip_status slip_text_write(slip_text *text, const char *path, slip_error *error);

/// The first control character of a text other than those in `allowed`, in any of its UTF-8 forms; NULL when
/// there is none.
const char *slip_text_find_control(const char *text, const char *allowed);

/// Question marks in place of control characters other than line end and tab, so that a text cannot command a
/// terminal.
void slip_text_mask_control(char *text);

#endif
