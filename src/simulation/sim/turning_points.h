/// simulation/sim/turning_points.h: extremes of columns inside the step ahead.
///
/// Formulations that choose their steps cross a throw in one: its top is at no end of a step. Rows at every step
/// and everything that is made of them (extremes of a sweep, objectives, the range of an orbit) get a row where
/// a column turns, too; and one right before a jump, as of the rates in an impact, where a state is extreme.
#ifndef SLIP_SIMULATION_SIM_TURNING_POINTS_H
#define SLIP_SIMULATION_SIM_TURNING_POINTS_H

#include "slipstick/sim.h"

enum { SLIP_TURNING_NODES = 5 }; ///< equidistant places of a step, both ends among them

typedef struct slip_turning_points {
    int states, columns, width;       ///< behind t: states, all that are looked at, and all of a row
    double *node[SLIP_TURNING_NODES]; ///< rows
    double *t;                        ///< s, instants found, in order
} slip_turning_points;

/// For the columns of a simulation but its derivatives; `records` false: for its states alone. False when out of
/// memory; destroy in any case.
bool slip_turning_points_create(slip_turning_points *points, const slip_sim *sim, bool records);
void slip_turning_points_destroy(slip_turning_points *points);

/// Instants within the next step, without its ends, at which a column is greater or less than at both ends by
/// more than the tolerances of the run; how many. 0 where the step is not known before it is taken. `now` is the
/// row of the present state.
int slip_turning_points_find(slip_turning_points *points, slip_sim *sim, const double *now);

/// After that step: the row at its end, before what jumped there, where a state was greater or less than it is
/// now and than at the start of the step. Its time is the last one before the jump. NULL: there is none.
const double *slip_turning_points_before_jump(slip_turning_points *points, const slip_sim *sim);

#endif
