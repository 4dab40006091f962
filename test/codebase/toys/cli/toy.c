/// A subcommand.
#include <stdio.h>

#include "command.h"

static int run(const struct cli_args *args)
{
    (void)args;
    puts("a toy speaks");
    return CLI_EXIT_DONE;
}

const cli_command cli_command_toy = {
    .name = "toy",
    .operands = "",
    .summary = "a toy",
    .about = "Says that it is there.",
    .run = run,
};
