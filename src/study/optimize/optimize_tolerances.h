/// study/optimize/optimize_tolerances.h: the tolerances of an optimization.
#ifndef SLIP_STUDY_OPTIMIZE_TOLERANCES_H
#define SLIP_STUDY_OPTIMIZE_TOLERANCES_H

/// Default tolerance of the answer, relative to the width of the bounds, or to the start.
static const double DEFAULT_OPTIMUM_TOLERANCE = 1e-6;

/// Step of a difference quotient, relative to the scale of a variable: large compared with the noise of a
/// run, small compared with the features of the objective.
static const double OPTIMIZE_DIFFERENCE_STEP = 1e-5;

/// First step of a search without bounds, in scaled variables.
static const double FIRST_SEARCH_STEP = 0.1;

/// Points per variable that are tried all over the bounds before the searches, the most of them, and how many of
/// the best become starts of searches.
enum { SCAN_POINTS = 24, MAX_SCAN_POINTS = 96, SCAN_SEARCHES = 3 };

/// Starts that are chosen among them are at least so far apart, as a fraction of the bounds.
static const double SCAN_APART = 0.05;

/// A search agrees with the best one when its objective is larger by at most this fraction, and by the second
/// number (in units of the objective, absolute) where the best value is 0.
static const double OPTIMUM_AGREES = 1e-3;
static const double OPTIMUM_AGREES_AT_ZERO = 1e-12;

#endif
