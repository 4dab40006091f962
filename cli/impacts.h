/// impacts.h: impact laws side by side, for analyze and compare.
#ifndef CLI_IMPACTS_H
#define CLI_IMPACTS_H

#include "args.h"
#include "slipstick/slipstick.h"

/// What each law makes of the start of the model.
int cli_analyze_impact(const slip_model *model, const cli_args *args);

/// Runs under every law.
int cli_compare_impacts(const slip_model *model, const cli_args *args);

#endif
