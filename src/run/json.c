/// run/json.c: writing JSON.
#include "run/json.h"

#include <math.h>
#include <string.h>

static void quoted(slip_text *out, const char *s)
{
    slip_text_add(out, "\"");
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '"' || c == '\\')
            slip_text_add(out, "\\%c", c);
        else if (c == '\n')
            slip_text_add(out, "\\n");
        else if (c == '\t')
            slip_text_add(out, "\\t");
        else if (c < 32 || c == 127)
            slip_text_add(out, "\\u%04x", c);
        else
            slip_text_bytes(out, s, 1);
    }
    slip_text_add(out, "\"");
}

// comma, newline, indentation and the key of the next member
static void begin(slip_json *json, const char *key)
{
    if (json->comma) slip_text_add(&json->text, ",");
    if (json->depth) slip_text_add(&json->text, "\n%*s", 2 * json->depth, "");
    if (key) {
        quoted(&json->text, key);
        slip_text_add(&json->text, ": ");
    }
    json->comma = true;
}

void slip_json_open(slip_json *json, const char *key, char bracket)
{
    begin(json, key);
    slip_text_bytes(&json->text, &bracket, 1);
    json->depth++;
    json->comma = false;
}

void slip_json_close(slip_json *json, char bracket)
{
    json->depth--;
    if (json->comma) slip_text_add(&json->text, "\n%*s", 2 * json->depth, "");
    slip_text_bytes(&json->text, &bracket, 1);
    json->comma = true;
}

void slip_json_text(slip_json *json, const char *key, const char *value)
{
    begin(json, key);
    if (value)
        quoted(&json->text, value);
    else
        slip_text_add(&json->text, "null");
}

void slip_json_number(slip_json *json, const char *key, double value)
{
    begin(json, key);
    if (isfinite(value))
        slip_text_add(&json->text, "%.17g", value);
    else
        slip_text_add(&json->text, "null");
}

void slip_json_integer(slip_json *json, const char *key, long value)
{
    begin(json, key);
    slip_text_add(&json->text, "%ld", value);
}

void slip_json_bool(slip_json *json, const char *key, bool value)
{
    begin(json, key);
    slip_text_add(&json->text, value ? "true" : "false");
}

void slip_json_null(slip_json *json, const char *key)
{
    begin(json, key);
    slip_text_add(&json->text, "null");
}
