/// symbolic/analysis/time_schedule.h: what expressions that hold the time are going to do, known before a run.
///
/// Conditions on t alone change at times that can be found in advance, however short a pulse is; and what
/// varies with t alone does so at a pace that can be seen in advance. An error-controlled step that starts in
/// a quiet time knows nothing of either: it must not pass a switching time, nor be longer than the pieces in
/// which every signal looks like a cubic.
#ifndef SLIP_SYMBOLIC_ANALYSIS_TIME_SCHEDULE_H
#define SLIP_SYMBOLIC_ANALYSIS_TIME_SCHEDULE_H

#include "symbolic/graph/formula.h"

typedef struct slip_time_schedule {
    double until;
    int switch_count, cell_count;
    double *switches;       ///< s, increasing, within (0, until)
    double *start, *length; ///< pieces of the run, s: steps from there on are no longer than that
} slip_time_schedule;

/// From the expressions roots[0..count), absent ones left out, over [0, until]: a pulse as short as 1e-4 of
/// that is found, and any condition that is linear in t. Adds nodes to the graph. False when out of memory;
/// destroy in any case.
bool slip_time_schedule_create(slip_time_schedule *table, slip_graph *graph, const slip_ref *roots, int count,
                               double until);
void slip_time_schedule_destroy(slip_time_schedule *table);

/// The latest time at which a step from t may end; infinite when nothing depends on the time alone.
double slip_time_schedule_end(const slip_time_schedule *table, double t);

/// The first switching time after t; infinite when there is none.
double slip_time_schedule_next(const slip_time_schedule *table, double t);

#endif
