/// registry/option.c: checks values against the bounds of an option.
#include "registry/option.h"

#include <string.h>

const slip_bounds slip_bounds_positive = SLIP_POSITIVE, slip_bounds_nonnegative = SLIP_NONNEGATIVE,
                  slip_bounds_fraction = SLIP_FRACTION, slip_bounds_at_least_one = SLIP_AT_LEAST_ONE,
                  slip_bounds_signed_fraction = SLIP_SIGNED_FRACTION;

bool slip_bounds_contain(const slip_bounds *bounds, double value)
{
    if (!(value >= bounds->low && value <= bounds->high)) return false;
    return !bounds->open || value > bounds->low;
}

int slip_option_find(const slip_option *options, int count, const char *name)
{
    for (int k = 0; k < count; k++)
        if (strcmp(options[k].name, name) == 0) return k;
    return -1;
}
