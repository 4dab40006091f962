/// clock.h: the clocks of benchmarks.
#ifndef SLIP_BENCH_CLOCK_H
#define SLIP_BENCH_CLOCK_H

#include <time.h>

static inline double bench_time_by(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// s of this process, all of its threads: what others do on the machine is not counted.
static inline double processor_time(void)
{
    return bench_time_by(CLOCK_PROCESS_CPUTIME_ID);
}

/// s on the wall.
static inline double wall_time(void)
{
    return bench_time_by(CLOCK_MONOTONIC);
}

#endif
