/// study/fit/lack_of_fit.h: are the residuals of a fit noise?
#ifndef SLIP_STUDY_FIT_LACK_OF_FIT_H
#define SLIP_STUDY_FIT_LACK_OF_FIT_H

#include "slipstick/fit.h"

/// The noise of each column, estimated from the data themselves: what a smooth curve through neighbouring rows
/// leaves. False when out of memory.
bool slip_fit_data_noise(const slip_fit_data *data, double *noise);

typedef enum slip_residual_kind {
    SLIP_RESIDUALS_NOISE,  ///< as small as the noise of the data, or noise of a known kind
    SLIP_RESIDUALS_SMOOTH, ///< larger and smooth: slow noise, or something that the model leaves out
    SLIP_RESIDUALS_MISFIT, ///< no noise of any kind that is known here
} slip_residual_kind;

typedef struct slip_lack_of_fit {
    slip_residual_kind kind;
    int column;       ///< the one that is farthest from noise
    double noise;     ///< of that column, from the data; NaN: too few rows
    double rms;       ///< of its residuals
    double runs;      ///< runs test on its residuals: standard deviations between the number of runs and the
                      ///< number expected; negative: too few
    double frequency; ///< Hz, where their spectrum is strongest
} slip_lack_of_fit;

/// Judges the residuals r, rows x columns. `noise` is that of slip_fit_data_noise(). False when out of memory.
bool slip_lack_of_fit_test(const slip_fit_data *data, const double *noise, const double *r,
                           slip_lack_of_fit *out);

#endif
