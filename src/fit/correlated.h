/// fit/correlated.h: how far a sum of residuals may be from zero when they are correlated.
#ifndef SLIP_FIT_CORRELATED_H
#define SLIP_FIT_CORRELATED_H

/// What one estimate may be off by: a mixture of Student's distributions about 0, one for each kind of noise
/// that is tried.
enum { SLIP_SPREAD_KINDS = 241 };
typedef struct slip_spread {
    int count, freedom;
    double weight[SLIP_SPREAD_KINDS], error[SLIP_SPREAD_KINDS];
} slip_spread;

/// Of the sum of u[0..rows), which a residual at each time t[k] gives; `freedom` is the number of residuals
/// less that of parameters, `residuals` that of residuals.
void slip_spread_find(const double *t, const double *u, int rows, int residuals, int freedom,
                      slip_spread *spread);

/// The same for residuals that are known to be independent.
void slip_spread_independent(double error, int freedom, slip_spread *spread);

/// Half the width of the interval that holds it with this probability.
double slip_spread_width(const slip_spread *spread, double probability);

#endif
