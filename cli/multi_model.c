#include "multi_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool ended;

void cli_end_series(void)
{
    ended = true;
}

enum { NAME_LENGTH = 200, PATH_LENGTH = 4600 };

// "models/xiong/friction-mass.yaml" is friction-mass
static void short_name(const char *typed, char *name, size_t size)
{
    const char *slash = strrchr(typed, '/'), *start = slash ? slash + 1 : typed;
    const char *dot = strrchr(start, '.');
    int length = dot && dot > start ? (int)(dot - start) : (int)strlen(start);
    snprintf(name, size, "%.*s", length, strcmp(typed, "-") == 0 ? "stdin" : start);
}

// how many of the first `count` models have this short name
static int count_named(const cli_args *args, int count, const char *name)
{
    char other[NAME_LENGTH];
    int found = 0;
    for (int k = 0; k < count; k++) {
        short_name(args->operands[k], other, sizeof other);
        found += strcmp(name, other) == 0;
    }
    return found;
}

// models that have the same short name get numbers from 2 on, without those that make the name of another
static void unique_name(const cli_args *args, int at, char *name, size_t size)
{
    char plain[NAME_LENGTH];
    short_name(args->operands[at], plain, sizeof plain);
    snprintf(name, size, "%s", plain);
    for (int left = count_named(args, at, plain), number = 2; left > 0; number++) {
        snprintf(name, size, "%s-%d", plain, number);
        if (count_named(args, args->operand_count, name) == 0) left--;
    }
}

static cli_value *value_named(cli_args *args, const char *name)
{
    for (const cli_option *o = args->command->options; o && o->name; o++)
        if (strcmp(o->name, name) == 0) return &args->values[o - args->command->options];
    return NULL;
}

// out -> out/NAME, page.html -> page-NAME.html
static void name_outputs(cli_args *one, const char *name, char *directory, char *page)
{
    cli_value *output = value_named(one, "output"), *report = value_named(one, "report");
    if (output && output->count) {
        snprintf(directory, PATH_LENGTH, "%.4000s/%s", output->text, name);
        output->text = directory;
    }
    if (report && report->count) {
        const char *dot = strrchr(report->text, '.');
        int length = dot && !strchr(dot, '/') ? (int)(dot - report->text) : (int)strlen(report->text);
        snprintf(page, PATH_LENGTH, "%.*s-%s%.40s", length < 4000 ? length : 4000, report->text, name,
                 report->text + length);
        report->text = page;
    }
}

int cli_each_model(const cli_args *args, int (*one)(const cli_args *args))
{
    bool several = args->operand_count > 1;
    bool objects = several && cli_args_given(args, "json"), silent = cli_args_given(args, "quiet");
    int worst = CLI_EXIT_DONE, k = 0;
    if (objects) puts("[");
    for (; k < args->operand_count && !ended; k++) {
        cli_args own = *args;
        char name[NAME_LENGTH + 16], directory[PATH_LENGTH], page[PATH_LENGTH];
        own.operands = &args->operands[k];
        own.operand_count = 1;
        if (several) {
            unique_name(args, k, name, sizeof name);
            name_outputs(&own, name, directory, page);
        }
        if (k) fputs(objects ? ",\n" : silent ? "" : "\n", stdout);
        int code = one(&own);
        if (code > worst) worst = code;
    }
    if (objects) puts("]");
    if (k < args->operand_count) {
        fflush(stdout);
        fprintf(stderr, "slipstick: stopped after %d of %d models; what was computed is kept\n", k,
                args->operand_count);
    }
    return worst;
}
