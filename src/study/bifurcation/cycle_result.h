/// study/bifurcation/cycle_result.h: the result record of a periodic-orbit search.
#ifndef SLIP_STUDY_BIFURCATION_CYCLE_RESULT_H
#define SLIP_STUDY_BIFURCATION_CYCLE_RESULT_H

#include "study/bifurcation/shooting.h"

/// Fills the record from a search that has converged.
slip_status slip_cycle_fill_result(slip_cycle *cycle, slip_shooting *search, slip_error *error);

/// False for an equilibrium, which repeats after any time and so has no period.
bool slip_cycle_moves(const slip_cycle *cycle);

#endif
