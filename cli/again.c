/// again.c: the command that repeats the run of an answer.
#include "again.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slipstick/run.h"

// Adds a word, or remembers that there was no memory for it.
static void add_word(cli_again *a, const char *text)
{
    char **more = realloc(a->words, (size_t)(a->count + 2) * sizeof *more);
    if (more) a->words = more;
    const size_t size = strlen(text) + 1;
    char *word = more ? malloc(size) : NULL;
    a->failed = a->failed || !word;
    if (!word) return;
    a->words[a->count++] = memcpy(word, text, size);
    a->words[a->count] = NULL;
}

static void add_option(cli_again *a, const char *name, const char *value)
{
    char option[64];
    snprintf(option, sizeof option, "--%s", name);
    add_word(a, option);
    add_word(a, value);
}

// True if the text sets something that the answer sets as well.
static bool is_answered(const char *set, const slip_optimum *o)
{
    const size_t length = strcspn(set, "=");
    for (int k = 0; k < o->free_count; k++)
        if (strlen(o->names[k]) == length && strncmp(o->names[k], set, length) == 0) return true;
    return false;
}

static void add_options(const cli_args *args, cli_again *a)
{
    static const char *const names[] = { "formulation", "solver",   "integrator", "step",  "until",
                                         "max-step",    "relative", "absolute",   "branch" };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const cli_value *given = cli_args_given(args, names[k]);
        if (given) add_option(a, names[k], given->text);
    }
    const cli_value *allow = cli_args_given(args, "allow");
    for (int k = 0; allow && k < allow->count; k++) add_option(a, "allow", allow->list[k]);
}

static void add_sets(const cli_args *args, const slip_optimum *o, cli_again *a)
{
    const cli_value *sets = cli_args_value(args, "set");
    for (int k = 0; k < sets->count; k++)
        if (!is_answered(sets->list[k], o)) add_option(a, "set", sets->list[k]);
    for (int k = 0; k < o->free_count; k++) {
        char set[256], number[SLIP_NUMBER_SIZE];
        slip_number_write(o->value[k], number);
        a->failed = a->failed || snprintf(set, sizeof set, "%s=%s", o->names[k], number) >= (int)sizeof set;
        add_option(a, "set", set);
    }
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

static void write_text(cli_again *a)
{
    size_t size = 1;
    for (int k = 0; k < a->count; k++) size += 4 * strlen(a->words[k]) + 3;
    char *at = a->text = malloc(size);
    a->failed = a->failed || !at;
    if (!at) return;
    for (int k = 0; k < a->count; k++) {
        if (k) *at++ = ' ';
        at = quote(at, a->words[k]);
    }
    *at = '\0';
}

bool cli_again_make(const cli_args *args, const slip_optimum *answer, cli_again *again)
{
    *again = (cli_again){ .stdin_model = strcmp(args->operands[0], "-") == 0 };
    add_word(again, "slipstick");
    add_word(again, "run");
    add_word(again, args->operands[0]);
    add_options(args, again);
    add_sets(args, answer, again);
    write_text(again);
    if (again->failed) cli_again_free(again);
    return again->text != NULL;
}

void cli_again_free(cli_again *again)
{
    for (int k = 0; k < again->count; k++) free(again->words[k]);
    free(again->words);
    free(again->text);
    *again = (cli_again){ 0 };
}
