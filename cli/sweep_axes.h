/// axes.h: what is varied, as it stands on a command line.
#ifndef SLIPSTICK_CLI_AXES_H
#define SLIPSTICK_CLI_AXES_H

#include "slipstick/sweep.h"

/// "KEY=rest": a copy of the key, to be released with free(); NULL when there is none, or no memory.
char *cli_take_key(const char *text, const char **rest);

/// A finite decimal number; *at behind it.
bool cli_take_number(const char **at, double *value);

/// KEY=A:B:N or KEY=A,B,C, into an axis to be dropped, also when it is false.
bool cli_take_axis(const char *text, slip_sweep_axis *axis);
void cli_drop_axis(slip_sweep_axis *axis);

#endif
