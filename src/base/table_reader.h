/// base/table_reader.h: lines of numbers from a file, with a line number for everything that is wrong with them.
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

/// What a field holds.
typedef enum slip_field { SLIP_FIELD_NUMBER, SLIP_FIELD_NOT_DECIMAL, SLIP_FIELD_TOO_LARGE } slip_field;

/// A field of `length` characters, 255 at the most; nothing behind it is looked at.
slip_field slip_field_read(const char *text, size_t length, double *value);

typedef struct slip_table_reader {
    FILE *file;
    const char *path;
    long line;       ///< number of the line in hand
    bool begun;      ///< a line other than a comment was read
    bool first;      ///< the line in hand is the first such one, which may be a header
    bool unfinished; ///< the last line has no end and is left out: a number may have been cut off
    char text[4096];
} slip_table_reader;

/// The next line that holds something into rows->text. False at the end, and with *status set when a line is
/// too long or cannot be read.
bool slip_table_reader_next(slip_table_reader *rows, slip_status *status, slip_error *error);

/// Whether the line in hand is a header: the first one, and a name comes first in it.
bool slip_table_reader_is_header(const slip_table_reader *rows);

/// `count` numbers of the line in hand.
slip_status slip_table_reader_numbers(const slip_table_reader *rows, int count, double *values,
                                      slip_error *error);

#endif
