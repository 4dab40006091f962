/// study/bifurcation/two_parameter.h: curves of special points in the plane of two parameters, while they are
/// computed.
#ifndef SLIP_STUDY_BIFURCATION_TWO_PARAMETER_H
#define SLIP_STUDY_BIFURCATION_TWO_PARAMETER_H

#include "model/model.h"
#include "slipstick/two_parameter.h"

typedef struct slip_two_parameter_study {
    const slip_model *model;
    const slip_cycle_def *def;
    const slip_cycle_along *along;
    slip_two_parameter_diagram *plane;
    size_t capacity;     ///< of the array of curves
    slip_model **models; ///< one per value of the second parameter
    slip_cycle_branch *
        *full;    ///< the whole branches that were needed so far, per value of the second parameter
    double range; ///< width of the range of the first parameter
    bool failed;  ///< out of memory
} slip_two_parameter_study;

/// Makes the model with another value of the second parameter; NULL with an error when that fails.
slip_model *slip_two_parameter_study_vary(const slip_two_parameter_study *planner, double across,
                                          slip_error *error);

/// Adds a curve with one point per value of the second parameter, all of them NaN so far. NULL when out of
/// memory.
slip_two_parameter_curve *slip_two_parameter_study_curve(slip_two_parameter_study *planner, const char *kind,
                                                         const char *events);

/// Adds the curves of special points.
slip_status slip_two_parameter_study_cycles(slip_two_parameter_study *planner, slip_error *error);

/// Adds the curves on which the number of solutions of the contact problem at the start changes.
slip_status slip_two_parameter_study_critical(slip_two_parameter_study *planner, slip_error *error);

#endif
