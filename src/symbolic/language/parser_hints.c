/// symbolic/language/parser_hints.c: what to write instead of what the parser stumbled over.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbolic/language/parser.h"

// ------------------------------------------------------------------------------------------- names

// "did you mean 'x'?" from the names in scope (and functions), else "". Returns buffer.
static const char *suggest_name(const slip_parser *r, const char *word, char *buffer, int size)
{
    const char **names = NULL;
    size_t count = 0, capacity = 0;
    buffer[0] = '\0';
    for (int k = 0; r->scope && r->scope->suggest; k++) {
        const char *name = r->scope->suggest(r->scope->context, k);
        if (!name || !slip_array_grow((void **)&names, &capacity, count, sizeof *names)) break;
        names[count++] = name;
    }
    if (count > 0) slip_suggest_name(word, names, (int)count, buffer, size);
    free((void *)names);
    if (!buffer[0]) slip_suggest_name(word, (const char *const[]){ "pi" }, 1, buffer, size);
    return buffer;
}

static bool has_rate(const slip_parser *r, const char *name)
{
    slip_value ignored;
    return slip_parser_knows(r, name, 1, &ignored);
}

// xdot, x_dot, dxdt and dx_dt, as others write x'
static void hint_rate(const slip_parser *r, const char *name, char *hint, size_t size)
{
    static const char *const around[][2] = { { "", "_dot" }, { "", "dot" }, { "d", "_dt" }, { "d", "dt" } };
    size_t length = strlen(name);
    for (int k = 0; k < 4; k++) {
        size_t before = strlen(around[k][0]), after = strlen(around[k][1]);
        char base[SLIP_NAME_LENGTH + 1];
        if (length <= before + after || strncmp(name, around[k][0], before) != 0 ||
            strcmp(name + length - after, around[k][1]) != 0)
            continue;
        snprintf(base, sizeof base, "%.*s", (int)(length - before - after), name + before);
        if (!has_rate(r, base)) continue;
        snprintf(hint, size, "the rate of %s is written %s'", base, base);
        return;
    }
}

// der(x), as Modelica writes x'
static bool hint_derivative(slip_parser *r, const slip_token *t, const char *name, char *hint, size_t size)
{
    static const char *const words[] = { "der", "diff", "dot", "ddt", "derivative" };
    bool meant = false;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) meant = meant || strcmp(words[k], name) == 0;
    if (!meant) return false;
    slip_parser quiet = *r;
    quiet.mistakes = SLIP_PARSER_MAX_ERRORS;
    slip_token paren, inner;
    const char *what = "x";
    char base[SLIP_NAME_LENGTH + 1];
    if (slip_parser_lex(&quiet, t->end, &paren) && slip_parser_lex(&quiet, paren.end, &inner) &&
        inner.kind == SLIP_TOKEN_NAME) {
        snprintf(base, sizeof base, "%.*s", (int)(inner.end - inner.start), r->text + inner.start);
        what = base;
    }
    snprintf(hint, size, "the rate of %.60s is written %.60s'", what, what);
    return true;
}

void slip_parser_explain_name(slip_parser *r, const slip_token *t, const char *name)
{
    char hint[2 * SLIP_NAME_LENGTH + 80], spelled[SLIP_NAME_LENGTH + 8];
    slip_value ignored;
    snprintf(spelled, sizeof spelled, "%s%.*s", name, t->primes < 4 ? t->primes : 4, "''''");
    if (t->primes > 0 && slip_parser_knows(r, name, 0, &ignored)) {
        snprintf(hint, sizeof hint, "'%s' is known here, but has no %s", name,
                 t->primes == 1 ? "rate" : "such derivative");
        slip_parser_error(r, t->start, t->end, hint, "unknown name '%s'", spelled);
        return;
    }
    const slip_function *f = slip_function_find(name, strlen(name), NULL);
    hint[0] = '\0';
    if (t->primes == 0) hint_rate(r, name, hint, sizeof hint);
    if (f) snprintf(hint, sizeof hint, "%s is a function: write %s(%s)", name, name, f->info.arguments);
    if (!f && !hint[0] && slip_unit_find(name, strlen(name)))
        snprintf(hint, sizeof hint, "a unit stands behind a number, as in 1 %s", name);
    if (!hint[0]) suggest_name(r, spelled, hint, sizeof hint);
    if (!hint[0] && t->primes) suggest_name(r, name, hint, sizeof hint);
    if (!hint[0] && slip_function_alternative(name))
        snprintf(hint, sizeof hint, "%s", slip_function_alternative(name));
    slip_parser_error(r, t->start, t->end, hint, "unknown name '%s'", spelled);
}

void slip_parser_explain_call(slip_parser *r, const slip_token *t, const char *name)
{
    char hint[200];
    slip_value ignored;
    if (t->primes || slip_parser_knows(r, name, 0, &ignored) || strcmp(name, "pi") == 0) {
        snprintf(hint, sizeof hint, "write %.100s%.*s*(...) to multiply", name, t->primes < 4 ? t->primes : 4,
                 "''''");
        slip_parser_error(r, t->start, t->end, hint, "'%s' is not a function", name);
        return;
    }
    if (hint_derivative(r, t, name, hint, sizeof hint)) {
        slip_parser_error(r, t->start, t->end, hint, "unknown function '%s'", name);
        return;
    }
    const char *instead = slip_function_alternative(name);
    slip_function_suggest(name, hint, sizeof hint);
    slip_parser_error(r, t->start, t->end, instead ? instead : hint, "unknown function '%s'", name);
}

// ---------------------------------------------------------------------------------------- products

static bool ends_operand(const slip_token *t)
{
    return t->kind == SLIP_TOKEN_NUMBER || t->kind == SLIP_TOKEN_NAME ||
           (t->kind == SLIP_TOKEN_SIGN && t->sign == ')');
}

// whether `next` begins an operand of its own behind one that has ended
static bool begins_operand(const slip_parser *r, const slip_token *last, const slip_token *next)
{
    bool call = last->kind == SLIP_TOKEN_NAME &&
                slip_function_find(r->text + last->start, last->end - last->start, NULL);
    if (next->kind == SLIP_TOKEN_SIGN) return next->sign == '(' && !call;
    return next->kind == SLIP_TOKEN_NUMBER || next->kind == SLIP_TOKEN_NAME;
}

static bool ends_product(const slip_token *t, int depth)
{
    if (t->kind == SLIP_TOKEN_END) return true;
    return depth == 0 && t->kind == SLIP_TOKEN_SIGN && !strchr("*/^(.", t->sign);
}

bool slip_parser_spell_product(const slip_parser *r, size_t start, char *text, size_t size)
{
    slip_parser quiet = *r; // says nothing
    quiet.mistakes = SLIP_PARSER_MAX_ERRORS;
    slip_token last = { .end = start }, next;
    size_t at = 0;
    int depth = 0;
    bool unit = false; // the last token is one
    while (slip_parser_lex(&quiet, last.end, &next)) {
        bool closes = next.kind == SLIP_TOKEN_SIGN && next.sign == ')' && depth > 0;
        if (!closes && ends_product(&next, depth)) return at > 0;
        bool apart = at > 0 && ends_operand(&last) && begins_operand(r, &last, &next);
        bool stays = apart && next.kind == SLIP_TOKEN_NAME && (last.kind == SLIP_TOKEN_NUMBER || unit) &&
                     slip_unit_find(r->text + next.start, next.end - next.start) &&
                     !slip_token_is_symbol(r, &next);
        const char *between = stays ? " " : apart ? "*" : "";
        if (!apart && at > 0 && next.start > last.end) between = " ";
        at += (size_t)snprintf(text + at, size - at, "%s%.*s", between, (int)(next.end - next.start),
                               r->text + next.start);
        if (at >= size) return false;
        if (next.kind == SLIP_TOKEN_SIGN) depth += next.sign == '(' ? 1 : next.sign == ')' ? -1 : 0;
        unit = stays;
        last = next;
    }
    return false;
}
