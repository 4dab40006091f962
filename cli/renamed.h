/// renamed.h: former names of commands, options and shipped models. They go on working in this version, with a
/// note on stderr that names the new one; help, completion and the manual show the new ones only.
#ifndef SLIPSTICK_CLI_RENAMED_H
#define SLIPSTICK_CLI_RENAMED_H

#include <stddef.h>

typedef struct cli_renaming {
    const char *what; ///< one of the words below or, for an option, the command that has it
    const char *old, *now;
} cli_renaming;

#define CLI_A_COMMAND "a command"
#define CLI_A_FOLDER  "a folder of shipped models"

/// What was once called name[0 .. length); NULL when nothing was.
const cli_renaming *cli_find_renamed(const char *what, const char *name, size_t length);

/// "note: '--plane' is now called '--two-parameter'; ..." on stderr.
void cli_note_renamed(const cli_renaming *renamed);

#endif
