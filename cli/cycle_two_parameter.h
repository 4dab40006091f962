/// cycle_two_parameter.h: slipstick cycle --two-parameter.
#ifndef CLI_CYCLE_PLANE_H
#define CLI_CYCLE_PLANE_H

#include "args.h"
#include "slipstick/slipstick.h"

/// What is special over two parameters: a table or JSON, and the picture that was asked for. Returns the exit
/// code.
int cli_cycle_two_parameter(const cli_args *args, const slip_model *model, const slip_cycle_def *def,
                            const slip_cycle_along *along);

#endif
