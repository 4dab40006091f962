/// simulation/sim/history.h: one value at times of the past, and polynomials through it.
#ifndef SLIP_SIMULATION_SIM_HISTORY_H
#define SLIP_SIMULATION_SIM_HISTORY_H

#include "base/archive.h"
#include "model/model.h"

/// The value at a time, and its rate there; NaN: not known.
typedef struct slip_history_knot {
    double t, value, slope;
    bool first; ///< behind a break: no polynomial reaches across
} slip_history_knot;

typedef struct slip_history {
    slip_history_knot *knots; ///< in the order of time
    size_t count, room;
    double tau;     ///< s: what is older is forgotten
    double largest; ///< absolute value so far
} slip_history;

static inline const slip_history_knot *slip_history_last(const slip_history *past)
{
    return &past->knots[past->count - 1];
}

/// False when there is no room left; `now` is the present time.
bool slip_history_add(slip_history *past, slip_history_knot knot, double now);

/// A polynomial in s - origin for times near `centre`, on about `length`; before the first knot the value is
/// that of the first. Gives the number of values and slopes that it goes through.
int slip_history_interpolate(const slip_history *past, double centre, double origin, double length,
                             double c[SLIP_DELAY_COEFFICIENTS]);

/// How far the polynomial that is made for time s is good at the most: some knots ahead.
double slip_history_valid_until(const slip_history *past, double s);

void slip_history_archive(slip_history *past, slip_archive *archive);

#endif
