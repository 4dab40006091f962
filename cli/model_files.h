/// models.h: finding a model by file or by name, and reading it with its mistakes shown.
#ifndef SLIPSTICK_CLI_MODELS_H
#define SLIPSTICK_CLI_MODELS_H

#include "args.h"
#include "slipstick/slipstick.h"

/// Options in the table of every command that reads a model; the list of the first is the `sets` of
/// cli_model_load.
#define CLI_OPTION_SET                                                                                       \
    {                                                                                                        \
        "set", 0, CLI_OPTION_LIST, "PATH=VALUE", "override a parameter or any key; may be repeated", NULL    \
    }

#define CLI_OPTION_ALLOW                                                                                     \
    {                                                                                                        \
        "allow", 0, CLI_OPTION_LIST, "DIR",                                                                  \
            "a further folder whose files the model may read; may be repeated", "dir"                        \
    }

/// Models that come with the program, sorted by name ("xiong/friction-mass"). Looked for in
/// $SLIPSTICK_MODELS, ./models, and beside the program as built and as installed; the first
/// directory that exists counts. Without any they are those in the program itself, if it has some.
typedef struct cli_model_list {
    char directory[4096];
    char **names;
    int count;
} cli_model_list;

cli_model_list cli_models_find(void);
void cli_models_free(cli_model_list *list);

/// The file of a model given by its path, or by its whole name or last part of it when shipped. False, with
/// *error (may be NULL), when there is none.
bool cli_model_find(const char *typed, char *path, size_t size, slip_error *error);

/// Reads a shipped model; `path` is made of the directory and a name of the list.
slip_status cli_shipped_read(const char *path, slip_diagnostics *notes, slip_model **model);

/// Reads a model given as a file, as `-` for standard input, or by its whole name or last part of it when
/// shipped. It may read files of its own folder, of the shipped models, and of --allow. Mistakes go to stderr, and
/// with `json` as an error object to stdout too; an output that would overwrite a file that was read is one.
/// NULL when there was one.
slip_model *cli_model_load(const cli_args *args, const char *typed, const cli_value *sets, bool json,
                           bool quiet);

/// An error on stderr, and with `json` as an object on stdout. Returns CLI_EXIT_BAD.
int cli_report_error(bool json, const slip_error *error);

/// What is wrong with the command line, on stderr, and with --json as an object on stdout. Returns
/// CLI_EXIT_BAD.
int cli_report_usage(const cli_args *args, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
