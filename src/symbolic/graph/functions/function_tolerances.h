/// symbolic/graph/functions/function_tolerances.h: tolerances of the functions of the formula language.
#ifndef SLIP_SYMBOLIC_GRAPH_FUNCTIONS_FUNCTION_TOLERANCES_H
#define SLIP_SYMBOLIC_GRAPH_FUNCTIONS_FUNCTION_TOLERANCES_H

/// Of half a period: an extremum of sin or cos this far outside an interval still counts as inside, so that
/// rounding of the ends never makes the range too small. The range grows by 1e-11 at most.
static const double EXTREMUM_SLACK = 1e-6;

/// rad. Beyond this the rounding of an angle approaches EXTREMUM_SLACK, and the range is [-1, 1].
static const double EXTREMA_RESOLVED_BELOW = 1e9;

/// m^2/s^2, the square of 1e-12 m/s. A contact patch whose slip and rim speed are slower is at rest. It is
/// absolute because a formula knows no scale of its model: at this speed a body moves by the diameter of an
/// atom in two minutes, while positions of a metre are rounded to 1e-16 m.
static const double REST_SPEED_SQUARED = 1e-24;

/// Of the mean itself: the arithmetic-geometric mean has converged when its two sequences differ by less than
/// a rounding.
static const double MEAN_CONVERGED = 1e-16;

/// Of the first term: terms of a power series below this are left out. It is below the rounding of the sum by
/// two decades, for the coefficients in front of the powers.
static const double SERIES_TERM_NEGLIGIBLE = 1e-18;

#endif
