/// study/bifurcation/minimal_period.h: whether a period that was found is a multiple of the orbit's own.
#ifndef SLIP_STUDY_BIFURCATION_MINIMAL_PERIOD_H
#define SLIP_STUDY_BIFURCATION_MINIMAL_PERIOD_H

#include "study/bifurcation/shooting.h"

/// Fills cycle->period_multiple, and adds to its text where they are several. `period` is the formula of a forced
/// motion, or NULL. Runs the orbit again, so that the last shot of the search is another one then.
slip_status slip_cycle_find_minimal_period(slip_cycle *cycle, slip_shooting *search, const char *period,
                                           slip_error *error);

#endif
