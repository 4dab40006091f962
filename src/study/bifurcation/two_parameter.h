/// study/bifurcation/two_parameter.h: the curves of a plane on their way.
#ifndef SLIP_STUDY_BIFURCATION_TWO_PARAMETER_H
#define SLIP_STUDY_BIFURCATION_TWO_PARAMETER_H

#include "model/model.h"
#include "slipstick/two_parameter.h"

typedef struct slip_two_parameter_study {
    const slip_model *model;
    const slip_cycle_def *def;
    const slip_cycle_along *along;
    slip_two_parameter_diagram *plane;
    size_t capacity;          ///< of its curves
    slip_model **models;      ///< per value of the second parameter
    slip_cycle_branch **full; ///< whole branches, as far as they were needed
    double range;             ///< of the first parameter
    bool failed;              ///< out of memory
} slip_two_parameter_study;

/// The model with another value of the second parameter; NULL when there is none.
slip_model *slip_two_parameter_study_vary(const slip_two_parameter_study *planner, double across,
                                          slip_error *error);

/// A curve without points, with room for one per value of the second parameter, all not-a-number. NULL when
/// out of memory.
slip_two_parameter_curve *slip_two_parameter_study_curve(slip_two_parameter_study *planner, const char *kind,
                                                         const char *events);

/// Adds the curves of special points.
slip_status slip_two_parameter_study_cycles(slip_two_parameter_study *planner, slip_error *error);

/// Adds the curves of the contact problem at the start.
slip_status slip_two_parameter_study_critical(slip_two_parameter_study *planner, slip_error *error);

#endif
