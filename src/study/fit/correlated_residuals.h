/// study/fit/correlated_residuals.h: the distribution of a sum of correlated residuals.
#ifndef SLIP_STUDY_FIT_CORRELATED_RESIDUALS_H
#define SLIP_STUDY_FIT_CORRELATED_RESIDUALS_H

#include <stdbool.h>

/// Kinds of noise: each value independent of the others, filtered once, or smooth.
typedef enum slip_noise_kind { SLIP_NOISE_WHITE, SLIP_NOISE_ROUGH, SLIP_NOISE_SMOOTH } slip_noise_kind;

/// One kind of noise of variance 1.
typedef struct slip_noise {
    slip_noise_kind kind;
    double memory; ///< s, correlation time
    double share;  ///< of the correlated part in the variance
} slip_noise;

/// The most likely noise for the residuals e[0..rows), and its innovations: what each residual adds to those
/// before it, which is white if the residuals are noise of this kind. `innovations` has room for 2*rows
/// numbers, of which the first half are set. False when there is nothing to tell them from.
bool slip_noise_most_likely(const double *t, const double *e, int rows, slip_noise *best,
                            double *innovations);

/// The distribution of the error of one estimate: a mixture of Student's distributions about 0, one for each
/// kind of noise that is tried.
enum { SLIP_ERROR_DISTRIBUTION_MAX_TERMS = 241 };
typedef struct slip_error_distribution {
    int count, freedom;
    double weight[SLIP_ERROR_DISTRIBUTION_MAX_TERMS], error[SLIP_ERROR_DISTRIBUTION_MAX_TERMS];
} slip_error_distribution;

/// The distribution of the sum of u[0..rows), to which the residual at each time t[k] contributes.
/// `residuals` is the number of residuals, `freedom` this number minus that of parameters.
void slip_error_distribution_fit(const double *t, const double *u, int rows, int residuals, int freedom,
                                 slip_error_distribution *spread);

/// The same for residuals that are known to be independent.
void slip_error_distribution_white(double error, int freedom, slip_error_distribution *spread);

/// Half the width of the interval that holds it with this probability.
double slip_error_distribution_half_width(const slip_error_distribution *spread, double probability);

#endif
