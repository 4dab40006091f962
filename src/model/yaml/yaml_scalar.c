/// model/yaml/yaml_scalar.c: which byte of the file each byte of a scalar came from, and the repair of
/// formulas that YAML splits at their commas.
#include <stdlib.h>
#include <string.h>

#include "model/yaml/yaml_tree.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// bytes of an escape sequence \x of a double-quoted scalar, backslash included
static long escape_length(char kind)
{
    return kind == 'x' ? 4 : kind == 'u' ? 6 : kind == 'U' ? 10 : 2;
}

// bytes of the UTF-8 character that starts with this byte
static size_t character_bytes(char c)
{
    unsigned char u = (unsigned char)c;
    return u >= 0xF0 ? 4 : u >= 0xE0 ? 3 : u >= 0xC0 ? 2 : 1;
}

typedef struct walk {
    const char *raw;
    long at, end;
} walk;

static void skip_blanks(walk *w)
{
    while (w->at < w->end && is_blank(w->raw[w->at])) w->at++;
}

// "\" at the end of a line of a double-quoted scalar joins the lines
static void skip_joined_lines(walk *w)
{
    while (w->at + 1 < w->end && w->raw[w->at] == '\\' &&
           (w->raw[w->at + 1] == '\n' || w->raw[w->at + 1] == '\r')) {
        w->at++;
        skip_blanks(w);
    }
}

// Text and source hold the same visible characters in the same order; only blanks are folded and
// quotes escaped. So the walk is in step again at every visible character, whatever the style.
static void align_offsets(const slip_yaml *s, walk w, bool single_quoted, bool double_quoted, int32_t *map)
{
    for (size_t k = 0; k < s->length;) {
        if (double_quoted) skip_joined_lines(&w);
        if (double_quoted && w.at + 1 < w.end && !is_blank(s->text[k])) {
            walk ahead = w;
            skip_blanks(&ahead);
            if (ahead.at < w.end && w.raw[ahead.at] == '\\') w.at = ahead.at;
        }
        if (double_quoted && w.at + 1 < w.end && w.raw[w.at] == '\\') {
            for (size_t n = character_bytes(s->text[k]); n > 0 && k < s->length; n--)
                map[k++] = (int32_t)w.at;
            w.at += escape_length(w.raw[w.at + 1]);
        } else if (is_blank(s->text[k])) {
            map[k++] = (int32_t)w.at;
            if (w.at < w.end && is_blank(w.raw[w.at])) w.at++;
        } else {
            skip_blanks(&w);
            map[k] = (int32_t)w.at;
            if (w.at < w.end) w.at += single_quoted && s->text[k] == '\'' ? 2 : 1;
            k++;
        }
        if (w.at > w.end) w.at = w.end;
    }
}

bool slip_yaml_locate_bytes(slip_pool *pool, slip_yaml *s, bool single_quoted, bool double_quoted)
{
    const char *raw = s->where.source->text;
    long start = s->where.start, end = start + s->where.length;
    if (s->plain && (size_t)s->where.length == s->length && memcmp(raw + start, s->text, s->length) == 0)
        return true;
    int32_t *map = SLIP_POOL_NEW(pool, int32_t, s->length + 1);
    if (!map) return false;
    walk w = { raw, start, end };
    if (single_quoted || double_quoted) {
        w.at++;
    } else if (!s->plain) {
        while (w.at < end && raw[w.at] != '\n') w.at++; // the line of | or >
    }
    align_offsets(s, w, single_quoted, double_quoted, map);
    s->map = map;
    return true;
}

// ------------------------------------------------------------------------- formulas with commas

static int open_parentheses(const slip_yaml *s, int depth)
{
    for (size_t k = 0; k < s->length; k++) depth += (s->text[k] == '(') - (s->text[k] == ')');
    return depth;
}

// The piece that a child is when the comma before it belongs to a formula: an item of a list, or a
// key without a value. NULL when it can be no piece.
static slip_yaml *piece_of(slip_yaml *parent, slip_yaml *child)
{
    if (!child || child->kind != SLIP_YAML_SCALAR) return NULL;
    if (parent->kind == SLIP_YAML_LIST) return child->plain ? child : NULL;
    return slip_yaml_is_empty(child) && child->plain && child->key->plain ? child->key : NULL;
}

static void copy_piece(const slip_yaml *piece, char *text, int32_t *map, size_t at)
{
    memcpy(text + at, piece->text, piece->length);
    for (size_t k = 0; k < piece->length; k++)
        map[at + k] = piece->map ? piece->map[k] : (int32_t)(piece->where.start + (long)k);
}

/// How the piece of a child is found: as part of a formula, or as part of a key.
typedef slip_yaml *(*find_piece)(slip_yaml *parent, slip_yaml *child);

static slip_yaml *key_of(slip_yaml *parent, slip_yaml *child)
{
    (void)parent;
    return child->key;
}

// Pieces with commas between them become one text, in one go: joining them one by one would take memory with the
// square of their number. `first`, then those of `count` children from `rest` on.
static bool join_pieces(slip_pool *pool, slip_yaml *parent, const slip_yaml *first, slip_yaml *rest,
                        int count, find_piece piece_of_child, slip_yaml *into)
{
    size_t length = first->length;
    slip_yaml *child = rest;
    for (int k = 0; k < count; k++, child = child->next) length += 2 + piece_of_child(parent, child)->length;
    char *text = SLIP_POOL_NEW(pool, char, length + 1);
    int32_t *map = SLIP_POOL_NEW(pool, int32_t, length + 1);
    if (!text || !map) return false;
    copy_piece(first, text, map, 0);
    size_t at = first->length;
    const int32_t start = first->where.start;
    long end = start + first->where.length;
    child = rest;
    for (int k = 0; k < count; k++, child = child->next) {
        const slip_yaml *piece = piece_of_child(parent, child);
        memcpy(text + at, ", ", 2);
        map[at] = map[at + 1] = (int32_t)end;
        copy_piece(piece, text, map, at + 2);
        at += 2 + piece->length;
        end = piece->where.start + piece->where.length;
    }
    into->text = text;
    into->map = map;
    into->length = (uint32_t)length;
    into->where.start = start;
    into->where.length = (int32_t)(end - start);
    return true;
}

// child takes over the text of the `count` children after it
static bool join_children(slip_pool *pool, slip_yaml *parent, slip_yaml *child, int count)
{
    if (!join_pieces(pool, parent, child, child->next, count, piece_of, child)) return false;
    slip_yaml *rest = child->next;
    for (int k = 0; k < count; k++) rest = rest->next;
    child->next = rest;
    if (!rest) parent->last = child;
    parent->count -= count;
    return true;
}

static bool may_open(const slip_yaml *child)
{
    return child->kind == SLIP_YAML_SCALAR && child->plain && slip_yaml_is_empty(child) && child->key->plain;
}

/// A child on the way through keys from right to left.
typedef struct open_key {
    long depth;   // of parentheses, behind its key
    int position; // among the children
} open_key;

// For each child the number of children after it whose keys belong to its own: up to that in which the
// parentheses close. The first place to the right that is no deeper than where a key begins is found with a
// stack, since keys that open and never close would be searched from each of them.
static void count_joined(slip_yaml *const *children, int count, open_key *stack, int *joined)
{
    long depth = 0; // behind the key in hand, counted from the end
    int height = 0;
    for (int k = count - 1; k >= 0; k--) {
        const bool chained = k + 1 < count && may_open(children[k]) && children[k + 1]->key->plain;
        const long inside = open_parentheses(children[k]->key, 0), before = depth - inside;
        if (!chained) height = 0;
        while (height > 0 && stack[height - 1].depth > before) height--;
        const bool closes = chained && inside > 0 && height > 0 && stack[height - 1].depth == before;
        joined[k] = closes ? stack[height - 1].position - k : 0;
        while (height > 0 && stack[height - 1].depth > depth) height--;
        stack[height++] = (open_key){ depth, k };
        depth = before;
    }
}

static bool join_names_of(slip_pool *pool, slip_yaml *parent, const int *joined)
{
    slip_yaml *before = NULL;
    for (slip_yaml *child = parent->first; child; before = child, child = child->next) {
        const int count = *joined++;
        if (count == 0) continue;
        slip_yaml *last = child;
        for (int k = 0; k < count; k++) last = last->next;
        if (!join_pieces(pool, parent, child->key, child->next, count, key_of, last->key)) return false;
        parent->count -= count;
        joined += count;
        *(before ? &before->next : &parent->first) = last;
        child = last;
    }
    return true;
}

// {x(i, j): c} reaches us as "x(i": nothing, "j)": c. Where parentheses close in a later key it is one key.
bool slip_yaml_join_names(slip_pool *pool, slip_yaml *parent)
{
    const size_t count = (size_t)parent->count;
    slip_yaml **children = malloc((count + 1) * sizeof *children);
    open_key *stack = malloc((count + 1) * sizeof *stack);
    int *joined = malloc((count + 1) * sizeof *joined), found = 0;
    const bool room = children && stack && joined;
    for (slip_yaml *child = room ? parent->first : NULL; child; child = child->next)
        children[found++] = child;
    if (room) count_joined(children, found, stack, joined);
    const bool fine = room && join_names_of(pool, parent, joined);
    free(children);
    free(stack);
    free(joined);
    return fine;
}

// {x: min(a, b), y: c} reaches us as x: "min(a", "b)": nothing, y: "c". While parentheses are open
// the next pieces belong to the formula; when they never close, all that can follow is taken, so that
// the one mistake is the missing parenthesis.
bool slip_yaml_join_formulas(slip_pool *pool, slip_yaml *parent)
{
    for (slip_yaml *child = parent->first; child; child = child->next) {
        if (child->kind != SLIP_YAML_SCALAR || !child->plain) continue;
        int depth = open_parentheses(child, 0), count = 0;
        for (slip_yaml *rest = child->next; depth > 0; rest = rest->next, count++) {
            const slip_yaml *piece = piece_of(parent, rest);
            if (!piece) break;
            depth = open_parentheses(piece, depth);
        }
        if (count && !join_children(pool, parent, child, count)) return false;
    }
    return true;
}
