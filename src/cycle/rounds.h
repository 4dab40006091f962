/// cycle/rounds.h: whether a period that was found is a multiple of the orbit's own.
#ifndef SLIP_CYCLE_ROUNDS_H
#define SLIP_CYCLE_ROUNDS_H

#include "cycle/shooting.h"

/// Fills cycle->rounds, and adds to its text where they are several. `period` is the formula of a forced
/// motion, or NULL. Runs the orbit again, so that the last shot of the search is another one then.
slip_status slip_cycle_count_rounds(slip_cycle *cycle, slip_shooting *search, const char *period,
                                    slip_error *error);

#endif
