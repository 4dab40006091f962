/// number.h: decimal numbers in and out, whatever the locale of the program around us.
#ifndef SLIP_FORMULA_NUMBER_H
#define SLIP_FORMULA_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

enum { SLIP_NUMBER_LENGTH = 400 }; ///< longest number that is read, in characters

/// The double nearest to text[0..length), digits with an optional point and exponent; false when it
/// is too long. Infinite when it is too large.
bool slip_number_read(const char *text, size_t length, double *value);

/// The shortest text that reads back to the same double. Returns buffer (32 bytes are enough).
const char *slip_number_write(double value, char *buffer, int size);

#endif
