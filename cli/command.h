/// command.h: what a subcommand is. Each lives in a file of its own and in one line of the table in
/// main.c; its options are a table too, which drives parsing, --help and shell completion.
#ifndef SLIPSTICK_CLI_COMMAND_H
#define SLIPSTICK_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

/// Exit codes.
enum {
    SLIP_EXIT_DONE  = 0, ///< done
    SLIP_EXIT_EARLY = 1, ///< ended early, or not to be trusted as asked
    SLIP_EXIT_BAD   = 2  ///< bad usage or bad input
};

typedef enum slip_option_kind {
    SLIP_OPTION_FLAG,
    SLIP_OPTION_TEXT,
    SLIP_OPTION_LIST,   ///< text, may be given more than once
    SLIP_OPTION_NUMBER, ///< > 0
    SLIP_OPTION_TIME,   ///< seconds, or a number with a unit of time, > 0
    SLIP_OPTION_TIMES   ///< several of these, >= 0, increasing, separated by commas
} slip_option_kind;

typedef struct slip_option {
    const char *name;     ///< without the dashes; NULL ends a table
    char letter;          ///< short form, 0 for none
    slip_option_kind kind;
    const char *argument; ///< its name in --help; NULL for flags
    const char *meaning;
    const char *values;   ///< for completion: a kind of part ("solvers"), "dir", or NULL
} slip_option;

typedef struct slip_command {
    const char *name;
    const char *operands; ///< "MODEL"
    const char *summary;  ///< one line
    const char *about;    ///< the paragraph --help opens with
    const char *examples; ///< lines of "command # what for"
    const slip_option *options;
    int (*run)(int argc, char **argv); ///< argv[0] is the name of the subcommand
} slip_command;

extern const slip_command slip_command_run, slip_command_check, slip_command_list, slip_command_completion;

/// The k-th subcommand; NULL past the end.
const slip_command *slip_command_at(int k);

/// The help text of one subcommand, on stdout.
void slip_command_help(const slip_command *command);

#endif
