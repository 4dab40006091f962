#include "output_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_files.h"
#include "platform/cli_platform.h"
#include "terminal.h"

/// What is read and what is to be written. A model names files of its own; NULL before it was read.
typedef struct io_files {
    const cli_args *args;
    const slip_model *model;
} io_files;

static bool report_overwriting(const io_files *f, const char *output, const char *input)
{
    slip_error error = { .status = SLIP_BAD_ARGUMENT };
    snprintf(error.where, sizeof error.where, "%.159s", output);
    snprintf(error.text, sizeof error.text, "would overwrite the input %.200s; give the result another name",
             input);
    cli_report_error(cli_args_given(f->args, "json") != NULL, &error);
    return true;
}

// The k-th file that is read, by its path. An operand may be the name of a shipped model. False past the end;
// an empty path for what is not a file.
static bool input_at(const io_files *f, int k, char *path, size_t size)
{
    static const char *const options[] = { "against", "points" };
    enum { OPTIONS = sizeof options / sizeof *options };
    path[0] = '\0';
    if (k < f->args->operand_count) {
        if (!cli_model_find(f->args->operands[k], path, size, NULL)) path[0] = '\0';
        return true;
    }
    k -= f->args->operand_count;
    if (k < OPTIONS) {
        const cli_value *file = cli_args_given(f->args, options[k]);
        if (file && !cli_model_find(file->text, path, size, NULL)) path[0] = '\0';
        return true;
    }
    const char *named = f->model ? slip_model_file_at(f->model, k - OPTIONS) : NULL;
    if (named) snprintf(path, size, "%s", named);
    return named != NULL;
}

static bool replaces_an_input(const io_files *f, const char *output)
{
    char path[8400];
    for (int k = 0; input_at(f, k, path, sizeof path); k++)
        if (cli_is_same_file(output, path)) return report_overwriting(f, output, path);
    return false;
}

// sweeps under several laws write into a folder for each
static bool is_of_a_sweep(const char *folder, const char *input)
{
    static const char *const names[] = { "runs.csv", "points.csv", "sweep.h5", "sweep.store" };
    const size_t length = strlen(folder);
    if (strncmp(input, folder, length) != 0 || input[length] != '/') return false;
    const char *slash = strchr(input + length + 1, '/');
    for (size_t k = 0; slash && k < sizeof names / sizeof *names; k++)
        if (strcmp(slash + 1, names[k]) == 0) return true;
    return false;
}

static bool replaces_of_a_sweep(const io_files *f, const char *output)
{
    char path[8400], *folder = cli_real_path(output);
    bool found = false;
    for (int k = 0; folder && !found && input_at(f, k, path, sizeof path); k++) {
        char *input = path[0] ? cli_real_path(path) : NULL;
        found = input && is_of_a_sweep(folder, input);
        free(input);
    }
    free(folder);
    return found && report_overwriting(f, output, path);
}

// what -o names is a file, a file with a picture beside it, or a folder of files
static bool replaces_within(const io_files *f, const char *output)
{
    static const char *const within[] = {
        "",         "/trajectory.csv", "/trajectory.h5", "/events.csv", "/summary.json", "/map.csv",
        "/map.svg", "/runs.csv",       "/points.csv",    "/basin.csv",  "/sweep.h5",     "/sweep.store"
    };
    char path[4600];
    for (size_t k = 0; k < sizeof within / sizeof *within; k++) {
        snprintf(path, sizeof path, "%.4500s%s", output, within[k]);
        if (replaces_an_input(f, path)) return true;
    }
    size_t length = strlen(output);
    if (length > 4 && strcmp(output + length - 4, ".csv") == 0) length -= 4;
    snprintf(path, sizeof path, "%.*s.svg", (int)(length < 4500 ? length : 4500), output);
    return replaces_an_input(f, path) || replaces_of_a_sweep(f, output);
}

bool cli_outputs_spare_inputs(const cli_args *args, const slip_model *model)
{
    static const char *const files[] = { "report", "picture", "save" };
    const io_files f = { args, model };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        const cli_value *file = cli_args_given(args, files[k]);
        if (file && replaces_an_input(&f, file->text)) return false;
    }
    const cli_value *output = cli_args_given(args, "output");
    return !output || !replaces_within(&f, output->text);
}

bool cli_picture_possible(const cli_args *args)
{
    const char *path = cli_args_text(args, "picture"), *end = path ? strrchr(path, '.') : NULL;
    return !path || (end && (strcmp(end, ".svg") == 0 || strcmp(end, ".png") == 0));
}
