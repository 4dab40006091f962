/// model/yaml/yaml_tree.c: from libyaml's events to a tree. The event interface, because the library's own
/// tree is quadratic in depth; the stack of open maps and lists here is as deep as the limit.
#include "model/yaml/yaml_tree.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

typedef struct level {
    slip_yaml *node; // an open map or list
    slip_yaml *key;  // the key that waits for its value
} level;

typedef struct builder {
    slip_pool *pool;
    const slip_source *source;
    slip_diagnostics *notes;
    slip_yaml **root;
    level stack[SLIP_YAML_DEPTH];
    int depth, nodes, documents;
    size_t cursor_index; // libyaml counts characters, we count bytes: one known pair of both
    long cursor_offset;
    slip_status status;
} builder;

static bool is_inside_character(const builder *b, long offset)
{
    return offset < b->source->length && ((unsigned char)b->source->text[offset] & 0xC0) == 0x80;
}

// byte offset of a mark; marks come almost in order, so the walk from the last one is short
static long offset_of(builder *b, yaml_mark_t mark)
{
    while (b->cursor_index < mark.index && b->cursor_offset < b->source->length) {
        b->cursor_offset++;
        while (is_inside_character(b, b->cursor_offset)) b->cursor_offset++;
        b->cursor_index++;
    }
    while (b->cursor_index > mark.index) {
        b->cursor_offset--;
        while (is_inside_character(b, b->cursor_offset)) b->cursor_offset--;
        b->cursor_index--;
    }
    return b->cursor_offset;
}

static slip_span span_of(builder *b, const yaml_event_t *event)
{
    long start = offset_of(b, event->start_mark), end = offset_of(b, event->end_mark);
    while (end > start && strchr(" \t\r\n", b->source->text[end - 1])) end--;
    return slip_span_at(b->source, start, end - start);
}

static bool stop_parsing(builder *b, slip_status status)
{
    b->status = status;
    return false;
}

static slip_yaml *new_node(builder *b, slip_yaml_kind kind, slip_span where)
{
    if (++b->nodes > SLIP_YAML_NODES) {
        slip_diagnose(b->notes, SLIP_ERROR, where, NULL, "the file has more than %d keys and values",
                      SLIP_YAML_NODES);
        b->status = SLIP_BAD_FILE;
        return NULL;
    }
    slip_yaml *node = SLIP_POOL_NEW(b->pool, slip_yaml, 1);
    if (!node) {
        b->status = SLIP_NO_MEMORY;
        return NULL;
    }
    node->kind = kind;
    node->where = where;
    return node;
}

void slip_yaml_append(slip_yaml *parent, slip_yaml *key, slip_yaml *child)
{
    child->key = key;
    child->next = NULL;
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
    parent->count++;
}

void slip_yaml_remove(slip_yaml *parent, slip_yaml *child)
{
    slip_yaml *before = NULL;
    for (slip_yaml *k = parent->first; k != child; k = k->next) before = k;
    if (before)
        before->next = child->next;
    else
        parent->first = child->next;
    if (parent->last == child) parent->last = before;
    parent->count--;
}

// puts a finished or opened node where it belongs: root, key or value
static bool place_node(builder *b, slip_yaml *node)
{
    if (b->depth == 0) {
        *b->root = node;
        return true;
    }
    level *top = &b->stack[b->depth - 1];
    if (top->node->kind == SLIP_YAML_MAP && !top->key) {
        if (node->kind != SLIP_YAML_SCALAR) {
            slip_diagnose(b->notes, SLIP_ERROR, node->where, "write  key: value",
                          "a key must be text, this is %s", slip_yaml_describe(node));
            return stop_parsing(b, SLIP_BAD_FILE);
        }
        top->key = node;
        return true;
    }
    slip_yaml_append(top->node, top->key, node);
    top->key = NULL;
    return true;
}

// anchors and tags are refused but reading goes on: the value itself is what it would be without
static void refuse_decoration(builder *b, slip_yaml *node, const yaml_char_t *anchor, const yaml_char_t *tag)
{
    if (anchor)
        slip_diagnose(b->notes, SLIP_ERROR, node->where,
                      "give the value a name under 'parameters' or 'define'",
                      "anchors (&%.60s) are not used in model files", (const char *)anchor);
    if (tag)
        slip_diagnose(b->notes, SLIP_ERROR, node->where, "leave it out, or put the text into quotes",
                      "tags (!) are not used in model files");
    node->bad = anchor || tag;
}

static bool add_scalar(builder *b, const yaml_event_t *event)
{
    slip_yaml *node = new_node(b, SLIP_YAML_SCALAR, span_of(b, event));
    if (!node) return false;
    yaml_scalar_style_t style = event->data.scalar.style;
    node->plain = style == YAML_PLAIN_SCALAR_STYLE;
    node->flow = style != YAML_LITERAL_SCALAR_STYLE && style != YAML_FOLDED_SCALAR_STYLE;
    node->length = (uint32_t)event->data.scalar.length; // of SLIP_YAML_BYTES at the most
    node->text = slip_pool_text(b->pool, (const char *)event->data.scalar.value, node->length);
    if (!node->text) return stop_parsing(b, SLIP_NO_MEMORY);
    if (!slip_yaml_locate_bytes(b->pool, node, style == YAML_SINGLE_QUOTED_SCALAR_STYLE,
                                style == YAML_DOUBLE_QUOTED_SCALAR_STYLE))
        return stop_parsing(b, SLIP_NO_MEMORY);
    refuse_decoration(b, node, event->data.scalar.anchor, event->data.scalar.tag);
    if (memchr(node->text, '\0', node->length)) {
        slip_diagnose(b->notes, SLIP_ERROR, node->where, NULL, "\\0 cannot stand in a key or a value");
        return stop_parsing(b, SLIP_BAD_FILE);
    }
    return place_node(b, node);
}

static bool add_alias(builder *b, const yaml_event_t *event)
{
    slip_yaml *node = new_node(b, SLIP_YAML_SCALAR, span_of(b, event));
    if (!node) return false;
    node->text = "";
    node->bad = true;
    slip_diagnose(b->notes, SLIP_ERROR, node->where, "a formula cannot begin with '*'",
                  "aliases (*%.60s) are not used in model files", (const char *)event->data.alias.anchor);
    return place_node(b, node);
}

static bool open_level(builder *b, const yaml_event_t *event, slip_yaml_kind kind)
{
    slip_yaml *node = new_node(b, kind, span_of(b, event));
    if (!node) return false;
    if (node->where.length < 1) node->where.length = 1;
    if (b->depth == SLIP_YAML_DEPTH) {
        slip_diagnose(b->notes, SLIP_ERROR, node->where, NULL, "nested more than %d deep", SLIP_YAML_DEPTH);
        return stop_parsing(b, SLIP_BAD_FILE);
    }
    bool map = kind == SLIP_YAML_MAP;
    node->flow = map ? event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
                     : event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
    refuse_decoration(b, node, map ? event->data.mapping_start.anchor : event->data.sequence_start.anchor,
                      map ? event->data.mapping_start.tag : event->data.sequence_start.tag);
    if (!place_node(b, node)) return false;
    b->stack[b->depth++] = (level){ .node = node };
    return true;
}

static int by_key_then_place(const void *left, const void *right)
{
    const slip_yaml *a = (*(slip_yaml *const *)left)->key, *c = (*(slip_yaml *const *)right)->key;
    int order = strcmp(a->text, c->text);
    if (order) return order;
    return a->where.start < c->where.start ? -1 : a->where.start > c->where.start;
}

// sorting keeps a file with very many keys from taking quadratic time
static bool refuse_duplicates(slip_yaml *map, slip_diagnostics *notes)
{
    if (map->count < 2) return true;
    slip_yaml **sorted = malloc((size_t)map->count * sizeof *sorted);
    if (!sorted) return false;
    int count = 0;
    for (slip_yaml *child = map->first; child; child = child->next) sorted[count++] = child;
    qsort(sorted, (size_t)count, sizeof *sorted, by_key_then_place);
    for (int k = 1, first = 0; k < count; k++) {
        if (slip_diagnostics_error_count(notes) > SLIP_MAX_DIAGNOSTICS) break; // nobody reads on
        if (strcmp(sorted[k]->key->text, sorted[first]->key->text) != 0) {
            first = k;
            continue;
        }
        if (sorted[k]->bad) continue; // said already
        slip_diagnose(notes, SLIP_ERROR, sorted[k]->key->where, NULL, "'%.80s' is given twice",
                      sorted[k]->key->text);
        slip_diagnose(notes, SLIP_NOTE, sorted[first]->key->where, NULL, "the first one is here");
        sorted[k]->bad = true;
    }
    free(sorted);
    return true;
}

bool slip_yaml_refuse_duplicates(slip_yaml *node, slip_diagnostics *notes)
{
    bool good = node->kind != SLIP_YAML_MAP || refuse_duplicates(node, notes);
    for (slip_yaml *child = node->first; child && good; child = child->next)
        good = slip_yaml_refuse_duplicates(child, notes);
    return good;
}

static bool close_level(builder *b, const yaml_event_t *event)
{
    slip_yaml *node = b->stack[--b->depth].node;
    long end = offset_of(b, event->end_mark);
    if (node->flow && end > node->where.start)
        node->where = slip_span_at(b->source, node->where.start, end - node->where.start);
    const bool keyed = node->flow && node->kind == SLIP_YAML_MAP;
    if (keyed && !slip_yaml_join_names(b->pool, node)) return stop_parsing(b, SLIP_NO_MEMORY);
    if (node->flow && !slip_yaml_join_formulas(b->pool, node)) return stop_parsing(b, SLIP_NO_MEMORY);
    if (node->kind == SLIP_YAML_LIST || refuse_duplicates(node, b->notes)) return true;
    return stop_parsing(b, SLIP_NO_MEMORY);
}

static bool second_document(builder *b, const yaml_event_t *event)
{
    if (b->documents++ == 0) return true;
    slip_span where = span_of(b, event);
    if (where.length < 1) where.length = 1;
    slip_diagnose(b->notes, SLIP_ERROR, where, "put each model into a file of its own",
                  "a second document begins here; a model file holds one");
    return stop_parsing(b, SLIP_BAD_FILE);
}

static bool handle_event(builder *b, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        return second_document(b, event);
    case YAML_SCALAR_EVENT:
        return add_scalar(b, event);
    case YAML_ALIAS_EVENT:
        return add_alias(b, event);
    case YAML_MAPPING_START_EVENT:
        return open_level(b, event, SLIP_YAML_MAP);
    case YAML_SEQUENCE_START_EVENT:
        return open_level(b, event, SLIP_YAML_LIST);
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
        return close_level(b, event);
    default:
        return true;
    }
}

static void report_parser_error(builder *b, const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR) {
        b->status = SLIP_NO_MEMORY;
        return;
    }
    b->status = SLIP_BAD_FILE;
    bool reader = parser->error == YAML_READER_ERROR;
    long at = reader ? (long)parser->problem_offset : offset_of(b, parser->problem_mark);
    long context_at = parser->context && !reader ? offset_of(b, parser->context_mark) : -1;
    slip_yaml_explain(b->source, parser->problem, at, parser->context, context_at, b->notes);
}

slip_status slip_yaml_read(slip_pool *pool, const slip_source *source, long from, slip_diagnostics *notes,
                           slip_yaml **root)
{
    *root = NULL;
    if (!slip_yaml_check_text(source, from, notes)) return SLIP_BAD_FILE;
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) return SLIP_NO_MEMORY;
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)source->text + from,
                                 (size_t)(source->length - from));
    builder b = { .pool = pool, .source = source, .notes = notes, .root = root, .cursor_offset = from };
    for (bool going = true; going;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            report_parser_error(&b, &parser);
            break;
        }
        going = event.type != YAML_STREAM_END_EVENT && handle_event(&b, &event);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return b.status;
}

slip_yaml *slip_yaml_find(const slip_yaml *map, const char *key)
{
    if (!map || map->kind != SLIP_YAML_MAP) return NULL;
    for (slip_yaml *child = map->first; child; child = child->next)
        if (strcmp(child->key->text, key) == 0) return child;
    return NULL;
}

bool slip_yaml_is_empty(const slip_yaml *node)
{
    return node->kind == SLIP_YAML_SCALAR && strspn(node->text, " \t\r\n") == node->length;
}

const char *slip_yaml_describe(const slip_yaml *node)
{
    if (node->kind == SLIP_YAML_MAP) return "a map";
    if (node->kind == SLIP_YAML_LIST) return "a list";
    if (slip_yaml_is_empty(node)) return "nothing";
    char *end = NULL;
    strtod(node->text, &end);
    return node->plain && end == node->text + node->length ? "a number" : "text";
}

slip_span slip_yaml_part(const slip_yaml *scalar, size_t start, size_t length)
{
    if (start >= scalar->length || length == 0) return scalar->where;
    if (length > scalar->length - start) length = scalar->length - start;
    slip_span part = slip_span_at(scalar->where.source, scalar->where.start + (long)start, (long)length);
    if (scalar->map) {
        part.start = scalar->map[start];
        part.length = scalar->map[start + length - 1] + 1 - part.start;
    }
    return part;
}
