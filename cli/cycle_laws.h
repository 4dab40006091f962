/// cycle_laws.h: how far special points move from one formulation and impact law to another.
#ifndef CLI_CYCLE_LAWS_H
#define CLI_CYCLE_LAWS_H

#include <stdbool.h>

#include "slipstick/slipstick.h"

/// Follows the branch under every formulation with every impact law (lists by commas; NULL: as it is) and
/// prints a table. Returns the exit code.
int cli_cycle_laws(const slip_model *model, const slip_cycle_def *def, const slip_cycle_along *along,
                   const char *formulations, const char *impacts, bool json);

#endif
