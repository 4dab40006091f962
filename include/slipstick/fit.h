/// fit.h: parameters of a model from data, by least squares, with what can be said about them.
///
///     slip_fit_def def = slip_default_fit_def();
///     def.model = model; def.free = names; def.free_count = 2;
///     slip_fit *fit = NULL;
///     if (slip_fit_run(&def, &data, &error, &fit) != SLIP_OK) ...
///
/// Levenberg and Marquardt's method (MINPACK's) on residuals of the recorded columns; the Jacobian rides
/// along with a run where it can (sensitivity.h), else it is made of differences over whole runs, so any
/// formulation and any parameter will do. A search that ends at residuals that are not noise is made again
/// over windows of the data that grow from its beginning, and then from other starts. The first start is the
/// guess and the others are Halton's points within the bounds, or between a quarter of the guess and four times
/// it where there are none: a fixed set, so the answer does not depend on the number of threads. The free name
/// `t0` is a shift of the data's clock: the model's time is the data's plus t0.
///
/// Residuals that are not noise make all intervals void (lack_of_fit). Parameters that the data do not determine
/// have none, but the combinations of them that are determined have.
///
/// Residuals are correlated, because noise is filtered and because no model is complete. Errors and intervals
/// allow for that: how it is done, and how often they hold the truth, is in docs/least-constraint.md.
#ifndef SLIPSTICK_FIT_H
#define SLIPSTICK_FIT_H

#include <signal.h>
#include <stdbool.h>

#include "slipstick/model.h"
#include "slipstick/sim.h"
#include "slipstick/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SLIP_FIT_MAX_FREE = 12, SLIP_FIT_MAX_COLUMNS = 8 };

/// Measured columns over time. Rows increase in t.
typedef struct slip_fit_data {
    int rows, columns;
    char name[SLIP_FIT_MAX_COLUMNS][64]; ///< columns of the trajectory they are compared with
    double *t;
    double *value;   ///< rows x columns
    long unfinished; ///< number of the last line when it has no end and was left out, since a number may have
                     ///< been cut off; else 0
} slip_fit_data;

/// Reads a CSV file: decimal numbers, as many in every line; what is wrong is an error with its line.
/// `columns` names what each column is ("t,th"; "-" is ignored); NULL: as the header says.
slip_status slip_fit_data_read(const char *path, const char *columns, slip_error *error, slip_fit_data *data);

/// Releases the arrays; the structure itself is the caller's.
void slip_fit_data_destroy(slip_fit_data *data);

typedef struct slip_fit_def {
    const slip_model *model; ///< must be given; a change for every run is one of slip_model_vary
    const char *const *free; ///< names of parameters, and t0
    int free_count;
    const double *start;       ///< NULL: as the model says, t0 = 0
    const double *lower;       ///< smallest and largest value allowed, per parameter; -INFINITY and
    const double *upper;       ///< INFINITY for none; NULL: no bounds
    int starts;                ///< searches from so many points, of which the best is the answer; 0: as many
                               ///< as it takes to end at residuals that are noise, up to 13 (0)
    int threads;               ///< that make runs at once; 0: as many as processors. The answer is the same
    const char *formulation;   ///< NULL: as the model says
    double relative, absolute; ///< tolerances of the runs; NaN: as the model says
    int max_iterations;        ///< (40)
    bool profile;              ///< profile-likelihood intervals as well (false)
    double confidence;         ///< of all intervals (0.9)
    bool independent;          ///< residuals are known to be: intervals are then shorter (false)
    /// Called after every iteration, with several starts after every start; may be NULL. Returning false
    /// stops. Never called twice at once.
    bool (*progress)(void *context, int iteration, double rms);
    void *context;
    /// Searches are given up when this becomes nonzero; the best point that any of them has reached is the
    /// answer, and not converged. May be NULL.
    const volatile sig_atomic_t *stop;
} slip_fit_def;

/// The defaults in parentheses above; model and free parameters are still to be given.
slip_fit_def slip_default_fit_def(void);

/// A combination of parameters that the data determine, although none of them alone.
typedef struct slip_fit_combination {
    char formula[160]; ///< "k/m"
    double value, error, low, high;
} slip_fit_combination;

typedef struct slip_fit {
    int free_count, residual_count;
    char *names[SLIP_FIT_MAX_FREE];                            ///< of the free parameters
    double confidence;                                         ///< of the intervals
    double value[SLIP_FIT_MAX_FREE], error[SLIP_FIT_MAX_FREE]; ///< estimates, standard errors
    double error_independent[SLIP_FIT_MAX_FREE];               ///< if the residuals were independent
    double effective; ///< as many independent values would tell as much about the parameter known least
    double correlation[SLIP_FIT_MAX_FREE][SLIP_FIT_MAX_FREE]; ///< NaN, and errors infinite, when singular
    double low[SLIP_FIT_MAX_FREE], high[SLIP_FIT_MAX_FREE];   ///< interval, linear
    double profile_low[SLIP_FIT_MAX_FREE], profile_high[SLIP_FIT_MAX_FREE]; ///< NaN when not asked for
    double rms;                                                             ///< of the residuals
    double aic, bic;  ///< information criteria, for choosing between models on the same data
    double condition; ///< of the scaled Jacobian; large: parameters that cannot be distinguished
    bool unseen[SLIP_FIT_MAX_FREE]; ///< the data do not depend on this parameter at all
    bool undetermined
        [SLIP_FIT_MAX_FREE]; ///< it can change together with others, or alone, and no residual does
    slip_fit_combination combination[SLIP_FIT_MAX_FREE]; ///< of those; determined
    int combination_count;
    bool lack_of_fit; ///< the residuals are not noise: intervals are void, which is to say infinite
    double noise; ///< in the column where they are farthest from it, estimated from the data; NaN: unknown
    char residual_column[64];         ///< that column
    double residual_rms;              ///< of its residuals
    double residual_runs;             ///< runs of equal sign: standard deviations from the number expected
    double residual_frequency;        ///< Hz, where their spectrum is strongest; 0 when it was not asked for
    bool at_bound[SLIP_FIT_MAX_FREE]; ///< stopped by its bound: errors and intervals do not know that
    int iterations, runs;
    bool converged;
    bool exact;         ///< derivatives rode along with the runs (sensitivity.h); else they are differences
    int starts, agreed; ///< searches that could be made; how many ended at the best sum of squares
    double *residual;   ///< rows x columns, data minus model
} slip_fit;

/// Fits the free parameters to the data. A search that does not converge is an answer too: see
/// slip_fit.converged.
slip_status slip_fit_run(const slip_fit_def *def, const slip_fit_data *data, slip_error *error,
                         slip_fit **fit);
void slip_fit_destroy(slip_fit *fit); ///< NULL is fine

/// The model with the estimates in it. For a report, or for going on.
slip_status slip_fit_model(const slip_fit_def *def, const slip_fit *fit, slip_error *error,
                           slip_model **model);

/// How it was run: as long as the data, in the fit's formulation and with its tolerances.
slip_sim_def slip_fit_settings(const slip_fit_def *def, const slip_fit *fit, const slip_fit_data *data);

/// The fit as one JSON object (docs/json.md), with a second one to the same data under `against` unless it is
/// NULL. To be released with free(); NULL when out of memory.
char *slip_fit_json(const slip_fit *fit, const slip_fit *against);

/// Residuals as CSV, one line per row of the data: t, then data minus model.
slip_status slip_fit_write_csv(const slip_fit *fit, const slip_fit_data *data, const char *path,
                               slip_error *error);

/// For every column: the data over the model, and the residuals with a band of plus and minus their rms.
slip_status slip_fit_write_svg(const slip_fit *fit, const slip_fit_data *data, const char *path,
                               slip_error *error);

#ifdef __cplusplus
}
#endif
#endif
