/// mutator/keys.c: changes model files as one who knows the keys would: puts a key where it belongs with a
/// value of its kind, or takes one away, so that most mutants get past the reader. Where nothing of that sort
/// applies, libFuzzer changes bytes.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slipstick/model.h"
#include "slipstick/parts.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2,
                                 uint8_t *out, size_t max_out, unsigned int seed);

enum { LINES = 512, DEEP = 8, WORD = 48, VALUE = 400, PATH = 256 };

// ---------------------------------------------------------------------------------------- chance

static uint32_t state;

static uint32_t below(uint32_t n)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return n ? state % n : 0;
}

#define PICK(list) (list)[below(sizeof(list) / sizeof *(list))]

// ----------------------------------------------------------------------------------------- lines

// one line of a file in block style: where it starts, how far it is indented, the path of its key
typedef struct line {
    size_t start, length;
    int indent;
    char path[PATH]; // of the user's own names too: "contacts.floor.gap"; "" where it has no key
} line;

typedef struct text {
    const char *bytes;
    size_t size;
    int count;
    line lines[LINES];
} text;

static size_t key_length(const char *at, size_t left)
{
    size_t n = 0;
    while (n < left && at[n] != ':' && at[n] != '\n' && at[n] != '#' && at[n] != ' ') n++;
    return n < left && at[n] == ':' ? n : 0;
}

static void read_lines(text *t, const char *bytes, size_t size)
{
    const line *open[DEEP];
    int depth = 0;
    t->bytes = bytes, t->size = size, t->count = 0;
    for (size_t at = 0; at < size && t->count < LINES;) {
        line *l = &t->lines[t->count++];
        const char *end = memchr(bytes + at, '\n', size - at);
        l->start = at, l->length = (end ? (size_t)(end - bytes) + 1 : size) - at;
        l->indent = 0, l->path[0] = '\0';
        while ((size_t)l->indent < l->length && bytes[at + (size_t)l->indent] == ' ') l->indent++;
        const char *key = bytes + at + l->indent;
        const size_t length = key_length(key, l->length - (size_t)l->indent);
        at += l->length;
        if (length == 0 || length > WORD) continue;
        while (depth > 0 && open[depth - 1]->indent >= l->indent) depth--;
        if (depth == DEEP) continue;
        snprintf(l->path, sizeof l->path, "%.150s%s%.*s", depth ? open[depth - 1]->path : "",
                 depth ? "." : "", (int)length, key);
        open[depth++] = l;
    }
}

// a line and all that is indented below it
static size_t block_length(const text *t, int k)
{
    size_t length = t->lines[k].length;
    for (int j = k + 1; j < t->count && t->lines[j].indent > t->lines[k].indent; j++)
        length += t->lines[j].length;
    return length;
}

// ---------------------------------------------------------------------------------------- values

static const char *const numbers[] = { "0",     "1",      "-1",    "0.5",   "2",      "3",    "4",
                                       "16",    "1e-3",   "1 ms",  "10 mm", "9.81",   "1e-9", "1e6",
                                       "1e12",  "1e-300", "1e300", "-0.0",  "30 deg", "0.3",  "1e-16",
                                       "1e400", "12.5 N", ".nan",  "inf",   "5e-324", "1e5" };
static const char *const marks[] = { " + ", " - ", "*", "/", "^", " < ", ", " };

// a word of the file itself, so that formulas speak of what is there
static void word_of(const text *t, char *word)
{
    snprintf(word, WORD, "t");
    if (t->size == 0) return;
    size_t at = below((uint32_t)t->size), n = 0;
    const char *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.'0123456789";
    while (at > 0 && t->bytes[at - 1] && strchr(letters, t->bytes[at - 1])) at--;
    while (at + n < t->size && n < WORD - 1 && t->bytes[at + n] && strchr(letters, t->bytes[at + n])) n++;
    if (n > 0) snprintf(word, WORD, "%.*s", (int)n, t->bytes + at);
}

static void operand(const text *t, char *out)
{
    char word[WORD];
    word_of(t, word);
    slip_part_info function;
    const uint32_t choice = below(8);
    if (choice < 3)
        snprintf(out, VALUE, "%s", PICK(numbers));
    else if (choice == 3 && slip_part(SLIP_FUNCTIONS, (int)below(40), &function))
        snprintf(out, VALUE, "%s(%s)", function.name, word);
    else
        snprintf(out, VALUE, "%s", word);
}

static void formula(const text *t, char *out)
{
    char a[VALUE], b[VALUE];
    operand(t, a);
    operand(t, b);
    if (below(2))
        snprintf(out, VALUE, "%.180s%s%.180s", a, PICK(marks), b);
    else
        snprintf(out, VALUE, "%.380s", a);
}

static void list_of(const text *t, int count, void (*member)(const text *, char *), char *out)
{
    char one[VALUE];
    size_t used = (size_t)snprintf(out, VALUE, "[");
    for (int k = 0; k < count && used < VALUE - 100; k++) {
        member(t, one);
        used += (size_t)snprintf(out + used, VALUE - used, "%s%.90s", k ? ", " : "", one);
    }
    snprintf(out + used, VALUE - used, "]");
}

static void place(const text *t, char *out)
{
    list_of(t, 2 + (int)below(2), operand, out);
}

static void name(const text *t, char *out)
{
    word_of(t, out);
}

// the name of a part where a key asks for one
static bool part_for(const char *key, char *out)
{
    slip_part_info part;
    for (int kind = 0; slip_part_kind_name(kind); kind++) {
        const size_t length = strlen(key);
        if (strncmp(slip_part_kind_name(kind), key, length) != 0 || slip_part_kind_name(kind)[length] != 's')
            continue;
        if (slip_part((slip_part_kind)kind, (int)below(14), &part))
            return snprintf(out, VALUE, "%s", part.name) > 0;
    }
    return false;
}

static void value_of(const text *t, const slip_key_info *key, char *out)
{
    const char *last = strrchr(key->path, '.'), *type = key->type;
    if (strncmp(type, "map of names", 12) == 0) {
        char member[WORD], inner[VALUE];
        word_of(t, member);
        formula(t, inner);
        snprintf(out, VALUE, "{%.40s: %.300s}", member, inner);
    } else if (strcmp(type, "map") == 0) {
        snprintf(out, VALUE, "{}");
    } else if (strcmp(type, "text") == 0) {
        if (!part_for(last ? last + 1 : key->path, out)) word_of(t, out);
    } else if (strstr(type, "name") || strstr(type, "sides") || strstr(key->path, "between")) {
        list_of(t, 1 + (int)below(2), name, out);
    } else if (strstr(type, "places")) {
        list_of(t, 2 + (int)below(2), place, out);
    } else if (strstr(type, "list of four")) {
        list_of(t, 4, operand, out);
    } else if (strstr(type, "list of three")) {
        list_of(t, 3, operand, out);
    } else if (strstr(type, "list") && below(2)) {
        place(t, out);
    } else {
        formula(t, out);
    }
}

// ----------------------------------------------------------------------------------------- edits

// replaces [from, from + taken) of the text by `put`; 0 when it does not fit
static size_t splice(uint8_t *data, size_t size, size_t max_size, size_t from, size_t taken, const char *put,
                     size_t length)
{
    if (size - taken + length > max_size) return 0;
    memmove(data + from + length, data + from + taken, size - from - taken);
    memcpy(data + from, put, length);
    return size - taken + length;
}

// whether "contacts.floor" is a place for the keys of "contacts.*"
static bool matches(const char *pattern, const char *path)
{
    while (*pattern && *path) {
        if (*pattern == '*') {
            pattern++;
            path += strcspn(path, ".");
        } else if (*pattern++ != *path++) {
            return false;
        }
    }
    return *pattern == *path;
}

static void parent_of(const char *path, char *parent)
{
    const char *dot = strrchr(path, '.');
    snprintf(parent, PATH, "%.*s", dot ? (int)(dot - path) : 0, path);
}

// a key with a value behind a line that opens the map it belongs to, in flow or in block style
static size_t insert_key(const text *t, uint8_t *data, size_t max_size, const slip_key_info *key)
{
    char parent[PATH], own[WORD], value[VALUE], put[VALUE + 2 * PATH];
    const char *last = strrchr(key->path, '.');
    snprintf(own, sizeof own, "%s", last ? last + 1 : key->path);
    if (strcmp(own, "*") == 0) word_of(t, own);
    value_of(t, key, value);
    parent_of(key->path, parent);
    if (!parent[0]) {
        const int n = snprintf(put, sizeof put, "%s: %s\n", own, value);
        return splice(data, t->size, max_size, 0, 0, put, (size_t)n);
    }
    const int first = (int)below((uint32_t)t->count);
    for (int k = 0; k < t->count; k++) {
        const line *l = &t->lines[(first + k) % t->count];
        if (!l->path[0] || !matches(parent, l->path)) continue;
        const char *at = t->bytes + l->start, *brace = memchr(at, '{', l->length);
        const int n = brace ? snprintf(put, sizeof put, "%s: %s, ", own, value)
                            : snprintf(put, sizeof put, "%*s%s: %s\n", l->indent + 2, "", own, value);
        const size_t where = brace ? (size_t)(brace + 1 - t->bytes) : l->start + l->length;
        return splice(data, t->size, max_size, where, 0, put, (size_t)n);
    }
    return 0;
}

// a new value for a key that is there, in block style or anywhere in a flow map
static size_t change_value(const text *t, uint8_t *data, size_t max_size, const slip_key_info *key)
{
    char own[WORD + 2], value[VALUE];
    const char *last = strrchr(key->path, '.');
    const int n = snprintf(own, sizeof own, "%s:", last ? last + 1 : key->path);
    size_t first = below((uint32_t)t->size);
    for (size_t k = 0; k + (size_t)n < t->size; k++) {
        const size_t at = (first + k) % (t->size - (size_t)n);
        if (memcmp(t->bytes + at, own, (size_t)n) != 0) continue;
        size_t from = at + (size_t)n, to = from;
        for (int open = 0; to < t->size && t->bytes[to] != '\n'; to++) {
            open +=
                (t->bytes[to] == '[' || t->bytes[to] == '{') - (t->bytes[to] == ']' || t->bytes[to] == '}');
            if (open < 0 || (open == 0 && t->bytes[to] == ',')) break;
        }
        value[0] = ' ';
        value_of(t, key, value + 1);
        return splice(data, t->size, max_size, from, to - from, value, strlen(value));
    }
    return 0;
}

// another number where one stands
static size_t change_number(const text *t, uint8_t *data, size_t max_size)
{
    size_t first = below((uint32_t)t->size);
    for (size_t k = 0; k < t->size; k++) {
        const size_t at = (first + k) % t->size, n = strspn(t->bytes + at, "0123456789.e");
        if (n == 0 || t->bytes[at] == 'e' || (at > 0 && strchr("0123456789.", t->bytes[at - 1]))) continue;
        const char *put = PICK(numbers);
        return splice(data, t->size, max_size, at, n < t->size - at ? n : t->size - at, put, strlen(put));
    }
    return 0;
}

static size_t remove_block(const text *t, uint8_t *data, size_t max_size)
{
    const int k = (int)below((uint32_t)t->count);
    return splice(data, t->size, max_size, t->lines[k].start, block_length(t, k), "", 0);
}

// a block once more, under another name
static size_t repeat_block(const text *t, uint8_t *data, size_t max_size)
{
    char copy[1024];
    const int k = (int)below((uint32_t)t->count);
    const size_t length = block_length(t, k), indent = (size_t)t->lines[k].indent;
    if (length + 1 > sizeof copy || indent >= length) return 0;
    memcpy(copy, t->bytes + t->lines[k].start, indent);
    copy[indent] = (char)('a' + below(26));
    memcpy(copy + indent + 1, t->bytes + t->lines[k].start + indent, length - indent);
    return splice(data, t->size, max_size, t->lines[k].start + length, 0, copy, length + 1);
}

static size_t edit(uint8_t *data, size_t size, size_t max_size, const slip_key_info *keys, int key_count)
{
    // the bytes that are read stay as they are while those of `data` move
    char *bytes = malloc(size + 1);
    text *t = malloc(sizeof *t);
    size_t done = 0;
    if (bytes && t) {
        memcpy(bytes, data, size);
        bytes[size] = '\0';
        read_lines(t, bytes, size);
        const uint32_t choice = below(16);
        for (int trial = 0; trial < 20 && !done && t->count > 0; trial++) {
            const slip_key_info *key = &keys[below((uint32_t)key_count)];
            if (choice < 5)
                done = insert_key(t, data, max_size, key);
            else if (choice < 9)
                done = change_value(t, data, max_size, key);
            else if (choice < 13)
                done = change_number(t, data, max_size);
            else if (choice < 14)
                done = remove_block(t, data, max_size);
            else
                done = repeat_block(t, data, max_size);
        }
    }
    free(bytes);
    free(t);
    return done;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    static slip_key_info *keys;
    static int key_count;
    if (!keys) key_count = slip_model_keys(&keys);
    state = seed * 2654435761u + 1u;
    if (state == 0) state = 1;
    if (size == 0 || key_count <= 0 || below(8) == 0) return LLVMFuzzerMutate(data, size, max_size);
    for (uint32_t edits = 1 + below(3); edits > 0; edits--) {
        const size_t done = edit(data, size, max_size, keys, key_count);
        if (done) size = done;
    }
    return size;
}

// the head of one file, by whole lines, and the tail of another
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2,
                                 uint8_t *out, size_t max_out, unsigned int seed)
{
    state = seed * 2654435761u + 1u;
    if (state == 0) state = 1;
    size_t head = size1 ? below((uint32_t)size1) : 0, tail = size2 ? below((uint32_t)size2) : 0;
    while (head > 0 && data1[head - 1] != '\n') head--;
    while (tail > 0 && data2[tail - 1] != '\n') tail--;
    if (head > max_out) head = 0;
    const size_t rest = size2 - tail < max_out - head ? size2 - tail : max_out - head;
    memcpy(out, data1, head);
    memcpy(out + head, data2 + tail, rest);
    return head + rest;
}
