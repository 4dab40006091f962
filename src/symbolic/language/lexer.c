/// symbolic/language/lexer.c: from bytes to numbers, names and signs.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "symbolic/language/parser.h"

slip_span slip_parser_span(const slip_parser *r, size_t start, size_t end)
{
    slip_span span = r->where;
    if (!span.source) return span;
    if (!r->map) {
        return slip_span_at(span.source, span.start + (long)start, (long)(end - start));
    } else if (r->length == 0) {
        span.length = 1;
    } else {
        size_t first = start < r->length ? start : r->length - 1, last = end > first + 1 ? end - 1 : first;
        if (last >= r->length) last = r->length - 1;
        span.start = r->map[first] + (start < r->length ? 0 : 1);
        span.length = r->map[last] + 1 - span.start;
    }
    return span;
}

void slip_parser_error(slip_parser *r, size_t start, size_t end, const char *hint, const char *format, ...)
{
    char text[400];
    if (r->mistakes++ >= SLIP_PARSER_MAX_ERRORS) return;
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    slip_diagnose(r->notes, SLIP_ERROR, slip_parser_span(r, start, end), hint && hint[0] ? hint : NULL, "%s",
                  text);
}

// -------------------------------------------------------------------------------------------- bytes

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}
static bool is_letter(char c)
{
    return slip_formula_is_name(&c, 1);
}
static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// bytes of the UTF-8 character at k; 0 when it is broken
static size_t utf8_length(const char *text, size_t length, size_t k)
{
    const unsigned char *u = (const unsigned char *)text + k;
    size_t left = length - k, n = u[0] < 0x80 ? 1 : u[0] < 0xC2 ? 0 : u[0] < 0xE0 ? 2 : u[0] < 0xF0 ? 3 : 4;
    if (u[0] > 0xF4 || n > left) return 0;
    for (size_t j = 1; j < n; j++)
        if ((u[j] & 0xC0) != 0x80) return 0;
    if (n == 3 && ((u[0] == 0xE0 && u[1] < 0xA0) || (u[0] == 0xED && u[1] > 0x9F))) return 0;
    if (n == 4 && ((u[0] == 0xF0 && u[1] < 0x90) || (u[0] == 0xF4 && u[1] > 0x8F))) return 0;
    return n;
}

bool slip_parser_check_bytes(slip_parser *r)
{
    if (r->length > SLIP_FORMULA_LENGTH) {
        slip_parser_error(r, 0, 1, NULL, "the formula is longer than %d bytes", (int)SLIP_FORMULA_LENGTH);
        return false;
    }
    for (size_t k = 0, n; k < r->length; k += n) {
        unsigned char c = (unsigned char)r->text[k];
        n = utf8_length(r->text, r->length, k);
        if (n == 0) {
            slip_parser_error(r, k, k + 1, "save the file as UTF-8", "byte 0x%02X is not valid UTF-8", c);
            return false;
        }
        if ((c < 32 && !is_space((char)c)) || c == 127) {
            slip_parser_error(r, k, k + 1, NULL, "control character 0x%02X in a formula", c);
            return false;
        }
    }
    return true;
}

// ----------------------------------------------------------------------------------------- mistakes

// characters that people paste, and what to write for them
static const char *ascii_alternative(const char *bytes, size_t n)
{
    static const char *const pairs[][2] = {
        { "\xC3\x97", "write * to multiply" },
        { "\xC2\xB7", "write * to multiply" },
        { "\xE2\x8B\x85", "write * to multiply" },
        { "\xC3\xB7", "write / to divide" },
        { "\xE2\x88\x92", "write - (a plain minus)" },
        { "\xE2\x80\x93", "write - (a plain minus)" },
        { "\xC2\xB2", "write ^2" },
        { "\xC2\xB3", "write ^3" },
        { "\xE2\x89\xA4", "write <=" },
        { "\xE2\x89\xA5", "write >=" },
        { "\xE2\x89\xA0", "write !=" },
        { "\xCF\x80", "write pi" },
        { "\xC2\xB0", "write deg for degrees" },
        { "\xE2\x80\x99", "write ' (a plain apostrophe) for a rate" },
        { "\xE2\x88\x9A", "write sqrt(x)" },
        { "\xC2\xA0", "this is a no-break space: type a plain one" },
        { "\xCE\xBC", "names are ASCII: write mu" },
        { "\xCE\xB1", "names are ASCII: write alpha" },
        { "\xCE\xB2", "names are ASCII: write beta" },
        { "\xCE\xB8", "names are ASCII: write theta" },
        { "\xCF\x86", "names are ASCII: write phi" },
        { "\xCF\x89", "names are ASCII: write omega" },
        { "=", "write == to compare" },
        { "&", "write and" },
        { "|", "write or between conditions, abs(x) for |x|" },
        { "!", "write not in front of a condition, != for unequal" },
        { "%", "write a - b*floor(a/b) for the remainder, 0.05 for 5 %" },
        { "[", "write ( and )" },
        { "]", "write ( and )" },
        { "{", "write ( and )" },
        { "}", "write ( and )" },
        { ":", "write / to divide, if(c, a, b) to choose" },
        { "?", "write if(c, a, b) to choose" },
        { ";", "arguments are separated by commas" },
    };
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++)
        if (strlen(pairs[k][0]) == n && memcmp(pairs[k][0], bytes, n) == 0) return pairs[k][1];
    return n > 1 ? "names are letters a-z, digits and _" : NULL;
}

static bool refuse_character(slip_parser *r, size_t k)
{
    size_t n = utf8_length(r->text, r->length, k);
    if (n == 0) n = 1;
    slip_parser_error(r, k, k + n, ascii_alternative(r->text + k, n), "'%.*s' has no meaning in a formula",
                      (int)n, r->text + k);
    return false;
}

// ------------------------------------------------------------------------------------------- tokens

static bool lex_number(slip_parser *r, slip_token *t)
{
    const char *s = r->text;
    size_t k = t->start, end = r->length;
    while (k < end && is_digit(s[k])) k++;
    if (k < end && s[k] == '.') k++;
    while (k < end && is_digit(s[k])) k++;
    size_t digits = k;
    if (k < end && (s[k] == 'e' || s[k] == 'E')) {
        k++;
        if (k < end && (s[k] == '+' || s[k] == '-')) k++;
        if (k < end && is_digit(s[k]))
            while (k < end && is_digit(s[k])) k++;
        else
            k = digits; // not an exponent
    }
    t->kind = SLIP_TOKEN_NUMBER;
    t->end = k;
    if (k + 1 < end && s[k] == '.' && is_digit(s[k + 1])) {
        slip_parser_error(r, t->start, k + 2, NULL, "a number has one decimal point");
        return false;
    }
    if (!slip_decimal_read(s + t->start, k - t->start, &t->value)) {
        slip_parser_error(r, t->start, k, NULL, "a number has at most %d characters",
                          (int)SLIP_DECIMAL_MAX_LENGTH);
        return false;
    }
    bool zero = true;
    for (size_t j = t->start; j < digits; j++) zero &= s[j] == '0' || s[j] == '.';
    if (!isfinite(t->value))
        slip_parser_error(r, t->start, k, NULL, "the number is too large (the largest is 1.8e308)");
    else if (t->value == 0.0 && !zero)
        slip_parser_error(r, t->start, k, NULL,
                          "the number is too small to be distinguished from 0 (the smallest is 4.9e-324)");
    else
        return true;
    return false;
}

static bool is_micro(const slip_parser *r, size_t k)
{
    return k + 2 < r->length && is_letter(r->text[k + 2]) &&
           (memcmp(r->text + k, "\xC2\xB5", 2) == 0 || memcmp(r->text + k, "\xCE\xBC", 2) == 0);
}

static bool lex_name(slip_parser *r, slip_token *t)
{
    const char *s = r->text;
    size_t k = t->start + (is_micro(r, t->start) ? 2 : 0), end = r->length;
    for (;;) {
        while (k < end && (is_letter(s[k]) || is_digit(s[k]))) k++;
        if (k + 1 >= end || s[k] != '.' || !is_letter(s[k + 1])) break;
        k++; // a dotted name
    }
    t->kind = SLIP_TOKEN_NAME;
    t->name_end = k;
    while (k < end && s[k] == '\'') k++;
    t->primes = (int)(k - t->name_end);
    t->end = k;
    if (t->name_end - t->start <= SLIP_NAME_LENGTH) return true;
    slip_parser_error(r, t->start, k, NULL, "the name is longer than %d characters", (int)SLIP_NAME_LENGTH);
    return false;
}

static bool lex_sign(slip_parser *r, slip_token *t)
{
    char c = r->text[t->start], next = t->start + 1 < r->length ? r->text[t->start + 1] : '\0';
    t->kind = SLIP_TOKEN_SIGN;
    t->sign = c;
    t->end = t->start + 1;
    if (c == '*' && next == '*') {
        slip_parser_error(r, t->start, t->start + 2, "write ^ for a power",
                          "'**' has no meaning in a formula");
        return false;
    }
    if (next == '=' && (c == '<' || c == '>' || c == '=' || c == '!')) {
        t->sign = c == '<' ? SLIP_SIGN_LE : c == '>' ? SLIP_SIGN_GE : c == '=' ? SLIP_SIGN_EQ : SLIP_SIGN_NE;
        t->end++;
        return true;
    }
    if ((c == '=' && (next == '<' || next == '>')) || (c == '<' && next == '>')) {
        const char *hint = c == '<' ? "write !=" : next == '<' ? "write <=" : "write >=";
        slip_parser_error(r, t->start, t->start + 2, hint, "'%c%c' has no meaning in a formula", c, next);
        return false;
    }
    if (c == '\'') {
        slip_parser_error(r, t->start, t->end, "a rate is written x', without a space",
                          "' must follow a name");
        return false;
    }
    return (c != '\0' && strchr("+-*/^(),<>", c)) || (c == '.' && is_letter(next)) ||
           refuse_character(r, t->start);
}

bool slip_parser_lex(slip_parser *r, size_t from, slip_token *t)
{
    while (from < r->length && is_space(r->text[from])) from++;
    *t = (slip_token){ .kind = SLIP_TOKEN_END, .start = from, .end = from };
    if (from >= r->length) return true;
    char c = r->text[from], next = from + 1 < r->length ? r->text[from + 1] : '\0';
    if (is_digit(c) || (c == '.' && is_digit(next))) return lex_number(r, t);
    if (is_letter(c) || is_micro(r, from)) return lex_name(r, t);
    return lex_sign(r, t);
}

void slip_parser_next(slip_parser *r)
{
    r->last_end = r->token.end;
    if (!slip_parser_lex(r, r->token.end, &r->token)) r->stopped = true;
}

bool slip_token_is(const slip_parser *r, const slip_token *t, const char *word)
{
    size_t length = strlen(word);
    return t->kind == SLIP_TOKEN_NAME && t->end - t->start == length &&
           memcmp(r->text + t->start, word, length) == 0;
}
