/// command.h: what a subcommand is. Each lives in a file of its own and in one line of
/// commands.def; its options are a table too, which drives parsing, --help and shell completion.
#ifndef SLIPSTICK_CLI_COMMAND_H
#define SLIPSTICK_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

/// Exit codes.
enum {
    CLI_EXIT_DONE = 0,  ///< done
    CLI_EXIT_EARLY = 1, ///< ended early, or not to be trusted as asked
    CLI_EXIT_BAD = 2    ///< bad usage or bad input
};

typedef enum cli_option_kind {
    CLI_OPTION_FLAG,
    CLI_OPTION_TEXT,
    CLI_OPTION_LIST,   ///< text, may be given more than once
    CLI_OPTION_NUMBER, ///< > 0
    CLI_OPTION_COUNT,  ///< a whole number from 1 on
    CLI_OPTION_TIME,   ///< seconds, or a number with a unit of time, > 0
    CLI_OPTION_TIMES   ///< several of these, >= 0, increasing, separated by commas
} cli_option_kind;

typedef struct cli_option {
    const char *name; ///< without the dashes; NULL ends a table
    char letter;      ///< short form, 0 for none
    cli_option_kind kind;
    const char *argument; ///< its name in --help; NULL for flags
    const char *meaning;
    const char *values; ///< for completion: a kind of part ("solvers"), "dir", "file", or NULL
} cli_option;

struct cli_args;

typedef struct cli_command {
    const char *name;
    const char *operands; ///< "MODEL"
    const char *summary;  ///< one line
    const char *about;    ///< the paragraph --help opens with
    const char *examples; ///< lines of "command # what for"
    const cli_option *options;
    int (*run)(const struct cli_args *args); ///< returns an exit code; --help never gets here
} cli_command;

#define COMMAND(symbol) extern const cli_command cli_command_##symbol;
#include "commands.def"
#undef COMMAND

/// The k-th subcommand; NULL past the end.
const cli_command *cli_command_at(int k);

/// The k-th thing that `slipstick list` knows; NULL past the end (list.c).
const char *cli_list_name(int k);

#endif
