/// bench_sweep.h: what the parts of this benchmark share.
#ifndef SLIP_BENCH_SWEEP_H
#define SLIP_BENCH_SWEEP_H

#include <stdio.h>
#include <time.h>

#include "slipstick/slipstick.h"

/// s of this process, all of its threads
static inline double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// s on the wall
static inline double wall_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// NULL, and a sentence, when it cannot be read
slip_model *bench_read(const char *name, const char *text);

/// A ball that bounces, in C for this one case: Cash and Karp's steps, impacts located to 2e-13 s by the
/// Illinois rule as in the library. Returns the number of steps; *y is where it ends.
long native_ball(double height, double restitution, double until, double *y);

/// Calibrations by differences: a new simulation for every run, simulations that are started again, and two
/// threads
void bench_calibration(void);

#endif
