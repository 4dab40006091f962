/// symbolic/source/library_source.c: the functions of this library that printed programs call, as their own text.
#include "symbolic/source/library_source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "symbolic/source/embedded_sources.h"

/// A definition: a function, a type, a macro, a constant.
typedef struct definition {
    const char *text; // with the comment before it
    size_t length;
    const char *code; // without that comment
    const char *name;
    size_t name_length;
    bool needed, scanned;
} definition;

typedef struct library {
    definition *items;
    size_t count, capacity;
    bool failed;
} library;

// ------------------------------------------------------------------------------- reading source files

/// Files are formatted: what begins in the first column begins a definition, and a brace there ends one.
typedef struct reader {
    const char *at, *end;
    library *lib;
} reader;

static const char *line_end(const char *at, const char *end)
{
    const char *n = memchr(at, '\n', (size_t)(end - at));
    return n ? n + 1 : end;
}

static bool starts_with(const char *at, const char *end, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(end - at) >= length && memcmp(at, word, length) == 0;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// the last word before `at`
static void word_before(const char *from, const char *at, definition *d)
{
    while (at > from && !is_word(at[-1])) at--;
    const char *last = at;
    while (at > from && is_word(at[-1])) at--;
    d->name = at;
    d->name_length = (size_t)(last - at);
}

static void name_definition(definition *d)
{
    const char *end = d->text + d->length, *line = line_end(d->code, end);
    const char *stop = d->code;
    if (starts_with(d->code, end, "#define ")) {
        d->name = d->code + strlen("#define ");
        while (is_word(d->name[d->name_length])) d->name_length++;
        return;
    }
    if (starts_with(d->code, end, "typedef ")) { // the name stands last
        word_before(d->code, end, d);
        return;
    }
    if (starts_with(d->code, end, "enum ")) return; // every name in it, see defines
    while (stop < line && *stop != '(' && *stop != '=' && *stop != '[') stop++;
    word_before(d->code, stop, d);
}

// whether a line, without the comment behind it, ends in a semicolon
static bool ends_statement(const char *at, const char *next)
{
    for (const char *k = at; k + 1 < next; k++)
        if (k[0] == '/' && k[1] == '/') next = k;
    while (next > at && isspace((unsigned char)next[-1])) next--;
    return next > at && next[-1] == ';';
}

// from `code` to the end of the definition
static const char *definition_end(const char *code, const char *end)
{
    const char *at = code;
    if (*code == '#') {
        do at = line_end(at, end);
        while (at < end && at[-2] == '\\');
        return at;
    }
    for (bool braces = false; at < end;) {
        const char *next = line_end(at, end);
        const bool first = at == code;
        braces = braces || memchr(at, '{', (size_t)(next - at));
        if (*at == '}' || ((first || !braces) && ends_statement(at, next))) return next;
        at = next;
    }
    return at;
}

// a declaration of what is defined elsewhere
static bool is_prototype(const definition *d)
{
    const char *end = d->text + d->length;
    const size_t length = (size_t)(end - d->code);
    return *d->code != '#' && !starts_with(d->code, end, "typedef ") && !memchr(d->code, '{', length) &&
           !memchr(d->code, '=', length);
}

static void add_definition(library *lib, definition d)
{
    if (is_prototype(&d)) return;
    name_definition(&d);
    if (!slip_array_grow((void **)&lib->items, &lib->capacity, lib->count, sizeof d))
        lib->failed = true;
    else
        lib->items[lib->count++] = d;
}

static void read_file(library *lib, const char *text, size_t length)
{
    const char *at = text, *end = text + length, *comment = NULL;
    while (at < end && !lib->failed) {
        const char *next = line_end(at, end);
        if (starts_with(at, end, "#include \"base/elementary_kernel.h\"")) {
            const slip_source_file kernels = slip_source_kernels();
            read_file(lib, kernels.text, kernels.length);
        } else if (starts_with(at, end, "//")) {
            if (!comment) comment = at;
            at = next;
            continue;
        } else if (*at != '\n' && (*at != '#' || starts_with(at, end, "#define "))) {
            const char *from = comment && !starts_with(comment, end, "// ---") ? comment : at;
            next = definition_end(at, end);
            add_definition(lib, (definition){ .text = from, .length = (size_t)(next - from), .code = at });
        }
        comment = NULL;
        at = next;
    }
}

// ------------------------------------------------------------------------------------- what is needed

static bool defines(const definition *d, const char *word, size_t length)
{
    if (d->name) return d->name_length == length && memcmp(d->name, word, length) == 0;
    const char *end = d->text + d->length;
    for (const char *at = d->code; at < end;) {
        const char *from = at;
        while (at < end && is_word(*at)) at++;
        if ((size_t)(at - from) == length && memcmp(from, word, length) == 0) return true;
        if (at == from) at++;
    }
    return false;
}

// behind a comment or a string that begins at `at`; `at` itself when none does
static const char *skip_text(const char *at, const char *end)
{
    if (starts_with(at, end, "//")) return line_end(at, end);
    if (starts_with(at, end, "/*")) {
        for (at += 2; at < end && !starts_with(at, end, "*/");) at++;
        return at;
    }
    if (*at != '"') return at;
    for (at++; at < end && *at != '"'; at++)
        if (*at == '\\' && at + 1 < end) at++;
    return at < end ? at + 1 : at;
}

static void need_words(library *lib, const char *at, const char *end)
{
    while (at < end) {
        at = skip_text(at, end);
        const char *from = at;
        while (at < end && is_word(*at)) at++;
        const size_t length = (size_t)(at - from);
        for (size_t k = 0; length && k < lib->count; k++)
            if (!lib->items[k].needed && defines(&lib->items[k], from, length)) lib->items[k].needed = true;
        if (length == 0 && at < end) at++;
    }
}

static void find_needed(library *lib, const char *program)
{
    need_words(lib, program, program + strlen(program));
    for (bool more = true; more;) {
        more = false;
        for (size_t k = 0; k < lib->count; k++) {
            definition *d = &lib->items[k];
            if (!d->needed || d->scanned) continue;
            d->scanned = more = true;
            need_words(lib, d->code, d->text + d->length);
        }
    }
}

// ------------------------------------------------------------------------------------------- printing

// a function that other files of the library call
static bool is_public(const definition *d)
{
    static const char *const first[] = { "double ", "int ", "void ", "bool " };
    for (size_t k = 0; k < sizeof first / sizeof *first; k++)
        if (starts_with(d->code, d->text + d->length, first[k])) return true;
    return false;
}

static void print_library(const library *lib, slip_text *text)
{
    for (size_t k = 0; k < lib->count; k++) {
        const definition *d = &lib->items[k];
        const char *signature = line_end(d->code, d->text + d->length);
        if (!d->needed || !is_public(d)) continue;
        slip_text_add(text, "static %.*s;\n", (int)(signature - 1 - d->code), d->code);
    }
    for (size_t k = 0; k < lib->count; k++) {
        const definition *d = &lib->items[k];
        if (!d->needed) continue;
        slip_text_add(text, "\n%.*s%s", (int)(d->code - d->text), d->text, is_public(d) ? "static " : "");
        slip_text_bytes(text, d->code, d->length - (size_t)(d->code - d->text));
    }
}

bool slip_library_source_print(const char *program, slip_text *text)
{
    library lib = { 0 };
    for (int k = 0; k < slip_source_file_count(); k++) {
        const slip_source_file file = slip_source_file_at(k);
        read_file(&lib, file.text, file.length);
    }
    if (!lib.failed) {
        find_needed(&lib, program);
        print_library(&lib, text);
    }
    free(lib.items);
    return !lib.failed && !text->failed;
}
