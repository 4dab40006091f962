/// model/schema.h: the table of keys, and the pass that holds a tree against it.
#ifndef SLIP_MODEL_SCHEMA_H
#define SLIP_MODEL_SCHEMA_H

#include "model/yaml_tree.h"
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
    X(NAMES, "map of names", "a map of names and what they stand for")                                       \
    X(MAP, "map", "a map")

#define SLIP_KEY_TYPE_AS_ENUM(name, word, expected) SLIP_KEY_##name,
typedef enum slip_key_type { SLIP_KEY_TYPES(SLIP_KEY_TYPE_AS_ENUM) SLIP_KEY_TYPE_COUNT } slip_key_type;

/// name, lowest, highest, is the lowest itself excluded, text
#define SLIP_KEY_RANGES(X)                                                                                   \
    X(ANY_VALUE, -HUGE_VAL, HUGE_VAL, 1, "")                                                                 \
    X(POSITIVE, 0.0, HUGE_VAL, 1, "greater than 0")                                                          \
    X(NOT_NEGATIVE, 0.0, HUGE_VAL, 0, "0 or greater")                                                        \
    X(FRACTION, 0.0, 1.0, 0, "from 0 to 1")                                                                  \
    X(SIGNED_FRACTION, -1.0, 1.0, 0, "from -1 to 1")

#define SLIP_KEY_RANGE_AS_ENUM(name, low, high, open, text) SLIP_RANGE_##name,
typedef enum slip_key_range { SLIP_KEY_RANGES(SLIP_KEY_RANGE_AS_ENUM) SLIP_KEY_RANGE_COUNT } slip_key_range;

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
    slip_key_range range;
    slip_key_front front;
    bool required;
} slip_key;

/// The k-th key; NULL past the end.
const slip_key *slip_schema_key(int k);

/// The key `name` of a map with path `parent` ("" at the top): a fixed one, else the one for names of
/// the user's; NULL when there is none.
const slip_key *slip_schema_child(const char *parent, const char *name);

/// Holds a tree against the table: unknown keys, wrong types and missing keys go to `notes`, and the
/// nodes concerned are marked bad.
void slip_schema_check(slip_yaml *root, slip_diagnostics *notes);

/// True when a map has an unknown key that looks like `key` misspelt: `key` is then not missed.
bool slip_schema_misspelt(const slip_yaml *map, const char *parent, const char *key);

bool slip_range_holds(slip_key_range range, double value);
const char *slip_range_text(slip_key_range range);

#endif
