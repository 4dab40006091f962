/// base/archive.c: state written to a file, and read back from it.
#include "base/archive.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/checksum.h"
#include "base/json.h"
#include "base/json_read.h"

slip_archive slip_archive_writer(slip_error *error)
{
    return (slip_archive){ .name = "state", .error = error };
}

static const char CHECKSUM_KEY[] = ",\n\"checksum\": \"";

// whether nothing but the end of the outermost object stands behind the digits of the checksum
static bool is_end_of_file(const char *digits)
{
    return strcmp(digits + strspn(digits, "0123456789abcdef"), "\"}\n") == 0;
}

slip_archive slip_archive_reader(const char *name, const char *text, slip_error *error)
{
    slip_archive a = { .name = name, .text = text, .at = text, .error = error };
    const char *sum = NULL;
    for (const char *at = text; (at = strstr(at, CHECKSUM_KEY)) != NULL; at++) sum = at;
    a.at = sum ? sum + 2 : text + strlen(text);
    if (!sum)
        slip_archive_fail(&a, SLIP_BAD_ARGUMENT,
                          "there is no checksum: the file is cut off, or is not a saved state");
    else if (!is_end_of_file(sum + strlen(CHECKSUM_KEY)))
        slip_archive_fail(&a, SLIP_BAD_ARGUMENT, "the file does not end behind its checksum");
    else if (strtoull(sum + strlen(CHECKSUM_KEY), NULL, 16) !=
             slip_checksum(SLIP_CHECKSUM, text, (size_t)(sum - text)))
        slip_archive_fail(&a, SLIP_BAD_ARGUMENT,
                          "the checksum is another one: the file was changed after it was written");
    a.at = text;
    return a;
}

char *slip_archive_take(slip_archive *a)
{
    if (!a->out.failed && a->out.length) {
        uint64_t sum = slip_checksum(SLIP_CHECKSUM, a->out.data, a->out.length);
        slip_text_add(&a->out, "%s%016" PRIx64 "\"}\n", CHECKSUM_KEY, sum);
    }
    char *text = slip_text_take(&a->out);
    if (!text && a->status == SLIP_OK)
        a->status = slip_fail(a->error, SLIP_NO_MEMORY, a->name, "out of memory");
    if (a->status == SLIP_OK) return text;
    free(text);
    return NULL;
}

void slip_archive_fail(slip_archive *a, slip_status status, const char *format, ...)
{
    if (a->status != SLIP_OK) return;
    char where[160], text[240];
    int line = 1;
    const char *start = a->text;
    for (const char *c = a->text; c && c < a->at; c++)
        if (*c == '\n') line++, start = c + 1;
    if (a->text)
        snprintf(where, sizeof where, "%.120s:%d:%ld", a->name, line, (long)(a->at - start) + 1);
    else
        snprintf(where, sizeof where, "%.120s", a->name);
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    a->status = slip_fail(a->error, status, where, "%s", text);
}

// ------------------------------------------------------------------------------------------ structure

static void skip_blanks(slip_archive *a)
{
    a->at += strspn(a->at, " \t\r\n");
}

static bool archive_take_sign(slip_archive *a, char sign)
{
    skip_blanks(a);
    if (*a->at != sign) return false;
    a->at++;
    return true;
}

static void archive_expect(slip_archive *a, char sign, const char *key)
{
    if (a->status != SLIP_OK || archive_take_sign(a, sign)) return;
    slip_archive_fail(a, SLIP_BAD_ARGUMENT,
                      "the file ends, or is not as it was written: expected '%c' %s '%s'", sign,
                      strchr("]}", sign) ? "behind" : "at", key ? key : "the start");
}

// the key of the next member stands here, behind its comma
static bool archive_key_is_next(slip_archive *a, const char *key)
{
    const char *at = a->at + strspn(a->at, " \t\r\n");
    if (a->comma && *at == ',') at += 1 + strspn(at + 1, " \t\r\n");
    const size_t length = strlen(key); // keys have nothing to escape
    return *at == '"' && strncmp(at + 1, key, length) == 0 && at[1 + length] == '"';
}

bool slip_archive_has(slip_archive *a, const char *key)
{
    return !slip_archive_reads(a) || (a->status == SLIP_OK && archive_key_is_next(a, key));
}

// comma and key of a member, either way. False when it cannot go on
static bool archive_begin_member(slip_archive *a, const char *key)
{
    if (a->status != SLIP_OK) return false;
    if (!slip_archive_reads(a)) {
        slip_text_add(&a->out, "%s\n\"%s\": ", a->comma ? "," : "", key);
    } else if (!archive_key_is_next(a, key)) {
        skip_blanks(a);
        slip_archive_fail(a, SLIP_BAD_ARGUMENT,
                          "the file ends, or is not as it was written: expected member '%s'", key);
    } else {
        if (a->comma) archive_take_sign(a, ',');
        skip_blanks(a);
        a->at = strchr(a->at + 1, '"') + 1;
        archive_expect(a, ':', key);
        skip_blanks(a);
    }
    a->comma = true;
    return a->status == SLIP_OK;
}

void slip_archive_open(slip_archive *a, const char *key)
{
    if (key && !archive_begin_member(a, key)) return;
    if (slip_archive_reads(a))
        archive_expect(a, '{', key);
    else
        slip_text_bytes(&a->out, "{", 1);
    a->comma = false;
}

void slip_archive_close(slip_archive *a)
{
    if (a->status != SLIP_OK) return;
    if (slip_archive_reads(a))
        archive_expect(a, '}', "the last member");
    else
        slip_text_bytes(&a->out, "}", 1);
    a->comma = true;
}

// -------------------------------------------------------------------------------------------- numbers

// Every bit is kept; what JSON has no number for is a text
static void put_double(slip_text *out, double value)
{
    if (value == 0.0 && !signbit(value)) // as most are
        slip_text_bytes(out, "0", 1);
    else if (isfinite(value))
        slip_text_number(out, value);
    else
        slip_text_add(out, "\"%s%s\"", signbit(value) ? "-" : "", isnan(value) ? "nan" : "inf");
}

static double take_double(slip_archive *a, const char *key)
{
    skip_blanks(a);
    bool quoted = *a->at == '"';
    const char *from = a->at + quoted;
    char *end;
    errno = 0;
    double value = strtod(from, &end);
    size_t length = (size_t)(end - from);
    bool number = length > 0 && (quoted ? *end == '"' && !isfinite(value) : isfinite(value)) &&
                  !memchr(from, 'x', length) && !memchr(from, 'X', length);
    if (!number) {
        slip_archive_fail(a, SLIP_BAD_ARGUMENT, "'%s' is not a number", key);
        return 0.0;
    }
    a->at = end + quoted;
    return value;
}

static long take_long(slip_archive *a, const char *key, long low, long high)
{
    skip_blanks(a);
    char *end;
    errno = 0;
    long value = strtol(a->at, &end, 10);
    if (end == a->at || errno || value < low || value > high || strchr(".eE", *end ? *end : ' ')) {
        slip_archive_fail(a, SLIP_BAD_ARGUMENT, "'%s' is not a whole number from %ld to %ld", key, low, high);
        return 0;
    }
    a->at = end;
    return value;
}

void slip_archive_double(slip_archive *a, const char *key, double *value)
{
    if (!archive_begin_member(a, key)) return;
    if (!slip_archive_reads(a)) {
        put_double(&a->out, *value);
        return;
    }
    double read = take_double(a, key);
    if (a->status == SLIP_OK) *value = read;
}

void slip_archive_long(slip_archive *a, const char *key, long *value)
{
    if (!archive_begin_member(a, key)) return;
    if (!slip_archive_reads(a)) {
        slip_text_add(&a->out, "%ld", *value);
        return;
    }
    long read = take_long(a, key, LONG_MIN, LONG_MAX);
    if (a->status == SLIP_OK) *value = read;
}

void slip_archive_int(slip_archive *a, const char *key, int *value)
{
    if (!archive_begin_member(a, key)) return;
    if (!slip_archive_reads(a)) {
        slip_text_add(&a->out, "%d", *value);
        return;
    }
    long read = take_long(a, key, INT_MIN, INT_MAX);
    if (a->status == SLIP_OK) *value = (int)read;
}

void slip_archive_bool(slip_archive *a, const char *key, bool *value)
{
    if (!archive_begin_member(a, key)) return;
    if (!slip_archive_reads(a)) {
        slip_text_add(&a->out, *value ? "true" : "false");
        return;
    }
    bool yes = strncmp(a->at, "true", 4) == 0, no = strncmp(a->at, "false", 5) == 0;
    if (!yes && !no)
        slip_archive_fail(a, SLIP_BAD_ARGUMENT, "'%s' is neither true nor false", key);
    else
        *value = yes, a->at += yes ? 4 : 5;
}

// numbers in brackets; one of the two arrays is NULL
static void archive_list(slip_archive *a, const char *key, double *doubles, int *ints, size_t count)
{
    if (!archive_begin_member(a, key)) return;
    if (slip_archive_reads(a)) archive_expect(a, '[', key);
    for (size_t k = 0; k < count && a->status == SLIP_OK; k++) {
        if (!slip_archive_reads(a)) {
            slip_text_bytes(&a->out, k ? "," : "[", 1);
            if (doubles) put_double(&a->out, doubles[k]);
            if (ints) slip_text_add(&a->out, "%d", ints[k]);
            continue;
        }
        if (k) archive_expect(a, ',', key);
        double read = doubles && a->status == SLIP_OK ? take_double(a, key) : 0.0;
        long whole = ints && a->status == SLIP_OK ? take_long(a, key, INT_MIN, INT_MAX) : 0;
        if (a->status == SLIP_OK && doubles) doubles[k] = read;
        if (a->status == SLIP_OK && ints) ints[k] = (int)whole;
    }
    if (slip_archive_reads(a))
        archive_expect(a, ']', key);
    else
        slip_text_add(&a->out, count ? "]" : "[]");
}

void slip_archive_doubles(slip_archive *a, const char *key, double *values, size_t count)
{
    archive_list(a, key, values, NULL, count);
}

void slip_archive_ints(slip_archive *a, const char *key, int *values, size_t count)
{
    archive_list(a, key, NULL, values, count);
}

// ---------------------------------------------------------------------------------------------- bytes

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

void slip_archive_bytes(slip_archive *a, const char *key, void *bytes, size_t count)
{
    unsigned char *to = bytes;
    if (!archive_begin_member(a, key)) return;
    if (!slip_archive_reads(a)) {
        slip_text_bytes(&a->out, "\"", 1);
        for (size_t k = 0; k < count; k++) {
            const char pair[] = { "0123456789abcdef"[to[k] >> 4], "0123456789abcdef"[to[k] & 15] };
            slip_text_bytes(&a->out, pair, 2);
        }
        slip_text_bytes(&a->out, "\"", 1);
        return;
    }
    archive_expect(a, '"', key);
    for (size_t k = 0; k < count && a->status == SLIP_OK; k++, a->at += 2) {
        int high = hex_digit(a->at[0]), low = high < 0 ? -1 : hex_digit(a->at[1]);
        if (low < 0) {
            slip_archive_fail(a, SLIP_BAD_ARGUMENT, "'%s' has %zu bytes, expected %zu", key, k, count);
            return;
        }
        to[k] = (unsigned char)(16 * high + low);
    }
    archive_expect(a, '"', key);
}

char *slip_archive_text(slip_archive *a, const char *key, const char *value)
{
    if (!slip_archive_reads(a)) {
        slip_json json = { 0 };
        if (!archive_begin_member(a, key)) return NULL;
        slip_json_text(&json, NULL, value);
        char *quoted = slip_text_take(&json.text);
        if (quoted)
            slip_text_add(&a->out, "%s", quoted);
        else
            a->out.failed = true;
        free(quoted);
        return NULL;
    }
    char *text = archive_begin_member(a, key) ? slip_json_read_text(a->at) : NULL;
    if (a->status == SLIP_OK && *a->at != '"')
        slip_archive_fail(a, SLIP_BAD_ARGUMENT, "'%s' is not a text", key);
    if (a->status == SLIP_OK && !text) slip_archive_fail(a, SLIP_NO_MEMORY, "out of memory");
    if (a->status == SLIP_OK) {
        for (a->at++; *a->at != '"'; a->at++) a->at += *a->at == '\\';
        a->at++;
    }
    if (text) return text;
    text = calloc(1, 1);
    if (!text) slip_archive_fail(a, SLIP_NO_MEMORY, "out of memory");
    return text;
}

// ------------------------------------------------------------------------------------------ workspaces

void slip_arena_archive(slip_archive *a, slip_plain_kind kind, void *block, size_t bytes)
{
    char key[24];
    snprintf(key, sizeof key, "%d", a->blocks++);
    if (kind == SLIP_PLAIN_DOUBLES)
        slip_archive_doubles(a, key, block, bytes / sizeof(double));
    else if (kind == SLIP_PLAIN_INTS)
        slip_archive_ints(a, key, block, bytes / sizeof(int));
    else
        slip_archive_bytes(a, key, block, bytes);
}
