/// sensitivity/sensitivity_parameters.h: the parameters and initial values with respect to which a motion
/// is differentiated, and derivatives of formulas along them.
#ifndef SLIP_SENSITIVITY_SENSITIVITY_PARAMETERS_H
#define SLIP_SENSITIVITY_SENSITIVITY_PARAMETERS_H

#include "formulation/method.h"

/// A parameter, or the initial value of a state, with respect to which the motion is differentiated.
typedef struct slip_sensitivity_column {
    const char *name;
    int parameter; ///< number among the parameters that are asked for; -1: none
    int state;     ///< number among the states; -1: none
} slip_sensitivity_column;

/// The columns of these names, count of them, and how many are parameters. Heap memory, also when it fails.
slip_status slip_sensitivity_columns(const slip_model *model, const slip_method *method,
                                     const char *const *names, int count, slip_error *error,
                                     slip_sensitivity_column **columns, int *parameter_count);

/// Values of all controllers of a model, memory and outputs.
int slip_controller_value_count(const slip_model *model);

/// What has no derivatives under any formulation.
slip_status slip_sensitivity_check_model(const slip_model *model, slip_error *error);

/// A direction in a graph: of its inputs, and of nodes that are known to change.
typedef struct slip_derivative_direction {
    slip_graph *graph;
    slip_ref *direction; ///< of the first inputs; SLIP_NONE: 0
    int direction_count;
    slip_known_derivative *known; ///< sorted, room for all that is put in
    int known_count;
} slip_derivative_direction;

/// The derivative of a formula along the direction; what is none stays none.
slip_ref slip_derivative_along(const slip_derivative_direction *ways, slip_ref formula);

/// A node that changes at this rate.
void slip_derivative_set_known(slip_derivative_direction *ways, slip_ref node, slip_ref rate);

/// Parameters that are asked for change at dp[number]; those that follow from them follow. Needs room for all
/// parameters of the model. False when out of memory.
bool slip_derivative_set_parameters(slip_derivative_direction *ways, const slip_model *model,
                                    const slip_sensitivity_column *columns, int column_count,
                                    const slip_ref *dp);

#endif
