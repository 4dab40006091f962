/// study/bifurcation/initial_guess.h: a point near a periodic motion, and about how long its period is.
#ifndef SLIP_STUDY_BIFURCATION_INITIAL_GUESS_H
#define SLIP_STUDY_BIFURCATION_INITIAL_GUESS_H

#include "slipstick/cycle.h"

/// States at the end of a simulated motion, a whole number of periods long where the period is known (NaN:
/// not); the range of each state in its last half, and where `period` is not known, after how long it comes
/// back to where it was. `text` says why when there is none: a motion that ended early, that stands still,
/// that does not come back.
bool slip_cycle_guess(const slip_model *model, const slip_cycle_def *def, double settle, const bool *shifts,
                      double *period, double *state, double *range, char *text, size_t size);

/// Replaces the states that `start` names: "x=1.5, x'=0".
slip_status slip_cycle_read_start(const slip_model *model, const char *start, double *state,
                                  slip_error *error);

#endif
