/// study/fit/identifiability.h: which parameters the data determine, and which combinations of the others.
#ifndef SLIP_STUDY_FIT_IDENTIFIABILITY_H
#define SLIP_STUDY_FIT_IDENTIFIABILITY_H

#include "study/fit/fitting.h"

/// What the data say about directions in the space of parameters.
typedef struct slip_identifiability {
    double root[SLIP_FIT_MAX_FREE]; ///< lengths of the columns of J; 0: the data do not depend on it
    double C[SLIP_FIT_MAX_FREE][SLIP_FIT_MAX_FREE];    ///< pseudoinverse of J'J
    double null[SLIP_FIT_MAX_FREE][SLIP_FIT_MAX_FREE]; ///< directions that change nothing, as rows
    int null_count;
    double condition; ///< of J with columns of length 1; infinite with null directions
} slip_identifiability;

/// From f->J. The data do not tell apart what changes them by less than the derivatives are accurate.
bool slip_fitting_identify(const slip_fitting *f, bool exact, slip_identifiability *out);

/// A combination of parameters that the data determine: product of powers, or a sum.
typedef struct slip_parameter_combination {
    int of;                          ///< parameter with the exponent or factor 1
    double power[SLIP_FIT_MAX_FREE]; ///< exponents, or factors
    bool product;
    double value;
    double gradient[SLIP_FIT_MAX_FREE]; ///< of the combination with respect to the parameters
} slip_parameter_combination;

/// The combinations that every null direction leaves alone, among the parameters that are in one; their number.
/// Whether products or sums are left alone is found by a run a little way along the null directions.
int slip_fitting_combinations(slip_fitting *f, const double *x, const slip_identifiability *id, double best,
                              slip_parameter_combination *out);

/// A combination as a formula, into `text`.
void slip_parameter_combination_print(const slip_parameter_combination *c, char *const *names, int count,
                                      char *text, size_t size);

#endif
