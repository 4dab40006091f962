/// formulation/auto/auto_tolerances.h: when the automatic formulation changes between rigid and compliant.
#ifndef SLIP_FORMULATION_AUTO_TOLERANCES_H
#define SLIP_FORMULATION_AUTO_TOLERANCES_H

/// Pivot relative to the diagonal: a row with a smaller one depends on those before it, and needs no
/// correction of its own.
static const double DEPENDENT_ROW_PIVOT = 1e-11;

/// Of the largest eigenvalue: smaller ones belong to redundant contacts, which do not move, and not to the
/// decay of the boundary layer.
static const double ZERO_EIGENVALUE = 1e-7;

/// Time constants of the slowest decay after which the boundary layer has settled: exp(-5) is below a per
/// cent.
static const double SETTLING_TIME_CONSTANTS = 5.0;

/// Of the rigid load: a compliant contact has settled when its load is this close.
static const double LOAD_MATCH_TOLERANCE = 0.02;

/// Times the period of a bounce of its contact: a gap that closes sooner is not open.
static const double CLOSING_BOUNCE_PERIODS = 10.0;

/// Of the largest coordinate, or of 1 m: a gap that is wider is open for rigid contacts too, whatever
/// compliant contacts are pressed in by.
static const double GAP_OPEN_TOLERANCE = 1e-6;

/// Times the ordinary load of a contact: a peak above this that stops the motion is an impact without
/// collision.
static const double JAM_LOAD_RATIO = 5.0;

/// Times the load that stops a fall: contacts with larger ones are near a jam, and are not handed over.
static const double MAX_HANDOVER_LOAD_RATIO = 20.0;

#endif
