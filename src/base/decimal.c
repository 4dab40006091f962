/// base/decimal.c: decimal numbers in and out, whatever the locale of the program around us.
#include "base/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// strtod and printf follow the locale's decimal point, formulas do not
static char decimal_point(void)
{
    char sample[16];
    snprintf(sample, sizeof sample, "%.1f", 0.5);
    return sample[1];
}

bool slip_decimal_read(const char *text, size_t length, double *value)
{
    char copy[SLIP_DECIMAL_MAX_LENGTH + 1], point = decimal_point();
    if (length > SLIP_DECIMAL_MAX_LENGTH) return false;
    for (size_t k = 0; k < length; k++) copy[k] = text[k] == '.' ? point : text[k];
    copy[length] = '\0';
    *value = strtod(copy, NULL);
    return true;
}

const char *slip_decimal_write(double value, char *buffer, int size)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, (size_t)size, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value) break;
    }
    char point = decimal_point();
    for (char *p = buffer; point != '.' && *p; p++)
        if (*p == point) *p = '.';
    return buffer;
}
