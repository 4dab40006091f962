/// study/fit/multistart.h: one search from each of several starting points.
#ifndef SLIPSTICK_FIT_STARTS_H
#define SLIPSTICK_FIT_STARTS_H

#include "slipstick/fit.h"

/// Where a fit starts, and how large a change of each parameter is a large one; SLIP_FIT_MAX_FREE numbers.
slip_status slip_fit_initial_guess(const slip_fit_def *def, const slip_fit_data *data, slip_error *error,
                                   double *x, double *scale);

/// slip_fit_run() for one start, without what the result is worth: errors, intervals and criteria are not
/// set. *no_slopes: derivatives did not ride along.
slip_status slip_fit_search(const slip_fit_def *def, const slip_fit_data *data, slip_error *error,
                            bool *no_slopes, slip_fit **fit);

/// What the result of such a search is worth; `def` and no_slopes as there.
slip_status slip_fit_find_uncertainty(const slip_fit_def *def, const slip_fit_data *data, slip_error *error,
                                      bool no_slopes, slip_fit *fit);

/// slip_fit_run() for def->starts > 1.
slip_status slip_fit_multistart(const slip_fit_def *def, const slip_fit_data *data, slip_error *error,
                                slip_fit **fit);

#endif
