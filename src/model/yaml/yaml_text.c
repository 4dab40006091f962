/// model/yaml/yaml_text.c: what a model file may be made of, and the scanner's complaints in our words.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "model/yaml/yaml_tree.h"

// length of the UTF-8 character at p, 0 when it is malformed, overlong, a surrogate or out of range
static int utf8_length(const unsigned char *p, long left, unsigned *code)
{
    int n = p[0] < 0x80                   ? 1
            : p[0] >= 0xC2 && p[0] < 0xE0 ? 2
            : (p[0] & 0xF0) == 0xE0       ? 3
            : p[0] >= 0xF0 && p[0] < 0xF5 ? 4
                                          : 0;
    if (n == 0 || n > left) return 0;
    *code = n == 1 ? p[0] : p[0] & (0x7Fu >> n);
    for (int k = 1; k < n; k++) {
        if ((p[k] & 0xC0) != 0x80) return 0;
        *code = *code << 6 | (p[k] & 0x3Fu);
    }
    if ((n == 3 && *code < 0x800) || (n == 4 && (*code < 0x10000 || *code > 0x10FFFF))) return 0;
    return *code >= 0xD800 && *code < 0xE000 ? 0 : n;
}

static bool is_printable(unsigned c)
{
    if (c == '\t' || c == '\n' || c == '\r' || c == 0x85) return true;
    if (c < 0x20 || (c >= 0x7F && c < 0xA0)) return false;
    return c != 0xFEFF && c != 0xFFFE && c != 0xFFFF;
}

bool slip_yaml_check_text(const slip_source *source, long from, slip_diagnostics *notes)
{
    const unsigned char *text = (const unsigned char *)source->text;
    if (source->length > INT32_MAX) { // places are numbers of 32 bits
        slip_diagnose(notes, SLIP_ERROR, (slip_span){ source, -1, 0 }, "'repeat' makes many parts of one",
                      "the file is longer than 2 GB");
        return false;
    }
    if (source->length - from >= 2 &&
        ((text[from] == 0xFF && text[from + 1] == 0xFE) || (text[from] == 0xFE && text[from + 1] == 0xFF))) {
        slip_diagnose(notes, SLIP_ERROR, (slip_span){ source, -1, 0 }, "save it as UTF-8",
                      "the file is UTF-16; a model file is UTF-8 text");
        return false;
    }
    for (long at = from; at < source->length;) {
        unsigned code = 0;
        int n = utf8_length(text + at, source->length - at, &code);
        slip_span where = slip_span_at(source, at, 1);
        if (n == 0) {
            slip_diagnose(notes, SLIP_ERROR, where, "save the file as UTF-8", "byte 0x%02X is not UTF-8 text",
                          text[at]);
            return false;
        }
        if (!is_printable(code)) {
            slip_diagnose(notes, SLIP_ERROR, where, code == 0 ? "is this a text file?" : "remove it",
                          "control character U+%04X in a model file", code);
            return false;
        }
        at += n;
    }
    return true;
}

typedef struct explanation {
    const char *problem; // how libyaml's message begins
    const char *text, *hint;
} explanation;

static const explanation explanations[] = {
    { "mapping values are not allowed", "a ':' does not belong here",
      "does this line have the same indentation as its neighbours? text with ': ' in it needs quotes" },
    { "could not find expected ':'", "a key without ':'", "write  key: value" },
    { "did not find expected key", "this line does not fit to the lines above it",
      "keys of one map start in the same column; text after a closing quote is not allowed" },
    { "did not find expected ',' or '}'", "expected ',' or '}'", "is a '}', a quote or a comma missing?" },
    { "did not find expected ',' or ']'", "expected ',' or ']'", "is a ']', a quote or a comma missing?" },
    { "did not find expected '-' indicator", "this line does not fit to the list above it",
      "items of one list start with '- ' in the same column" },
    { "block sequence entries are not allowed", "'- ' begins a list item, which does not belong here",
      "for a minus sign leave out the blank after it, or put the formula into quotes" },
    { "did not find expected node content", "a value is expected here", NULL },
    { "did not find expected <document start>", "expected a map of keys",
      "the file is a map:  slipstick: 1,  name: ..., one key to a line" },
    { "found a tab character", "a tab cannot indent a line", "use spaces" },
    { "found unexpected document indicator", "the document ends inside quotes", NULL },
    { "found unknown escape character", "unknown escape after '\\'",
      "in double quotes '\\' starts an escape; single quotes take it as it is" },
    { "did not find expected alphabetic or numeric", "'*' and '&' cannot begin a value",
      "put the formula into quotes" },
    { "found undefined tag handle", "'!' cannot begin a value", "put the text into quotes" },
    { "did not find expected whitespace or line break", "'!' cannot begin a value",
      "put the text into quotes" },
    { "did not find expected comment or line break", "unexpected text after '|' or '>'",
      "text goes on the next line, indented" },
};

// the end of a file is shown at the end of its last line with text
static slip_span one_character(const slip_source *source, long at)
{
    if (at >= source->length) at = source->length;
    if (at == source->length)
        while (at > 0 && strchr(" \t\r\n", source->text[at - 1])) at--;
    return slip_span_at(source, at, 1);
}

static bool is_end(const slip_source *source, long at)
{
    while (at < source->length && strchr(" \t\r\n", source->text[at])) at++;
    return at >= source->length;
}

// problems that depend on the character at hand
static bool explain_character(const slip_source *source, const char *problem, long at,
                              slip_diagnostics *notes)
{
    if (at >= source->length) return false;
    char c = source->text[at];
    slip_span where = one_character(source, at);
    bool token = strstr(problem, "cannot start any token") != NULL;
    if (token && c == '\t')
        slip_diagnose(notes, SLIP_ERROR, where, "use spaces", "a tab cannot indent a line");
    else if (token)
        slip_diagnose(notes, SLIP_ERROR, where, "put the text into quotes",
                      "'%c' cannot begin a key or a value", c);
    else if (c == '-' && strstr(problem, "expected node content"))
        slip_diagnose(notes, SLIP_ERROR, where,
                      "for a minus sign leave out the blank after it, or put the formula into quotes",
                      "'- ' begins a list item, which does not belong here");
    else
        return false;
    return true;
}

// quotes and brackets that are open when the file ends: the place where they begin says more
static bool explain_unclosed(const slip_source *source, const char *problem, long problem_at,
                             const char *context, long context_at, slip_diagnostics *notes)
{
    if (!context) return false;
    slip_span begin = one_character(source, context_at);
    bool ends = strstr(problem, "unexpected end of stream") || strstr(problem, "document indicator");
    if (strstr(context, "quoted scalar") && ends)
        slip_diagnose(notes, SLIP_ERROR, begin, NULL, "this quote is never closed");
    else if (strstr(context, "while parsing a flow mapping") && is_end(source, problem_at))
        slip_diagnose(notes, SLIP_ERROR, begin, NULL, "this '{' is never closed");
    else if (strstr(context, "while parsing a flow sequence") && is_end(source, problem_at))
        slip_diagnose(notes, SLIP_ERROR, begin, NULL, "this '[' is never closed");
    else if (strstr(context, "flow") && is_end(source, problem_at))
        slip_diagnose(notes, SLIP_ERROR, one_character(source, problem_at), NULL,
                      "the file ends inside { } or [ ]");
    else
        return false;
    return true;
}

void slip_yaml_explain(const slip_source *source, const char *problem, long problem_at, const char *context,
                       long context_at, slip_diagnostics *notes)
{
    if (!problem) problem = "not understood";
    if (explain_unclosed(source, problem, problem_at, context, context_at, notes)) return;
    if (explain_character(source, problem, problem_at, notes)) return;
    bool key = context && context_at >= 0 && strstr(context, "while scanning a simple key");
    slip_span where = one_character(source, key ? context_at : problem_at);
    const explanation *found = NULL;
    for (size_t k = 0; k < sizeof explanations / sizeof explanations[0] && !found; k++)
        if (strncmp(problem, explanations[k].problem, strlen(explanations[k].problem)) == 0)
            found = &explanations[k];
    if (found)
        slip_diagnose(notes, SLIP_ERROR, where, found->hint, "%s", found->text);
    else
        slip_diagnose(notes, SLIP_ERROR, where, NULL, "not valid YAML: %.200s", problem);
    bool flow = context && strstr(context, "while parsing a flow");
    if (flow && context_at >= 0 && context_at != problem_at)
        slip_diagnose(notes, SLIP_NOTE, one_character(source, context_at), NULL, "opened here");
}
