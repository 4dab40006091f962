/// model/reader/indices.h: indices of repeated parts, i = 1..5, and what they do to a text: x(i-1) becomes x4, and i
/// becomes 5.
#ifndef SLIP_MODEL_READER_INDICES_H
#define SLIP_MODEL_READER_INDICES_H

#include "model/reader/reader.h"

enum {
    SLIP_MAX_INDICES = 4,
    SLIP_MAX_INDEX = 1000000,    ///< largest index
    SLIP_MAX_EXPANDED = 1 << 24, ///< most bytes of text that repeated parts and sums may add to a model
};

typedef struct slip_index {
    const char *name;
    size_t length;
    long value;
} slip_index;

/// The indices that hold at one place, the innermost last.
typedef struct slip_indices {
    slip_reader *r;
    const char *example; ///< for messages; NULL: of `repeat`
    slip_index list[SLIP_MAX_INDICES];
    int count;
} slip_indices;

/// Adds an index named text[start..start + length) of a scalar. False, with a message, when that cannot be a
/// name.
bool slip_indices_push(slip_indices *ix, const slip_yaml *scalar, size_t start, size_t length);

/// The index of that name; NULL when there is none.
const slip_index *slip_index_named(const slip_indices *ix, const char *name, size_t length);

/// The whole number that text[start..end) of a scalar means: integers, indices, parameters given as integers,
/// + - * ( ). With `quiet` a text that is something else is no mistake.
bool slip_indices_number(slip_indices *ix, const slip_yaml *scalar, size_t start, size_t end, bool quiet,
                         long *value);

/// first..last in text[start..end) of a scalar.
bool slip_indices_range(slip_indices *ix, const slip_yaml *scalar, size_t start, size_t end, long *first,
                        long *last);

/// A copy of a scalar with its indices replaced; *changed (may be NULL) when there were any. NULL when there
/// was a mistake or no memory.
slip_yaml *slip_indices_expand(slip_indices *ix, const slip_yaml *scalar, bool *changed);

/// The same for the key of a map: itself when there were none.
slip_yaml *slip_indices_expand_key(slip_indices *ix, slip_yaml *key);

/// A copy of a whole tree with its indices replaced; `cause` is named when the model gets too large by it.
/// NULL when there was a mistake or no memory (repeat.c).
slip_yaml *slip_indices_copy(slip_indices *ix, const slip_yaml *node, slip_span cause);

/// Writes out sum(i=1..3, x(i)^2) in a scalar: ((x1^2) + (x2^2) + (x3^2)). False when there was a mistake.
bool slip_expand_sums(slip_reader *r, slip_yaml *scalar);

#endif
