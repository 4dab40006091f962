/// base/status.c: words for statuses and outcomes.
#include "base/status.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

const char *slip_status_name(slip_status status)
{
#define AS_NAME(name, word, text) word,
    static const char *const words[] = { SLIP_STATUSES(AS_NAME) };
    return status >= 0 && status < SLIP_STATUS_COUNT ? words[status] : "unknown";
}

const char *slip_status_text(slip_status status)
{
#define AS_TEXT(name, word, text) text,
    static const char *const texts[] = { SLIP_STATUSES(AS_TEXT) };
    return status >= 0 && status < SLIP_STATUS_COUNT ? texts[status] : "unknown status";
}

const char *slip_outcome_name(slip_outcome outcome)
{
#define AS_WORD(name, word, text) word,
    static const char *const words[] = { SLIP_OUTCOMES(AS_WORD) };
    return outcome >= 0 && outcome < SLIP_OUTCOME_COUNT ? words[outcome] : "unknown";
}

const char *slip_outcome_text(slip_outcome outcome)
{
#define AS_SENTENCE(name, word, text) text,
    static const char *const texts[] = { SLIP_OUTCOMES(AS_SENTENCE) };
    return outcome >= 0 && outcome < SLIP_OUTCOME_COUNT ? texts[outcome] : "unknown outcome";
}

slip_status slip_fail(slip_error *error, slip_status status, const char *where, const char *format, ...)
{
    assert(status != SLIP_OK);
    if (error) {
        error->status = status;
        snprintf(error->where, sizeof error->where, "%s", where ? where : "");
        va_list list;
        va_start(list, format);
        vsnprintf(error->text, sizeof error->text, format, list);
        va_end(list);
    }
    return status;
}
