/// model/reader/index_expansion.h: a text that is written anew, byte by byte, with the place each byte came from.
#ifndef SLIP_MODEL_READER_INDEX_EXPANSION_H
#define SLIP_MODEL_READER_INDEX_EXPANSION_H

#include "model/reader/indices.h"

typedef struct slip_expansion {
    slip_indices *ix;
    const slip_yaml *from;
    char *text; ///< heap memory
    int32_t *map;
    size_t length, capacity;
    bool changed, failed;
} slip_expansion;

/// text[start..end) of the scalar, with indices replaced.
void slip_expansion_add(slip_expansion *e, size_t start, size_t end);

/// New text that stands for text[start..end).
void slip_expansion_put(slip_expansion *e, const char *text, size_t start, size_t end);

/// The result as a scalar in memory of the reader; NULL when something failed. Gives back the heap memory.
slip_yaml *slip_expansion_take(slip_expansion *e);

/// The end of the name that starts at `at`, or `at` when none does.
size_t slip_name_end(const char *text, size_t at, size_t end);

/// The place behind the parenthesis that closes the one at `at`; 0 when none does.
size_t slip_parenthesis_end(const char *text, size_t at, size_t end);

#endif
