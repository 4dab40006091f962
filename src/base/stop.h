/// base/stop.h: a stop requested from outside, usually by a signal, in the middle of a long step.
///
/// A step that can end soon is completed: the state that it leaves is then that of an uninterrupted run, to
/// the bit.
#ifndef SLIP_BASE_STOP_H
#define SLIP_BASE_STOP_H

#include <signal.h>
#include <stdbool.h>

#include "platform/platform.h"

typedef struct slip_stop {
    const volatile sig_atomic_t *asked; ///< nonzero: stop requested; NULL: never
    double since;                       ///< time at which the request was first seen, by
                                        ///< slip_monotonic_clock(); 0: not yet
} slip_stop;

/// Whether a long step has to end now: a stop was requested, and the time to finish is over. Cheap until
/// then.
bool slip_stop_is_due(slip_stop *stop);

#endif
