/// base/table_reader.h: numbers from the lines of a text file, with the line number of every mistake.
///
/// Fields are separated by a comma, a semicolon, a tab or blanks. Comments begin with #; empty lines do not
/// count. A number is decimal and finite: "nan", "inf", "1e400" and "0x1p3" are refused, and so are fields
/// too many or too few.
#ifndef SLIP_BASE_TABLE_READER_H
#define SLIP_BASE_TABLE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "slipstick/status.h"

/// Contents of a field.
typedef enum slip_field { SLIP_FIELD_NUMBER, SLIP_FIELD_NOT_DECIMAL, SLIP_FIELD_TOO_LARGE } slip_field;

/// Reads a field of `length` characters, at most 255; characters after it are not read.
slip_field slip_field_read(const char *text, size_t length, double *value);

typedef struct slip_table_reader {
    FILE *file;
    const char *path;
    long line;       ///< number of the present line
    bool begun;      ///< a line other than a comment was read
    bool first;      ///< the present line is the first such one, which may be a header
    bool unfinished; ///< the last line has no end and is ignored: a number may have been cut off
    char text[4096];
} slip_table_reader;

/// Reads the next line with contents into rows->text. False at the end, and with *status set if a line is too
/// long or cannot be read.
bool slip_table_reader_next(slip_table_reader *rows, slip_status *status, slip_error *error);

/// Whether the present line is a header: the first one, and it starts with a name.
bool slip_table_reader_is_header(const slip_table_reader *rows);

/// Reads `count` numbers from the present line.
slip_status slip_table_reader_numbers(const slip_table_reader *rows, int count, double *values,
                                      slip_error *error);

#endif
