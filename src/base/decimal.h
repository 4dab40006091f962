/// base/decimal.h: decimal numbers in and out, whatever the locale of the program around us.
#ifndef SLIP_BASE_DECIMAL_H
#define SLIP_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>

enum {
    SLIP_DECIMAL_MAX_LENGTH = 400, ///< longest number that is read, in characters
    SLIP_DECIMAL_SIZE = 26,        ///< room for every double: -1.2345678901234567e-308 and its end
};

/// The double nearest to text[0..length), digits with an optional point and exponent; false when it
/// is too long. Infinite when it is too large.
bool slip_decimal_read(const char *text, size_t length, double *value);

/// The shortest text that reads back to the same double, the nearest one where there are several. Returns its length.
int slip_decimal_write(double value, char buffer[SLIP_DECIMAL_SIZE]);

#endif
