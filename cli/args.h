/// args.h: reading a command line by its table of options. `--name value`, `--name=value`, `-n value`,
/// `-nvalue`; `--` ends the options. Operands and options may come in any order.
#ifndef SLIPSTICK_CLI_ARGS_H
#define SLIPSTICK_CLI_ARGS_H

#include "command.h"
#include "renamed.h"

#define CLI_OPTION_LIMIT 32

/// The option in a table of a command that can speak JSON.
#define CLI_OPTION_JSON                                                                                      \
    {                                                                                                        \
        "json", 0, CLI_OPTION_FLAG, NULL, "print one JSON object and nothing else on stdout", NULL           \
    }

typedef struct cli_value {
    int count;         ///< how often it was given
    const char *text;  ///< as typed, the last one
    double number;     ///< numbers, counts and times
    const char **list; ///< of a CLI_OPTION_LIST: all of them
    double *times;     ///< of a CLI_OPTION_TIMES
    int time_count;
    const cli_renaming *old; ///< it was given by its former name; NULL
} cli_value;

typedef struct cli_args {
    const cli_command *command;
    cli_value values[CLI_OPTION_LIMIT]; ///< in the order of the table
    char **operands;
    int operand_count;
    int word_count; ///< the command line as it was given, name of the subcommand first
    char **words;
    bool help;       ///< --help was asked for: nothing else was read
    char error[480]; ///< "" when all is well
} cli_args;

/// Reads argv[1 ..]. False when something is wrong: args->error says what, with the nearest name.
bool cli_args_read(cli_args *args, const cli_command *command, int argc, char **argv);
void cli_args_free(cli_args *args);

/// The value of an option by its name, which must be in the command's table.
const cli_value *cli_args_value(const cli_args *args, const char *name);

/// The same for an option that the command may lack; NULL when it does, or when the option was not given.
const cli_value *cli_args_given(const cli_args *args, const char *name);

static inline bool cli_args_has(const cli_args *args, const char *name)
{
    return cli_args_value(args, name)->count > 0;
}

/// The text of an option; NULL when it was not given.
static inline const char *cli_args_text(const cli_args *args, const char *name)
{
    return cli_args_value(args, name)->text;
}

/// The number of an option; `fallback` when it was not given.
static inline double cli_args_number(const cli_args *args, const char *name, double fallback)
{
    return cli_args_has(args, name) ? cli_args_value(args, name)->number : fallback;
}

/// The same of a CLI_OPTION_COUNT, as an int: beyond 10^9 it stays there.
static inline int cli_args_count(const cli_args *args, const char *name, int fallback)
{
    const double number = cli_args_number(args, name, fallback);
    return number < 1e9 ? (int)number : 1000000000;
}

/// The name nearest to `typed` among `count` names; NULL when none is near enough to be meant.
const char *cli_nearest(const char *typed, const char *const *names, int count);

/// "1 ms", "1ms", "0.001", "2 min" in seconds. False when it is not a time.
bool cli_read_time(const char *text, double *seconds);

#endif
