/// again.h: the command that repeats the run of an answer.
#ifndef SLIPSTICK_CLI_AGAIN_H
#define SLIPSTICK_CLI_AGAIN_H

#include <stdbool.h>

#include "args.h"
#include "slipstick/optimize.h"

/// A command: its words, as a program gets them, and its text, as it is typed into a shell.
typedef struct cli_again {
    char **words; ///< "slipstick", "run", ...; NULL at the end
    int count;
    char *text;
    bool failed;      ///< there was not enough memory
    bool stdin_model; ///< the model came from standard input
    bool differs;     ///< it was tried, and gives `value` instead
    double value;
} cli_again;

/// `slipstick run` with the options of `args` that concern a run, and the answer. False when out of memory.
bool cli_again_make(const cli_args *args, const slip_optimum *answer, cli_again *again);
void cli_again_free(cli_again *again);

#endif
