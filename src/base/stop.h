/// base/stop.h: an end that is asked for from outside, by a signal as a rule, in the middle of a long step.
///
/// A step that ends soon may end as it would have: the state it leaves is then that of a run that nobody
/// interrupted, to the bit.
#ifndef SLIP_BASE_STOP_H
#define SLIP_BASE_STOP_H

#include <signal.h>
#include <stdbool.h>

typedef struct slip_stop {
    const volatile sig_atomic_t *asked; ///< nonzero: to stop; NULL: never
    double since;                       ///< when that was first seen, by slip_monotonic_clock(); 0: not yet
} slip_stop;

/// Whether a long step has to end now: it was asked to, and has had its time to finish. Cheap until then.
bool slip_stop_is_due(slip_stop *stop);

double
slip_monotonic_clock(void); ///< seconds since some moment in the past, whatever happens to the time of day

#endif
