/// study/bifurcation/initial_guess.h: the initial guess of a search: a point near a periodic orbit, and its
/// period.
#ifndef SLIP_STUDY_BIFURCATION_INITIAL_GUESS_H
#define SLIP_STUDY_BIFURCATION_INITIAL_GUESS_H

#include "slipstick/cycle.h"

/// Simulates the model for the time `settle`, rounded up to whole periods where the period is known (not
/// NaN), and returns the states at the end and the range of each state in the second half. If `period` is not
/// known, it is estimated by the time after which the motion comes back to that point. `text` says why there
/// is no guess: the motion ended early, rests, or does not come back.
bool slip_cycle_guess(const slip_model *model, const slip_cycle_def *def, double settle, const bool *shifts,
                      double *period, double *state, double *range, char *text, size_t size);

/// Replaces the states that `start` names: "x=1.5, x'=0".
slip_status slip_cycle_read_start(const slip_model *model, const char *start, double *state,
                                  slip_error *error);

#endif
