/// bench_sweep.h: what the parts of this benchmark share.
#ifndef SLIP_BENCH_SWEEP_H
#define SLIP_BENCH_SWEEP_H

#include "measure.h"

/// A ball that bounces, in C for this one case: Cash and Karp's steps, impacts located to 2e-13 s by the
/// Illinois rule as in the library. Returns the number of steps; *y is where it ends.
long native_ball(double height, double restitution, double until, double *y);

/// What a sweep costs beside its runs.
void bench_overhead(long runs);

/// Calibrations by differences: a new simulation for every run, simulations that are started again, and two
/// threads
void bench_calibration(void);

#endif
