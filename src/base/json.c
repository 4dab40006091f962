/// base/json.c: writing JSON.
#include "base/json.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// length of the UTF-8 sequence that starts here; 0 when there is none, since JSON knows no other text
static int utf8_length(const char *s)
{
    const unsigned char *c = (const unsigned char *)s;
    int length = c[0] < 0x80                   ? 1
                 : c[0] >= 0xC2 && c[0] < 0xE0 ? 2
                 : (c[0] & 0xF0) == 0xE0       ? 3
                 : c[0] >= 0xF0 && c[0] < 0xF5 ? 4
                                               : 0;
    for (int k = 1; k < length; k++)
        if ((c[k] & 0xC0) != 0x80) return 0;
    bool overlong = (c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xF0 && c[1] < 0x90);
    bool outside = (c[0] == 0xED && c[1] >= 0xA0) || (c[0] == 0xF4 && c[1] >= 0x90);
    return overlong || outside ? 0 : length;
}

static void add_quoted(slip_text *out, const char *s)
{
    slip_text_bytes(out, "\"", 1);
    for (int length = 1; *s; s += length ? length : 1) {
        unsigned char c = (unsigned char)*s;
        length = utf8_length(s);
        if (c == '"' || c == '\\')
            slip_text_add(out, "\\%c", c);
        else if (c == '\n')
            slip_text_add(out, "\\n");
        else if (c == '\t')
            slip_text_add(out, "\\t");
        else if (c < 32 || c == 127)
            slip_text_add(out, "\\u%04x", c);
        else if (length)
            slip_text_bytes(out, s, (size_t)length);
        else
            slip_text_add(out, "\\ufffd");
    }
    slip_text_bytes(out, "\"", 1);
}

// comma, newline, indentation and the key of the next member
void slip_json_key(slip_json *json, const char *key)
{
    if (json->comma) slip_text_add(&json->text, ",");
    if (json->depth) slip_text_add(&json->text, "\n%*s", 2 * json->depth, "");
    if (key) {
        add_quoted(&json->text, key);
        slip_text_add(&json->text, ": ");
    }
    json->comma = true;
}

void slip_json_open(slip_json *json, const char *key, char bracket)
{
    assert(bracket == '{' || bracket == '[');
    slip_json_key(json, key);
    slip_text_bytes(&json->text, &bracket, 1);
    json->depth++;
    json->comma = false;
}

void slip_json_close(slip_json *json, char bracket)
{
    assert(json->depth > 0 && (bracket == '}' || bracket == ']'));
    json->depth--;
    if (json->comma) slip_text_add(&json->text, "\n%*s", 2 * json->depth, "");
    slip_text_bytes(&json->text, &bracket, 1);
    json->comma = true;
}

void slip_json_text(slip_json *json, const char *key, const char *value)
{
    slip_json_key(json, key);
    if (value)
        add_quoted(&json->text, value);
    else
        slip_text_add(&json->text, "null");
}

void slip_json_number(slip_json *json, const char *key, double value)
{
    slip_json_key(json, key);
    if (isfinite(value))
        slip_text_number(&json->text, value);
    else
        slip_text_bytes(&json->text, "null", 4);
}

void slip_json_integer(slip_json *json, const char *key, long value)
{
    slip_json_key(json, key);
    slip_text_add(&json->text, "%ld", value);
}

void slip_json_bool(slip_json *json, const char *key, bool value)
{
    slip_json_key(json, key);
    slip_text_add(&json->text, value ? "true" : "false");
}

void slip_json_null(slip_json *json, const char *key)
{
    slip_json_key(json, key);
    slip_text_add(&json->text, "null");
}

void slip_json_numbers(slip_json *json, const char *key, const double *values, int count)
{
    slip_json_key(json, key);
    slip_text_add(&json->text, "[");
    for (int k = 0; k < count; k++) {
        if (k > 0) slip_text_bytes(&json->text, ", ", 2);
        if (isfinite(values[k]))
            slip_text_number(&json->text, values[k]);
        else
            slip_text_bytes(&json->text, "null", 4);
    }
    slip_text_add(&json->text, "]");
}

char *slip_json_take(slip_json *json)
{
    assert(json->depth == 0 && "what was opened is closed");
    slip_text_add(&json->text, "\n");
    return slip_text_take(&json->text);
}

void slip_json_value(slip_json *json, const char *key, const char *value)
{
    size_t length = strlen(value);
    slip_json_key(json, key);
    slip_text_bytes(&json->text, value, length && value[length - 1] == '\n' ? length - 1 : length);
}
