/// base/status.h: filling a slip_error from inside the library.
#ifndef SLIP_BASE_STATUS_H
#define SLIP_BASE_STATUS_H

#include "slipstick/status.h"

#if defined(__GNUC__)
#define SLIP_PRINTF(at, first) __attribute__((format(printf, at, first)))
#else
#define SLIP_PRINTF(at, first)
#endif

/// Fills `error` (may be NULL) and returns `status`, so that a failing function ends with one line:
///     return slip_fail(error, SLIP_BAD_ARGUMENT, "step", "must be > 0, got %g", step);
/// Text that does not fit is cut, never overrun.
slip_status slip_fail(slip_error *error, slip_status status, const char *where, const char *format, ...)
    SLIP_PRINTF(4, 5);

#endif
