/// edits.h: an input as changes of a file that is right, so that each input gets past the first check of the reader.
///
/// Each change is six bytes: where (two bytes, as a part of the file's length), what is done there (one byte), and what
/// is put there (three bytes). A change sets bytes, inserts some, cuts some out, or repeats some that stand before.
#ifndef SLIP_TEST_FUZZ_EDITS_H
#define SLIP_TEST_FUZZ_EDITS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { EDIT_BYTES = 6, EDITS_AT_MOST = 32, EDIT_SPAN = 40 };

// replaces `cut` bytes at a place by `put`
static void edit_replace(char *text, size_t *size, size_t at, size_t cut, const char *put, size_t count)
{
    if (at > *size) at = *size;
    if (cut > *size - at) cut = *size - at;
    memmove(text + at + count, text + at + cut, *size - at - cut);
    memcpy(text + at, put, count);
    *size += count - cut;
}

/// A copy of `file` with the changes that `data` describes, and a 0 behind it; the caller frees it.
static char *edited(const char *file, size_t *size, const uint8_t *data, size_t count)
{
    char *const text = malloc(*size + EDITS_AT_MOST * EDIT_SPAN + 1);
    if (!text) abort();
    memcpy(text, file, *size);
    for (int k = 0; k < EDITS_AT_MOST && (size_t)(k + 1) * EDIT_BYTES <= count; k++) {
        const uint8_t *const e = data + (size_t)k * EDIT_BYTES;
        const size_t at = (size_t)((e[0] << 8 | e[1]) * (uint64_t)(*size + 1) >> 16);
        const size_t span = e[3] % EDIT_SPAN;
        char before[EDIT_SPAN];
        switch (e[2] % 4) {
        case 0:
            edit_replace(text, size, at, 1, (const char *)e + 3, 1);
            break;
        case 1:
            edit_replace(text, size, at, 0, (const char *)e + 3, 3);
            break;
        case 2:
            edit_replace(text, size, at, span, "", 0);
            break;
        default:
            if (span > at) break;
            memcpy(before, text + at - span, span);
            edit_replace(text, size, at, e[4] % EDIT_SPAN, before, span);
        }
    }
    text[*size] = '\0';
    return text;
}

#endif
