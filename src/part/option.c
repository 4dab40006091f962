/// part/option.c: values against what an option may be.
#include "part/option.h"

#include <string.h>

bool slip_option_holds(const slip_option *option, double value)
{
    if (!(value >= option->low && value <= option->high) || isinf(value)) return false;
    return !option->open || value > option->low;
}

int slip_option_find(const slip_option *options, int count, const char *name)
{
    for (int k = 0; k < count; k++)
        if (strcmp(options[k].name, name) == 0) return k;
    return -1;
}
