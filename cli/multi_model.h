/// several.h: a command over several models, as `slipstick run *.yaml` gives them.
#ifndef SLIPSTICK_CLI_SEVERAL_H
#define SLIPSTICK_CLI_SEVERAL_H

#include "args.h"

/// Runs `one` for every model of the command line, with arguments of its own: that model, and in place of -o
/// DIR and --report PAGE.html the names DIR/MODEL and PAGE-MODEL.html when there are several. With --json the
/// objects of several models are one array. Returns the worst exit code.
int cli_each_model(const cli_args *args, int (*one)(const cli_args *args));

/// Said by `one` when a signal stopped it: the models behind it are left out.
void cli_end_series(void);

#endif
