/// model/reader/schema.h: the table of keys, and the pass that holds a tree against it.
#ifndef SLIP_MODEL_READER_SCHEMA_H
#define SLIP_MODEL_READER_SCHEMA_H

#include "base/arena.h"
#include "model/yaml/yaml_tree.h"
#include "registry/option.h"
#include "slipstick/model.h"

/// name, word in the manual, what a message says was expected
#define SLIP_KEY_TYPES(X)                                                                                    \
    X(VERSION, "number", "the version of the model language, 1")                                             \
    X(TEXT, "text", "text")                                                                                  \
    X(CONSTANT, "constant", "a constant: a number or a formula of parameters")                               \
    X(FORMULA, "formula", "a formula")                                                                       \
    X(SLIP, "formula or list of two", "a formula or a list of two formulas")                                 \
    X(COORDINATE, "constant or map", "a constant, or a map of start and rate")                               \
    X(MASS, "map or list of rows", "a map of coordinates and their masses, or a list of rows")               \
    X(PLACE, "list of two or three", "a list of two, x and y, or in space of three, x, y and z")             \
    X(PLACES, "list of places", "a list of places, each a list of two, or in space of three")                \
    X(VECTOR, "formula or list", "a formula, or a list of two or three formulas")                            \
    X(DIRECTION, "constant or list of three", "an angle, or in space a list of three")                       \
    X(TURN, "map or list of four", "a map of axis and angle, or a list of four: a quaternion w, x, y, z")    \
    X(INERTIA, "constant or list", "a constant, or in space a list of three or six")                         \
    X(SIZES, "list of two or three", "a list of two or three sizes")                                         \
    X(TRIPLE, "list of three", "a list of three: x, y and z")                                                \
    X(DISC, "list of three", "a list of three: x, y and the radius")                                         \
    X(ATTITUDE, "list of four", "a list of four: a quaternion w, x, y, z")                                   \
    X(EDGES, "constant or list", "a constant, or a list of two or three")                                    \
    X(DIRECTIONS, "direction or list of two",                                                                \
      "a list of two or, in space, three: x, y, z; or two such lists")                                       \
    X(REFERENCE, "name or list of names", "a name, or a list of names")                                      \
    X(SIDES, "list of two", "a list of two sides, each a name or a list of names")                           \
    X(FILES, "file name or list of them",                                                                    \
      "the name of a file, or a list of names, in the model file itself")                                    \
    X(NUMBERS, "list of constants", "a list of constants")                                                   \
    X(GRID, "list of lists", "a list of lists of constants")                                                 \
    X(INPUT, "constant or map", "a constant, or a map of t and value, or of file and column")                \
    X(START, "map of names or `at rest`", "a map of states and their values, or: at rest")                   \
    X(BLOCKS, "map or list of maps", "a map with 'for', or a list of such maps")                             \
    X(LAW, "name or map", "the name of a law, or a map of the name and its parameters")                      \
    X(NAMES, "map of names", "a map of names and what they stand for")                                       \
    X(MAP, "map", "a map")

#define SLIP_KEY_TYPE_AS_ENUM(name, word, expected) SLIP_KEY_##name,
typedef enum slip_key_type { SLIP_KEY_TYPES(SLIP_KEY_TYPE_AS_ENUM) SLIP_KEY_TYPE_COUNT } slip_key_type;

typedef enum slip_key_front {
    SLIP_FRONT_ANY,
    SLIP_FRONT_MECHANICS,
    SLIP_FRONT_BODIES,
    SLIP_FRONT_INCLUSION
} slip_key_front;

typedef struct slip_key {
    slip_key_info info;
    const char *parent, *key; ///< info.path in two parts
    slip_key_type type;
    const slip_bounds *range; ///< of a constant; NULL: any number
    const char *unit;         ///< "m or rad"; "1" for a pure number, "" for anything
    slip_key_front front;
    bool required;
} slip_key;

/// Every key there is: those of schema.def, and those that parts declare.
typedef struct slip_schema {
    const slip_key *keys;
    int count;
} slip_schema;

/// The table, in memory of the pool; false when there is none.
bool slip_schema_create(slip_pool *pool, slip_schema *schema);

/// The key `name` of a map with path `parent` ("" at the top): a fixed one, else the one for names of
/// the user's; NULL when there is none.
const slip_key *slip_schema_child(const slip_schema *schema, const char *parent, const char *name);

/// The fixed keys of a map: how many of them, at most `most`, are in `names`.
int slip_schema_names(const slip_schema *schema, const char *parent, const char **names, int most);

/// Holds a tree against the table: unknown keys, wrong types and missing keys go to `notes`, and the
/// nodes concerned are marked bad.
void slip_schema_check(const slip_schema *schema, slip_yaml *root, slip_diagnostics *notes);

/// True when a map has an unknown key that looks like `key` misspelt: `key` is then not missed.
bool slip_schema_misspelt(const slip_schema *schema, const slip_yaml *map, const char *parent,
                          const char *key);

/// Bounds in words, and whether a value keeps them; NULL: any number.
bool slip_range_holds(const slip_bounds *range, double value);
const char *slip_range_text(const slip_bounds *range);

#endif
