/// fit.h: parameters of a model from data, by least squares, with what can be said about them.
///
///     slip_fit_def def = slip_default_fit_def();
///     def.model = "journal-pendulum.yaml"; def.free = names; def.free_count = 2;
///     slip_fit *fit = NULL;
///     if (slip_fit_run(&def, &data, &error, &fit) != SLIP_OK) ...
///
/// Levenberg and Marquardt's method on residuals of the recorded columns; the Jacobian by differences over
/// whole runs, so any formulation and any parameter will do. The free name `t0` is a shift of the data's
/// clock: the model's time is the data's plus t0.
#ifndef SLIPSTICK_FIT_H
#define SLIPSTICK_FIT_H

#include <stdbool.h>

#include "slipstick/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SLIP_FIT_MOST_FREE = 12, SLIP_FIT_MOST_COLUMNS = 8 };

/// Measured columns over time. Rows increase in t.
typedef struct slip_fit_data {
    int rows, columns;
    char name[SLIP_FIT_MOST_COLUMNS][64]; ///< columns of the trajectory they are compared with
    double *t;
    double *value; ///< rows x columns
} slip_fit_data;

/// Reads a CSV file. `columns` names what each column is ("t,th"; "-" is ignored); NULL: as the header says.
slip_status slip_fit_data_read(const char *path, const char *columns, slip_error *error, slip_fit_data *data);
void slip_fit_data_free(slip_fit_data *data);

typedef struct slip_fit_def {
    const char *model;            ///< file
    const char *const *overrides; ///< "key=value", for every run
    int override_count;
    const char *const *free; ///< names of parameters, and t0
    int free_count;
    const double *start;       ///< NULL: as the model says, t0 = 0
    const char *formulation;   ///< NULL: as the model says
    double relative, absolute; ///< tolerances of the runs; NaN: as the model says
    int max_iterations;        ///< (40)
    bool profile;              ///< profile-likelihood intervals as well (false)
    double confidence;         ///< of all intervals (0.9)
    /// Called after every iteration; may be NULL. Returning false stops.
    bool (*progress)(void *context, int iteration, double rms);
    void *context;
} slip_fit_def;

slip_fit_def slip_default_fit_def(void);

typedef struct slip_fit {
    int free_count, residual_count;
    double value[SLIP_FIT_MOST_FREE], error[SLIP_FIT_MOST_FREE]; ///< estimates, standard errors
    double correlation[SLIP_FIT_MOST_FREE][SLIP_FIT_MOST_FREE];
    double low[SLIP_FIT_MOST_FREE], high[SLIP_FIT_MOST_FREE];                 ///< interval, linear
    double profile_low[SLIP_FIT_MOST_FREE], profile_high[SLIP_FIT_MOST_FREE]; ///< NaN when not asked for
    double rms;                                                               ///< of the residuals
    double aic, bic;  ///< information criteria, for choosing between models on the same data
    double condition; ///< of the scaled Jacobian; large: parameters that cannot be told apart
    int iterations, runs;
    bool converged;
    double *residual; ///< rows x columns, data minus model
} slip_fit;

slip_status slip_fit_run(const slip_fit_def *def, const slip_fit_data *data, slip_error *error,
                         slip_fit **fit);
void slip_fit_free(slip_fit *fit);

#ifdef __cplusplus
}
#endif
#endif
