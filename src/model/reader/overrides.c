/// model/reader/overrides.c: --set path=value, done to the tree before it is checked, so that a value from
/// the command line is held against the same table as one from the file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/reader/reader.h"

typedef struct override {
    slip_reader *r;
    const slip_source *source;
    slip_yaml *value;
    char parent[200]; // path in the table of the map that is walked
    bool coordinate;  // it is that of a coordinate, which has a short form
} override;

static slip_span override_span(const override *o, long start, long length)
{
    return slip_span_at(o->source, start, length);
}

static slip_yaml *new_scalar(override *o, long start, long length)
{
    slip_yaml *node = SLIP_POOL_NEW(o->r->scratch, slip_yaml, 1);
    const char *text = slip_pool_text(o->r->scratch, o->source->text + start, (size_t)length);
    if (!node || !text) {
        slip_reader_no_memory(o->r);
        return NULL;
    }
    *node = (slip_yaml){ .kind = SLIP_YAML_SCALAR,
                         .where = override_span(o, start, length),
                         .text = text,
                         .length = (uint32_t)length,
                         .plain = true };
    return node;
}

// where the coordinate of a body is that has this name: bodies.arm.th, of th: {name: shoulder}
static void hint_at_body(const override *o, const char *word, char *hint, size_t size)
{
    const slip_yaml *bodies = slip_yaml_find(o->r->root, "bodies");
    for (const slip_yaml *body = bodies ? bodies->first : NULL; body; body = body->next)
        for (const slip_yaml *part = body->first; body->kind == SLIP_YAML_MAP && part; part = part->next) {
            const slip_yaml *name = slip_yaml_find(part, "name");
            if (name && name->kind == SLIP_YAML_SCALAR && strcmp(name->text, word) == 0)
                snprintf(hint, size, "it belongs to a body: bodies.%.60s.%.60s.start", body->key->text,
                         part->key->text);
        }
}

// suggests what is there, and what could be there
static void say_no_such(override *o, const slip_yaml *map, const char *where, long start, long length)
{
    enum { MAX_NAMES = 1000 };
    const char *names[MAX_NAMES] = { NULL };
    int count = 0;
    for (const slip_yaml *child = map ? map->first : NULL; child && count < MAX_NAMES; child = child->next)
        names[count++] = child->key->text;
    count += slip_schema_names(&o->r->schema, o->parent, names + count, MAX_NAMES - count);
    char word[120], hint[200];
    snprintf(word, sizeof word, "%.*s", (int)(length < 100 ? length : 100), o->source->text + start);
    slip_suggest_name(word, names, count, hint, (int)sizeof hint);
    if (strcmp(o->parent, "coordinates") == 0) hint_at_body(o, word, hint, sizeof hint);
    if (strcmp(word, "repeat") == 0)
        snprintf(hint, sizeof hint,
                 "what is repeated is changed by the names of its copies: contacts.c3.gap");
    slip_reader_error(o->r, override_span(o, start, length), hint, "there is no '%s' in %s", word, where);
}

static slip_yaml *child_of(const slip_yaml *node, const char *text, long length)
{
    for (slip_yaml *child = node->first; child && node->kind == SLIP_YAML_MAP; child = child->next)
        if (child->key->length == (size_t)length && memcmp(child->key->text, text, (size_t)length) == 0)
            return child;
    return NULL;
}

// a list is walked by position from 1
static slip_yaml *item_of(const slip_yaml *list, const char *text, long length)
{
    long wanted = 0;
    for (long k = 0; k < length; k++) {
        if (text[k] < '0' || text[k] > '9' || wanted > SLIP_YAML_NODES) return NULL;
        wanted = 10 * wanted + (text[k] - '0');
    }
    slip_yaml *item = list->first;
    while (item && --wanted > 0) item = item->next;
    return wanted == 0 ? item : NULL;
}

// what is given keeps its place in the file's order and its neighbours, and becomes the new value
static void replace_node(slip_yaml *old, const slip_yaml *value, slip_yaml *key)
{
    slip_yaml *next = old->next;
    if (!key) key = old->key;
    *old = *value;
    old->next = next;
    old->key = key;
}

// x: 0  is short for  x: {start: 0}
static bool widen_coordinate(override *o, slip_yaml *node)
{
    slip_yaml *start = SLIP_POOL_NEW(o->r->scratch, slip_yaml, 1);
    slip_yaml *key = SLIP_POOL_NEW(o->r->scratch, slip_yaml, 1);
    if (!start || !key) return slip_reader_no_memory(o->r);
    *start = *node;
    *key = (slip_yaml){
        .kind = SLIP_YAML_SCALAR, .where = node->where, .text = "start", .length = 5, .plain = true
    };
    node->kind = SLIP_YAML_MAP;
    node->count = 0;
    node->first = node->last = NULL;
    slip_yaml_append(node, key, start);
    return true;
}

static bool descend(override *o, const slip_key *key)
{
    size_t length = strlen(key->info.path);
    if (length >= sizeof o->parent) return false;
    memcpy(o->parent, key->info.path, length + 1);
    o->coordinate = key->type == SLIP_KEY_COORDINATE;
    return true;
}

// what the path up to `start` is called in messages
static const char *path_before(const override *o, long start, char *buffer, size_t size)
{
    if (start == 0) return "the model";
    int length = start - 1 < 150 ? (int)(start - 1) : 150;
    snprintf(buffer, size, "'%.*s'", length, o->source->text);
    return buffer;
}

// True when `node` has keys, if need be after its short form was written out.
static bool has_keys(override *o, slip_yaml *node, long start, long length)
{
    bool short_form = node->kind == SLIP_YAML_SCALAR && o->coordinate;
    if (short_form && !widen_coordinate(o, node)) return false;
    if (node->kind == SLIP_YAML_MAP) return true;
    char buffer[200];
    slip_reader_error(o->r, override_span(o, start, length), NULL, "%s is %s and has no keys",
                      path_before(o, start, buffer, sizeof buffer), slip_yaml_describe(node));
    return false;
}

static slip_yaml *walk_list(override *o, slip_yaml *list, long start, long length)
{
    slip_yaml *item = item_of(list, o->source->text + start, length);
    if (!item)
        slip_reader_error(o->r, override_span(o, start, length), NULL, "the list has entries 1 to %d",
                          list->count);
    return item;
}

// A missing map with a fixed name (run, dai) can be made; a missing name of the user's is a misspelt
// one, except under `dai`, where names are definitions and are checked as such later.
static bool can_be_made(const override *o, const slip_key *entry)
{
    bool map = entry && (entry->type == SLIP_KEY_MAP || entry->type == SLIP_KEY_NAMES ||
                         entry->type == SLIP_KEY_START || entry->type == SLIP_KEY_COORDINATE);
    if (!map) return false;
    return strcmp(entry->key, "*") != 0 || strcmp(o->parent, "dai") == 0;
}

static slip_yaml *make_map(override *o, slip_yaml *parent, slip_yaml *key)
{
    slip_yaml *child = SLIP_POOL_NEW(o->r->scratch, slip_yaml, 1);
    if (!child) {
        slip_reader_no_memory(o->r);
        return NULL;
    }
    *child = (slip_yaml){ .kind = SLIP_YAML_MAP, .where = key->where };
    slip_yaml_append(parent, key, child);
    return child;
}

// one step along the path: the child to go on with
static slip_yaml *walk_step(override *o, slip_yaml *node, long start, long length)
{
    if (node->kind == SLIP_YAML_LIST) return walk_list(o, node, start, length);
    if (!has_keys(o, node, start, length)) return NULL;
    slip_yaml *key = new_scalar(o, start, length);
    if (!key) return NULL;
    slip_rename_old_key(o->r, o->parent, key);
    const slip_key *entry = slip_schema_child(&o->r->schema, o->parent, key->text);
    slip_yaml *child = child_of(node, key->text, key->length);
    if (!child && !can_be_made(o, entry)) {
        char buffer[200];
        say_no_such(o, node, path_before(o, start, buffer, sizeof buffer), start, length);
        if (node->count == 0) node->bad = true; // made for what is not there
        return NULL;
    }
    if (!child) child = make_map(o, node, key);
    return !entry || descend(o, entry) ? child : NULL;
}

// the last step: the value goes in, in place of what is there or as a new key
static void put_value(override *o, slip_yaml *node, long start, long length)
{
    if (node->kind == SLIP_YAML_LIST) {
        slip_yaml *item = walk_list(o, node, start, length);
        if (item) replace_node(item, o->value, NULL);
        return;
    }
    if (!has_keys(o, node, start, length)) return;
    slip_yaml *key = new_scalar(o, start, length);
    if (!key) return;
    slip_rename_old_key(o->r, o->parent, key);
    slip_yaml *old = child_of(node, key->text, key->length);
    const slip_key *entry = slip_schema_child(&o->r->schema, o->parent, key->text);
    if (entry) slip_rename_old_keys(o->r, o->value, entry->info.path);
    key->renamed = old && old->key->renamed; // as the file has it
    if (old)
        replace_node(old, o->value, key);
    else if (strcmp(o->parent, "parameters") == 0)
        say_no_such(o, node, "'parameters'", start, length);
    else
        slip_yaml_append(node, key, o->value);
}

// a name without dots is a parameter before it is a key of the file
static void put_by_name(override *o, long length)
{
    slip_yaml *root = o->r->root, *parameters = slip_yaml_find(root, "parameters");
    const char *text = o->source->text;
    char name[120];
    snprintf(name, sizeof name, "%.*s", (int)(length < 100 ? length : 100), text);
    if (parameters && parameters->kind == SLIP_YAML_MAP && child_of(parameters, text, length)) {
        snprintf(o->parent, sizeof o->parent, "parameters");
        put_value(o, parameters, 0, length);
    } else if (slip_schema_child(&o->r->schema, "", name) || slip_is_old_key("", name)) {
        put_value(o, root, 0, length);
    } else {
        say_no_such(o, parameters, "'parameters'", 0, length);
    }
}

static void put_by_path(override *o, long length)
{
    slip_yaml *node = o->r->root;
    const char *text = o->source->text;
    long start = 0;
    for (long k = 0; k <= length && node && !slip_reader_stopped(o->r); k++) {
        bool rest = start > 0 && strcmp(o->parent, "start") == 0; // start.joint.a: the name has a dot in it
        if (k < length && (text[k] != '.' || rest)) continue;
        if (k == start) {
            slip_reader_error(o->r, override_span(o, start, 1), NULL,
                              "a path is names with dots between them: run.step");
            return;
        }
        if (k == length)
            put_value(o, node, start, k - start);
        else
            node = walk_step(o, node, start, k - start);
        start = k + 1;
    }
}

static void apply_override(slip_reader *r, const slip_source *source)
{
    override o = { .r = r, .source = source };
    const char *equals = memchr(source->text, '=', (size_t)source->length);
    long at = equals ? (long)(equals - source->text) : 0;
    if (at == 0) {
        slip_reader_error(r, slip_span_at(source, 0, source->length),
                          "for example  --set mu=0.2  or  --set run.step=1e-4", "expected name=value");
        return;
    }
    slip_status status = slip_yaml_read(r->scratch, source, at + 1, r->notes, &o.value);
    if (status == SLIP_NO_MEMORY) slip_reader_no_memory(r);
    if (status != SLIP_OK) return;
    if (!o.value) {
        slip_reader_error(r, override_span(&o, at, 1), NULL, "expected a value after '='");
        return;
    }
    if (memchr(source->text, '.', (size_t)at))
        put_by_path(&o, at);
    else
        put_by_name(&o, at);
}

// mu=0.2, parameters.mu=0.2, fill.ball.count=9: how many parts a model has may depend on it
static bool is_early(const slip_source *source)
{
    static const char *const sections[] = { "parameters.", "fill." };
    const char *dot = memchr(source->text, '.', (size_t)source->length),
               *equals = memchr(source->text, '=', (size_t)source->length);
    bool in_section = false;
    for (int k = 0; k < 2; k++)
        in_section = in_section || strncmp(source->text, sections[k], strlen(sections[k])) == 0;
    return !dot || (equals && equals < dot) || in_section;
}

void slip_apply_overrides(slip_reader *r, bool early)
{
    for (int k = 1; k < r->model->source_count && !slip_reader_stopped(r); k++)
        if (is_early(&r->model->sources[k]) == early) apply_override(r, &r->model->sources[k]);
}
