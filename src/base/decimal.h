/// base/decimal.h: decimal numbers in and out, whatever the locale of the program around us.
#ifndef SLIP_BASE_DECIMAL_H
#define SLIP_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>

enum { SLIP_DECIMAL_MAX_LENGTH = 400 }; ///< longest number that is read, in characters

/// The double nearest to text[0..length), digits with an optional point and exponent; false when it
/// is too long. Infinite when it is too large.
bool slip_decimal_read(const char *text, size_t length, double *value);

/// The shortest text that reads back to the same double. Returns buffer (32 bytes are enough).
const char *slip_decimal_write(double value, char *buffer, int size);

#endif
