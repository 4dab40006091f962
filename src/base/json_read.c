/// base/json_read.c: reading values out of JSON text.
#include "base/json_read.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NESTING = 64 };

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

// behind the closing quote; NULL when there is none
static const char *skip_string(const char *at)
{
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && !*++at) return NULL;
    return *at ? at + 1 : NULL;
}

static const char *skip_value(const char *at, int depth);

// behind one member of an object, or value of an array
static const char *skip_entry(const char *at, bool object, int depth)
{
    if (!object) return skip_value(at, depth);
    at = *at == '"' ? skip_string(at) : NULL;
    if (!at || *(at = skip_blanks(at)) != ':') return NULL;
    return skip_value(skip_blanks(at + 1), depth);
}

static const char *skip_value(const char *at, int depth)
{
    if (*at == '"') return skip_string(at);
    if (*at != '{' && *at != '[') {
        size_t length = strcspn(at, ",]} \t\r\n");
        return length ? at + length : NULL;
    }
    if (depth == MAX_NESTING) return NULL;
    bool object = *at == '{';
    char end = object ? '}' : ']';
    at = skip_blanks(at + 1);
    while (at && *at != end) {
        at = skip_entry(at, object, depth + 1);
        if (at) at = skip_blanks(at);
        if (at && *at == ',')
            at = skip_blanks(at + 1);
        else if (at && *at != end)
            return NULL;
    }
    return at ? at + 1 : NULL;
}

// four hexadecimal digits; -1 when they are not there
static long read_hex4(const char *at)
{
    char digits[5] = { 0 }, *end;
    for (int k = 0; k < 4 && at[k]; k++) digits[k] = at[k];
    long code = strtol(digits, &end, 16);
    return end == digits + 4 ? code : -1;
}

// U+0000 .. U+FFFF as UTF-8; halves of pairs become U+FFFD
static int put_utf8(char *to, long code)
{
    if (code >= 0xD800 && code < 0xE000) code = 0xFFFD;
    if (code < 0x80) return *to = (char)code, 1;
    if (code < 0x800) return to[0] = (char)(0xC0 | code >> 6), to[1] = (char)(0x80 | (code & 63)), 2;
    to[0] = (char)(0xE0 | code >> 12);
    to[1] = (char)(0x80 | (code >> 6 & 63));
    to[2] = (char)(0x80 | (code & 63));
    return 3;
}

char *slip_json_read_text(const char *value)
{
    const char *end = value && *value == '"' ? skip_string(value) : NULL;
    char *text = end ? malloc((size_t)(end - value)) : NULL, *to = text;
    if (!text) return NULL;
    for (const char *at = value + 1; at < end - 1; at++) {
        if (*at != '\\') {
            *to++ = *at;
            continue;
        }
        static const char names[] = "nrtbf", meant[] = "\n\r\t\b\f";
        const char *known = strchr(names, *++at);
        long code = *at == 'u' ? read_hex4(at + 1) : -1;
        if (code > 0) {
            to += put_utf8(to, code);
            at += 4;
        } else {
            *to++ = known ? meant[known - names] : *at;
        }
    }
    *to = '\0';
    return text;
}

double slip_json_read_number(const char *value)
{
    if (!value || !strchr("-0123456789", *value)) return NAN;
    return strtod(value, NULL);
}

static bool is_key(const char *at, const char *key)
{
    char *name = slip_json_read_text(at);
    bool same = name && strcmp(name, key) == 0;
    free(name);
    return same;
}

// the entry of an object by key, or of an array by number
static const char *find_entry(const char *at, char bracket, const char *key, int number)
{
    if (!at || *(at = skip_blanks(at)) != bracket) return NULL;
    at = skip_blanks(at + 1);
    for (int k = 0; at && *at && *at != ']' && *at != '}'; k++) {
        const char *value = at;
        if (key && (value = *at == '"' ? skip_string(at) : NULL) != NULL)
            value = *skip_blanks(value) == ':' ? skip_blanks(skip_blanks(value) + 1) : NULL;
        if (!value) return NULL;
        if (key ? is_key(at, key) : k == number) return value;
        at = skip_value(value, 1);
        if (at && *(at = skip_blanks(at)) == ',') at = skip_blanks(at + 1);
    }
    return NULL;
}

const char *slip_json_member(const char *object, const char *key)
{
    return find_entry(object, '{', key, 0);
}

const char *slip_json_item(const char *array, int k)
{
    return find_entry(array, '[', NULL, k);
}
