/// base/text.c: a string that grows.
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/decimal.h"

// room for `count` more bytes and the NUL
static bool text_reserve(slip_text *text, size_t count)
{
    if (text->failed) return false;
    size_t needed = text->length + count + 1;
    if (needed <= text->capacity) return true;
    size_t wanted = text->capacity ? text->capacity : 256;
    while (wanted < needed) wanted *= 2;
    char *grown = realloc(text->data, wanted);
    if (!grown) {
        text->failed = true;
        return false;
    }
    text->data = grown;
    text->capacity = wanted;
    return true;
}

void slip_text_reserve(slip_text *text, size_t count)
{
    text_reserve(text, count);
}

void slip_text_bytes(slip_text *text, const char *bytes, size_t count)
{
    if (!text_reserve(text, count)) return;
    if (count) memcpy(text->data + text->length, bytes, count);
    text->length += count;
    text->data[text->length] = '\0';
}

void slip_text_number(slip_text *text, double value)
{
    char number[SLIP_DECIMAL_SIZE];
    slip_text_bytes(text, number, (size_t)slip_decimal_write(value, number));
}

void slip_text_add(slip_text *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    slip_text_add_list(text, format, list);
    va_end(list);
}

// into the room that there is; once more where that was too small
void slip_text_add_list(slip_text *text, const char *format, va_list list)
{
    if (text->failed) return;
    const size_t room = text->capacity - text->length;
    va_list again;
    va_copy(again, list);
    int count = vsnprintf(room ? text->data + text->length : NULL, room, format, again);
    va_end(again);
    assert(count >= 0 && "a format that cannot be written");
    if (count < 0) return;
    if ((size_t)count >= room) {
        if (room) text->data[text->length] = '\0'; // as it was, should there be no memory
        if (!text_reserve(text, (size_t)count)) return;
        vsnprintf(text->data + text->length, (size_t)count + 1, format, list);
    }
    text->length += (size_t)count;
}

void slip_text_destroy(slip_text *text)
{
    free(text->data);
    *text = (slip_text){ 0 };
}

char *slip_text_take(slip_text *text)
{
    if (!text->data && !text->failed) slip_text_bytes(text, "", 0);
    char *data = text->failed ? NULL : text->data;
    if (text->failed) free(text->data);
    *text = (slip_text){ 0 };
    return data;
}

slip_status slip_text_write(slip_text *text, const char *path, slip_error *error)
{
    char *data = slip_text_take(text);
    if (!data) return slip_fail(error, SLIP_NO_MEMORY, path, "out of memory");
    int code = slip_file_write_atomic(path, data);
    free(data);
    return code ? slip_fail(error, SLIP_IO, path, "%s", strerror(code)) : SLIP_OK;
}

const char *slip_text_find_control(const char *text, const char *allowed)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        bool c0 = *c < 0x20 || *c == 0x7F, c1 = c[0] == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0;
        if ((c0 || c1) && !strchr(allowed, *c)) return (const char *)c;
    }
    return NULL;
}

void slip_text_mask_control(char *text)
{
    for (const char *at; (at = slip_text_find_control(text, "\n\t")); text += 1) {
        text += at - text;
        if ((unsigned char)*text == 0xC2) *text++ = '?';
        *text = '?';
    }
}
