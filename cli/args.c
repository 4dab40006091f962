#include "args.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// edits between two short words; swapping neighbours counts as one, the commonest slip of fingers
static int distance(const char *a, const char *b)
{
    enum { LIMIT = 40 };
    int n = (int)strlen(a), m = (int)strlen(b);
    if (n >= LIMIT || m >= LIMIT) return LIMIT;

    int d[LIMIT][LIMIT];
    for (int i = 0; i <= n; i++) d[i][0] = i;
    for (int j = 0; j <= m; j++) d[0][j] = j;
    for (int i = 1; i <= n; i++) {
        for (int j = 1; j <= m; j++) {
            int best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (d[i - 1][j] + 1 < best) best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best) best = d[i][j - 1] + 1;
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && d[i - 2][j - 2] + 1 < best) best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    }
    return d[n][m];
}

const char *cli_nearest(const char *typed, const char *const *names, int count)
{
    int length = (int)strlen(typed), best = 1 + (length + 1) / 3;
    const char *nearest = NULL;
    for (int k = 0; k < count; k++) {
        // the beginning of a name, or a name with something after it, as long as it says something
        size_t common = strlen(names[k]) < strlen(typed) ? strlen(names[k]) : strlen(typed);
        bool begins = common >= 3 && strncmp(names[k], typed, common) == 0;
        int edits = begins ? 1 : distance(typed, names[k]);
        if (edits < best) {
            best = edits;
            nearest = names[k];
        }
    }
    return nearest;
}

bool cli_read_time(const char *text, double *seconds)
{
    static const struct {
        const char *unit;
        double scale,
            divide; // 1 ms is 1/1000 s and not 1*0.001: the nearest double, as the formula language has it
    } units[] = { { "", 1, 1 },     { "s", 1, 1 },           { "ms", 1, 1e3 },
                  { "us", 1, 1e6 }, { "\xC2\xB5s", 1, 1e6 }, { "ns", 1, 1e9 },
                  { "min", 60, 1 }, { "h", 3600, 1 } };

    // strtod would take "inf", "nan" and "0x1p3" too
    const char *start = text + strspn(text, " ");
    const char *digits = start + (*start == '-' || *start == '+');
    if (!isdigit((unsigned char)*digits) && *digits != '.') return false;
    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) return false;

    char *end;
    errno = 0;
    double number = strtod(start, &end);
    if (end == start || !isfinite(number)) return false;
    end += strspn(end, " ");
    size_t length = strcspn(end, " ");
    if (end[length + strspn(end + length, " ")] != 0) return false;
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
        if (strlen(units[k].unit) == length && strncmp(end, units[k].unit, length) == 0) {
            *seconds = number * units[k].scale / units[k].divide;
            return true;
        }
    }
    return false;
}

__attribute__((format(printf, 2, 3))) static bool fail(cli_args *args, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(args->error, sizeof args->error, format, list);
    va_end(list);
    return false;
}

static bool read_times(cli_args *args, cli_value *value, const char *name)
{
    int count = 1;
    for (const char *c = value->text; *c; c++) count += *c == ',';
    free(value->times);
    value->times = calloc((size_t)count, sizeof *value->times);
    char *copy = strdup(value->text);
    if (!value->times || !copy) {
        free(copy);
        return fail(args, "out of memory");
    }
    value->time_count = 0;
    bool good = true;
    char *rest = copy;
    while (rest && good) {
        char *comma = strchr(rest, ',');
        if (comma) *comma = 0;
        double *t = &value->times[value->time_count];
        if (!cli_read_time(rest, t) || *t < 0) {
            good = fail(args, "--%s: '%s' is not a time; write for example 0.1,0.2,1.5 or \"10 ms, 20 ms\"",
                        name, rest);
        } else if (value->time_count > 0 && !(t[0] > t[-1])) {
            good = fail(args, "--%s: times must increase, but '%s' does not", name, rest);
        }
        value->time_count++;
        rest = comma ? comma + 1 : NULL;
    }
    free(copy);
    return good;
}

// up to 2^53, where doubles stop telling whole numbers apart
static bool read_count(const char *text, double *count)
{
    char *end;
    *count = strtod(text, &end);
    return end != text && !*end && *count >= 1.0 && *count <= 0x1p53 && *count == floor(*count);
}

static bool read_value(cli_args *args, const cli_option *option, cli_value *value)
{
    const char *text = value->text;
    switch (option->kind) {
    case CLI_OPTION_FLAG:
    case CLI_OPTION_TEXT:
        return true;
    case CLI_OPTION_LIST: {
        const char **list = realloc((void *)value->list, (size_t)value->count * sizeof *list);
        if (!list) return fail(args, "out of memory");
        list[value->count - 1] = text;
        value->list = list;
        return true;
    }
    case CLI_OPTION_NUMBER: {
        char *end;
        value->number = strtod(text, &end);
        if (end == text || *end || !isfinite(value->number) || !(value->number > 0)) {
            return fail(args, "--%s: '%s' is not a number above 0", option->name, text);
        }
        return true;
    }
    case CLI_OPTION_COUNT:
        if (!read_count(text, &value->number))
            return fail(args, "--%s: '%s' is not a whole number from 1 on", option->name, text);
        return true;
    case CLI_OPTION_TIME:
        if (!cli_read_time(text, &value->number)) {
            return fail(args, "--%s: '%s' is not a time; write for example 0.001, 1e-3 or 1ms", option->name,
                        text);
        }
        if (!(value->number > 0)) return fail(args, "--%s: must be above 0, got %s", option->name, text);
        return true;
    case CLI_OPTION_TIMES:
        return read_times(args, value, option->name);
    }
    return true;
}

static bool unknown_option(cli_args *args, const char *typed, size_t length)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), typed);
    const char *names[CLI_OPTION_LIMIT + 1];
    int count = 0;
    for (const cli_option *o = args->command->options; o && o->name; o++) names[count++] = o->name;
    names[count++] = "help";
    const char *near = cli_nearest(name, names, count);
    if (near) return fail(args, "unknown option '--%s'; did you mean '--%s'?", name, near);
    return fail(args, "unknown option '--%s'; 'slipstick %s --help' lists them", name, args->command->name);
}

static const cli_option *find_long(const cli_command *command, const char *name, size_t length)
{
    for (const cli_option *o = command->options; o && o->name; o++) {
        if (strlen(o->name) == length && strncmp(o->name, name, length) == 0) return o;
    }
    return NULL;
}

// the option of that name, or of which that is the former name: then *old says so
static const cli_option *find_typed(const cli_command *command, const char *name, size_t length,
                                    const cli_renaming **old)
{
    const cli_option *option = find_long(command, name, length);
    *old = option ? NULL : cli_find_renamed(command->name, name, length);
    return *old ? find_long(command, (*old)->now, strlen((*old)->now)) : option;
}

// one option at argv[*at]; moves *at past what it used
static bool read_option(cli_args *args, int argc, char **argv, int *at)
{
    const cli_command *command = args->command;
    char *word = argv[*at], *given = NULL;
    const cli_option *option = NULL;
    const cli_renaming *old = NULL;

    if (word[1] == '-') {
        size_t length = strcspn(word + 2, "=");
        option = find_typed(command, word + 2, length, &old);
        if (!option) return unknown_option(args, word + 2, length);
        if (word[2 + length] == '=') given = word + 2 + length + 1;
    } else {
        for (const cli_option *o = command->options; o && o->name; o++) {
            if (o->letter && o->letter == word[1]) option = o;
        }
        if (!option)
            return fail(args, "unknown option '%s'; 'slipstick %s --help' lists them", word, command->name);
        if (word[2]) given = word + 2;
    }

    cli_value *value = &args->values[option - command->options];
    bool flag = option->kind == CLI_OPTION_FLAG;
    if (flag && given) return fail(args, "--%s takes no value, got '%s'", option->name, given);
    if (!flag && !given) {
        if (*at + 1 >= argc)
            return fail(args, "--%s needs a value: --%s %s", option->name, option->name, option->argument);
        given = argv[++*at];
    }
    value->count++;
    value->text = given;
    if (old) value->old = old;
    return read_value(args, option, value);
}

bool cli_args_read(cli_args *args, const cli_command *command, int argc, char **argv)
{
    *args = (cli_args){ .command = command, .word_count = argc, .words = argv };
    args->operands = calloc((size_t)argc + 1, sizeof *args->operands);
    if (!args->operands) return fail(args, "out of memory");

    bool options = true;
    for (int at = 1; at < argc; at++) {
        char *word = argv[at];
        bool option = options && word[0] == '-' && word[1];
        if (option && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)) {
            args->help = true;
            return true;
        }
        if (option && strcmp(word, "--") == 0) {
            options = false;
        } else if (!option) {
            args->operands[args->operand_count++] = word;
        } else if (!read_option(args, argc, argv, &at)) {
            return false;
        }
    }
    return true;
}

void cli_args_free(cli_args *args)
{
    for (int k = 0; k < CLI_OPTION_LIMIT; k++) {
        free((void *)args->values[k].list);
        free(args->values[k].times);
    }
    free(args->operands);
}

const cli_value *cli_args_value(const cli_args *args, const char *name)
{
    const cli_option *option = find_long(args->command, name, strlen(name));
    assert(option && "an option that is in no table");
    return &args->values[option - args->command->options];
}

const cli_value *cli_args_given(const cli_args *args, const char *name)
{
    const cli_option *option = find_long(args->command, name, strlen(name));
    const cli_value *value = option ? &args->values[option - args->command->options] : NULL;
    return value && value->count > 0 ? value : NULL;
}
