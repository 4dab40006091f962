/// model/reader/index_expansion.c: texts in which indices are replaced, with the place each byte came from.
#include "model/reader/index_expansion.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbolic/graph/formula.h"

static bool reserve_text(slip_expansion *e, size_t more)
{
    size_t wanted = e->length + more + 1;
    if (e->failed) return false;
    if (wanted + e->ix->r->copied_length > SLIP_MAX_EXPANDED) {
        slip_reader_error(e->ix->r, e->from->where, NULL,
                          "with its repeated parts and sums the model becomes longer than %d characters",
                          SLIP_MAX_EXPANDED);
        e->failed = true;
        return false;
    }
    if (wanted <= e->capacity) return true;
    size_t capacity = 2 * wanted;
    char *text = realloc(e->text, capacity);
    if (text) e->text = text;
    int32_t *map = text ? realloc(e->map, capacity * sizeof *map) : NULL;
    if (map) e->map = map;
    if (map) e->capacity = capacity;
    if (!map) slip_reader_no_memory(e->ix->r);
    e->failed = !map;
    return map != NULL;
}

static int32_t source_of(const slip_yaml *scalar, size_t k)
{
    if (k >= scalar->length) return (int32_t)(scalar->where.start + scalar->where.length);
    return scalar->map ? scalar->map[k] : (int32_t)(scalar->where.start + (long)k);
}

static void copy_text_range(slip_expansion *e, size_t start, size_t end)
{
    if (!reserve_text(e, end - start)) return;
    for (size_t k = start; k < end; k++) {
        e->text[e->length] = e->from->text[k];
        e->map[e->length++] = source_of(e->from, k);
    }
}

void slip_expansion_put(slip_expansion *e, const char *text, size_t start, size_t end)
{
    size_t length = strlen(text);
    if (!reserve_text(e, length)) return;
    memcpy(e->text + e->length, text, length);
    for (size_t k = 0; k < length; k++)
        e->map[e->length + k] = source_of(e->from, k + 1 < length || end == start ? start : end - 1);
    e->length += length;
    e->changed = true;
}

size_t slip_parenthesis_end(const char *text, size_t at, size_t end)
{
    int depth = 0;
    for (; at < end; at++) {
        depth += (text[at] == '(') - (text[at] == ')');
        if (depth == 0) return at + 1;
    }
    return 0;
}

// f of `define: {f(x): ...}`
static bool is_function(const slip_reader *r, const char *name, size_t length)
{
    const slip_yaml *map = slip_reader_map(r->root, "define");
    for (const slip_yaml *child = map ? map->first : NULL; child; child = child->next)
        if (child->key->length > length && child->key->text[length] == '(' &&
            memcmp(child->key->text, name, length) == 0)
            return true;
    return false;
}

// x(i, j) with x at start, the parenthesis at open and behind it `end`: x3_2. False when that is something
// else
static bool put_member(slip_expansion *e, size_t start, size_t open, size_t end)
{
    const char *text = e->from->text;
    char name[200];
    int length = snprintf(name, sizeof name, "%.*s", (int)(open - start), text + start);
    if (length >= 100 || slip_formula_is_reserved(name) || is_function(e->ix->r, name, (size_t)length))
        return false;
    bool apart = isdigit((unsigned char)name[length - 1]);
    for (size_t from = open + 1, to = from; to < end; to++) {
        if (to < end - 1 && text[to] != ',') continue;
        long value;
        if (length >= 180 || !slip_indices_number(e->ix, e->from, from, to, true, &value)) return false;
        if (value < 0) {
            slip_reader_error(e->ix->r, slip_yaml_part(e->from, start, end - start), NULL,
                              "the index becomes negative, %ld", value);
            e->failed = true;
            return true;
        }
        length += snprintf(name + length, sizeof name - (size_t)length, "%s%ld", apart ? "_" : "", value);
        apart = true;
        from = to + 1;
    }
    slip_expansion_put(e, name, start, end);
    return true;
}

static size_t number_end(const char *text, size_t at, size_t end)
{
    while (at < end && (isdigit((unsigned char)text[at]) || text[at] == '.')) {
        if (text[at] == '.' && at + 1 < end && text[at + 1] == '.') return at; // a range
        at++;
    }
    size_t exponent = at;
    if (at < end && (text[at] == 'e' || text[at] == 'E')) exponent++;
    if (exponent > at && exponent < end && strchr("+-", text[exponent])) exponent++;
    if (exponent == at || exponent >= end || !isdigit((unsigned char)text[exponent])) return at;
    while (exponent < end && isdigit((unsigned char)text[exponent])) exponent++;
    return exponent;
}

static bool is_part_of_name(const slip_expansion *e, size_t start, size_t end, size_t stop)
{
    const char *text = e->from->text;
    bool after_dot = start > 0 && text[start - 1] == '.' && !(start > 1 && text[start - 2] == '.');
    return after_dot || (end < stop && strchr("(.'", text[end]));
}

// the name that ends at `end`; how far the text is used up
static size_t add_name(slip_expansion *e, size_t start, size_t end, size_t stop)
{
    const char *text = e->from->text;
    if (end < stop && text[end] == '(') {
        size_t close = slip_parenthesis_end(text, end, stop);
        if (close && put_member(e, start, end, close)) return close;
    }
    const slip_index *index = slip_index_named(e->ix, text + start, end - start);
    if (!index || is_part_of_name(e, start, end, stop)) {
        copy_text_range(e, start, end);
        return end;
    }
    char value[32];
    snprintf(value, sizeof value, index->value < 0 ? "(%ld)" : "%ld", index->value);
    slip_expansion_put(e, value, start, end);
    return end;
}

void slip_expansion_add(slip_expansion *e, size_t start, size_t end)
{
    const char *text = e->from->text;
    for (size_t at = start; at < end && !e->failed;) {
        size_t name = slip_name_end(text, at, end);
        size_t number = isdigit((unsigned char)text[at]) ? number_end(text, at, end) : at;
        if (name > at) {
            at = add_name(e, at, name, end);
        } else {
            size_t next = number > at ? number : at + 1;
            copy_text_range(e, at, next);
            at = next;
        }
    }
}

// the text and its map in the pool; false when out of memory
static bool keep_text(slip_expansion *e, slip_yaml *node)
{
    slip_pool *pool = e->ix->r->scratch;
    const char *text = slip_pool_text(pool, e->text, e->length);
    int32_t *map = SLIP_POOL_NEW(pool, int32_t, e->length + 1);
    if (!text || !map) return false;
    memcpy(map, e->map, e->length * sizeof *map);
    node->text = text;
    node->map = map;
    node->length = (uint32_t)e->length;
    return true;
}

static void release_expansion(slip_expansion *e)
{
    free(e->text);
    free(e->map);
}

// as it stands in the file: thousands of copies share what no index changes
static bool is_unchanged(const slip_expansion *e)
{
    return !e->changed && !e->failed && e->length == e->from->length;
}

slip_yaml *slip_expansion_take(slip_expansion *e)
{
    slip_yaml *node = NULL;
    e->ix->r->copied_length += e->length;
    if (!e->failed && reserve_text(e, 0)) {
        node = SLIP_POOL_NEW(e->ix->r->scratch, slip_yaml, 1);
        if (node) *node = *e->from;
        if (node && !is_unchanged(e) && !keep_text(e, node)) node = NULL;
        if (node)
            node->next = node->key = NULL;
        else
            slip_reader_no_memory(e->ix->r);
    }
    release_expansion(e);
    return node;
}

slip_yaml *slip_indices_expand(slip_indices *ix, const slip_yaml *scalar, bool *changed)
{
    slip_expansion e = { .ix = ix, .from = scalar };
    slip_expansion_add(&e, 0, scalar->length);
    if (changed) *changed = e.changed;
    return slip_expansion_take(&e);
}

slip_yaml *slip_indices_expand_key(slip_indices *ix, slip_yaml *key)
{
    slip_expansion e = { .ix = ix, .from = key };
    slip_expansion_add(&e, 0, key->length);
    if (!is_unchanged(&e)) return slip_expansion_take(&e);
    ix->r->copied_length += e.length;
    release_expansion(&e);
    return key;
}
