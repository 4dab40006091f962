/// study/fit/fitting.h: one fit while it is being made: whole runs as residuals, least squares over them, and what
/// the result is worth.
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
    bool held[SLIP_FIT_MAX_FREE]; ///< kept where it is: while a profile is drawn, or by its bound
    double *r, *trial, *J, *shifted,
        *slopes; ///< residuals, of a trial, their derivatives (p columns of n), of a difference; exact ones
    double scale[SLIP_FIT_MAX_FREE]; ///< how large a change of each parameter is a large one
    int runs;
    bool no_slopes; ///< derivatives do not ride along with the runs of this model
    slip_status status;
    slip_sim *sim;                 ///< started anew for each run
    slip_model *model;             ///< of its last run
    struct slip_fitting **helpers; ///< that make runs in other threads; NULL before the first
} slip_fitting;

/// Gives back what runs have taken.
void slip_fitting_destroy(slip_fitting *f);

/// Residuals at x with one parameter somewhere else, n numbers.
typedef struct slip_fit_perturbation {
    int parameter;
    double to;
    double *r;
} slip_fit_perturbation;

/// All of them, on as many threads as the fit may use: every run is a function of its parameters alone. False
/// when one cannot be made, with f->status as for one (differences.c).
bool slip_fitting_run_perturbed(slip_fitting *f, const double *x, const slip_fit_perturbation *shifts,
                                int count);

/// The model with the free parameters at x; NULL with f->status and the error set.
slip_model *slip_fitting_model(slip_fitting *f, const double *x);

/// Residuals at x; false when the run cannot be made, with f->status set when it is nobody's parameter's
/// fault.
bool slip_fitting_residuals(slip_fitting *f, const double *x, double *r);

/// Derivatives of the residuals at x, which ride along with one run, into columns of `stride`; a column whose
/// parameter is held is left alone, and so is that of t0. False when they are not known, or not everywhere.
bool slip_fitting_sensitivities(slip_fitting *f, const double *x, double *J, int stride);
double slip_fitting_squares(const slip_fitting *f, const double *r);

double slip_fitting_clamp(const slip_fitting *f, int k,
                          double x); ///< x, moved into the bounds of parameter k
bool slip_fitting_at_bound(const slip_fitting *f, int k, double x);
double slip_fitting_bounds_width(const slip_fitting *f, int k); ///< from bound to bound

/// J at x, exact where derivatives ride along with a run, else by central differences, one-sided at a bound;
/// columns of held parameters are zero.
bool slip_fitting_jacobian(slip_fitting *f, const double *x);

/// Minimises from x on, leaving the residuals in f->r and their sum of squares in *best. False when not even
/// the start can be run.
bool slip_fitting_minimise(slip_fitting *f, double *x, double *best, int *iterations, bool *converged);

/// Errors, correlations, intervals and criteria of the fit at fit->value.
void slip_fitting_uncertainty(slip_fitting *f, slip_fit *fit, double best);

#endif
