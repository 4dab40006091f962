/// core/stop.c: see stop.h.
#define _POSIX_C_SOURCE 200809L
#include "core/stop.h"

#include <time.h>

static const double GRACE = 0.05; // s: who asks wants an answer at once

double slip_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool slip_stop_is_due(slip_stop *stop)
{
    if (!stop || !stop->asked || !*stop->asked) return false;
    const double now = slip_clock();
    if (stop->since == 0.0) stop->since = now;
    return now - stop->since >= GRACE;
}
