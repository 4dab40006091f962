/// outputs.h: where a command writes, and that it never writes over what it reads.
#ifndef SLIPSTICK_CLI_OUTPUTS_H
#define SLIPSTICK_CLI_OUTPUTS_H

#include "args.h"
#include "slipstick/model.h"

/// False, with a message that names both files, when --output, --report, --picture or --save would replace a
/// file that the command reads: an operand, the model of --against, the table of --points, or a file that the
/// model names (NULL before it was read; cli_model_load asks again).
bool cli_outputs_spare_inputs(const cli_args *args, const slip_model *model);

/// Before minutes of work: false when --picture was given a name that ends in neither .svg nor .png.
bool cli_picture_possible(const cli_args *args);

#endif
