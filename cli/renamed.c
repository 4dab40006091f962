#include "renamed.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "terminal.h"

static const cli_renaming table[] = {
    { CLI_A_COMMAND, "decode", "encoder" }, { CLI_A_FOLDER, "crowds", "many-body" },
    { "analyze", "impact", "impact-laws" }, { "compare", "impact", "impact-laws" },
    { "cycle", "impacts", "impact-laws" },  { "cycle", "shift", "drift" },
    { "cycle", "plane", "two-parameter" },  { "cycle", "double", "period-doubling" },
    { "lyapunov", "shift", "drift" },       { "sweep", "impacts", "impact-laws" },
    { "sweep", "keep", "outputs" },         { "sweep", "draw", "distribution" },
};

const cli_renaming *cli_find_renamed(const char *what, const char *name, size_t length)
{
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (strcmp(table[k].what, what) == 0 && strlen(table[k].old) == length &&
            strncmp(table[k].old, name, length) == 0)
            return &table[k];
    return NULL;
}

void cli_note_renamed(const cli_renaming *renamed)
{
    const bool name = strcmp(renamed->what, CLI_A_COMMAND) == 0 || strcmp(renamed->what, CLI_A_FOLDER) == 0;
    const char *dashes = name ? "" : "--";
    fprintf(stderr,
            "slipstick: %snote:%s '%s%s' is now called '%s%s'; the old name still works in this version\n",
            cli_paint(stderr, CLI_CYAN), cli_paint(stderr, CLI_PLAIN), dashes, renamed->old, dashes,
            renamed->now);
}
