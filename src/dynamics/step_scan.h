/// dynamics/step_scan.h: values of functions within a step.
///
/// An error-controlled step looks at a motion where its stages are, and a motion that bends nowhere is
/// crossed in few long steps: a small body that passes in between, or a force that acts on a short stretch,
/// is seen by none. Between both ends of a step the motion is known well enough to ask: positions follow from
/// q, q' and q'' at both ends. What is asked is cheap, gaps and forces without their derivatives, so that a
/// run can be looked at some thousand times whatever its steps are. The places differ from step to step.
#ifndef SLIP_DYNAMICS_STEP_SCAN_H
#define SLIP_DYNAMICS_STEP_SCAN_H

#include "base/archive.h"
#include "symbolic/analysis/switching_functions.h"
#include "symbolic/analysis/time_schedule.h"
#include "dynamics/equations.h"

/// A step between two states: q, u and their rates at both ends (2 n numbers each).
typedef struct slip_step_interval {
    double t, h;
    const double *x, *rate, *x_end, *rate_end;
} slip_step_interval;

typedef struct slip_step_scan {
    const slip_equations *equations;
    int function_count, signal_count;
    slip_tape *functions, *signals;
    double *function_reg, *signal_reg;
    slip_step_interval leg; ///< that is looked into
    double *quintic;        ///< of each coordinate along it
    double *slopes; ///< of each gap that is linear in the coordinates, by coordinate; NaN first: it is not
    double *value, *before, *last; ///< functions at three places in a row
    double *low, *high, *scale;    ///< signals: over a step where stages look, and the largest met so far
    double resolution;             ///< s
    double dust;                   ///< below zero by no more than this is zero
    unsigned step;                 ///< number of looks so far
} slip_step_scan;

/// Functions: the gap of each element (1 without a gap), then the value of each switch (may be NULL); of one
/// that is locked, with what is inside it at the sides set last, and of a floor, positive within its step.
/// Signals: forces and frictions that follow from the state. `until` is the length of the run. False when out
/// of memory; destroy in any case.
bool slip_step_scan_create(slip_step_scan *scan, slip_equations *equations, const slip_switches *switches,
                           double until);
void slip_step_scan_destroy(slip_step_scan *scan);

void slip_step_scan_reset(slip_step_scan *scan); ///< as it was made: it has seen nothing

/// The side of a locked switch, for the values of those around it.
void slip_scan_set_side(slip_step_scan *scan, const slip_switch *locked, double side);

/// What it has seen so far.
void slip_step_scan_archive(slip_step_scan *scan, slip_archive *archive);

/// The state within a leg, s in [0, 1], 2 n numbers: quintic where q' is u, cubic where it is not.
void slip_step_interval_state(const slip_equations *equations, const slip_step_interval *leg, double s,
                              double *x);

/// Where within the leg, in (0, 1), a watched function is below zero; 1 when nowhere. sign[k] is 1 or -1,
/// 0: not watched. Steps shorter than the resolution are not looked into.
double slip_step_scan_crossing(slip_step_scan *scan, const slip_step_interval *leg, const double *sign);

/// The side on which each function is at a place of the leg, as -1 or 1.
void slip_step_scan_signs(slip_step_scan *scan, const slip_step_interval *leg, double at, double *sign);

/// The same as slip_step_scan_crossing, and then the first place at which it is so.
double slip_step_scan_first_crossing(slip_step_scan *scan, const slip_step_interval *leg, const double *sign);

/// Whether a signal leaves, within the leg, what the stages of an integrator have seen of it.
bool slip_step_scan_signal_missed(slip_step_scan *scan, const slip_step_interval *leg);

/// What the time alone does in these equations.
bool slip_equations_timetable(slip_equations *equations, double until, slip_time_schedule *table);

#endif
