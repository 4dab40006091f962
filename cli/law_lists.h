/// laws.h: lists of formulations and impact laws on the command line.
#ifndef SLIPSTICK_CLI_LAWS_H
#define SLIPSTICK_CLI_LAWS_H

#include "slipstick/slipstick.h"

enum { CLI_LAWS_MOST = 16 };

typedef struct cli_law {
    char formulation[40]; ///< "": as the model has it
    char impact[40];      ///< the same
} cli_law;

/// Every formulation with every impact law; lists by commas, NULL: `formulation` alone, as it is. An error
/// names what does not exist.
slip_status cli_law_lists_read(const char *formulations, const char *impacts, const char *formulation,
                               cli_law *laws, int *count, slip_error *error);

/// The model under the impact law. To be destroyed; NULL with an error.
slip_model *cli_law_model(const slip_model *model, const cli_law *law, slip_error *error);

/// "lcp, poisson".
void cli_law_name(const cli_law *law, char *name, size_t size);

#endif
