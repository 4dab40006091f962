/// report.h: --report FILE, the same for every command that has it.
#ifndef SLIPSTICK_CLI_REPORT_H
#define SLIPSTICK_CLI_REPORT_H

#include <stdio.h>

#include "args.h"
#include "slipstick/slipstick.h"

/// The option in a table.
#define CLI_OPTION_REPORT                                                                                    \
    {                                                                                                        \
        "report", 0, CLI_OPTION_TEXT, "FILE", "write a self-contained HTML report", "file"                   \
    }

/// Before anything runs: false, with a message, when the report that is asked for could not be written, or
/// when a result would replace an input.
bool cli_report_possible(const cli_args *args);

/// Writes the report that was asked for, and with `say` prints where; nothing when none was. Returns `code`,
/// or CLI_EXIT_EARLY with a message.
int cli_report_write(const cli_args *args, slip_report_def *def, bool say, int code);

#endif
