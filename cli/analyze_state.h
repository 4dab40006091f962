/// analyze_state.h: the contact problem at one state, for slipstick analyze MODEL [--at T].
#ifndef SLIPSTICK_CLI_ANALYZE_STATE_H
#define SLIPSTICK_CLI_ANALYZE_STATE_H

#include "args.h"
#include "slipstick/slipstick.h"

/// Runs the model to t (0: looks at its start) and prints every solution of its contact problem there, how
/// stable each is, and the verdict. Returns the exit code.
int cli_analyze_state(const slip_model *model, double t, const cli_args *args);

#endif
