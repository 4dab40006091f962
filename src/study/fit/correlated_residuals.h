/// study/fit/correlated_residuals.h: the distribution of a sum of correlated residuals.
#ifndef SLIP_STUDY_FIT_CORRELATED_RESIDUALS_H
#define SLIP_STUDY_FIT_CORRELATED_RESIDUALS_H

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
