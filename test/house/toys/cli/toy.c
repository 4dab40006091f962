/// A subcommand.
#include <stdio.h>

#include "command.h"

static int run(int argc, char **argv)
{
    (void)argc, (void)argv;
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
