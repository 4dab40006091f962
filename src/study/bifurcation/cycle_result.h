/// study/bifurcation/cycle_result.h: what there is to say about a periodic motion that was found.
#ifndef SLIP_STUDY_BIFURCATION_CYCLE_RESULT_H
#define SLIP_STUDY_BIFURCATION_CYCLE_RESULT_H

#include "study/bifurcation/shooting.h"

/// Fills the cycle from a search that has come to its end.
slip_status slip_cycle_fill_result(slip_cycle *cycle, slip_shooting *search, slip_error *error);

/// An equilibrium repeats after any time: it is no motion whose period could be found.
bool slip_cycle_moves(const slip_cycle *cycle);

#endif
