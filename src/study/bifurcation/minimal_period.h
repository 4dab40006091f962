/// study/bifurcation/minimal_period.h: whether the period that was found is a multiple of the minimal period
/// of the orbit.
#ifndef SLIP_STUDY_BIFURCATION_MINIMAL_PERIOD_H
#define SLIP_STUDY_BIFURCATION_MINIMAL_PERIOD_H

#include "study/bifurcation/shooting.h"

/// Fills cycle->period_multiple, and explains a multiple in cycle->text. `period` is the formula of a forced
/// motion, or NULL. Runs parts of the orbit, so that the flow map of the search no longer holds the whole
/// orbit.
slip_status slip_cycle_find_minimal_period(slip_cycle *cycle, slip_shooting *search, const char *period,
                                           slip_error *error);

#endif
