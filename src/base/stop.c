/// base/stop.c: see stop.h.
#include "base/stop.h"

// s. A step that can finish within this time after a stop was requested does so, and leaves the state that an
// uninterrupted run has. It is short enough to pass for an immediate answer.
static const double STOP_GRACE_SECONDS = 0.05;

bool slip_stop_is_due(slip_stop *stop)
{
    if (!stop || !stop->asked || !*stop->asked) return false;
    const double now = slip_monotonic_clock();
    if (stop->since == 0.0) stop->since = now;
    return now - stop->since >= STOP_GRACE_SECONDS;
}
