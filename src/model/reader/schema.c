/// model/reader/schema.c: the table of keys, those of schema.def and those that parts declare.
#include "model/reader/schema.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "physics/friction/friction_law.h"
#include "model/bodies/joint_type.h"
#include "model/bodies/shapes.h"
#include "solver/problem/solver_options.h"

// the words as objects that a constant table can point to
#define TYPE_WORD(name, word, expected) static const char type_word_##name[] = word;
SLIP_KEY_TYPES(TYPE_WORD)
#define AS_WORD(name, word, expected) type_word_##name,
#define BOUNDS_ANY_VALUE              NULL
#define BOUNDS_POSITIVE               &slip_bounds_positive
#define BOUNDS_NOT_NEGATIVE           &slip_bounds_nonnegative
#define BOUNDS_AT_LEAST_ONE           &slip_bounds_at_least_one
#define BOUNDS_FRACTION               &slip_bounds_fraction
#define BOUNDS_SIGNED_FRACTION        &slip_bounds_signed_fraction

// the first pass only counts
typedef struct builder {
    slip_pool *pool;
    slip_key *keys;
    int count;
    bool failed;
} builder;

// what parts declare: the keys that stand in a map
typedef void add_parts(builder *b, const slip_key *at);
static add_parts add_laws, add_solvers, add_mounts, add_joints, add_shapes;

// the path is parent.key without the dot that a parent of "" leaves
#define ENTRY(parent, key, type, range, unit, front, fallback, meaning, required)                            \
    { { { &(parent "." key)[sizeof(parent) == 1], type_word_##type, "", fallback, meaning, "" },             \
        parent,                                                                                              \
        key,                                                                                                 \
        SLIP_KEY_##type,                                                                                     \
        BOUNDS_##range,                                                                                      \
        unit,                                                                                                \
        SLIP_FRONT_##front,                                                                                  \
        required },                                                                                          \
      NULL },
#define KEY(parent, key, type, range, unit, front, fallback, meaning)                                        \
    ENTRY(parent, key, type, range, unit, front, fallback, meaning, false)
#define MUST(parent, key, type, range, unit, front, meaning)                                                 \
    ENTRY(parent, key, type, range, unit, front, "required", meaning, true)
#define PARTS(kind, parent, front)                                                                           \
    { { { "", "", "", "", "", "" }, parent, NULL, SLIP_KEY_MAP, NULL, "", SLIP_FRONT_##front, false },       \
      add_##kind },
#define RENAMED(parent, old, key)
static const struct {
    slip_key key;
    add_parts *parts; // instead of a key
} fixed[] = {
#include "model/reader/schema.def"
};
enum { FIXED_KEY_COUNT = sizeof fixed / sizeof fixed[0] };

// ------------------------------------------------------------------------------------ putting together

static const char *join_path(builder *b, const char *parent, const char *key)
{
    char path[160];
    int length = snprintf(path, sizeof path, "%s.%s", parent, key);
    const char *text = slip_pool_text(b->pool, path, (size_t)length < sizeof path ? (size_t)length : 0);
    b->failed = b->failed || !text;
    return text;
}

static void add_key(builder *b, slip_key key)
{
    key.info.range = slip_range_text(key.range);
    if (b->keys) b->keys[b->count] = key;
    b->count++;
}

// a map that stands in another one; gives its path
static const char *add_map(builder *b, const slip_key *at, const slip_part_info *part, const char *fallback)
{
    const char *path = b->keys ? join_path(b, at->parent, part->name) : "";
    add_key(b, (slip_key){ { path, type_word_MAP, "", fallback, part->summary, "" },
                           at->parent,
                           part->name,
                           SLIP_KEY_MAP,
                           NULL,
                           "",
                           at->front,
                           false });
    return path;
}

// `fallback` is what holds where a key is absent; NULL: what the option says
static void add_options(builder *b, const char *parent, const slip_option *options, int count,
                        slip_key_front front, const char *fallback)
{
    for (int k = 0; k < count; k++) {
        const slip_option *o = &options[k];
        const char *path = b->keys ? join_path(b, parent, o->name) : "";
        add_key(b, (slip_key){ { path, type_word_CONSTANT, "", fallback ? fallback : o->fallback, o->meaning,
                                 o->unit },
                               parent,
                               o->name,
                               SLIP_KEY_CONSTANT,
                               &o->range,
                               o->unit[0] ? o->unit : "1",
                               front,
                               false });
    }
}

static void add_laws(builder *b, const slip_key *at)
{
    for (int k = 0; slip_law_at(k); k++) {
        const slip_law *law = slip_law_at(k);
        add_options(b, add_map(b, at, &law->info, "another one"), law->options, law->option_count, at->front,
                    NULL);
    }
}

static void add_solvers(builder *b, const slip_key *at)
{
    int count;
    const slip_option *common = slip_common_solve_options(&count);
    add_options(b, at->parent, common, count, at->front, "as the formulation sets it");
    for (int k = 0; slip_solver_get(k); k++) {
        const slip_solver *s = slip_solver_get(k);
        slip_part_info part = { s->name, "options of its own", "", "" };
        if (s->option_count > 0)
            add_options(b, add_map(b, at, &part, "as they are"), s->options, s->option_count, at->front,
                        NULL);
    }
}

static void add_kind(builder *b, const slip_key *at, const slip_part_info *part, const char *word,
                     slip_key_type type, const slip_bounds *range, const char *meaning)
{
    const char *path = b->keys ? join_path(b, at->parent, part->name) : "";
    add_key(b, (slip_key){ { path, word, "", "another kind", meaning, "" },
                           at->parent,
                           part->name,
                           type,
                           range,
                           type == SLIP_KEY_TEXT || type == SLIP_KEY_REFERENCE ? "" : "m",
                           at->front,
                           false });
}

// what a body hangs on
static void add_mounts(builder *b, const slip_key *at)
{
    for (int k = 0; slip_joint_type_at(k); k++) {
        const slip_joint_type *j = slip_joint_type_at(k);
        if (j->carries) add_kind(b, at, &j->info, type_word_TEXT, SLIP_KEY_TEXT, NULL, j->carries);
    }
}

// what closes loops, and the keys of single kinds
static void add_joints(builder *b, const slip_key *at)
{
    for (int k = 0; slip_joint_type_at(k); k++) {
        const slip_joint_type *j = slip_joint_type_at(k);
        if (j->closes) add_kind(b, at, &j->info, type_word_REFERENCE, SLIP_KEY_REFERENCE, NULL, j->closes);
    }
    for (int k = 0; slip_joint_type_at(k); k++) {
        const slip_joint_type *j = slip_joint_type_at(k);
        add_options(b, at->parent, j->options, j->option_count, at->front, NULL);
    }
}

static void add_shapes(builder *b, const slip_key *at)
{
    static const char *const words[] = { SLIP_KEY_TYPES(AS_WORD) };
    for (int k = 0; slip_shape_type_at(k); k++) {
        const slip_shape_type *s = slip_shape_type_at(k);
        add_kind(b, at, &s->info, words[s->value], s->value, s->range, s->info.summary);
    }
}

static void add_all(builder *b)
{
    for (int k = 0; k < FIXED_KEY_COUNT; k++)
        if (fixed[k].parts)
            fixed[k].parts(b, &fixed[k].key);
        else
            add_key(b, fixed[k].key);
}

bool slip_schema_create(slip_pool *pool, slip_schema *schema)
{
    builder b = { .pool = pool };
    add_all(&b);
    b.keys = SLIP_POOL_NEW(pool, slip_key, b.count);
    if (!b.keys) return false;
    b.count = 0;
    add_all(&b);
    *schema = (slip_schema){ b.keys, b.count };
    return !b.failed;
}

// --------------------------------------------------------------------------------------------- asking

const slip_key *slip_schema_child(const slip_schema *schema, const char *parent, const char *name)
{
    const slip_key *any = NULL;
    for (int k = 0; k < schema->count; k++) {
        const slip_key *key = &schema->keys[k];
        if (strcmp(key->parent, parent) != 0) continue;
        if (strcmp(key->key, name) == 0) return key;
        if (strcmp(key->key, "*") == 0) any = key;
    }
    return any;
}

int slip_schema_names(const slip_schema *schema, const char *parent, const char **names, int most)
{
    int count = 0;
    for (int k = 0; k < schema->count && count < most; k++)
        if (strcmp(schema->keys[k].parent, parent) == 0 && strcmp(schema->keys[k].key, "*") != 0)
            names[count++] = schema->keys[k].key;
    return count;
}

bool slip_range_holds(const slip_bounds *range, double value)
{
    static const slip_bounds any = SLIP_ANY_NUMBER;
    return slip_bounds_contain(range ? range : &any, value);
}

const char *slip_range_text(const slip_bounds *range)
{
    return range ? range->text : "";
}
