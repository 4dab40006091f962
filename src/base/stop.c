/// base/stop.c: see stop.h.
#define _POSIX_C_SOURCE 200809L
#include "base/stop.h"

#include <time.h>

// s. A step that can finish within this time after a stop was requested does so, and leaves the state that an
// uninterrupted run has. It is short enough to pass for an immediate answer.
static const double STOP_GRACE_SECONDS = 0.05;

static const double NANOSECOND = 1e-9; // s, the unit of timespec.tv_nsec

double slip_monotonic_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + NANOSECOND * (double)t.tv_nsec;
}

bool slip_stop_is_due(slip_stop *stop)
{
    if (!stop || !stop->asked || !*stop->asked) return false;
    const double now = slip_monotonic_clock();
    if (stop->since == 0.0) stop->since = now;
    return now - stop->since >= STOP_GRACE_SECONDS;
}
