/// study/fit/fitting.h: one fit while it is computed: whole runs as residuals, least squares over them, and
/// the uncertainty of the result.
#ifndef SLIPSTICK_FIT_FITTING_H
#define SLIPSTICK_FIT_FITTING_H

#include "slipstick/fit.h"
#include "slipstick/model.h"
#include "slipstick/sim.h"

typedef struct slip_fitting {
    const slip_fit_def *def;
    const slip_fit_data *data;
    slip_error *error;
    int p, n;                     ///< free parameters, residuals
    bool held[SLIP_FIT_MAX_FREE]; ///< it is not varied: during a profile, or at its bound
    double *r, *trial, *J, *shifted,
        *slopes; ///< residuals, of a trial, their derivatives (p columns of n), of a difference; exact ones
    double scale[SLIP_FIT_MAX_FREE]; ///< size of each parameter
    int runs;
    bool no_slopes;                     ///< there are no sensitivities for this model
    double noise[SLIP_FIT_MAX_COLUMNS]; ///< of each column, estimated from the data
    bool stopped;                       ///< by the caller, through the progress
    bool interrupted;                   ///< by the caller, through def->stop
    bool finishing;                     ///< runs are made all the same, to keep what there is
    slip_status status;
    slip_sim *sim;                 ///< started anew for each run
    slip_model *model;             ///< of its last run
    struct slip_fitting **helpers; ///< that make runs in other threads; NULL before the first
} slip_fitting;

/// Frees the simulations of the runs.
void slip_fitting_destroy(slip_fitting *f);

/// The n residuals at x with one parameter perturbed.
typedef struct slip_fit_perturbation {
    int parameter;
    double to;
    double *r;
} slip_fit_perturbation;

/// Evaluates all perturbations, on as many threads as the fit may use: every run is a function of its
/// parameters alone. False when a run fails, with f->status as for a single one (fit_parallel.c).
bool slip_fitting_run_perturbed(slip_fitting *f, const double *x, const slip_fit_perturbation *shifts,
                                int count);

/// The model with the free parameters at x; NULL with f->status and the error set.
slip_model *slip_fitting_model(slip_fitting *f, const double *x);

/// Residuals at x; false when the run fails, with f->status set when the parameters are not the cause.
bool slip_fitting_residuals(slip_fitting *f, const double *x, double *r);

/// Derivatives of the residuals at x from the sensitivities of one run, into columns of `stride`. Columns of
/// held parameters and of t0 are not touched. False when sensitivities are not available at all times.
bool slip_fitting_sensitivities(slip_fitting *f, const double *x, double *J, int stride);
double slip_fitting_squares(const slip_fitting *f, const double *r);

double slip_fitting_clamp(const slip_fitting *f, int k,
                          double x); ///< x, moved into the bounds of parameter k
bool slip_fitting_at_bound(const slip_fitting *f, int k, double x);
double slip_fitting_bounds_width(const slip_fitting *f, int k); ///< from bound to bound

/// J at x: exact where sensitivities are available, else by central differences, one-sided at a bound;
/// columns of held parameters are zero.
bool slip_fitting_jacobian(slip_fitting *f, const double *x);

/// Minimises the sum of squares from x, leaving the residuals in f->r and their sum of squares in *best.
/// False when even the run at the start fails.
bool slip_fitting_minimise(slip_fitting *f, double *x, double *best, int *iterations, bool *converged);

/// Errors, correlations, intervals and criteria of the fit at fit->value.
void slip_fitting_uncertainty(slip_fitting *f, slip_fit *fit, double best);

#endif
