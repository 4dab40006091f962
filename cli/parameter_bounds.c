/// bounds.c: see bounds.h.
#include "parameter_bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int cli_names_split(char *text, const char **names, int room)
{
    int count = 0;
    for (char *word = strtok(text, ","); word && count < room; word = strtok(NULL, ","))
        names[count++] = word;
    return count;
}

int cli_name_find(const char *const *names, int count, const char *name, size_t length)
{
    for (int k = 0; k < count; k++)
        if (strlen(names[k]) == length && strncmp(names[k], name, length) == 0) return k;
    return -1;
}

bool cli_bounds_read(const char *text, const char *const *names, int count, double *lower, double *upper)
{
    for (int k = 0; k < count; k++) lower[k] = -INFINITY, upper[k] = INFINITY;
    while (text && *text) {
        const char *equals = strchr(text, '=');
        if (!equals) return false;
        const int k = cli_name_find(names, count, text, (size_t)(equals - text));
        char *end;
        double low = strtod(equals + 1, &end), high;
        if (end == equals + 1) low = -INFINITY;
        if (*end != ':') return false;
        const char *second = end + 1;
        high = strtod(second, &end);
        if (end == second) high = INFINITY;
        if (*end && *end != ',') return false;
        if (k >= 0) lower[k] = low, upper[k] = high;
        text = *end ? end + 1 : end;
    }
    return true;
}
