/// simulation/run/line_files.h: result files that are valid at every moment. Lines are buffered and written
/// whole, so that a killed run leaves a readable prefix; an incomplete last line begins with #.
#ifndef SLIP_SIMULATION_RUN_LINE_FILES_H
#define SLIP_SIMULATION_RUN_LINE_FILES_H

#include <stdbool.h>

#include "base/status.h"
#include "base/text.h"

typedef struct slip_line_file {
    int file;     ///< descriptor; -1 when closed
    char *buffer; ///< whole lines not yet written
    size_t used, size;
    long long written; ///< bytes in the file
    bool regular;      ///< a regular file, in which bytes can be overwritten, not a pipe or a device
    int failed;        ///< errno of the first failure
} slip_line_file;

/// `buffer` belongs to the caller and has room for a few lines at least. Returns false and sets failed on
/// error.
bool slip_line_file_open(slip_line_file *lines, const char *path, char *buffer, size_t size);

/// One line without its newline, at most size - 1 bytes; numbers in the shortest digits that read back to the same bits.
void slip_line_file_numbers(slip_line_file *lines, const double *values, int count);
void slip_line_file_text(slip_line_file *lines, const char *text);
void slip_line_file_flush(slip_line_file *lines);
void slip_line_file_close(slip_line_file *lines); ///< flushes; `failed` is 0 or the errno

/// A field of a CSV line: quoted when it holds a comma, a quote or a newline.
void slip_csv_field(slip_text *line, const char *text);
/// A comma and the number; nothing behind the comma where it is not a number.
void slip_csv_number(slip_text *line, double value);

/// Makes the directory and those above it; 0 or errno.
int slip_make_directories(const char *path);

#endif
