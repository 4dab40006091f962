/// study/fit/multistart.h: one search from each of several starting points.
#ifndef SLIPSTICK_FIT_STARTS_H
#define SLIPSTICK_FIT_STARTS_H

#include "slipstick/fit.h"

/// The start of a fit, and the size of each parameter; SLIP_FIT_MAX_FREE numbers.
slip_status slip_fit_initial_guess(const slip_fit_def *def, const slip_fit_data *data, slip_error *error,
                                   double *x, double *scale);

/// How a search ended.
typedef struct slip_fit_search_end {
    bool no_slopes;   ///< there were no exact derivatives
    bool interrupted; ///< by def->stop: the fit is where it was then
    bool noise;       ///< the residuals are noise
} slip_fit_search_end;

/// slip_fit_run() for one start, without uncertainty: errors, intervals and criteria are not set.
slip_status slip_fit_search(const slip_fit_def *def, const slip_fit_data *data, slip_error *error,
                            slip_fit_search_end *end, slip_fit **fit);

/// The uncertainty of the result of such a search; `def` and no_slopes as there.
slip_status slip_fit_find_uncertainty(const slip_fit_def *def, const slip_fit_data *data, slip_error *error,
                                      bool no_slopes, slip_fit *fit);

/// slip_fit_run() for def->starts > 1, or 0: as many as are needed.
slip_status slip_fit_multistart(const slip_fit_def *def, const slip_fit_data *data, slip_error *error,
                                slip_fit **fit);

#endif
