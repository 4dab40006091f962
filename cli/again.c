/// again.c: the command that repeats the run of an answer.
#include "again.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Adds a word; false when out of memory.
static bool add_word(cli_again *a, const char *format, ...)
{
    char **more = realloc(a->words, (size_t)(a->count + 2) * sizeof *more);
    if (!more) return false;
    a->words = more;
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    char *word = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (!word) return false;
    va_start(list, format);
    vsnprintf(word, (size_t)length + 1, format, list);
    va_end(list);
    a->words[a->count++] = word;
    a->words[a->count] = NULL;
    return true;
}

// True if the text sets something that the answer sets as well.
static bool is_answered(const char *set, const slip_optimum *o)
{
    const size_t length = strcspn(set, "=");
    for (int k = 0; k < o->free_count; k++)
        if (strlen(o->names[k]) == length && strncmp(o->names[k], set, length) == 0) return true;
    return false;
}

static bool add_options(const cli_args *args, cli_again *a)
{
    static const char *const names[] = { "formulation", "solver",   "integrator", "step",  "until",
                                         "max-step",    "relative", "absolute",   "branch" };
    bool good = true;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const cli_value *given = cli_args_given(args, names[k]);
        if (given) good = good && add_word(a, "--%s", names[k]) && add_word(a, "%s", given->text);
    }
    const cli_value *allow = cli_args_given(args, "allow");
    for (int k = 0; allow && k < allow->count; k++)
        good = good && add_word(a, "--allow") && add_word(a, "%s", allow->list[k]);
    return good;
}

static bool add_sets(const cli_args *args, const slip_optimum *o, cli_again *a)
{
    const cli_value *sets = cli_args_value(args, "set");
    bool good = true;
    for (int k = 0; k < sets->count; k++)
        if (!is_answered(sets->list[k], o))
            good = good && add_word(a, "--set") && add_word(a, "%s", sets->list[k]);
    for (int k = 0; k < o->free_count; k++)
        good = good && add_word(a, "--set") && add_word(a, "%s=%.17g", o->names[k], o->value[k]);
    return good;
}

// Characters that no shell takes for its own.
static bool is_plain(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
    return word[0] && word[strspn(word, plain)] == '\0';
}

// Quotes a word for a shell; returns the end.
static char *quote(char *at, const char *word)
{
    const bool plain = is_plain(word);
    if (!plain) *at++ = '\'';
    for (; *word; word++) {
        if (*word == '\'')
            memcpy(at, "'\\''", 4), at += 4;
        else
            *at++ = *word;
    }
    if (!plain) *at++ = '\'';
    return at;
}

static bool write_text(cli_again *a)
{
    size_t size = 1;
    for (int k = 0; k < a->count; k++) size += 4 * strlen(a->words[k]) + 3;
    char *at = a->text = malloc(size);
    for (int k = 0; at && k < a->count; k++) {
        if (k) *at++ = ' ';
        at = quote(at, a->words[k]);
    }
    if (at) *at = '\0';
    return at != NULL;
}

bool cli_again_make(const cli_args *args, const slip_optimum *answer, cli_again *again)
{
    *again = (cli_again){ .stdin_model = strcmp(args->operands[0], "-") == 0 };
    if (add_word(again, "slipstick") && add_word(again, "run") && add_word(again, "%s", args->operands[0]) &&
        add_options(args, again) && add_sets(args, answer, again) && write_text(again))
        return true;
    cli_again_free(again);
    return false;
}

void cli_again_free(cli_again *again)
{
    for (int k = 0; k < again->count; k++) free(again->words[k]);
    free(again->words);
    free(again->text);
    *again = (cli_again){ 0 };
}
