/// symbolic/analysis/analysis_tolerances.h: tolerances in the analysis of formulas.
#ifndef SLIP_SYMBOLIC_ANALYSIS_ANALYSIS_TOLERANCES_H
#define SLIP_SYMBOLIC_ANALYSIS_ANALYSIS_TOLERANCES_H

/// Of the larger bound, and at least of 1 in the unit of the expression: an expression whose interval is
/// narrower is constant. Intervals widen by rounding with every operation; formulas of some hundred nodes
/// stay below this. The 1 is there for expressions about zero, which have no scale of their own.
static const double CONSTANT_TOLERANCE = 1e-12;

/// Of the largest value of a signal: a signal of time whose range is smaller is constant, and its variation
/// is the rounding of the formula.
static const double SIGNAL_CONSTANT_RELATIVE = 1e-13;

/// Of the range of a signal: how well a cubic must fit it on a piece of the run. Steps resolve a piece of
/// this accuracy with an error far below the tolerances of integrators; a tighter one would only shorten the
/// pieces.
static const double CUBIC_FIT_TOLERANCE = 1e-3;

/// Of the length of a piece between two switching times: the first and last sample lie this far inside, so
/// that they see the values of the piece and not those across the switch.
static const double SAMPLE_INSIDE = 1e-9;

/// Of a number of samples: a quotient that exceeds a power of two by less is that power, and does not double
/// the number of samples for the sake of rounding.
static const double SAMPLE_COUNT_SLACK = 1e-9;

/// In roundings (units in the last place) of the length of the run: the width to which a switching time is
/// located, and the distance below which two of them are one. A zero is located to 2, so 16 tells distinct
/// times from copies of one.
enum { SWITCHING_TIME_ROUNDINGS = 2, SAME_TIME_ROUNDINGS = 16 };

#endif
