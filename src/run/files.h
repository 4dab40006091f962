/// run/files.h: result files that are valid at every moment. Lines are gathered and written whole, so
/// a killed run leaves a readable prefix; a last line that it did not finish begins with #.
#ifndef SLIP_RUN_FILES_H
#define SLIP_RUN_FILES_H

#include <stdbool.h>

#include "core/status.h"
#include "core/text.h"

typedef struct slip_lines {
    int file;     ///< descriptor; -1 when closed
    char *buffer; ///< whole lines not yet written
    size_t used, size;
    long long written; ///< bytes in the file
    bool regular;      ///< a file in which what was written can be written again, not a pipe or a device
    int failed;        ///< errno of the first failure
} slip_lines;

/// `buffer` is lent by the caller (a few lines at least). Returns false and sets failed on error.
bool slip_lines_open(slip_lines *lines, const char *path, char *buffer, size_t size);

/// One line without its newline, at most size - 1 bytes; numbers with 17 significant digits.
void slip_lines_numbers(slip_lines *lines, const double *values, int count);
void slip_lines_text(slip_lines *lines, const char *text);
void slip_lines_flush(slip_lines *lines);
void slip_lines_close(slip_lines *lines); ///< flushes; failed tells how it went

/// A field of a CSV line: quoted when it holds a comma, a quote or a newline.
void slip_csv_field(slip_text *line, const char *text);

/// Makes the directory and those above it; 0 or errno.
int slip_make_directories(const char *path);

#endif
