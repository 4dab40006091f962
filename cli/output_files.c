#include "output_files.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "model_files.h"
#include "terminal.h"

static bool is_same_file(const char *one, const char *other)
{
    struct stat a, b;
    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// a file that is read may be given by its path, or be a shipped model
static bool replaces(const char *output, const char *input, const cli_args *args)
{
    char path[4600];
    if (!cli_model_find(input, path, sizeof path, NULL) || !is_same_file(output, path)) return false;
    slip_error error = { .status = SLIP_BAD_ARGUMENT };
    snprintf(error.where, sizeof error.where, "%.159s", output);
    snprintf(error.text, sizeof error.text, "would overwrite the input %.200s; give the result another name",
             path);
    cli_report_error(cli_args_given(args, "json") != NULL, &error);
    return true;
}

static bool replaces_an_input(const char *output, const cli_args *args)
{
    const cli_value *against = cli_args_given(args, "against"), *points = cli_args_given(args, "points");
    for (int k = 0; k < args->operand_count; k++)
        if (replaces(output, args->operands[k], args)) return true;
    if (points && replaces(output, points->text, args)) return true;
    return against && replaces(output, against->text, args);
}

// what -o names is a file, a file with a picture beside it, or a folder of files
static bool replaces_within(const char *output, const cli_args *args)
{
    static const char *const within[] = {
        "",         "/trajectory.csv", "/trajectory.h5", "/events.csv", "/summary.json", "/map.csv",
        "/map.svg", "/runs.csv",       "/points.csv",    "/basin.csv",  "/sweep.h5",     "/sweep.store"
    };
    char path[4600];
    for (size_t k = 0; k < sizeof within / sizeof *within; k++) {
        snprintf(path, sizeof path, "%.4500s%s", output, within[k]);
        if (replaces_an_input(path, args)) return true;
    }
    size_t length = strlen(output);
    if (length > 4 && strcmp(output + length - 4, ".csv") == 0) length -= 4;
    snprintf(path, sizeof path, "%.*s.svg", (int)(length < 4500 ? length : 4500), output);
    return replaces_an_input(path, args);
}

bool cli_outputs_spare_inputs(const cli_args *args)
{
    static const char *const files[] = { "report", "picture", "save" };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        const cli_value *file = cli_args_given(args, files[k]);
        if (file && replaces_an_input(file->text, args)) return false;
    }
    const cli_value *output = cli_args_given(args, "output");
    return !output || !replaces_within(output->text, args);
}

bool cli_picture_possible(const cli_args *args)
{
    const char *path = cli_args_text(args, "picture"), *end = path ? strrchr(path, '.') : NULL;
    return !path || (end && (strcmp(end, ".svg") == 0 || strcmp(end, ".png") == 0));
}
