/// base/table_reader.c: see table_reader.h.
#include "base/table_reader.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

static const char BLANKS[] = " \t";

slip_field slip_field_read(const char *text, size_t length, double *value)
{
    char copy[256], *end = NULL;
    if (length == 0 || length >= sizeof copy) return SLIP_FIELD_NOT_DECIMAL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    *value = strtod(copy, &end);
    if (strspn(copy, "+-.0123456789eE") < length || *end) return SLIP_FIELD_NOT_DECIMAL;
    return isfinite(*value) ? SLIP_FIELD_NUMBER : SLIP_FIELD_TOO_LARGE;
}

bool slip_table_reader_next(slip_table_reader *r, slip_status *status, slip_error *error)
{
    r->first = !r->begun;
    while (fgets(r->text, sizeof r->text, r->file)) {
        r->line++;
        size_t length = strcspn(r->text, "\r\n");
        const bool ends = r->text[length] != '\0';
        if (!ends && !feof(r->file)) {
            *status = slip_fail(error, SLIP_BAD_ARGUMENT, r->path, "line %ld has more than %d characters",
                                r->line, (int)sizeof r->text - 2);
            return false;
        }
        r->text[length] = '\0';
        if (r->text[0] == '#' || r->text[strspn(r->text, BLANKS)] == '\0') continue;
        r->unfinished = !ends;
        if (!r->unfinished) return r->begun = true;
    }
    if (ferror(r->file)) *status = slip_fail(error, SLIP_IO, r->path, "%s", strerror(errno));
    return false;
}

static bool begins_with(const char *text, const char *word)
{
    while (*word && tolower((unsigned char)*text) == *word) text++, word++;
    return *word == '\0';
}

bool slip_table_reader_is_header(const slip_table_reader *r)
{
    const char *at = r->text + strspn(r->text, " \t\"");
    bool number = begins_with(at, "nan") || begins_with(at, "inf");
    return r->first && (isalpha((unsigned char)*at) || *at == '_') && !number;
}

// The separator of two fields: blanks, and at most one other character.
static const char *after_field(const char *at)
{
    at += strspn(at, BLANKS);
    if (*at == ',' || *at == ';') at += 1 + strspn(at + 1, BLANKS);
    return at;
}

slip_status slip_table_reader_numbers(const slip_table_reader *r, int count, double *values,
                                      slip_error *error)
{
    const char *at = r->text + strspn(r->text, BLANKS);
    for (int k = 0; k < count; k++) {
        if (*at == '\0')
            return slip_fail(error, SLIP_BAD_ARGUMENT, r->path, "line %ld has %d numbers, expected %d",
                             r->line, k, count);
        size_t length = strcspn(at, " \t,;");
        const slip_field field = slip_field_read(at, length, &values[k]);
        const int shown = (int)(length < 40 ? length : 40);
        if (field == SLIP_FIELD_NOT_DECIMAL)
            return slip_fail(error, SLIP_BAD_ARGUMENT, r->path, "line %ld: '%.*s' is not a decimal number",
                             r->line, shown, at);
        if (field == SLIP_FIELD_TOO_LARGE)
            return slip_fail(error, SLIP_BAD_ARGUMENT, r->path, "line %ld: %.*s is too large for a number",
                             r->line, shown, at);
        at = after_field(at + length);
    }
    if (*at != '\0')
        return slip_fail(error, SLIP_BAD_ARGUMENT, r->path,
                         "line %ld has more than %d fields, from '%.40s' on", r->line, count, at);
    return SLIP_OK;
}
