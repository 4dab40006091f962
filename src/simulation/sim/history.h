/// simulation/sim/history.h: the history of one value, and interpolating polynomials through it.
#ifndef SLIP_SIMULATION_SIM_HISTORY_H
#define SLIP_SIMULATION_SIM_HISTORY_H

#include "base/archive.h"
#include "model/model.h"

/// The value at a time, and its time derivative there; NaN: not known.
typedef struct slip_history_knot {
    double t, value, slope;
    bool first; ///< the first knot after a break, which no polynomial crosses
} slip_history_knot;

typedef struct slip_history {
    slip_history_knot *knots; ///< in the order of time
    size_t count, room;
    double tau;     ///< s, age after which knots are dropped
    double largest; ///< largest absolute value so far
} slip_history;

static inline const slip_history_knot *slip_history_last(const slip_history *past)
{
    return &past->knots[past->count - 1];
}

/// False when there is no room left; `now` is the present time.
bool slip_history_add(slip_history *past, slip_history_knot knot, double now);

/// A polynomial in s - origin for times s near `centre`, to be used over about `length`. Before the first
/// knot the value is constant. Returns the number of values and derivatives that it interpolates.
int slip_history_interpolate(const slip_history *past, double centre, double origin, double length,
                             double c[SLIP_DELAY_COEFFICIENTS]);

/// The latest time at which the polynomial for time s may be used: some knots ahead.
double slip_history_valid_until(const slip_history *past, double s);

void slip_history_archive(slip_history *past, slip_archive *archive);

#endif
