/// sim/past.h: one value at times of the past, and polynomials through it.
#ifndef SLIP_SIM_PAST_H
#define SLIP_SIM_PAST_H

#include "core/archive.h"
#include "model/model.h"

/// The value at a time, and its rate there; NaN: not known.
typedef struct slip_knot {
    double t, value, slope;
    bool first; ///< behind a break: no polynomial reaches across
} slip_knot;

typedef struct slip_past {
    slip_knot *knots; ///< in the order of time
    size_t count, room;
    double tau;     ///< s: what is older is forgotten
    double largest; ///< absolute value so far
} slip_past;

static inline const slip_knot *slip_past_end(const slip_past *past)
{
    return &past->knots[past->count - 1];
}

/// False when there is no room left; `now` is the present time.
bool slip_past_add(slip_past *past, slip_knot knot, double now);

/// A polynomial in s - origin for times near `centre`, on about `length`; before the first knot the value is
/// that of the first. Gives the number of values and slopes that it goes through.
int slip_past_fit(const slip_past *past, double centre, double origin, double length,
                  double c[SLIP_DELAY_COEFFICIENTS]);

/// How far the polynomial that is made for time s is good at the most: some knots ahead.
double slip_past_reach(const slip_past *past, double s);

void slip_past_archive(slip_past *past, slip_archive *archive);

#endif
