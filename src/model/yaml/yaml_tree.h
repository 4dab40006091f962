/// model/yaml/yaml_tree.h: a YAML text as a tree whose every node knows the bytes it came from.
///
/// Only what a model file needs: maps, lists and text. Anchors, aliases, tags, further documents and
/// duplicate keys are mistakes and are reported as such. All scalars stay text: `no`, `010` and `1e3`
/// mean what the formula language says they mean.
#ifndef SLIP_MODEL_YAML_YAML_TREE_H
#define SLIP_MODEL_YAML_YAML_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diagnostics.h"
#include "symbolic/graph/dimension.h"

enum {
    SLIP_YAML_DEPTH = 64,       ///< deepest nesting of maps and lists
    SLIP_YAML_NODES = 1 << 20,  ///< most nodes of a file
    SLIP_YAML_BYTES = 64 << 20, ///< longest file
};

typedef enum slip_yaml_kind { SLIP_YAML_SCALAR, SLIP_YAML_MAP, SLIP_YAML_LIST } slip_yaml_kind;

typedef struct slip_yaml {
    slip_span where;                ///< the node as written, quotes included
    const char *text;               ///< scalar: its decoded text, NUL-terminated
    const int32_t *map;             ///< scalar: offset in the source of each byte of text; NULL: as it stands
    struct slip_yaml *first, *last; ///< map, list: children
    struct slip_yaml *next;         ///< next child of the same parent
    struct slip_yaml *key;          ///< the key of a child of a map
    const struct slip_key *entry;   ///< what the table of keys says of it or, in a list, of the list; NULL
    uint32_t length;                ///< scalar: bytes of text
    int count;                      ///< map, list: number of children
    slip_yaml_kind kind;
    slip_dimension dimension; ///< scalar: of its formula, once that was read
    bool plain;               ///< scalar without quotes or block marker
    bool flow;                ///< map or list in { } or [ ]; scalar that is quoted or plain
    bool counts;              ///< value of a parameter: how many parts the model has depends on it
    bool bad;                 ///< a mistake was reported here: later passes leave it alone
    bool renamed;             ///< key that was written with its former name
    bool questioned;          ///< scalar: a question about it was asked, once is enough
} slip_yaml;

/// Reads source->text[from..length). Mistakes go to `notes`. *root is NULL when there is no document
/// at all; SLIP_BAD_FILE when the text could not be followed to its end.
slip_status slip_yaml_read(slip_pool *pool, const slip_source *source, long from, slip_diagnostics *notes,
                           slip_yaml **root);

/// The value of a key of a map; NULL when it is absent or `map` is NULL or no map.
slip_yaml *slip_yaml_find(const slip_yaml *map, const char *key);

/// True for a scalar with nothing in it: `key:` without a value.
bool slip_yaml_is_empty(const slip_yaml *node);

/// "a map", "a list", "a number", "text", "nothing": what stands there, for messages.
const char *slip_yaml_describe(const slip_yaml *node);

/// Puts `child` at the end of a map (with its key) or list.
void slip_yaml_append(slip_yaml *parent, slip_yaml *key, slip_yaml *child);

/// Takes a child out of its map or list.
void slip_yaml_remove(slip_yaml *parent, slip_yaml *child);

/// Reports keys that are there twice in the maps below a node and marks the later ones bad. False when out of
/// memory.
bool slip_yaml_refuse_duplicates(slip_yaml *node, slip_diagnostics *notes);

/// A byte range of decoded text as a span of its source.
slip_span slip_yaml_part(const slip_yaml *scalar, size_t start, size_t length);

// ------------------------------------------------------------------ between yaml_*.c

/// Gives a scalar whose decoded text differs from its source an offset for every byte.
bool slip_yaml_locate_bytes(slip_pool *pool, slip_yaml *scalar, bool single_quoted, bool double_quoted);

/// Puts keys together again that YAML split at the commas of a flow map: x(i, j).
bool slip_yaml_join_names(slip_pool *pool, slip_yaml *parent);

/// Puts formulas together again that YAML split at the commas of a flow map or list.
bool slip_yaml_join_formulas(slip_pool *pool, slip_yaml *parent);

/// True when the text is UTF-8 without control characters; else reports the first bad byte.
bool slip_yaml_check_text(const slip_source *source, long from, slip_diagnostics *notes);

/// Says in our words what the YAML scanner stumbled over. Offsets are of problem and context, -1 for none.
void slip_yaml_explain(const slip_source *source, const char *problem, long problem_at, const char *context,
                       long context_at, slip_diagnostics *notes);

#endif
