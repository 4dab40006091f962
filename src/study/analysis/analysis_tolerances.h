/// study/analysis/analysis_tolerances.h: the tolerances of the contact problem at one state.
#ifndef SLIP_STUDY_ANALYSIS_TOLERANCES_H
#define SLIP_STUDY_ANALYSIS_TOLERANCES_H

/// A gap below this counts as closed, relative to the largest coordinate and to 1 m (absolute): states that
/// users type, or that a run has written, are rounded to about that.
static const double GAP_CLOSED = 1e-8;

/// Normal velocities below this are zero, relative to the largest rate and to 1 (absolute, SI units).
static const double GAP_RATE_ZERO = 1e-8;

/// Slip velocities below this are zero, relative to the largest rate and to 1 (absolute, SI units).
static const double SLIP_ZERO = 1e-9;

/// The same at the start of a domain map (m/s, absolute): slips are written by hand there, or exactly 0.
static const double MAP_SLIP_ZERO = 1e-10;

/// Impact velocities below this are zero or equal, relative to the largest rate before the impact.
static const double IMPACT_RATE_ZERO = 1e-9;

/// Contacts are closed to this residual, relative to the largest coordinate and to 1 (absolute, SI units);
/// beyond the second (absolute) the iteration diverges.
static const double GAPS_CONVERGED = 1e-13;
static const double GAPS_DIVERGED = 1e9;

/// Rates fulfil their conditions within this, relative to the largest rate and to 1 (absolute, SI units): the
/// pseudo-inverse leaves a larger residual where they are contradictory.
static const double RATES_CONSISTENT = 1e-9;

#endif
