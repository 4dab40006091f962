/// axes.c: what is varied, as it stands on a command line.
#include "sweep_axes.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// "KEY=rest": a copy of the key; NULL when there is none, or no memory
char *cli_take_key(const char *text, const char **rest)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) return NULL;
    const size_t length = (size_t)(equals - text);
    char *key = calloc(length + 1, 1);
    if (key) memcpy(key, text, length);
    *rest = equals + 1;
    return key;
}

bool cli_take_number(const char **at, double *value)
{
    char *end;
    errno = 0;
    *value = strtod(*at, &end);
    if (end == *at || errno == ERANGE || !isfinite(*value) || strncmp(*at, "0x", 2) == 0) return false;
    *at = end;
    return true;
}

// A:B:N
static bool take_range(const char *text, slip_sweep_axis *axis)
{
    double from, to, count;
    if (!cli_take_number(&text, &from) || *text++ != ':' || !cli_take_number(&text, &to) || *text++ != ':' ||
        !cli_take_number(&text, &count) || *text || count < 1.0 || count > 1e8 || count != floor(count))
        return false;
    double *values = malloc((size_t)count * sizeof *values);
    if (!values) return false;
    axis->count = (int)count;
    for (int k = 0; k < axis->count; k++)
        values[k] = axis->count == 1       ? from
                    : k == axis->count - 1 ? to
                                           : from + (to - from) * k / (axis->count - 1);
    axis->values = values;
    return true;
}

// A,B,C
static bool take_list(const char *text, slip_sweep_axis *axis)
{
    int room = 1;
    for (const char *c = text; *c; c++) room += *c == ',';
    double *values = malloc((size_t)room * sizeof *values);
    bool good = values;
    while (good) {
        good =
            axis->count < room && cli_take_number(&text, &values[axis->count++]) && (*text == ',' || !*text);
        if (!good || !*text++) break;
    }
    axis->values = values;
    return good;
}

bool cli_take_axis(const char *text, slip_sweep_axis *axis)
{
    const char *rest;
    axis->key = cli_take_key(text, &rest);
    return axis->key && (strchr(rest, ':') ? take_range(rest, axis) : take_list(rest, axis));
}

void cli_drop_axis(slip_sweep_axis *axis)
{
    free((void *)axis->key);
    free((void *)axis->values);
}
