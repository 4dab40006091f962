/// sweep_laws.h: slipstick sweep under several formulations and impact laws.
#ifndef SLIPSTICK_CLI_SWEEP_LAWS_H
#define SLIPSTICK_CLI_SWEEP_LAWS_H

#include "args.h"
#include "slipstick/slipstick.h"

/// Whether --formulations or --impact-laws was given.
bool cli_sweep_has_laws(const cli_args *args);

/// The sweep under each, and a table of how far results move from the first. Returns the exit code.
int cli_sweep_laws(const cli_args *args, const slip_model *model, const slip_sweep_def *def);

/// runs.csv, points.csv and, as asked for, sweep.h5 into a directory (sweep.c).
slip_status cli_sweep_write(const cli_args *args, const slip_sweep *sweep, const char *directory,
                            slip_error *error);

#endif
