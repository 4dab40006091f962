/// base/stop.c: see stop.h.
#define _POSIX_C_SOURCE 200809L
#include "base/stop.h"

#include <time.h>

static const double STOP_GRACE_SECONDS = 0.05; // s: who asks wants an answer at once

double slip_monotonic_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool slip_stop_is_due(slip_stop *stop)
{
    if (!stop || !stop->asked || !*stop->asked) return false;
    const double now = slip_monotonic_clock();
    if (stop->since == 0.0) stop->since = now;
    return now - stop->since >= STOP_GRACE_SECONDS;
}
