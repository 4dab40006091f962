/// run_summary.h: how a run went, for people.
#ifndef SLIPSTICK_CLI_RUN_SUMMARY_H
#define SLIPSTICK_CLI_RUN_SUMMARY_H

#include "slipstick/slipstick.h"

/// The summary of a run on stdout. `counts` are events by kind; `directory` holds its files, NULL when there
/// are none. Verbose: also states of elements, and every warning instead of one of a kind.
void cli_print_run(const slip_model *model, slip_sim *sim, const slip_run_info *info, const long *counts,
                   const char *directory, bool verbose);

#endif
