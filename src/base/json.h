/// base/json.h: writing JSON. Numbers keep all their digits; what JSON cannot say (NaN, infinity) is null.
#ifndef SLIP_BASE_JSON_H
#define SLIP_BASE_JSON_H

#include <stdbool.h>

#include "base/text.h"

/// Commas and nesting are the writer's business: open, add members, close.
typedef struct slip_json {
    slip_text text;
    int depth;
    bool comma; ///< the next member needs one
} slip_json;

/// `key` is NULL inside arrays and for the outermost value.
void slip_json_open(slip_json *json, const char *key, char bracket);
void slip_json_close(slip_json *json, char bracket);
void slip_json_text(slip_json *json, const char *key, const char *value); ///< NULL value: null
void slip_json_number(slip_json *json, const char *key, double value);
void slip_json_integer(slip_json *json, const char *key, long value);
void slip_json_bool(slip_json *json, const char *key, bool value);
void slip_json_null(slip_json *json, const char *key);
void slip_json_numbers(slip_json *json, const char *key, const double *values, int count); ///< in one line

/// Ends the outermost value with a newline. To be released with free(); NULL when out of memory.
char *slip_json_take(slip_json *json);

/// A value that is JSON already, without its newline; and a key whose value the caller adds to `text` as it
/// is.
void slip_json_value(slip_json *json, const char *key, const char *value);
void slip_json_key(slip_json *json, const char *key);

#endif
