/// cycle/planner.h: the curves of a plane on their way.
#ifndef SLIP_CYCLE_PLANNER_H
#define SLIP_CYCLE_PLANNER_H

#include "model/model.h"
#include "slipstick/plane.h"

typedef struct slip_planner {
    const slip_model *model;
    const slip_cycle_def *def;
    const slip_cycle_along *along;
    slip_plane *plane;
    size_t capacity;          ///< of its curves
    slip_model **models;      ///< per value of the second parameter
    slip_cycle_branch **full; ///< whole branches, as far as they were needed
    double range;             ///< of the first parameter
    bool failed;              ///< out of memory
} slip_planner;

/// The model with another value of the second parameter; NULL when there is none.
slip_model *slip_planner_vary(const slip_planner *planner, double across, slip_error *error);

/// A curve without points, with room for one per value of the second parameter, all not-a-number. NULL when
/// out of memory.
slip_plane_curve *slip_planner_curve(slip_planner *planner, const char *kind, const char *events);

/// Adds the curves of special points.
slip_status slip_planner_cycles(slip_planner *planner, slip_error *error);

/// Adds the curves of the contact problem at the start.
slip_status slip_planner_critical(slip_planner *planner, slip_error *error);

#endif
