/// study/sweep/sampling.h: points of the unit cube, one per run, and the distributions that they are mapped to.
#ifndef SLIP_STUDY_SWEEP_SAMPLING_H
#define SLIP_STUDY_SWEEP_SAMPLING_H

#include <stdint.h>

#include "slipstick/sweep.h"

enum { SLIP_SOBOL_MAX = 10 }; ///< dimensions that Sobol's sequence is tabulated for

/// Coordinate `dimension` of point `run` of `count`, in (0, 1).
double slip_sampling_coordinate(slip_sampling sampling, uint64_t seed, uint64_t run, uint64_t count,
                                int dimension);

/// What a draw makes of a number in (0, 1).
double slip_distribution_quantile(const slip_distribution *draw, double uniform);

/// Quantile of the standard normal distribution.
double slip_normal_quantile(double probability);

#endif
