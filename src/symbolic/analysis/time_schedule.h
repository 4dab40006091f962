/// symbolic/analysis/time_schedule.h: time events and time scales of expressions of time, found before a run.
///
/// Conditions on t alone change at times that can be found in advance, however short a pulse is, and signals
/// of t alone vary at a rate that can be found in advance. A step with error control that starts in a quiet
/// period knows of neither: it must not pass a switching time, nor be longer than the pieces on which every
/// signal is close to a cubic.
#ifndef SLIP_SYMBOLIC_ANALYSIS_TIME_SCHEDULE_H
#define SLIP_SYMBOLIC_ANALYSIS_TIME_SCHEDULE_H

#include "symbolic/graph/formula.h"

typedef struct slip_time_schedule {
    double until;
    int switch_count, cell_count;
    double *switches;       ///< s, increasing, within (0, until)
    double *start, *length; ///< pieces of the run, s: steps that start in a piece are no longer than this
} slip_time_schedule;

/// From the expressions roots[0..count), without absent ones, over [0, until]. It finds pulses as short as
/// 1e-4 of that, and every condition that is linear in t. Adds nodes to the graph. False when out of memory;
/// destroy in any case.
bool slip_time_schedule_create(slip_time_schedule *table, slip_graph *graph, const slip_ref *roots, int count,
                               double until);
void slip_time_schedule_destroy(slip_time_schedule *table);

/// The latest time at which a step from t may end; infinite when nothing depends on the time alone.
double slip_time_schedule_end(const slip_time_schedule *table, double t);

/// The first switching time after t; infinite when there is none.
double slip_time_schedule_next(const slip_time_schedule *table, double t);

#endif
