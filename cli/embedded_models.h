/// embedded_models.h: the shipped models as part of the program, in builds that are one file (SLIPSTICK_ONE_FILE).
#ifndef SLIPSTICK_CLI_EMBEDDED_MODELS_H
#define SLIPSTICK_CLI_EMBEDDED_MODELS_H

#include "slipstick/model.h"

/// Stands for the folder they would be in: no folder of a user is called so.
#define CLI_EMBEDDED_FOLDER "<models>"

/// Models and the data that they name, all below that folder; none in other builds.
const slip_memory_file *cli_embedded_models(int *count);

/// The one of that path; NULL when there is none.
const slip_memory_file *cli_embedded_find(const char *path);

#endif
