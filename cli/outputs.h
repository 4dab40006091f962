/// outputs.h: where a command writes, and that it never writes over what it reads.
#ifndef SLIPSTICK_CLI_OUTPUTS_H
#define SLIPSTICK_CLI_OUTPUTS_H

#include "args.h"

/// False, with a message that names both files, when --output or --report would replace a file that the
/// command reads: an operand, or the model of --against.
bool cli_outputs_spare_inputs(const cli_args *args);

#endif
