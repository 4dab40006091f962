/// args.h: reading a command line by its table of options. `--name value`, `--name=value`, `-n value`,
/// `-nvalue`; `--` ends the options. Operands and options may come in any order.
#ifndef SLIPSTICK_CLI_ARGS_H
#define SLIPSTICK_CLI_ARGS_H

#include "command.h"

#define SLIP_OPTION_LIMIT 32

typedef struct slip_value {
    int count;         ///< how often it was given
    const char *text;  ///< as typed, the last one
    double number;     ///< numbers and times
    const char **list; ///< of a SLIP_OPTION_LIST: all of them
    double *times;     ///< of a SLIP_OPTION_TIMES
    int time_count;
} slip_value;

typedef struct slip_args {
    const slip_command *command;
    slip_value values[SLIP_OPTION_LIMIT]; ///< in the order of the table
    char **operands;
    int operand_count;
    bool help; ///< --help was asked for: nothing else was read
    char error[480]; ///< "" when all is well
} slip_args;

/// Reads argv[1 ..]. False when something is wrong: args->error says what, with the nearest name.
bool slip_args_read(slip_args *args, const slip_command *command, int argc, char **argv);
void slip_args_free(slip_args *args);

/// The value of an option by its name, which must be in the command's table.
const slip_value *slip_args_value(const slip_args *args, const char *name);

static inline bool slip_args_has(const slip_args *args, const char *name)
{
    return slip_args_value(args, name)->count > 0;
}

/// The name nearest to `typed` among `count` names; NULL when none is near enough to be meant.
const char *slip_nearest(const char *typed, const char *const *names, int count);

/// "1 ms", "1ms", "0.001", "2 min" in seconds. False when it is not a time.
bool slip_read_time(const char *text, double *seconds);

#endif
